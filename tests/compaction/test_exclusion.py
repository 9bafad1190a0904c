"""What a summary leaves out."""

from __future__ import annotations

import pytest

from hipocampus.compaction.exclusion import is_excluded, is_marked, without_noise
from hipocampus.core.entries import Entry
from hipocampus.core.topics import EntryType, Topic

MARKED = [
    "- temporary: print every request",
    "temporary workaround for the demo",
    "- note: test run, ignore",
    "[temporary] extra logging",
    "extra logging (delete later)",
    "extra logging, delete later",
    "- 임시 로그 추가",
    "- 임시로 포트를 바꿈",
    "테스트 중",
    "이 줄은 나중에 삭제",
    "this whole thing is temporary",
    "# 테스트 중",
]
KEPT = [
    "fixed the leak of temporary files",
    "the test run takes 4 minutes now",
    "delete the branch after the merge",
    "임시방편이라는 말이 문서에 있다",
    "the runner keeps temporary credentials for an hour",
]


@pytest.mark.parametrize("line", MARKED)
def test_a_mark_is_a_mark(line: str) -> None:
    """At the start, in brackets, at the end."""
    assert is_marked(line)


@pytest.mark.parametrize("line", KEPT)
def test_the_same_words_in_a_sentence_are_words(line: str) -> None:
    """What only speaks of temporary things stays."""
    assert not is_marked(line)


ENTRIES = [
    (Entry(Topic("temporary debug flag"), "- outcome: added"), True),
    (Entry(Topic("debug flag (delete later)"), "- outcome: added"), True),
    (Entry(Topic("debug flag"), "- status: temporary\n- outcome: added"), True),
    (Entry(Topic("debug flag"), "- temporary print\n- 나중에 삭제"), True),
    (Entry(Topic("debug flag"), "- outcome: added\n- temporary print"), False),
    (Entry(Topic("debug flag"), ""), False),
    (Entry(Topic("temporary", EntryType.FEEDBACK), "- rule: x"), False),
    (Entry(Topic("temporary", EntryType.USER), "- fact: lives in Busan"), False),
]


@pytest.mark.parametrize(("entry", "excluded"), ENTRIES)
def test_an_entry_goes_as_a_whole_where_it_is_marked(entry: Entry, excluded: bool) -> None:
    """By its topic, its status or every line; what a user said stays in any case."""
    assert is_excluded(entry) is excluded


NOISE = [
    ("see src/limits.py:\n```python\na = 1\nb = 2\n```\nend", "see src/limits.py:\n→ src/limits.py:2 lines\nend"),
    ("```sh scripts/run.sh\nls\n```", "→ scripts/run.sh:1 lines"),
    ("x\n```\nnever closed", "x\n→ code:1 lines"),
    ("~~~\n```\n~~~", "→ code:1 lines"),
    (
        "before\nTraceback (most recent call last):\n"
        '  File "a.py", line 1, in f\n    g()\nValueError: no bucket\nafter',
        "before\nValueError: no bucket\nafter",
    ),
    (
        '- error:\n  Traceback (most recent call last):\n    File "a.py", line 1\n  KeyError: 1\n',
        "- error:\n  KeyError: 1\n",
    ),
    (
        "TypeError: x is not a function\n    at f (a.js:1:2)\n    at g (a.js:2:2)\nok",
        "TypeError: x is not a function\nok",
    ),
    ("a\n- temporary line\nb", "a\nb"),
    ("nothing to do", "nothing to do"),
]


@pytest.mark.parametrize(("body", "kept"), NOISE)
def test_noise_becomes_one_line(body: str, kept: str) -> None:
    """Code leaves its path and length, a stack trace the line that says what happened, a marked line nothing."""
    assert without_noise(body) == kept
