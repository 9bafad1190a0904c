"""Back-fill: a session of the past goes the way of every other, from its transcript through a journal into the logs.

So it is told in the same entries, and what another session told before, a checkpoint covers or the user had forgotten
is left out by the same rules. Its journal is there only while it is read: a crash leaves it, and whoever comes next, an
import or a session start, finishes it. A session that the hooks journal is left to them while it runs.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from hipocampus.capture.claims import Claims, claims_file, new_claimant
from hipocampus.capture.exchanges import IMPORT, RETOLD
from hipocampus.capture.folding import FoldReport, fold_journal, fold_session
from hipocampus.capture.grouping import short_session
from hipocampus.capture.journal import append, is_live, moment, stamp
from hipocampus.capture.known import Record, known_of, records_in, text_in
from hipocampus.capture.positions import Position, Positions
from hipocampus.capture.turns import journal_part
from hipocampus.capture.untold import sessions_in_logs
from hipocampus.errors import reason_of
from hipocampus.hosts.past import Past, read_past
from hipocampus.hosts.transcript import UNREADABLE, Item, Part, Prompt, Reply, not_understood
from hipocampus.store import disk
from hipocampus.store.files import WHOLE, LockTimeout, locked, read_tail
from hipocampus.store.layout import Layout

PART = 2 * 1024 * 1024
"""Bytes of a transcript that are read at a time, and then redacted and folded under the lock: hooks wait for it."""
_TIMES = (1, 4, 16, 64)
# Of the prompts of a part the last is where the next part begins, so that one alone gets no further.
_ENOUGH = 2

STILL = timedelta(minutes=10)
"""After so long without a line the last turn of a session is over."""

RUNNING = "still running, left to its hooks"
READ_BEFORE = "read before, nothing new"
TOO_OLD = "older than --since"
SILENT = "nothing was said in it"

_SAVED_EVERY = 100
# What no other session will fare better with.
_OF_THE_HOME = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one session: exchanges that were new and that were known already, entries written, their days.

    `skipped` says why it was not read. `left_last`: its last turn may still run and was left. `problem` is what went
    wrong, in one line.
    """

    past: Past
    turns: int = 0
    duplicates: int = 0
    entries: int = 0
    days: frozenset[str] = frozenset()
    skipped: str = ""
    left_last: bool = False
    problem: str = ""


class Backfill:
    """An import into one home. `since` is the first day that is taken (ISO; empty: all), `live` the present session.

    Each ``take`` is complete in itself; ``save`` afterwards, however it ended, makes the next import quick.
    """

    def __init__(self, layout: Layout, now: datetime, since: str = "", live: str = "") -> None:
        self._layout = layout
        self._now = now
        self._since = since
        self._live = live
        self._positions = Positions(layout)
        self._claims = Claims(layout)
        # Where the claims were lost, or stayed on another machine, the logs say whose transcripts are told already.
        self._told = sessions_in_logs(layout, RETOLD) if not os.path.exists(claims_file(layout)) else frozenset()
        self._taken = 0

    def take(self, past: Past) -> Outcome:
        """Bring what is new in one session into the raw logs. What is wrong with it is in the outcome.

        Raises LockTimeout, and OSError where the home can no longer be written.
        """
        self._taken += 1
        if self._taken % _SAVED_EVERY == 0:
            self.save()
        try:
            return self._take(past)
        except LockTimeout:
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno in _OF_THE_HOME:
                raise
            return Outcome(past, problem=reason_of(error) or type(error).__name__)

    def save(self) -> None:
        """Keep how far each session was read."""
        self._positions.save()

    def has_news(self, past: Past) -> bool:
        """Whether a session would be read at all. Cheap, and nothing is written."""
        return self._skipped(past) is None

    def _skipped(self, past: Past) -> Outcome | None:
        """Why a session is not read; None where it is."""
        position = self._positions.of(past)
        if past.session == self._live or (
            not _is_ours(self._layout, past.session) and is_live(self._layout, past.session, self._now)
        ):
            return Outcome(past, skipped=RUNNING)
        if position.covers(past, self._since, self._is_settled(past)):
            return Outcome(past, skipped=READ_BEFORE, left_last=position.open)
        if self._since and past.touched and self._day(past.touched) < self._since:
            return Outcome(past, skipped=TOO_OLD)
        return None

    def _take(self, past: Past) -> Outcome:
        skipped = self._skipped(past)
        if skipped is not None:
            return skipped
        position, settled = self._positions.of(past), self._is_settled(past)
        if not _is_ours(self._layout, past.session):
            report = fold_session(self._layout, past.session, self._now, past.path, finished=True)
            self._positions.put(past, Position(past.size))
            return _outcome(past, [report])
        return self._read_through(past, position.for_reading(self._since), settled)

    def _is_settled(self, past: Past) -> bool:
        return not past.touched or abs(self._now.timestamp() - past.touched) > STILL.total_seconds()

    def _day(self, touched: float) -> str:
        return datetime.fromtimestamp(touched, self._now.tzinfo).date().isoformat()

    def _read_through(self, past: Past, position: Position, settled: bool) -> Outcome:
        """Read a session from `position` to its end, part by part, and fold each."""
        layout, session = self._layout, past.session
        reading = _Reading(past, self._since, self._now)
        if not os.path.exists(layout.journal_file(session)):
            part = reading.next_part(position.offset, position.mark)
            append(layout, session, list(_opening(past, position, part, self._now)))
        else:
            known = known_of(layout, session)
            part = reading.next_part(known.offset, known.mark)
        while True:
            known = known_of(layout, session, whole=part.restarted)
            finished = settled if part.complete else _prompts(part) < _ENOUGH
            with locked(layout):  # over both, or a session that starts would fold it for us
                journal_part(layout, session, self._now, part, known, past.path, finished=finished, note=True)
                if short_session(session) in self._told:
                    covering = {"k": "checkpoint", "at": stamp(self._now), "claim": new_claimant()}
                    append(layout, session, [covering])
                reading.reports.append(fold_journal(layout, session, self._now, self._claims))
            if part.complete:
                break
            known = known_of(layout, session)
            part = reading.next_part(known.offset, known.mark)
        problem = reading.problem
        self._close(past, settled, understood=not problem)
        skipped = "" if reading.said or position.offset or problem else SILENT
        return _outcome(past, reading.reports, skipped, left_last=not (settled or problem), problem=problem)

    def _close(self, past: Past, settled: bool, *, understood: bool) -> None:
        """Note how far it was read, and take the journal away unless hooks have begun to write it.

        What was not `understood` is as good as not read: each import tries it again, and says so until a version can.
        """
        path = self._layout.journal_file(past.session)
        size = os.path.getsize(path)
        known = known_of(self._layout, past.session)
        at = Position(past.size, known.offset, known.mark, known.running, self._since, not settled)
        if understood:
            self._positions.put(past, at)
        if _is_ours(self._layout, past.session):
            disk.remove(path, size)


class _Reading:
    """The parts of one session, and what was seen of it so far."""

    def __init__(self, past: Past, since: str, now: datetime) -> None:
        self.reports: list[FoldReport] = []
        self.said = 0
        self._past = past
        self._since = since
        self._now = now
        self._understood = self._lines = 0
        self._is_whole = self._is_unread = False

    @property
    def problem(self) -> str:
        """What is wrong with the transcript as a whole. One of which all was read may be as short as it likes."""
        if self._is_unread:
            return UNREADABLE
        if self._is_whole and self._lines and not self._understood:
            return not_understood(self._lines)
        return Part(understood=self._understood, lines=self._lines).problem

    def next_part(self, offset: int, mark: int) -> Part:
        """What follows, with a moment in every item, and without what is older than wanted.

        A part ends before a prompt: a turn with much output between its beginning and its end makes it larger.
        """
        for times in _TIMES:
            part = read_past(self._past, offset, PART * times, mark)
            if part.complete or _prompts(part) >= _ENOUGH:
                break
        self._is_whole = self._is_whole or not offset or part.restarted
        self._is_unread = self._is_unread or part.unread
        self._lines += part.lines
        self._understood += part.understood
        items = tuple(_dated(part.items, self._past.began))
        if self._since and not self.said:
            first = next((index for index, item in enumerate(items) if self._is_wanted(item)), len(items))
            items = items[first:]
        self.said += len(items)
        return Part(items, part.offset, part.understood, part.lines, part.complete, part.restarted)

    def _is_wanted(self, item: Item) -> bool:
        at = moment(item.at) if isinstance(item, Prompt) else None
        return at is not None and at.astimezone(self._now.tzinfo).date().isoformat() >= self._since


def _opening(past: Past, position: Position, part: Part, now: datetime) -> Iterator[Record]:
    """How the journal of a session of the past begins: no day, since each of its turns has its own, and no transcript,
    since who folds what a crash left must not read on without knowing from which day.
    """
    first = next((at for item in part.items if isinstance(item, Prompt | Reply) and (at := moment(item.at))), None)
    began = first or moment(past.began) or now
    start: Record = {"k": "start", "at": stamp(began), "day": "", "host": past.host, "source": IMPORT}
    yield start | {"branch": past.branch, "transcript": ""}
    if position.offset and not part.restarted:
        read: Record = {"k": "read", "at": stamp(began), "of": position.running}
        yield read | {"off": position.offset, "sum": position.mark}


def _is_ours(layout: Layout, session: str) -> bool:
    """Whether no hook has written the journal of a session: there is none, or an import made it."""
    records = records_in(read_tail(layout.journal_file(session), WHOLE))
    return not any(
        (one["k"] == "start" and text_in(one, "source") != IMPORT) or (one["k"] == "prompt" and not text_in(one, "via"))
        for one in records
    )


def _dated(items: Iterable[Item], began: str) -> Iterator[Item]:
    """The items, each with a moment: its own, else that of what stands before it."""
    last = began
    for item in items:
        match item:
            case Prompt() if not item.at:
                yield Prompt(item.text, item.uuid, item.prompt_id, last, item.via, item.start)
            case Reply() if not item.at:
                yield Reply(item.text, item.message_id, last)
            case Prompt() | Reply():
                last = item.at
                yield item
            case _:
                yield item


def _prompts(part: Part) -> int:
    return sum(isinstance(item, Prompt) and item.via == "file" for item in part.items)


def _outcome(
    past: Past, reports: Iterable[FoldReport], skipped: str = "", *, left_last: bool = False, problem: str = ""
) -> Outcome:
    turns = duplicates = entries = 0
    days: set[str] = set()
    for report in reports:
        known = report.covered + report.repeated
        turns += report.exchanges - known
        duplicates += known
        fresh = [stored for stored in report.stored if not stored.duplicate]
        entries += len(fresh)
        days |= {stored.day for stored in fresh}
    return Outcome(past, turns, duplicates, entries, frozenset(days), skipped, left_last, problem)
