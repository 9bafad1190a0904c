"""Denser texts for the summaries over a memory file: each depth is asked for what it is there for."""

from __future__ import annotations

import re

from hipocampus.compaction.words import bare, worth
from hipocampus.core.fitting import fair_shares, fit
from hipocampus.core.tokens import estimate_tokens
from hipocampus.core.wording import counted
from hipocampus.dag.condense import titles
from hipocampus.dag.texts import UNFIT, Matter, Summarise
from hipocampus.redaction import Policy, scrub
from hipocampus.summarize.answers import Sections, sections_of
from hipocampus.summarize.asking import Prompt
from hipocampus.summarize.form import worse_than
from hipocampus.summarize.grounding import Ground
from hipocampus.summarize.heard import Heard
from hipocampus.summarize.prompts import MATERIAL, STYLE, quoted
from hipocampus.summarize.series import Series

# The input of one question, in estimated tokens.
_TOKENS = 24_000
_ENTRIES = "Entries"
_PURPOSES = (
    "some twenty entries, so that each can be looked up: one line an entry, oldest first, that begins with its date "
    "and time where it has one, then its name; keep paths, commands, errors and values exactly as they are written",
    "some hundred entries, from the summaries of them: what changed, what was decided and why, what blocks",
    "a long stretch of work, from the summaries of it: goal → outcome → what it carries forward, a line a goal, and "
    "the questions that stayed open",
    "all of it, from the summaries of it: what lasts, so how the project is built, and what keeps coming back",
)

_FIXED = f"""\
You condense a memory file of a coding project. This summary stands for {{purpose}}.

Answer with these sections, in this order, and nothing before, between or after them: no greeting, no code fence.

{{headings}}

{STYLE} Leave a section empty where the notes have
nothing for it. What a user is like or asked for is kept word for word by the program; leave it out.

{MATERIAL}"""


def summariser(series: Series, policy: Policy) -> Summarise:
    """Whoever asks `series` for the text of a summary; each matter once, and what is not fit to be kept is refused."""
    known: dict[Matter, str] = {}

    def summarise(matter: Matter) -> str:
        if matter not in known:
            known[matter] = _asked(series, matter, policy)
        return known[matter]

    return summarise


def _asked(series: Series, matter: Matter, policy: Policy) -> str:
    answer = series.ask(prompt_of(matter))
    if not answer:
        return ""
    text, reasons = checked(matter, answer, policy)
    series.refuse(reasons)
    return text or UNFIT


def prompt_of(matter: Matter) -> Prompt:
    """The question for a summary."""
    headings = "\n".join(f"## {title}" for title in _titles(matter.depth))
    fixed = _FIXED.format(purpose=_PURPOSES[min(matter.depth, len(_PURPOSES) - 1)], headings=headings)
    shares = fair_shares({str(at): estimate_tokens(part) for at, part in enumerate(matter.parts)}, _TOKENS)
    parts = [
        fit(part, shares[str(at)], "left out for its length", estimate_tokens) for at, part in enumerate(matter.parts)
    ]
    task = f"Condense these {len(parts)} parts. The answer must be shorter than {_longest(matter):,} characters."
    return Prompt(scrub(fixed), scrub(f"{task}\n\n" + "\n\n".join(map(quoted, parts))))


def checked(matter: Matter, answer: str, policy: Policy) -> tuple[str, tuple[str, ...]]:
    """What may be kept of an answer; empty where it is refused, for these reasons: the same as for a node."""
    wanted = _titles(matter.depth)
    sections, faults = sections_of(answer, _longest(matter), policy, wanted, wanted)
    if faults:
        return "", faults
    heard = Heard(Ground("\n".join(matter.parts)))
    kept = {title: [row for row in rows if heard.holds(row[2:])] for title, rows in sections.items()}
    text, missing = _with_entries(matter, kept) if matter.depth == 0 else (_text(kept), 0)
    reasons = [*heard.reasons()]
    if missing * 2 > len(matter.entries):
        reasons.append(f"{missing} of {counted(len(matter.entries), 'entry', 'entries')} are missing")
    if len(text) > _longest(matter):
        reasons.append("with the entries that it left out it is longer than what it sums up")
    if fault := worse_than(f"{text}\n{matter.lasting}", matter.mechanical):
        reasons.append(fault)
    return ("" if reasons else text), tuple(reasons)


def _longest(matter: Matter) -> int:
    return sum(map(len, matter.parts))


def _titles(depth: int) -> tuple[str, ...]:
    return titles(depth) or (_ENTRIES,)


def _text(kept: Sections) -> str:
    return "\n".join("\n".join([f"**{title}**", *rows]) for title, rows in kept.items() if rows)


def _with_entries(matter: Matter, kept: Sections) -> tuple[str, int]:
    """The lines of the entries, with the mechanical ones of those that were left out; and how many those are."""
    said = "\n".join(kept[_ENTRIES])
    plain = said.casefold()
    missing = [lines for name, lines in matter.entries if not _names(plain, name)]
    return "\n".join([*kept[_ENTRIES], *missing]), len(missing)


_WORDS = re.compile(r"\w+")


def _names(text: str, name: str) -> bool:
    """Whether a text names an entry: most words of its name that tell anything stand in it."""
    words = [word for token in _WORDS.findall(name.casefold()) if worth(word := bare(token))]
    return sum(word in text for word in words) * 2 >= len(words)
