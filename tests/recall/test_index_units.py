"""What the index holds of an entry: its sentences, and what is told of each."""

from __future__ import annotations

import pytest

from hipocampus.recall.index_units import Sentence, documents_of_log
from hipocampus.redaction import DEFAULT

ASKED = "- request: two owners got the same slot\n"


def told(body: str) -> dict[str, str]:
    """The sentences of one entry by their beginning, with what is said of each."""
    (document,) = documents_of_log("2026-03-01", f"## Slots [project]\n{body}", DEFAULT)
    return {one.text.split()[0]: one.said for one in document.sentences}


@pytest.mark.parametrize(("topic", "short"), [
    ("Slots of the quay", "Slots of the quay"),
    ("Do not crash on malformed files", "not crash malformed"),
    ("the lines of the exported table are gone", "lines exported gone"),
    ("Hafenverwaltungsschnittstelle", "Hafenverwaltungsschnitt…"),
])  # fmt: skip
def test_a_topic_in_a_line_of_many_keeps_what_tells_most(topic: str, short: str) -> None:
    """Of a short one everything, of a long one as many words as fit, and a negation with what it negates."""
    (document,) = documents_of_log("2026-03-01", f"## {topic} [project]\n{ASKED}", DEFAULT)
    assert document.short == short


def test_of_what_was_asked_the_answer_is_told() -> None:
    """It is found by its own words; whoever asks it again knows them."""
    found = told(f"{ASKED}- outcome: a unique index on (vet_id, starts_at) in app/slots.py, retried 3 times\n")
    assert set(found) == {"two", "a"}
    assert found["two"] == found["a"]
    assert "unique index" in found["two"]


@pytest.mark.parametrize("rest", ["", "- outcome: done and closed\n- files: app/slots.py\n"])
def test_a_question_that_says_more_than_its_answer_is_told_itself(rest: str) -> None:
    """Who only writes that it is done says nothing with that."""
    asked = "- request: use pnpm 9 in web/, never npm, since the lockfile broke twice in March\n"
    assert "pnpm" in told(asked + rest)["use"]


def test_an_entry_that_says_nothing_is_told_by_its_name() -> None:
    """One sentence there always is."""
    assert list(told("- files: app/slots.py\n").values()) == ["Slots"]


@pytest.mark.parametrize(("said", "telling"), [
    ("thinking about a new interval tree recently", "interval tree"),
    ("working in the US", "working_in_the_US"),
    ("never use Redis", "never_use Redis"),
    ("use a list instead of Redis", "list instead_of_Redis"),
    ("tests but no mocks", "tests no_mocks"),
    ("no mocks", "no_mocks"),
    ("목은 쓰지 않는다", "목은 쓰지_않는다"),
])  # fmt: skip
def test_worn_words_tell_nothing(said: str, telling: str) -> None:
    """Where enough is left without them; where not, all is held together (here by a `_`), as a negation always is."""
    assert Sentence(said, said, said, 0).telling.replace("\u00a0", "_") == telling
