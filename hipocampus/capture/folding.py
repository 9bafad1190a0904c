"""Fold: what no checkpoint covers goes from the journals into the raw logs.

The order makes a crash harmless at any point. First a boundary in the journal, then the claims on the prompts before
it, then the entries, then the note that all before the boundary is done. A fold that is done again finds the same
boundary, keeps what it had claimed, makes the same entries, and the raw log drops those that stand there already.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from hipocampus.capture.claims import Claims, keys_of, new_claimant, turn_keys_of
from hipocampus.capture.exchanges import Piece, Segment, segments_of
from hipocampus.capture.grouping import entries_of
from hipocampus.capture.journal import append, dead_sessions, is_pending, prune, stamp
from hipocampus.capture.known import records_in
from hipocampus.capture.rawlog import Stored, append_entries
from hipocampus.capture.turns import catch_up
from hipocampus.core.byte_code import drop_if_damaged
from hipocampus.store.files import WHOLE, locked, read_tail
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class FoldReport:
    """What a fold did.

    `stored` are the entries, those that stood there already included. `exchanges` counts what was told, of which a
    checkpoint covers `covered`, and another session told `repeated` before. `problems` names sessions that could not be
    folded.
    """

    sessions: tuple[str, ...] = ()
    stored: tuple[Stored, ...] = ()
    exchanges: int = 0
    covered: int = 0
    repeated: int = 0
    problems: tuple[str, ...] = ()


def fold_session(
    layout: Layout, session: str, now: datetime, transcript: str = "", *, finished: bool = False
) -> FoldReport:
    """Fold one session. `finished`: it will write no more, so a turn without an end is taken as it is."""
    with locked(layout):
        if os.path.exists(layout.journal_file(session)):
            catch_up(layout, session, now, transcript, finished=finished)
        return fold_journal(layout, session, now, Claims(layout))


def fold_journal(layout: Layout, session: str, now: datetime, claims: Claims) -> FoldReport:
    """Fold what the journal of a session holds. Call under the lock."""
    if not is_pending(layout, session):
        return FoldReport((session,))
    # On the disk before any claim is: claims of a boundary that was lost would keep what it had from being told.
    append(layout, session, [{"k": "fold", "at": stamp(now), "id": new_claimant()}], sync=True)
    report = _fold(layout, session, _segments(layout, session, now), now, claims)
    append(layout, session, [{"k": "folded", "at": stamp(now)}])
    return report


def fold_dead(layout: Layout, now: datetime, live: str) -> FoldReport:
    """Fold every dead session but `live`, and let go of old journals; what fails is named and the rest goes on."""
    reports = [_attempt(layout, session, now) for session in dead_sessions(layout, now, live)]
    prune(layout, now)
    return FoldReport(
        tuple(session for report in reports for session in report.sessions),
        tuple(stored for report in reports for stored in report.stored),
        sum(report.exchanges for report in reports),
        sum(report.covered for report in reports),
        sum(report.repeated for report in reports),
        tuple(problem for report in reports for problem in report.problems),
    )


def _attempt(layout: Layout, session: str, now: datetime) -> FoldReport:
    try:
        return fold_session(layout, session, now, finished=True)
    except Exception as error:
        drop_if_damaged(error)
        return FoldReport((session,), problems=(f"session {session}: {error or type(error).__name__}",))


def claim_covered(layout: Layout, session: str, now: datetime) -> None:
    """Claim what the checkpoints of a session cover, so that a fork of it that folds first does not store that."""
    with locked(layout):
        segment = _segments(layout, session, now)[-1]
        for claimant, covered in segment.checkpoints[-1:]:
            Claims(layout).claim((key for told in covered for key in keys_of(told)), claimant)


def _segments(layout: Layout, session: str, now: datetime) -> Sequence[Segment]:
    return segments_of(records_in(read_tail(layout.journal_file(session), WHOLE)), now)


def _fold(layout: Layout, session: str, segments: Sequence[Segment], now: datetime, claimed: Claims) -> FoldReport:
    """Fold the segments that end in a boundary and are not done."""
    own = {segment.name for segment in segments} | {name for segment in segments for name, _ in segment.checkpoints}
    stored: list[Stored] = []
    exchanges = covered = repeated = 0
    for segment in segments[:-1]:
        if segment.done:
            continue
        claims = claimed.now()
        elsewhere = {key for key in _every_key(segment.pieces) if claims.get(key, segment.name) not in own}
        pieces = [_ours(piece, claims, elsewhere, segment.name) for piece in segment.pieces]
        claimed.claim(_keys(pieces, segment.pieces), segment.name)
        stored += _store(layout, session, (piece for piece in pieces if not piece.covered), now)
        exchanges += len(pieces)
        covered += sum(piece.covered for piece in pieces)
        repeated += sum(piece is not given for piece, given in zip(pieces, segment.pieces, strict=True))
    return FoldReport((session,), tuple(stored), exchanges, covered, repeated)


def _ours(piece: Piece, claims: Mapping[str, str], elsewhere: Set[str], name: str) -> Piece:
    """What of a piece no other journal took: of a prompt that another one told first, only turns of this session.

    What an earlier attempt at the segment `name` took stays with it.
    """
    keys = keys_of(piece.told)
    if elsewhere.isdisjoint(keys) or name in {claims.get(key) for key in keys}:
        return piece
    turns = [turn for turn in piece.turns if turn.own and elsewhere.isdisjoint(turn_keys_of(piece.told, turn.text))]
    return replace(piece, words="", turns=turns)


def _every_key(pieces: Iterable[Piece]) -> Iterable[str]:
    for piece in pieces:
        yield from keys_of(piece.told)
        for turn in piece.turns:
            yield from turn_keys_of(piece.told, turn.text)


def _keys(pieces: Iterable[Piece], given: Iterable[Piece]) -> Iterable[str]:
    """The keys of what is ours: of all turns that were left, then of prompts that were left whole.

    In this order, so that of claims which a crash cut off no prompt is claimed without its turns.
    """
    told = []
    for piece, whole in zip(pieces, given, strict=True):
        told += keys_of(piece.told) if piece is whole else []
        for turn in piece.turns:
            yield from turn_keys_of(piece.told, turn.text)
    yield from told


def _store(layout: Layout, session: str, pieces: Iterable[Piece], now: datetime) -> Iterable[Stored]:
    entries = entries_of(pieces, session, layout.project)
    for day, of_day in groupby(entries, key=lambda pair: pair[0]):
        yield from append_entries(layout, day, [entry for _, entry in of_day], now)
