"""What a summary says at each depth."""

from __future__ import annotations

import pytest

from hipocampus.core.sections import day_of, split
from hipocampus.dag.condense import expand_line, extract
from hipocampus.dag.gist import Gist, gist_of
from hipocampus.dag.source import Record
from hipocampus.redaction import DEFAULT
from tests.audit.conftest import TOKEN

LOG = """## 2026-03-01 Rate limiting [project]
<!-- hipocampus: id=3f9c0a1b7d42 at=2026-03-01T10:22:03+09:00 -->
- request: choose a rate limiting strategy for the public API
- decisions: token bucket over leaky bucket, because bursts are legitimate traffic
- outcome: middleware in src/limits.py answers 429 Too Many Requests; checked with `pytest tests/test_limits.py`

## Answers [feedback]
- rule: keep answers terse
- why: the user reads on a phone

## Who [user]
- fact: backend engineer in Seoul

## 2026-03-02 Login [project]
- request: find out why logins fail
- outcome: KeyError: 'user' was raised in src/login.py; fixed
- open: should sessions be kept in Redis?
"""
NOTES = """- 2026-03-01: moved the build to `make release`, takes 40 s
- always use bun here
- the API lives at docs/api.md
"""


def gists(text: str) -> list[Gist]:
    sections = split(text)
    texts = [(sections.of(piece), piece.line) for piece in sections.entries]
    return [gist_of(Record("x", entry, line, day_of(entry)), DEFAULT) for entry, line in texts]


SAYS = [
    (
        0,
        [
            "- 2026-03-01 10:22 Rate limiting: token bucket",
            "src/limits.py",
            "pytest tests/test_limits.py",
            "errors: KeyError: 'user' was raised in src/login.py",
            "values: 429 Too Many Requests",
            "Answers [feedback]: rule: keep answers terse; why: the user reads on a phone",
        ],
    ),
    (
        1,
        [
            "**What changed**\n- Rate limiting: middleware src/limits.py",
            "**Decisions and why**\n- Rate limiting: token bucket over leaky bucket bursts legitimate",
            "**Blockers**\n- Login: sessions kept Redis",
            "**Rules and preferences**\n- rule: keep answers terse",
        ],
    ),
    (
        2,
        [
            "**Goal → outcome → carries forward**\n- choose a rate limiting strategy for the public API → middleware",
            "→ token bucket over leaky bucket",
            "**Open questions**\n- should sessions be kept in Redis?",
            "- rule: keep answers terse",
        ],
    ),
    (
        3,
        [
            "**Identity**\n- fact: backend engineer in Seoul",
            "**Architecture**\n- Rate limiting: token bucket",
            "**Preferences**\n- rule: keep answers terse",
        ],
    ),
]


@pytest.mark.parametrize(("depth", "lines"), SAYS)
def test_each_depth_has_a_purpose(depth: int, lines: list[str]) -> None:
    """What can be looked up; what changed and why; how it ended; what lasts."""
    text = extract(depth, gists(LOG))
    assert [line for line in lines if line not in text] == []


def test_what_comes_back_is_a_pattern() -> None:
    """Names and topics that many entries share."""
    text = "\n".join(f"## Search index [project]\n- outcome: rebuilt part {at} in src/index.py\n" for at in range(5))
    assert "**Recurring patterns**\n- mentioned again and again: src/index.py (in 5 entries)" in extract(3, gists(text))


@pytest.mark.parametrize("depth", range(6))
@pytest.mark.parametrize("text", [LOG, NOTES, "", "a\n\nb\n", "- \n- x\n", "## \n\n## [project]\n"])
def test_every_summary_says_what_it_expands_to(depth: int, text: str) -> None:
    """In its last line, whatever it is made of."""
    last = extract(depth, gists(text)).split("\n")[-1]
    assert last.startswith("[Expand for details about: ")
    assert last.endswith("]")
    assert last.count("[") == last.count("]") == 1


def test_notes_without_any_form_are_read() -> None:
    """List items: the day, the type that their wording tells, the facts."""
    text = extract(0, gists(NOTES))
    assert "- 2026-03-01 moved the build to `make release`, takes 40 s\n" in text
    assert "always use bun here [feedback]" in text
    assert "docs/api.md" in text


def test_the_topics_that_weigh_most_are_named() -> None:
    """A few of them, in their order, and how many more there are."""
    many = "\n".join(f"## Topic {at}, [x] [project]\n- outcome: done {at}\n" for at in range(12))
    line = expand_line(gists(many))
    assert line.endswith(", +4 more]")
    assert "Topic 11 (x)" in line


def test_no_secret_is_summarised() -> None:
    """Whatever depth, the redactor was there first."""
    text = f"## Deploy [project]\n- decisions: we decided to use {TOKEN} because of CI\n- outcome: done with {TOKEN}\n"
    assert not [depth for depth in range(4) if TOKEN in extract(depth, gists(text))]


@pytest.mark.parametrize(
    ("body", "line"),
    [("- step 3", "- n3: step 3"), ("OK", "- n3"), ("", "- n3"), ("- outcome: done", "- n3")],
)
def test_an_entry_of_a_few_words_keeps_them(body: str, line: str) -> None:
    """Unless they say nothing."""
    assert extract(0, gists(f"## n3\n{body}\n\n## n4\n")).split("\n")[0] == line


def test_the_place_of_an_error_is_told() -> None:
    """With its file and line, once, without the word "error" twice."""
    text = extract(0, gists("## Queue\n- error: KeyError 'queue' in src/queue.py line 96\n\n## b\n"))
    assert "\n  errors: KeyError 'queue' in src/queue.py line 96\n" in text
