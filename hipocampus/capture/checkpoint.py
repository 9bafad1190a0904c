"""Checkpoints: typed entries that an agent or a person writes on purpose."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hipocampus.capture.claims import new_claimant
from hipocampus.capture.folding import claim_covered
from hipocampus.capture.grouping import REMARK_FIELDS, short_session
from hipocampus.capture.journal import mark
from hipocampus.capture.normalise import normalise
from hipocampus.capture.rawlog import Stored, append_entries
from hipocampus.capture.written import Written, from_options, from_text
from hipocampus.core.classify import remark_in, topic_of
from hipocampus.core.entries import Entry, Provenance, render_fields
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.topics import EntryType, Topic
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.files import locked
from hipocampus.store.layout import Layout

# What an entry of a type must say; any other type needs one field of any name.
REQUIRED = {EntryType.FEEDBACK: ("rule", "why", "how-to-apply")}

_EXAMPLES = {
    EntryType.FEEDBACK: (
        'hipocampus checkpoint --topic "terse answers" --type feedback --field rule="answer in three sentences" '
        '--field why="long answers are not read" --field how-to-apply="every reply, unless detail is asked for"'
    ),
}
_EXAMPLE = (
    'hipocampus checkpoint --topic "rate limiting" --type project --field request="choose a strategy" '
    '--field decisions="token bucket: bursts are legitimate" --field outcome="middleware in src/limits.py"'
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A topic and its fields, validated.

    `noted`, for the short form, is the remark as it was given: it covers only the prompt that asked to remember it.
    """

    topic: Topic
    fields: tuple[tuple[str, str], ...]
    noted: str = ""


def parse_checkpoint(topic: str, type_name: str, fields: Sequence[str], text: str) -> Checkpoint:
    """A checkpoint from options (`fields` are ``name=text``) and from Markdown or JSON in `text`.

    What both say, the options decide. UserError says exactly what is missing and shows the right command.
    """
    given, read = from_options(topic, type_name, fields), from_text(text)
    named = {name for name, _ in given.fields}
    merged = Written(
        given.topic or read.topic,
        given.type or read.type,
        given.fields + tuple((name, said) for name, said in read.fields if name not in named),
    )
    return _validated(merged)


def remembered(text: str, type_name: str = "") -> Checkpoint:
    """The short form: the wording kept exactly, the type guessed unless given. UserError where there is no wording."""
    wording = text.strip()
    if not wording:
        raise UserError('nothing to remember; say it like this: hipocampus remember "always use bun here"')
    # A secret is found in the whole text only: the beginning of one, where a topic ends, looks like none.
    clean = scrub(neutralise(wording))
    guessed, sentence = remark_in(clean)
    kind = _type(type_name) if type_name else guessed
    topic = topic_of(sentence) or topic_of(clean) or one_line(clean)[:60]
    return Checkpoint(Topic(topic, kind), ((REMARK_FIELDS[kind], wording),), noted=wording)


def store_checkpoint(
    layout: Layout,
    checkpoint: Checkpoint,
    now: datetime,
    session: str = "",
    *,
    source: str = "agent",
    branch: str = "",
) -> Stored:
    """Store it in today's raw log, raise both counters and mark the journal of the session, which it then covers.

    An exact repeat of the day is not stored again and raises nothing. LockTimeout or OSError where it cannot be stored.
    """
    provenance = Provenance(session=short_session(session), source=source, branch=branch)
    entry = Entry(checkpoint.topic, render_fields(_saved(checkpoint)), provenance)
    with locked(layout):
        (stored,) = append_entries(layout, now.date().isoformat(), [entry], now, checkpoints=1)
        if not stored.forgotten:
            _cover(layout, session, now, checkpoint, stored)
    return stored


def _saved(checkpoint: Checkpoint) -> list[tuple[str, str]]:
    """The fields as they are saved. A secret is found in the text as it was given, before it is cut or indented."""
    clean = [(name, scrub(neutralise(said))) for name, said in checkpoint.fields]
    return [(name, said if checkpoint.noted else normalise(said)) for name, said in clean]


def _cover(layout: Layout, session: str, now: datetime, checkpoint: Checkpoint, stored: Stored) -> None:
    name = stored.entry.provenance.id
    if checkpoint.noted:
        mark(layout, session, "noted", now, id=name, text=checkpoint.noted)
    elif session and os.path.exists(layout.journal_file(session)):
        mark(layout, session, "checkpoint", now, id=name, claim=new_claimant())
        claim_covered(layout, session, now)


def _validated(written: Written) -> Checkpoint:
    kind = _type(written.type) if written.type else EntryType.PROJECT
    fields = tuple((name, said.strip()) for name, said in written.fields if said.strip())
    missing = [] if written.topic.strip() else ["a topic"]
    names = {name for name, _ in fields}
    missing += [f"the field {name}" for name in REQUIRED.get(kind, ()) if name not in names]
    if not fields and kind not in REQUIRED:
        missing.append("at least one field")
    if missing:
        example = _EXAMPLES.get(kind, _EXAMPLE)
        raise UserError(f"the {kind} checkpoint lacks {_listed(missing)}; write it like this: {example}")
    return Checkpoint(Topic(one_line(written.topic), kind), fields)


def _type(name: str) -> EntryType:
    try:
        return EntryType(name.strip().casefold())
    except ValueError:
        known = ", ".join(EntryType)
        raise UserError(f"unknown type {one_line(name)!r}; an entry is one of {known}: {_EXAMPLE}") from None


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
