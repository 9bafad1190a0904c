"""A journal that loses words and nothing else."""

from __future__ import annotations

import json

import pytest

from hipocampus.forgetting.turns import silence
from hipocampus.forgetting.wanted import wanted

AT = "2026-03-15T10:22:03+09:00"
CODE = "the door code is four seven eleven"
SOUGHT = wanted("door code", [])


def lines(*records: object) -> str:
    """A journal."""
    return "".join((one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)) + "\n" for one in records)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            {"k": "prompt", "at": AT, "pid": "p1", "text": CODE},
            {"k": "wordless", "at": AT, "pid": "p1", "text": ""},
        ),
        (
            {"k": "turn", "at": AT, "of": "p1", "text": CODE, "tools": ["Edit"], "files": ["a"], "off": 9, "sum": 3},
            {"k": "turn", "at": AT, "of": "p1", "text": "", "tools": [], "files": [], "off": 9, "sum": 3},
        ),
        ({"k": "past", "at": AT, "text": CODE}, {"k": "past", "at": AT, "text": ""}),
        ({"k": "noted", "at": AT, "id": "x", "text": CODE}, {"k": "noted", "at": AT, "id": "x", "text": ""}),
        (
            {"k": "turn", "at": AT, "text": "ok", "files": ["the door code.txt", "b"]},
            {"k": "turn", "at": AT, "text": "ok", "files": ["b"]},
        ),
    ],
)
def test_a_record_stays_without_its_words(before: dict[str, object], after: dict[str, object]) -> None:
    """Ids, moments and the place in the transcript are kept, so that nothing is read or told again."""
    found = silence(lines({"k": "start", "day": "2026-03-14"}, before, {"k": "end"}), SOUGHT)
    assert [json.loads(line) for line in found.text.splitlines()] == [
        {"k": "start", "day": "2026-03-14"},
        after,
        {"k": "end"},
    ]
    assert found.lines == (2,)
    assert found.text.splitlines()[1].startswith('{"k":"')


def test_every_other_line_stays_as_it_is() -> None:
    """Byte for byte, lines that are no JSON too; a damaged line that holds it goes whole."""
    others = ('{"k": "turn",  "text": "other"}', "torn {", "", "[1]", '{"k":"turn","text":3}')
    found = silence(lines(*others, '{"k":"prompt","text":"the door code is'), SOUGHT)
    assert found.text == lines(*others)
    assert found.lines == (6,)
    assert silence(lines(*others), SOUGHT).text == lines(*others)


def test_it_is_known_on_which_days_the_words_may_be_told_again() -> None:
    """The day they were said on, and the day the session began."""
    start = {"k": "start", "day": "2026-03-14"}
    found = silence(lines(start, {"k": "prompt", "at": AT, "text": CODE}), SOUGHT)
    assert sorted(found.told) == [("2026-03-14", CODE), ("2026-03-15", CODE)]


def test_a_second_time_there_is_nothing_to_silence() -> None:
    """Idempotent."""
    once = silence(lines({"k": "prompt", "at": AT, "text": CODE}), SOUGHT)
    assert silence(once.text, SOUGHT).lines == ()
