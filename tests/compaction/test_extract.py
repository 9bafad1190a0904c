"""What one entry says in keywords."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.digest import LONGEST_LASTING, Digest, Section
from hipocampus.compaction.extract import WORDS_WIDTH, Source, read_entry
from hipocampus.core.entries import Entry
from hipocampus.core.topics import EntryType, Standing, Topic, parse_topic_line

WHERE = Source(date(2026, 3, 15), "memory/2026-03-15.md:42", "3f9c0a1b7d42")


def read(body: str, name: str = "rate limiting", kind: EntryType = EntryType.PROJECT) -> Digest:
    """The digest of one entry."""
    return read_entry(Entry(Topic(name, kind), body), WHERE)


def items(digest: Digest) -> dict[Section, list[str]]:
    """The texts of its sections."""
    return {section: [item.text for item in found] for section, found in digest.items.items()}


def test_fields_fill_words_and_sections() -> None:
    """Decision, outcome, open item and reference each have their place; the request comes last."""
    digest = read(
        "- request: choose a strategy for the public API\n"
        "- decisions: token bucket over leaky bucket\n"
        "- outcome: middleware in src/limits.py\n"
        "- open: load test\n"
        "- files: src/limits.py"
    )
    (line,) = digest.topics
    assert line.words.startswith("token bucket over leaky bucket; middleware src/limits.py; open: load test")
    assert line.words.endswith("choose strategy public API")
    assert line.standing is Standing.OPEN
    assert items(digest) == {
        Section.DECISIONS: ["token bucket over leaky bucket"],
        Section.COMPLETED: ["middleware src/limits.py"],
        Section.OPEN: ["load test"],
    }


LASTING = [
    (EntryType.FEEDBACK, "- rule: keep it short\n- why: a phone\n- how-to-apply: three sentences"),
    (EntryType.USER, "the user lives in Busan;\n\nworks at night"),
]


@pytest.mark.parametrize(("kind", "body"), LASTING)
def test_what_a_user_said_stays_word_for_word(kind: EntryType, body: str) -> None:
    """Every word of user and feedback entries stands on the topic line, whatever it is worth."""
    (line,) = read(body, kind=kind).topics
    assert [word for word in body.replace("- ", "").split() if word.strip(";") not in line.words] == []


def test_an_answer_that_says_nothing_is_no_part_of_a_rule() -> None:
    """As an import finds it behind what the user said."""
    (line,) = read("- rule: answer in short sentences\n- outcome: OK.", kind=EntryType.FEEDBACK).topics
    assert line.words == "rule: answer in short sentences"


def test_the_user_counts_in_a_conversation() -> None:
    """Facts of the user's turns come first; what the assistant said of itself does not count."""
    (line,) = read(
        "**User:** Can you recommend a gym?\n\n**Assistant:** I moved to Paris in 2019 with my wife Anna.\n\n"
        "**User:** By the way, I moved to Busan in March with my two cats."
    ).topics
    assert line.words.startswith("moved Busan March two cats")
    assert "Paris" not in line.words


def test_facts_hide_in_requests_too() -> None:
    """A request field is read as what the user said."""
    (line,) = read("- request: I deploy with Ansible 9 every Tuesday. Can you look at the log?").topics
    assert "deploy Ansible 9 every Tuesday" in line.words


def test_the_weight_follows_the_fact() -> None:
    """More durable fact, more weight; what a user asked for weighs most."""
    said = read("**User:** By the way, I moved to Busan in March with my wife Anna.").topics[0]
    asked = read("**User:** Can you recommend a good place to eat?").topics[0]
    ruled = read("- rule: x\n- why: y\n- how-to-apply: z", kind=EntryType.FEEDBACK).topics[0]
    assert asked.weight < said.weight < ruled.weight


def test_a_secret_is_taken_out_before_anything_is_shortened() -> None:
    """A secret that a person wrote into a log by hand does not survive as a keyword."""
    secret = "gh" + "p_" + "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7"[:36]
    digest = read(f"- outcome: works with {secret} now", name=f"token {secret}")
    assert secret not in str(digest)


def test_noise_is_left_out() -> None:
    """Code and stack traces do not become keywords."""
    body = "- outcome: fixed the parser\n- note: see src/parse.py\n```\nfor zebra in range(10):\n```"
    assert "zebra" not in read(body).topics[0].words


bodies = st.text(st.characters(codec="utf-8"), max_size=400) | st.lists(
    st.sampled_from(
        ["- outcome: x", "- open: y", "**User:** I moved to Busan.", "```", "## no heading", "- rule: z", " "]
    )
).map("\n".join)


@given(bodies, st.text(max_size=200), st.sampled_from(EntryType))
def test_any_entry_becomes_a_line_that_reads_back(body: str, name: str, kind: EntryType) -> None:
    """Whatever an entry holds, its topic line is one line within its limits and is understood by the level above."""
    (line,) = read(body, name, kind).topics
    assert len(line.words) <= (LONGEST_LASTING if kind in (EntryType.USER, EntryType.FEEDBACK) else WORDS_WIDTH)
    again = parse_topic_line(str(line))
    assert again is not None
    assert (again.day, again.pointer, again.id, again.weight) == (line.day, line.pointer, line.id, line.weight)
    assert again.words == " ".join(line.words.split())
