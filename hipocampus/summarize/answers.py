"""The form of an answer: what it must not be, and its sections taken apart. Nothing of it is believed here."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hipocampus.compaction.words import DROPPED, bare
from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import utf8_bytes
from hipocampus.core.wording import listed
from hipocampus.redaction import Policy, redact

LEAST_BYTES = 50
LONGEST_LINE = 600


def wrong_with(answer: str, longest: int, policy: Policy) -> list[str]:
    """Why an answer about something that is `longest` characters long is none; empty where it may be one.

    Each reason is a sentence without a word of the answer.
    """
    if len(answer) > longest:
        return [f"it is longer than what it sums up ({longest:,} characters)"]
    reasons = [reason for rule in _RULES if (reason := rule(answer))]
    return reasons or (["it holds what looks like a secret"] if redact(answer, policy).findings else [])


def _is_short(answer: str) -> str:
    return "" if utf8_bytes(answer) >= LEAST_BYTES else f"it has fewer than {LEAST_BYTES} bytes"


_FENCE = re.compile(r"^\s*(?:`{3}|~{3})", re.MULTILINE)


def _is_fenced(answer: str) -> str:
    return "it has a code fence" if _FENCE.search(answer) else ""


_REFUSAL = re.compile(
    r"^[-*\s]*(?:I(?:'m| am)? (?:sorry|unable|afraid|apologi[sz]e)|"
    r"I (?:can(?:no|')t|can not|do not|don't|won't|will not)\b|(?:Sorry|Apologies)[,.]|As an AI\b|"
    r"죄송|제가 도와드릴 수 없)",
    re.IGNORECASE | re.MULTILINE,
)


def _refuses(answer: str) -> str:
    return "it refuses, or speaks of itself" if _REFUSAL.search(answer.replace("’", "'")) else ""


_ERROR = re.compile(
    r"\A\W*(?:(?:API |internal |server |fatal |unexpected )?error\b|traceback \(most recent|exception\b|"
    r"HTTP/?\d?.? ?[45]\d\d|[45]\d\d (?:error|too many|bad|internal|service)|rate limit|overloaded|timed? ?out|"
    r"usage:|command not found|\{\s*\"(?:error|type))",
    re.IGNORECASE,
)


def _is_error(answer: str) -> str:
    return "it is an error message" if _ERROR.search(answer) else ""


def _has_preamble(answer: str) -> str:
    return "" if answer.startswith("## ") else "something stands before its first section"


_RULES: tuple[Callable[[str], str], ...] = (_is_short, _is_fenced, _refuses, _is_error, _has_preamble)

Sections = dict[str, list[str]]


def read_answer(answer: str, titles: Sequence[str], required: Sequence[str]) -> tuple[Sections, list[str]]:
    """The list items of an answer by the title of their section, and what is wrong with their form.

    `titles` are those that may be, each once, `required` those that must be.
    """
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


_WORDS_OF_PROSE, _PART_OF_PROSE = 9, 0.42


def is_prose(text: str) -> bool:
    """Whether a line is a sentence that tells, rather than keywords."""
    words = [word for token in text.split() if (word := bare(token))]
    filler = sum(word.lower() in DROPPED for word in words)
    return len(words) >= _WORDS_OF_PROSE and filler >= _PART_OF_PROSE * len(words)
