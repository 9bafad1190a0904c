"""The one writer of raw logs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hipocampus.capture.exchanges import RETOLD
from hipocampus.capture.grouping import REMARK_FIELDS
from hipocampus.core.classify import topic_of
from hipocampus.core.entries import Entry, Provenance, entry_id, parse_log, render_entry, render_fields
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.topics import Topic
from hipocampus.redaction import Redacted, scrub
from hipocampus.store.files import WHOLE, append_text, locked, read_text
from hipocampus.store.layout import Layout
from hipocampus.store.state import bump
from hipocampus.store.tombstones import Tombstones, read_tombstones

# In a body it would begin another entry.
_HEADING = re.compile(r"^## ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Stored:
    """Where an entry stands: `line` is the 1-based line of its heading in the raw log of `day`.

    `duplicate`: it stood there already, or it was forgotten (then `line` is 0), and nothing was written.
    """

    entry: Entry
    day: str
    line: int
    duplicate: bool

    @property
    def forgotten(self) -> bool:
        """Whether it was forgotten on this day, so that it is not stored again."""
        return self.duplicate and not self.line


def append_entries(
    layout: Layout, day: str, entries: Sequence[Entry], now: datetime, *, checkpoints: int = 0
) -> list[Stored]:
    """Append to the raw log of `day` what does not stand there yet, redacted and neutralised, under the lock.

    Identity is day, type, topic and content. Raises the counters by the lines written, and by `checkpoints` where
    anything was. OSError where it cannot be written; then nothing was.
    """
    with locked(layout):
        text = read_text(layout.raw(day), limit=WHOLE) or ""
        buried = read_tombstones(layout)
        sealed = [_unforgotten(_sealed(entry, day, now), day, buried) for entry in entries]
        empty = [entry.provenance.id for entry in sealed if not entry.body and entry.provenance.source in RETOLD]
        unsaid = [entry.provenance.id for entry in sealed if _is_forgotten_remark(entry, day, buried)]
        places = {**dict.fromkeys([*buried.days, *empty, *unsaid], 0), **_places(text, day)}
        news = _news(sealed, places)
        block = _block(text, day, news)
        if news:
            append_text(layout.raw(day), Redacted(block))
            bump(layout, now, raw_lines=block.count("\n"), checkpoints=checkpoints)
            # Only what was added is read again: its headings have a provenance, and count whatever stands before.
            above = text.count("\n") + (not text.endswith("\n") if text else 0)
            places |= {name: above + line for name, line in _places(block, day).items()}
    new_ids = {entry.provenance.id for entry in news}
    return [_stored(entry, day, places, new_ids) for entry in sealed]


def _sealed(entry: Entry, day: str, now: datetime) -> Entry:
    """The entry as it will stand in the file, with a complete provenance: what is hashed is what is read back."""
    topic = Topic(scrub(one_line(entry.topic.name)) or "Notes", entry.topic.type)
    body = scrub(_HEADING.sub(" ## ", neutralise(entry.body))).strip("\n").rstrip()
    given = entry.provenance
    provenance = Provenance(
        id=entry_id(day, topic, body),
        at=given.at or now.isoformat(timespec="seconds"),
        session=given.session,
        source=given.source,
        branch=scrub(one_line(given.branch)),
    )
    return replace(entry, topic=topic, body=body, provenance=provenance, line=0)


def _unforgotten(entry: Entry, day: str, buried: Tombstones) -> Entry:
    """A retold entry without the fields that were forgotten on its day; without a body where nothing else was said."""
    told = entry.fields if entry.provenance.source in RETOLD and buried.texts else ()
    kept = [(name, text) for name, text in told if not buried.covers(day, text)]
    if len(kept) == len(told):
        return entry
    said = [text for name, text in kept if name != "files"]
    topic = entry.topic
    if said and buried.covers(day, topic.name):
        topic = replace(topic, name=topic_of(said[0]) or "Session notes")
    body = render_fields(kept) if said else ""
    return replace(entry, topic=topic, body=body, provenance=replace(entry.provenance, id=entry_id(day, topic, body)))


def _is_forgotten_remark(entry: Entry, day: str, buried: Tombstones) -> bool:
    """Whether an entry is one remark, which was forgotten on its day, whatever type it was or is taken for."""
    names = [name for name, _ in entry.fields]
    return names == [REMARK_FIELDS[entry.topic.type]] and buried.covers(day, entry.fields[0][1])


def _places(text: str, day: str) -> dict[str, int]:
    """The line of each entry of a raw log, by id; an entry that a crash tore at the end of the file does not count.

    An entry edited by hand keeps the id in its provenance. Where a torn one and the whole one stand, the whole one
    counts.
    """
    entries = parse_log(text)
    is_open = bool(text) and not text.endswith("\n")
    named = entries[:-1] if is_open else entries
    places = {entry.provenance.id: entry.line for entry in reversed(named)}
    return places | {entry_id(day, entry.topic, entry.body): entry.line for entry in reversed(entries)}


def _news(sealed: Iterable[Entry], places: dict[str, int]) -> list[Entry]:
    """Those that stand nowhere yet, each once."""
    return list({one.provenance.id: one for one in sealed if one.provenance.id not in places}.values())


def _block(text: str, day: str, entries: Sequence[Entry]) -> str:
    """What an append writes: a title in a new file, and each entry after an empty line."""
    title = "" if text.strip() else f"# {day}\n"
    return title + "".join(f"\n{scrub(render_entry(entry))}" for entry in entries)


def _stored(entry: Entry, day: str, places: dict[str, int], new_ids: set[str]) -> Stored:
    line = places.get(entry.provenance.id, 0)
    return Stored(replace(entry, line=line), day, line, entry.provenance.id not in new_ids)
