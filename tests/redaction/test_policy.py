"""What a user allows and adds, and the pragma comment."""

from __future__ import annotations

import pytest

from hipocampus.redaction import make_policy, redact


def test_an_allowed_value_stays():
    """A value that a pattern matches from end to end is not a finding; a longer one is."""
    policy = make_policy(allow=[r"fixture-[a-z0-9]{8}!"])
    value = "fixture-" + "a1b2c3d4" + "!"

    assert redact(f"password: {value}", policy).findings == ()
    assert redact(f"password: {value}more", policy).findings != ()


def test_the_value_of_an_allowed_name_stays(sampler):
    """Names match from end to end; provider tokens have no name and go all the same."""
    policy = make_policy(allow_names=["demo_.*"])
    token = "ghp_" + sampler.of_class("A", 36)

    assert redact(f"demo_password = '{sampler.password()}'", policy).findings == ()
    assert redact(f"demo_token = '{token}'", policy).text == "demo_token = '[REDACTED:github-token]'"


def test_an_extra_rule_redacts_its_group():
    """A rule of the user takes out what its group holds, under its own name."""
    policy = make_policy(extra=[{"name": "badge", "regex": r"badge (\d{6})", "group": 1}])

    assert redact("show badge 123456 at the door", policy).text == "show badge [REDACTED:badge] at the door"


def test_an_extra_rule_sees_the_end_of_a_long_line():
    """A long line is read in overlapping pieces, to its end."""
    policy = make_policy(extra=[{"name": "badge", "regex": r"badge \d{6}"}])

    assert redact("x" * 5_000 + " badge 123456", policy).text.endswith(" [REDACTED:badge]")


@pytest.mark.parametrize(
    ("allow", "extra", "problem"),
    [
        (["("], [], "not a regular expression"),
        ([""], [], "must be text"),
        ([7], [], "must be text"),
        (["a" * 501], [], "must be text"),
        (["(a+)+b"], [], "could take for ever"),
        (["(a|ab)*c"], [], "could take for ever"),
        ([".*.*.*x"], [], "could take for ever"),
        ([], ["x"], "needs a name"),
        ([], [{"name": "No Slug", "regex": "a"}], "needs a name"),
        ([], [{"name": "x"}], "must be text"),
        ([], [{"name": "x", "regex": "(a)", "group": 2}], "no group 2"),
        ([], [{"name": "x", "regex": "(a)", "group": True}], "no group True"),
    ],
)
def test_a_bad_pattern_is_reported_and_left_out(allow, extra, problem):
    """Whatever is wrong in a config is named, and everything else still works."""
    policy = make_policy(allow=allow, extra=extra)

    assert len(policy.problems) == 1
    assert problem in policy.problems[0]
    assert (policy.allow, policy.extra) == ((), ())


def test_a_good_pattern_is_kept_beside_a_bad_one():
    """One mistake in a list does not cost the others."""
    policy = make_policy(allow=["(", "abc"], allow_names=["x.*", "["])

    assert [pattern.pattern for pattern in policy.allow] == ["abc"]
    assert [pattern.pattern for pattern in policy.allow_names] == ["x.*"]
    assert len(policy.problems) == 2


def test_the_pragma_counts_for_context_rules_on_its_line(sampler):
    """`pragma: allowlist secret` on the line, or for the next line, keeps what only its context makes a secret."""
    first, second, third = sampler.password(), sampler.password(), sampler.password()
    text = (
        f"password = '{first}'  # pragma: allowlist secret\n"
        "# pragma: allowlist nextline secret\n"
        f"password = '{second}'\n"
        f"password = '{third}'\n"
    )

    assert redact(text).text == text.replace(third, "[REDACTED:password]")


def test_the_pragma_does_not_count_for_tokens_and_keys(sampler):
    """A line of an agent may hold the pragma by accident or on purpose: provider tokens and private keys still go."""
    token = "ghp_" + sampler.of_class("A", 36)

    assert token not in redact(f"token = '{token}'  # pragma: allowlist secret").text


def test_a_policy_does_not_change_the_default(sampler):
    """What one project allows, another does not."""
    value = sampler.password()
    make_policy(allow=[".*"])

    assert redact(f"password: {value}").findings != ()
