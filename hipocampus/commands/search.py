"""``hipocampus search``: what holds some words, best first."""

from __future__ import annotations

import sqlite3
from datetime import date

from hipocampus.commands.caller import Caller
from hipocampus.commands.listing import first_day
from hipocampus.commands.lookup import Index, opened_index
from hipocampus.commands.output import say, say_json, tell
from hipocampus.core.periods import parse_period
from hipocampus.core.topics import EntryType
from hipocampus.errors import UserError
from hipocampus.recall.search import Filters, Hit, Hits, candidates, hits_of
from hipocampus.store.config import load_lenient
from hipocampus.store.layout import Layout

PROJECT_DAYS = REFERENCE_DAYS = 30


def search(
    caller: Caller,
    *,
    query: tuple[str, ...],
    entry_type: str | None = None,
    since: str = "",
    until: str = "",
    tier: str | None = None,
    limit: int = 10,
    engine: str = "auto",
    as_json: bool = False,
    home: str = "",
) -> int:
    """Print at most `limit` hits (0: all); 1 where nothing relevant was found. UserError for an empty query."""
    if not "".join(query).strip():
        raise UserError("Say what to search for: hipocampus search 'token bucket'.")
    today = caller.now.date()
    kind = EntryType(entry_type) if entry_type else None
    filters = Filters(kind, first_day(since, today), last_day(until, today), tier or "")
    words = " ".join(query)
    with opened_index(caller, home) as index:
        hits = _found(caller, index, words, filters, limit, engine)
    if as_json:
        say_json([as_object(hit, today) for hit in hits.shown])
    else:
        _tell(hits, today)
    return 0 if hits.shown else 1


def _found(caller: Caller, index: Index, words: str, filters: Filters, limit: int, engine: str) -> Hits:
    encode, layout = index.encoding(), index.layout

    def look(base: sqlite3.Connection) -> Hits:
        if engine == "qmd":
            found = _by_qmd(caller, layout, base, words)
        else:
            # Whatever is left out by a limit of the search must not take the place of what is not.
            every = filters.narrow or not limit
            found = candidates(base, words, encode, words_only=engine == "words", every=every)
        return hits_of(layout, base, words, found, filters, limit)

    return index.ask(look)


def _tell(hits: Hits, today: date) -> None:
    for hit in hits.shown:
        for line in in_words(hit, today):
            tell(line)
    if hits.more:
        say(f"+{hits.more} more: --limit 0 shows all")
    elif not hits.shown:
        say("Nothing relevant.")


def _by_qmd(caller: Caller, layout: Layout, base: sqlite3.Connection, words: str) -> dict[int, float]:
    """What qmd finds. UserError where it is not set up."""
    from hipocampus.recall import qmd

    if not load_lenient(layout, caller.env).search_qmd:
        raise UserError("Search by qmd is off for this memory: hipocampus config set search.qmd true")
    if not qmd.is_registered(layout, caller.env):
        qmd.register(layout, caller.env)
    return qmd.candidates(base, layout, caller.env, words)


def last_day(text: str, today: date) -> date | None:
    """The last day that ``--until`` means; None for an empty text. Raises UserError where it means none."""
    if not text:
        return None
    period = parse_period(text)
    if period is not None:
        return period.last
    try:
        return first_day(text, today)
    except UserError as error:
        raise UserError(str(error).replace("--since", "--until")) from None


def in_words(hit: Hit, today: date) -> list[str]:
    """A hit as lines: date, tier, type, topic and pointer; what it says; and what speaks against relying on it."""
    head = f"{hit.day}  {hit.tier}  {hit.topic} [{hit.type}]  → {hit.pointer}"
    notes = warnings(hit, today)
    lines = [head, f"    {hit.excerpt}"] if hit.excerpt else [head]
    return [*lines, f"    ({'; '.join(notes)})"] if notes else lines


def warnings(hit: Hit, today: date) -> list[str]:
    """What a reader must know before relying on it."""
    notes = []
    if hit.newer:
        notes.append(f"superseded by {hit.newer}")
    if hit.contradicted and hit.contradicted != hit.newer:
        notes.append(f"contradicted by {hit.contradicted}")
    if not notes:
        notes += _of_age(hit, today)
    if hit.in_other_words:
        notes.append("in other words")
    if hit.similar:
        notes.append(f"+{hit.similar} that say the same")
    return notes


def _of_age(hit: Hit, today: date) -> list[str]:
    age = (today - date.fromisoformat(hit.day)).days if parse_period(hit.day) else 0
    if hit.type == "project" and age > PROJECT_DAYS:
        return [f"{age} days old, check it against the code"]
    if hit.type == "reference" and age > REFERENCE_DAYS:
        return [f"? {age} days old, check its source"]
    return []


def as_object(hit: Hit, today: date) -> dict[str, object]:
    """A hit for ``--json``."""
    return {
        "day": hit.day,
        "tier": hit.tier,
        "type": hit.type,
        "topic": hit.topic,
        "pointer": hit.pointer,
        "id": hit.id,
        "score": round(hit.score, 3),
        "excerpt": hit.excerpt,
        "similar": hit.similar,
        "newer": hit.newer,
        "contradicted": hit.contradicted,
        "in_other_words": hit.in_other_words,
        "warnings": warnings(hit, today),
    }
