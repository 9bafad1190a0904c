"""The hard facts of a text."""

from __future__ import annotations

import time

import pytest

from hipocampus.dag.facts import Fact, facts_in

FACTS = [
    ("done 2026-03-15T10:22:03+09:00, at 9:41 am", Fact.TIME, ("2026-03-15T10:22:03+09:00", "9:41 am")),
    ("on 2026-03-15, not 12:30:45:99", Fact.TIME, ("2026-03-15",)),
    ("in src/limits.py:42 and docs/", Fact.PATH, ("src/limits.py:42", "docs/")),
    ("`config.yaml` beside ~/notes/a.md", Fact.PATH, ("~/notes/a.md", "config.yaml")),
    ("see https://example.org/a?b=1.", Fact.PATH, ("https://example.org/a?b=1",)),
    ("run `pytest -x tests` first", Fact.COMMAND, ("pytest -x tests",)),
    ("```\n$ make all\n```", Fact.COMMAND, ("make all",)),
    ("npm run build --silent", Fact.COMMAND, ("npm run build --silent",)),
    ("`token bucket` is no command", Fact.COMMAND, None),
    ("KeyError: 'user' in line 3", Fact.ERROR, ("KeyError: 'user' in line 3",)),
    ("got ENOENT and exit code 137", Fact.ERROR, ("exit code 137", "ENOENT")),
    ("- error: KeyError 'queue' in src/queue.py line 96", Fact.ERROR, ("KeyError 'queue' in src/queue.py line 96",)),
    ("error TypeError: bad operand in a.b.py line 3", Fact.ERROR, ("TypeError: bad operand in a.b.py line 3",)),
    ("KeyError: 'a.b'. It was mended.", Fact.ERROR, ("KeyError: 'a.b'",)),
    ("Error: no such file. Then more.\nfailed to read x.toml.", Fact.ERROR, ("no such file", "failed to read x.toml")),
    ("fatal: " + "not a word " * 30, Fact.ERROR, ("fatal: " + "not a word " * 7 + "not a…",)),
    ("로그인 오류: 세션 만료", Fact.ERROR, ("오류: 세션 만료",)),
    ("timeout=30, 250 ms, v1.2.3, 5MB, 3개", Fact.VALUE, ("timeout=30", "250 ms", "5MB", "3개", "v1.2.3")),
    ("429 Too Many Requests", Fact.VALUE, ("429 Too Many Requests",)),
    ("in 1234 entries", Fact.VALUE, None),
]


@pytest.mark.parametrize(("text", "fact", "found"), FACTS)
def test_a_fact_is_found(text: str, fact: Fact, found: tuple[str, ...] | None) -> None:
    """Whole, and by its kind."""
    assert facts_in(text).get(fact) == found


def test_a_fact_is_said_once() -> None:
    """Of many, the first few."""
    assert facts_in("src/a.py " * 5 + "src/b.py")[Fact.PATH] == ("src/a.py", "src/b.py")
    assert len(facts_in(" ".join(f"src/part_{at}.py" for at in range(50)))[Fact.PATH]) == 6


@pytest.mark.parametrize(
    "part", ["a/", "1:", "2026-", "$ ", "`git ", "a.b.", "Error", "x=", "9", "~/../", "@" * 9, "$ x\n"]
)
def test_hostile_texts_take_no_time(part: str) -> None:
    """However often a beginning is repeated, the work grows with the text."""
    begun = time.process_time()
    facts_in(part * (100_000 // len(part)))
    assert time.process_time() - begun < 5
