"""``hipocampus remember``: keep one sentence as it was said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hipocampus.capture.checkpoint import remembered
from hipocampus.capture.retyping import take_place
from hipocampus.commands.caller import Caller
from hipocampus.commands.checkpoint import cut_out, keep, refuse, sentence
from hipocampus.commands.output import complain, say
from hipocampus.commands.place import open_home
from hipocampus.errors import UserError

_OPTION = re.compile(r"--[a-z][a-z-]*(?:=.*)?", re.DOTALL)


def remember(caller: Caller, *, text: Sequence[str], entry_type: str | None = None, home: str = "") -> int:
    """Store the words (several arguments are joined by a space) and show the type they were taken for.

    With a type they replace the same words that were stored today as another.
    """
    _refuse_strange_options(text)
    layout = open_home(caller, home, writing=True).layout
    words = " ".join(text)
    stored = keep(caller, layout, remembered(words, entry_type or ""))
    if stored.forgotten:
        return refuse(stored)
    line, replaced = take_place(layout, stored) if entry_type else (stored.line, [])
    say(sentence(layout, replace(stored, line=line)))
    for entry in replaced:
        say(f"It replaces the entry of type {entry.topic.type}.")
    for note in cut_out(words):
        complain(f"note: {note}")
    if not entry_type and not stored.duplicate:
        say(f"Taken for {stored.entry.topic.type}; if that is wrong, say it again with --type, which replaces it.")
    return 0


def _refuse_strange_options(text: Sequence[str]) -> None:
    """UserError for an option of another command beside a whole sentence; single words may be anything ("use --lf")."""
    strange = next((one.partition("=")[0] for one in text if _OPTION.fullmatch(one)), "")
    if strange and any(" " in one for one in text):
        raise UserError(
            f"remember has no option {strange}; it takes one sentence and --type. A topic and fields are for: "
            "hipocampus checkpoint. If it belongs to the sentence, put all of it into one pair of quotes."
        )
