"""Where a token may begin and end: secrets stand in branch names, paths, names of tools and ids of sessions."""

from __future__ import annotations

import hashlib

import pytest

from hipocampus.redaction import redact
from hipocampus.redaction.providers import PROVIDERS
from hipocampus.redaction.samples import Sampler

JOINTS = "feat/ x- tool_ conf. bob@ id: a+ _ - / . = ~ # ( | ,"
BEFORE = ("", *JOINTS.split())
AFTER = ("", " ", ".txt", "/x", "-1", "_x", ":1", "@a", ")", ",", "+b", '"')
# Prefixes that names and base64 begin with too, and which of the two sides they need clear.
CLEAR_BEFORE = {
    **dict.fromkeys(("key-", "API-", "sdk-", "md-", "ico-", "fc-"), ("x-", "tool_", "conf.", "_", "-", ".", "~")),
    **dict.fromkeys(("re_", "st.", "sl.", "pat."), ("tool_", "_")),
    **dict.fromkeys(("EAA", "EAAA", "AAAAAAAAAAAAAAAAAAAAA", "fm1", "fnA"), ("feat/", "a+", "tool_", "_")),
    **dict.fromkeys(("pat", "cio", "BSA", "AQE"), ("feat/", "a+", "x-", "tool_", "conf.", "_", "-", ".", "~")),
}
CLEAR_AFTER = {
    **dict.fromkeys(("key-", "API-", "ico-", "fc-", "cio"), ("_x",)),
    **dict.fromkeys(("sdk-", "md-", "BSA"), ("-1", "_x")),
    "pat": (".txt", "_x"),
    "AQE": ("/x", "_x", "+b"),
}
PREFIXES = [(prefix, row) for row in PROVIDERS for prefix in row[5].split()]


@pytest.mark.parametrize(("prefix", "row"), PREFIXES, ids=[f"{row[0]}-{prefix}" for prefix, row in PREFIXES])
def test_a_token_is_found_behind_and_before_whatever_joins_words(prefix, row):
    """No token needs a space around it; the few prefixes that are ordinary elsewhere need a clear side."""
    left = []
    for before in BEFORE:
        for after in AFTER:
            tokens = [prefix + Sampler(seed).of_class(row[1], row[3]) for seed in range(3)]
            found = [token not in redact(before + token + after).text for token in tokens]
            clear = before in CLEAR_BEFORE.get(prefix, ()) or after in CLEAR_AFTER.get(prefix, ())
            left += [] if sum(found) > 1 or clear else [(before, after)]  # by chance one may look like words

    assert left == []


def test_nothing_is_found_inside_words(sampler):
    """A letter or a digit before the prefix, or behind a token of an exact length, makes another word of it."""
    key = "AKIA" + sampler.of_class("U", 16)

    for text in ("x" + key, "7" + key, key + "7", key + "Q", "my" + "ghp_" + sampler.of_class("A", 36)):
        assert redact(f"see {text} there").findings == (), text


@pytest.mark.parametrize(
    "text",
    [
        "restore cache-key-{digest} from linux-cache_key-{digest}",
        "col-md-offset-2 btn-md-primary-2 mui-md-8f3b2c1d9e2a3b4c5d6e7f",
        "aws-sdk-{uuid}",
        "compiled_re_pattern_for_2_words_and_10_numbers_of_them",
        "first_st.field.other.field2.more.of.them.than.anybody.would.read.in.line10",
        "favicon-ico-{digest}",
        "tool_sk-learn_estimator_2 feat/hf_hub_download_2 conf/npm_config_registry_2 x_ghp_tokens",
        "feat/AKIA-is-the-prefix x-AKIA tool_AKIAIOSFODNN7EXAMPLE",
    ],
)
def test_names_with_such_a_prefix_stay(text, sampler):
    """Cache keys, style classes, attributes and the documentation's example keys, joined to other words."""
    filled = text.format(digest=hashlib.md5(b"x", usedforsecurity=False).hexdigest(), uuid=sampler.uuid())

    assert redact(filled).text == filled


def test_base64_has_no_tokens_inside(sampler):
    """In a wall of base64 the letters of a prefix stand behind a slash by chance."""
    for prefix, chars, count in (("AIza", "W", 35), ("ABSK", "A", 132), ("EAAA", "A", 60), ("AQVN", "A", 38)):
        wall = sampler.base64(600) + "/" + prefix + sampler.of_class(chars.replace("W", "A"), count) + "/"

        assert redact(wall + sampler.base64(600)).findings == (), prefix
