"""A journal read as what it tells: prompts with what came of them, cut at the boundaries of folds.

An exchange is a prompt and its turns. What a checkpoint covers and what an earlier fold took is told apart here, from
the records alone, so that a fold that is done again after a crash comes to the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from hipocampus.capture.journal import moment
from hipocampus.capture.known import Record, text_in, texts_in
from hipocampus.capture.ledger import PROMPT_KINDS, Ledger, Told, squashed

FOLD, IMPORT = "fold", "import"
# Who tells a conversation again, and with it perhaps what was forgotten.
RETOLD = (FOLD, IMPORT)

# A remark that was remembered covers the prompt that asked for it, unless that prompt says much more.
_ASKING = 40


@dataclass(slots=True)
class Turn:
    """What came of a prompt: the assistant's last message, and the files it changed.

    `own`: this session's Stop told it; otherwise the transcript did, which may be a copy of another session's.
    """

    text: str
    files: list[str]
    own: bool


@dataclass(slots=True)
class Piece:
    """What one segment tells of an exchange: the prompt's words (empty in a later segment) and the turns told there.

    `source` is what its entry will be marked with: ``fold``, or ``import`` where it was read from the past.
    """

    told: Told
    words: str
    at: datetime
    day: str
    branch: str
    turns: list[Turn] = field(default_factory=list)
    covered: bool = False
    source: str = FOLD


@dataclass(slots=True)
class Segment:
    """What stands between two boundaries. `name` identifies the boundary that ends it, `done`: it was folded."""

    name: str = ""
    done: bool = False
    pieces: list[Piece] = field(default_factory=list)
    checkpoints: list[tuple[str, list[Told]]] = field(default_factory=list)


@dataclass(slots=True)
class _Exchange:
    told: Told
    past: bool
    spoken: bool = False
    covered: bool = False
    turns: list[Turn] = field(default_factory=list)


class _Reading:
    """The state of reading a journal from its beginning."""

    def __init__(self, fallback: datetime) -> None:
        self.segments = [Segment()]
        self._ledger = Ledger()
        self._exchanges: list[_Exchange] = []
        self._nameless = _Exchange(Told(), past=False)
        self._pieces: dict[int, Piece] = {}
        self._here: list[_Exchange] = []
        self._last: _Exchange | None = None
        self._began = ""
        self._branch = ""
        self._source = FOLD
        self._at = fallback

    def read(self, record: Record) -> None:
        self._at = moment(record.get("at")) or self._at
        match record["k"]:
            case "start":
                self._began, self._branch = text_in(record, "day"), text_in(record, "branch")
                self._source = IMPORT if text_in(record, "source") == IMPORT else FOLD
            case kind if kind in PROMPT_KINDS:
                self._prompt(record)
            case "turn":
                self._turn(record)
            case "checkpoint":
                self._checkpoint(text_in(record, "claim"))
            case "noted":
                self._noted(text_in(record, "text"))
            case "fold":
                self.segments[-1].name = text_in(record, "id")
                self.segments.append(Segment())
                self._pieces, self._here = {}, []
            case "folded":
                for segment in self.segments[:-1]:
                    segment.done = True

    def _prompt(self, record: Record) -> None:
        index, is_new = self._ledger.place(record)
        if is_new:
            self._exchanges.append(_Exchange(self._ledger.told[index], record["k"] == "past"))
        exchange = self._exchanges[index]
        piece = self._piece(exchange) if is_new or not exchange.spoken else None
        if piece is not None and exchange.told.text:
            exchange.spoken, piece.words = True, exchange.told.text
        if record["k"] in ("prompt", "wordless") and (is_new or record.get("via") is None):
            self._last = exchange

    def _turn(self, record: Record) -> None:
        exchange = self._exchange_of(text_in(record, "of"))
        turn = Turn(text_in(record, "text"), texts_in(record, "files"), text_in(record, "via") == "stop")
        known = {file for earlier in exchange.turns for file in earlier.files}
        turn.files = [file for file in turn.files if file not in known]
        if any(squashed(earlier.text).endswith(squashed(turn.text)) for earlier in exchange.turns):
            turn.text = ""
        if turn.text or turn.files:
            exchange.turns.append(turn)
            self._piece(exchange).turns.append(turn)

    def _exchange_of(self, name: str) -> _Exchange:
        """The exchange of a turn: of the prompt with that id, else of the prompt before it, else one without words."""
        index = self._ledger.of(name) if name else None
        if index is not None:
            return self._exchanges[index]
        if not name:
            return self._last or self._nameless
        index, _ = self._ledger.place({"k": "wordless", "pid": name})
        self._exchanges.append(_Exchange(self._ledger.told[index], past=False))
        return self._exchanges[index]

    def _piece(self, exchange: _Exchange) -> Piece:
        piece = self._pieces.get(id(exchange))
        if piece is None:
            day = self._at.date().isoformat()
            piece = Piece(exchange.told, "", self._at, min(day, self._began or day), self._branch)
            piece.covered, piece.source = exchange.covered, self._source
            self._pieces[id(exchange)] = piece
            self._here.append(exchange)
            self.segments[-1].pieces.append(piece)
        return piece

    def _checkpoint(self, claimant: str) -> None:
        """Cover what stands before it since the last boundary, and the running turn even of an earlier prompt."""
        here = [one for one in self._here if not one.past]
        here += [self._last] if self._last is not None and self._last not in here else []
        for exchange in here:
            self._cover(exchange)
        self.segments[-1].checkpoints.append((claimant, [exchange.told for exchange in here]))

    def _noted(self, text: str) -> None:
        noted = squashed(text).casefold()
        if self._last is not None and noted:
            words = squashed(self._last.told.text).casefold()
            if noted in words and len(words) <= len(noted) + _ASKING:
                self._cover(self._last)

    def _cover(self, exchange: _Exchange) -> None:
        exchange.covered = True
        if id(exchange) in self._pieces:
            self._pieces[id(exchange)].covered = True


def segments_of(records: Iterable[Record], fallback: datetime) -> Sequence[Segment]:
    """The segments of a journal, the open one last. `fallback` is the moment of records that have none."""
    reading = _Reading(fallback)
    for record in records:
        reading.read(record)
    for segment in reading.segments:
        segment.pieces.sort(key=lambda piece: piece.at)
    return reading.segments
