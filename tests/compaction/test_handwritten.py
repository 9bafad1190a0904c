"""Lines that somebody wrote into ROOT."""

from __future__ import annotations

import pytest

from hipocampus.compaction.handwritten import handwritten
from hipocampus.compaction.sources import line_hashes
from hipocampus.core.topics import EntryType

OURS = (
    "## Active Context (recent ~7 days)\n- 2026-03-15: a: b\n\n"
    "## Topics Index\n- a [project, 0d]: b → memory/2026-03-15.md:1"
)


def file(body: str, ours: bool = True) -> str:
    """A ROOT file."""
    return f"---\ntype: root\nstatus: tentative\n{'source-hash: abc' if ours else 'last-updated: x'}\n---\n\n{body}\n"


def found(body: str, known: str = OURS) -> list[tuple[str, str, str]]:
    """Topic, type and body of what is strange in a ROOT."""
    entries = handwritten(file(body), line_hashes(known), "abc")
    return [(entry.topic.name, str(entry.topic.type), entry.body) for entry in entries]


def test_our_own_lines_are_known() -> None:
    """In any order, with any blank lines."""
    assert found(OURS) == []
    assert found("\n\n".join(reversed(OURS.split("\n")))) == []


LINES = [
    ("- always use bun here", EntryType.FEEDBACK),
    ("the gateway lives in us-east-1", EntryType.PROJECT),
    ("1. I am a backend developer", EntryType.USER),
    ("## Deploys happen on Tuesday", EntryType.PROJECT),
    ("> 앞으로 커밋은 영어로", EntryType.FEEDBACK),
]


@pytest.mark.parametrize(("line", "kind"), LINES)
def test_a_line_becomes_an_entry_of_its_kind(line: str, kind: EntryType) -> None:
    """Its words are kept once, under a name that is not the line itself."""
    ((name, type_, body),) = found(OURS + "\n" + line)
    said = line.lstrip("-#>1. ")
    assert (type_, body) == (str(kind), f"- {said}")
    assert said not in name
    assert name


def test_a_line_of_the_index_that_was_edited_keeps_its_topic() -> None:
    """Name and type are those of the line; its words are what was written."""
    line = "- rate limiting [reference, 2d, ?]: sliding window, not buckets → memory/2026-03-15.md:42"
    assert found(OURS + "\n" + line) == [("rate limiting", "reference", "- sliding window, not buckets")]


NOTHING = ["", "# Memory", "## Topics Index", "<!-- a\nlong\ncomment -->", "- none", "_nothing yet_", "(empty)", "-"]


@pytest.mark.parametrize("line", NOTHING)
def test_headings_comments_and_placeholders_say_nothing(line: str) -> None:
    """Only what somebody says is kept."""
    assert found(OURS + "\n" + line) == []


def test_where_the_state_was_lost_our_own_file_tells_nothing() -> None:
    """No line of it can be told from ours, so none is taken."""
    assert handwritten(file(OURS + "\n- mine"), [], "") == []


def test_the_root_of_another_machine_tells_nothing() -> None:
    """A file that came through a shared repository, or with the marks of a merge, is not somebody's handwriting."""
    assert handwritten(file(OURS + "\n- theirs"), line_hashes(OURS), "def") == []
    assert handwritten(file(OURS + "\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> x"), line_hashes(OURS), "abc") == []


def test_the_root_of_another_program_is_kept_whole() -> None:
    """A file that this program did not write may hold what no log has."""
    assert [entry.body for entry in handwritten(file("## Topics Index\n- one\n- two", ours=False), [], "")] == [
        "- one",
        "- two",
    ]
