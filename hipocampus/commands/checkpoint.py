"""``hipocampus checkpoint``: what a finished task leaves behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from hipocampus.capture.branch import branch_of
from hipocampus.capture.checkpoint import Checkpoint, parse_checkpoint, store_checkpoint
from hipocampus.capture.grouping import REMARK_FIELDS
from hipocampus.capture.rawlog import Stored
from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, say
from hipocampus.commands.place import open_home
from hipocampus.compaction.fields import ROLES, Role, role_of, standing_in
from hipocampus.core.neutral import one_line
from hipocampus.core.topics import EntryType
from hipocampus.redaction import redact
from hipocampus.store.layout import Layout

# What is said of a person or a place has names of its own (docs/files.md).
_ANY_FIELD = (EntryType.USER, EntryType.REFERENCE)
# Names without a role: how far the work is, and what this program itself calls a remark and text outside a field.
_NAMES = ("status", "note", "notes", *REMARK_FIELDS.values())
_USUAL = (
    "request, analysis, decisions, outcome, lessons, open-items, references, status; of feedback rule, why, "
    "how-to-apply."
)


def checkpoint(
    caller: Caller,
    *,
    stdin: Callable[[], str],
    topic: str = "",
    entry_type: str | None = None,
    fields: Sequence[str] = (),
    home: str = "",
) -> int:
    """Store one entry from options, or from standard input where no field was given.

    Raises UserError that says what is missing. With fields, standard input is not read: it may never end.
    """
    layout = open_home(caller, home, writing=True).layout
    text = "" if fields else stdin()
    parsed = parse_checkpoint(topic, entry_type or "", fields, text)
    stored = keep(caller, layout, parsed)
    if stored.forgotten:
        return refuse(stored)
    say(sentence(layout, stored))
    given = [text, parsed.topic.name, *(said for _, said in parsed.fields)]
    for doubt in (*cut_out("\n".join(given)), *_doubts(parsed)):
        complain(f"note: {doubt}")
    return 0


def cut_out(given: str) -> Iterator[str]:
    """That the redactor finds secrets in what was given, so that they are not stored."""
    kinds = sorted({one.kind for one in redact(given).findings})
    if kinds:
        yield f"taken for a secret, cut out and not stored: {', '.join(kinds)}"


def refuse(stored: Stored) -> int:
    """Say that an entry was forgotten on purpose, and is not stored."""
    complain(
        f"hipocampus: not stored: {one_line(str(stored.entry.topic))} was forgotten today (`hipocampus forget`), and "
        "what was forgotten does not come back on its day. Say it in other words, or tomorrow."
    )
    return 1


def _doubts(parsed: Checkpoint) -> Iterator[str]:
    """What was stored and will have no meaning, as after a typing error; an agent that wrote it can write it again."""
    unknown = [name for name, _ in parsed.fields if not _has_meaning(name)]
    if unknown and parsed.topic.type not in _ANY_FIELD:
        names, stored = (
            ("name", "it was stored as it is") if len(unknown) == 1 else ("names", "they were stored as they are")
        )
        yield f"no field has a meaning by the {names} {', '.join(map(_meant, unknown))}; {stored}. Usual are {_USUAL}"
    if any(name == "status" and standing_in(said) is None for name, said in parsed.fields):
        yield "the status says neither open nor done, and was stored as it is."


def _has_meaning(name: str) -> bool:
    return role_of(name) is not Role.NOTE or name in _NAMES


def _meant(name: str) -> str:
    """The name, with the one that it was probably meant to be."""
    from difflib import get_close_matches

    found = get_close_matches(name, ("topic", "type", *_NAMES, *ROLES), n=1, cutoff=0.75)
    return f"{name} ({found[0]}?)" if found else name


def keep(caller: Caller, layout: Layout, parsed: Checkpoint) -> Stored:
    """Store `parsed` with where it came from: the session of an agent, or a person at a shell."""
    source = "agent" if caller.session else "user"
    return store_checkpoint(
        layout,
        parsed,
        caller.now,
        caller.session,
        source=source,
        branch=branch_of(os.path.realpath(caller.cwd or layout.project)),
    )


def sentence(layout: Layout, stored: Stored) -> str:
    """What became of an entry, in one line."""
    topic = one_line(str(stored.entry.topic))
    where = f"{layout.relative(layout.raw(stored.day))}:{stored.line} #{stored.entry.provenance.id}"
    if not stored.duplicate:
        return f"Stored: {topic} → {where}"
    return f"Stored before, nothing written: {topic} → {where}"
