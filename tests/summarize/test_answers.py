"""An answer taken apart: the items of its sections, or what is wrong with its form."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.store.config import defaults
from hipocampus.summarize.answers import LONGEST_LINE, read_answer, sections_of

TITLES = ("Topics", "Key Decisions", "Key Themes")
REQUIRED = ("Topics", "Key Decisions")
GOOD = "## Topics\n- api: limits [project] #3f9c0a1b — token bucket\n\n## Key Decisions\n- api: bursts are legitimate"
READ = {
    "Topics": ["- api: limits [project] #3f9c0a1b — token bucket"],
    "Key Decisions": ["- api: bursts are legitimate"],
}


@pytest.mark.parametrize("answer", [
    GOOD,
    f"{GOOD}\n\n\n",
    GOOD.replace("## Topics", "## TOPICS  ").replace("Key Decisions", "key decisions"),
    GOOD.replace("\n- ", "\n* "),
    GOOD.replace("\n- ", "\n\n  \n   -  "),
    GOOD.replace(" token bucket", "\ttoken \x07 bucket\u200b"),
    "\n\n".join(reversed(GOOD.split("\n\n"))),
], ids=["plain", "blank lines", "another case", "stars", "set in", "invisible signs", "another order"])  # fmt: skip
def test_items_are_read_by_the_title_of_their_section(answer: str) -> None:
    """However they were laid out; each as one line under the title as it is asked for."""
    assert read_answer(answer, TITLES, REQUIRED) == (READ, [])


def test_a_section_may_be_empty_and_one_that_is_not_required_may_be_there() -> None:
    """What is empty is not missing."""
    assert read_answer("## Key Themes\n- limits ×3\n## Topics\n## Key Decisions", TITLES, REQUIRED) == (
        {"Key Themes": ["- limits ×3"], "Topics": [], "Key Decisions": []},
        [],
    )


@pytest.mark.parametrize(("answer", "reason"), [
    (f"\n\u200b {GOOD}\n ", ""),
    ("## Topics\n", "it has fewer than 50 bytes"),
    (f"{GOOD}\n{'- x' * 100}", "it is longer than what it sums up (300 characters)"),
    (f"```\n{GOOD}\n```", "a code fence stands around it"),
    ("I'm sorry, but I can't condense what you have given to me here.", "it refuses, or speaks of itself"),
    ("API Error: 529 overloaded, please come back at another time of day", "it is an error message"),
    (GOOD + "\n- key ghp_" + "a1B2c3D4e5F6" * 3, "it holds what looks like a secret"),
    (f"Here it is:\n{GOOD}", "something stands before its first section"),
])  # fmt: skip
def test_an_answer_is_looked_at_as_a_whole_before_it_is_read(answer: str, reason: str) -> None:
    """What is no answer at all is refused for that; what stands around one and cannot be seen is no fault."""
    reasons = (reason,) if reason else ()
    assert sections_of(answer, 300, defaults().policy, TITLES, REQUIRED) == ({} if reason else READ, reasons)


@pytest.mark.parametrize(("answer", "reason"), [
    ("", "something stands before its first section"),
    ("- secretword\n" + GOOD, "something stands before its first section"),
    ("##Topics\n- secretword", "something stands before its first section"),
    ("## \n- secretword", "line 1 is the heading of no section that belongs here, or of one that was there"),
    ("## Secretword", "line 1 is the heading of no section that belongs here, or of one that was there"),
    (f"{GOOD}\n#secretword", "line 6 is the heading of no section that belongs here, or of one that was there"),
    (f"{GOOD}\n## key decisions", "line 6 is the heading of no section that belongs here, or of one that was there"),
    (f"{GOOD}\nsecretword", "line 6 is prose, not a list item"),
    (f"{GOOD}\n-secretword", "line 6 is prose, not a list item"),
    (f"{GOOD}\n1. secretword", "line 6 is prose, not a list item"),
    ("## Topics\n-", "line 2 is prose, not a list item"),
    (f"## Topics\n- {'secretword ' * 60}", "line 2 has over 600 characters"),
    ("## Topics\n- secretword", "these sections are missing: Key Decisions"),
    ("## Key Themes\n- secretword", "these sections are missing: Topics, Key Decisions"),
])  # fmt: skip
def test_what_is_wrong_is_said_with_its_line_and_without_a_word_of_it(answer: str, reason: str) -> None:
    """A reason is kept and shown: an answer may hold what must not be."""
    assert read_answer(answer, TITLES, REQUIRED)[1] == [reason]


@pytest.mark.parametrize(("more", "is_long"), [(0, False), (1, True)])
def test_a_line_may_be_as_long_as_the_longest(more: int, is_long: bool) -> None:
    """Spaces around it do not count."""
    line = "- " + "x" * (LONGEST_LINE - 2 + more)
    assert bool(read_answer(f"## Topics\n   {line}  ", TITLES, ())[1]) is is_long


ITEM = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20).map("- {}".format)
SECTIONS = st.dictionaries(st.sampled_from(TITLES), st.lists(ITEM, max_size=5), min_size=1)


@given(SECTIONS)
def test_what_was_written_is_read(sections: dict[str, list[str]]) -> None:
    """Whatever the items hold: headings, colons and marks inside of them are words."""
    answer = "\n".join(line for title, rows in sections.items() for line in (f"## {title}", *rows))
    assert read_answer(answer, TITLES, ()) == (sections, [])


_REASONS = re.compile(
    r"something stands before its first section|"
    r"line \d+ (?:is the heading of no section that belongs here, or of one that was there|"
    rf"is prose, not a list item|has over {LONGEST_LINE} characters)|these sections are missing: [A-Z][\w ,]+"
)


@given(st.lists(st.sampled_from(GOOD.split("\n")) | st.text(max_size=30)).map("\n".join))
def test_no_answer_whatsoever_is_half_read_or_quoted(answer: str) -> None:
    """It has every section that it must have, or a reason, and none is in the words of the answer."""
    sections, reasons = read_answer(answer, TITLES, REQUIRED)
    assert bool(reasons) != (set(REQUIRED) <= sections.keys())
    assert all(_REASONS.fullmatch(reason) for reason in reasons)
    assert all(row.startswith("- ") and "\n" not in row for rows in sections.values() for row in rows)
