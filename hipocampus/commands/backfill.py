"""``hipocampus import``: read the sessions that happened before memory was there."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from hipocampus.capture.backfill import READ_BEFORE, Backfill, Outcome
from hipocampus.capture.journal import moment
from hipocampus.capture.notes import take_note
from hipocampus.capture.rawlog import Stored
from hipocampus.capture.rehearsal import rehearsal
from hipocampus.commands.caller import Caller
from hipocampus.commands.listing import first_day
from hipocampus.commands.output import complain, counted, say, say_json, say_table, tell
from hipocampus.commands.place import open_home
from hipocampus.commands.progress import steps
from hipocampus.commands.questions import can_ask, confirmed
from hipocampus.compaction.chain import CompactionReport, compact
from hipocampus.core.neutral import one_line
from hipocampus.core.zone import localised
from hipocampus.hosts.past import HOSTS, Note, Past, past_notes, past_sessions
from hipocampus.store.config import load
from hipocampus.store.layout import Layout
from hipocampus.store.locks import Hold
from hipocampus.store.state import read_state

Thing = TypeVar("Thing")

_UNREAD = "could not be read"


@dataclass(slots=True)
class _Tally:
    """What came of the sessions of one host."""

    sessions: int = 0
    turns: int = 0
    entries: int = 0
    duplicates: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    days: set[str] = field(default_factory=set)
    left: int = 0


@dataclass(slots=True)
class _Result:
    hosts: dict[str, _Tally]
    problems: list[tuple[str, str]]
    compaction: CompactionReport | None = None


def import_past(
    caller: Caller,
    *,
    hosts: Sequence[str] = (),
    since: str = "",
    dry_run: bool = False,
    yes: bool = False,
    as_json: bool = False,
    home: str = "",
) -> int:
    """Import the past sessions of this project, then compact; 1 if something could not be read.

    `hosts` limits it to some hosts, `since` to a day and later. With `dry_run` it is rehearsed on a copy.
    """
    layout = open_home(caller, home, writing=not dry_run).layout
    now = localised(caller.now)
    first = first_day(since, now.date())
    since = first.isoformat() if first else ""
    result = _Result({}, [])
    found, notes = _found(caller, layout, hosts or HOSTS, now, result)
    if not (found or notes or result.problems):
        say_json(_as_object(result, dry_run)) if as_json else say("No past sessions of this project were found.")
        return 0
    if not (dry_run or yes or as_json) and not _wanted(Backfill(layout, now, since, caller.session), found):
        say("Nothing was written.")
        return 1
    with _place(layout, dry_run) as place:
        _run(place, caller, now, since, found, notes, result)
    if not dry_run:
        result.compaction = _compacted(layout, caller, result)
    say_json(_as_object(result, dry_run)) if as_json else _print(result, dry_run)
    return 1 if result.problems else 0


def _found(
    caller: Caller, layout: Layout, hosts: Sequence[str], now: datetime, result: _Result
) -> tuple[list[Past], list[Note]]:
    """The sessions in the order they are read, and the notes of days that are over."""
    env, project = caller.env, layout.project
    pasts = _of_each(hosts, lambda host: past_sessions(host, env, project), "cannot be searched", result)
    noted = _of_each(hosts, lambda host: past_notes(host, env, project), "its notes cannot be read", result)
    return sorted(pasts, key=_order), [note for note in noted if note.day < now.date().isoformat()]


def _wanted(backfill: Backfill, found: Sequence[Past]) -> bool:
    """Whether the person at the terminal wants what is new; nobody is asked where there is nobody, or nothing new."""
    fresh = [past for past in found if backfill.has_news(past)] if can_ask() else []
    return not fresh or confirmed(f"{described(fresh)} Import them?")


def described(found: Sequence[Past]) -> str:
    """How many sessions there are, from when, of which hosts, in one sentence."""
    span = _span(past.began[:10] for past in found if past.began)
    names = ", ".join(f"{number} of {host}" for host, number in Counter(past.host for past in found).items())
    return f"{counted(len(found), 'past session')} of this project{span} ({names})."


def _span(days: Iterable[str]) -> str:
    """The first and the last of some days, in words."""
    known = sorted(days)
    if not known:
        return ""
    return f", {known[0]}" if known[0] == known[-1] else f" from {known[0]} to {known[-1]}"


def _of_each(
    hosts: Iterable[str], find: Callable[[str], Iterator[Thing]], trouble: str, result: _Result
) -> list[Thing]:
    """What is found of each host; one whose files cannot be read is a problem of its own."""
    found: list[Thing] = []
    for host in hosts:
        try:
            found += find(host)
        except Exception as error:
            result.problems.append((host, f"{trouble}: {error or type(error).__name__}"))
    return found


def _order(past: Past) -> tuple[float, float, str, str]:
    """Oldest first, so that what a fork or a resumed session tells again belongs to the session that said it."""
    began = moment(past.began)
    return (began.timestamp() if began else past.touched, past.touched, past.host, past.session)


@contextmanager
def _place(layout: Layout, dry_run: bool) -> Iterator[Layout]:
    """Where the import writes: the home, for one import at a time, or a copy of it."""
    if dry_run:
        with rehearsal(layout) as copy:
            yield copy
        return
    with Hold(os.path.join(layout.journal, "import.lock"), timeout=0.5):
        yield layout


def _run(
    layout: Layout,
    caller: Caller,
    now: datetime,
    since: str,
    found: Sequence[Past],
    notes: Sequence[Note],
    result: _Result,
) -> None:
    backfill = Backfill(layout, now, since, caller.session)
    try:
        with closing(steps(found, "Reading past sessions", lambda past: past.size)) as pasts:
            for past in pasts:
                _count(result, backfill.take(past))
        for note in notes:
            if note.day >= since:
                _count_note(result, note, take_note(layout, note, now))
    except KeyboardInterrupt:
        complain("Stopped. What was read so far is kept; run it again to go on.")
        raise
    finally:
        backfill.save()


def _count(result: _Result, outcome: Outcome) -> None:
    tally = result.hosts.setdefault(outcome.past.host, _Tally())
    if outcome.problem:
        result.problems.append((outcome.past.path, outcome.problem))
        tally.skipped[_UNREAD] += 1
    elif outcome.skipped:
        tally.skipped[outcome.skipped] += 1
    else:
        tally.sessions += 1
    tally.turns += outcome.turns
    tally.entries += outcome.entries
    tally.duplicates += outcome.duplicates
    tally.days |= outcome.days
    tally.left += outcome.left_last


def _count_note(result: _Result, note: Note, stored: Sequence[Stored]) -> None:
    tally = result.hosts.setdefault(note.host, _Tally())
    fresh = [one for one in stored if not one.duplicate]
    tally.entries += len(fresh)
    tally.duplicates += len(stored) - len(fresh)
    tally.days |= {one.day for one in fresh}


def _compacted(layout: Layout, caller: Caller, result: _Result) -> CompactionReport:
    """Bring the nodes up to date; also what an import that was killed had left to do."""
    is_new = any(tally.entries for tally in result.hosts.values()) or read_state(layout, caller.now).raw_lines > 0
    return compact(layout, load(layout, caller.env), caller.now, force=is_new, why="past sessions were imported")


def _print(result: _Result, dry_run: bool) -> None:
    rows = [_row(host, tally) for host, tally in result.hosts.items()]
    if rows:
        say_table(("host", "sessions", "turns", "entries", "known", "skipped", "days"), rows)
    for host, tally in result.hosts.items():
        for reason, number in sorted(tally.skipped.items()):
            tell(f"{host}: {number} skipped: {reason}")
        if tally.left:
            tell(f"{host}: {counted(tally.left, 'last turn')} may still run; import again after ten quiet minutes")
    for name, reason in result.problems:
        complain(f"not read: {one_line(name)}: {one_line(reason)}")
    tell(_closing(result, dry_run))


def _row(host: str, tally: _Tally) -> tuple[str, ...]:
    numbers = (tally.sessions, tally.turns, tally.entries, tally.duplicates, tally.skipped.total(), len(tally.days))
    return (host, *map(str, numbers))


def _closing(result: _Result, dry_run: bool) -> str:
    days = {day for tally in result.hosts.values() for day in tally.days}
    entries = sum(tally.entries for tally in result.hosts.values())
    if not entries and any(tally.left for tally in result.hosts.values()):
        return "Nothing new yet."
    if not entries and result.problems:
        return "Nothing new in what could be read."
    if not entries:
        known = any(tally.sessions or tally.skipped[READ_BEFORE] for tally in result.hosts.values())
        return "Nothing new: all of it was known." if known else "Nothing to import."
    what = f"{counted(entries, 'entry', 'entries')} on {counted(len(days), 'day')}"
    if dry_run:
        return f"Would add {what}{_span(days)}. Nothing was written."
    written = len(result.compaction.written) if result.compaction else 0
    return f"Added {what}{_span(days)}; {counted(written, 'file')} compacted. See it with: hipocampus show ROOT"


def _as_object(result: _Result, dry_run: bool) -> dict[str, object]:
    return {
        "dryRun": dry_run,
        "hosts": [
            {
                "host": host,
                "sessions": tally.sessions,
                "turns": tally.turns,
                "entries": tally.entries,
                "known": tally.duplicates,
                "skipped": dict(tally.skipped),
                "leftLast": tally.left,
                "days": sorted(tally.days),
            }
            for host, tally in result.hosts.items()
        ],
        "problems": [{"name": name, "reason": reason} for name, reason in result.problems],
        "compacted": list(result.compaction.written) if result.compaction else [],
    }
