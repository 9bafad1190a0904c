"""The sections of an answer, whatever it is an answer to: what stands against it as a whole, and then taken apart.

Nothing that it says is believed here.
"""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.wording import listed
from hipocampus.redaction import Policy
from hipocampus.summarize.form import faults_of_form

LONGEST_LINE = 600

Sections = dict[str, list[str]]


def sections_of(
    answer: str, longest: int, policy: Policy, titles: Sequence[str], required: Sequence[str]
) -> tuple[Sections, tuple[str, ...]]:
    """The list items of an answer as it came, of at most `longest` characters, by the title of their section; and why
    it is refused, if it is. Reasons and titles are those of `read_answer`.
    """
    answer = neutralise(answer).strip()
    faults = faults_of_form(answer, longest, policy)
    if faults:
        return {}, faults
    sections, wrong = read_answer(answer, titles, required)
    return sections, tuple(wrong)


def read_answer(answer: str, titles: Sequence[str], required: Sequence[str]) -> tuple[Sections, list[str]]:
    """The list items of an answer by the title of their section, and what is wrong with their form.

    `titles` are those that may be, each once, `required` those that must be. Each reason is a sentence without a word
    of the answer.
    """
    if not answer.startswith("## "):
        return {}, ["something stands before its first section"]
    known = {title.casefold(): title for title in titles}
    sections: Sections = {}
    here: list[str] = []
    for number, line in enumerate(answer.split("\n"), 1):
        if line.startswith("#"):
            title = known.get(line.removeprefix("## ").strip().casefold(), "")
            if not title or title in sections:
                return {}, [f"line {number} is the heading of no section that belongs here, or of one that was there"]
            here = sections[title] = []
        elif line.strip():
            wrong = _of_form(line.strip())
            if wrong:
                return {}, [f"line {number} {wrong}"]
            here.append("- " + one_line(line.strip()[2:]))
    missing = [title for title in required if title not in sections]
    return sections, [f"these sections are missing: {listed(missing)}"] if missing else []


def _of_form(text: str) -> str:
    """What is wrong with a line inside a section."""
    if text[:2] not in ("- ", "* "):
        return "is prose, not a list item"
    return f"has over {LONGEST_LINE} characters" if len(text) > LONGEST_LINE else ""
