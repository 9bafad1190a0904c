"""What a journal holds already, as far as it matters for reading on in the transcript."""

from __future__ import annotations

import json

from hipocampus.capture.journal import moment
from hipocampus.capture.ledger import PROMPT_KINDS, Ledger, squashed
from hipocampus.core.record import record
from hipocampus.store.files import WHOLE, read_tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from hipocampus.store.layout import Layout

Record = dict[str, object]

_TAIL = 64 * 1024
_OFFSET = ',"off":'
_HEAD = 64 * 1024


@record
class Known:
    """What of a journal the reader of its transcript must know.

    `turns` are recorded turns: the id of the prompt, and the squashed text. `deeds` are tools and files, each with the
    id of the prompt. `offset` is where to read on in the transcript with that `mark`, `running` the id of the prompt
    whose turn was running there. `began` is the moment of the first record. `whole` says that the whole journal was
    looked at, not only its end.
    """

    ledger: Ledger
    turns: frozenset[tuple[str, str]]
    deeds: frozenset[tuple[str, str]]
    running: str
    offset: int
    mark: int
    host: str
    transcript: str
    began: datetime | None
    whole: bool


def known_of(layout: Layout, session: str, *, whole: bool = False) -> Known:
    """What the journal of a session holds, from its end unless the `whole` is asked for or needed."""
    path = layout.journal_file(session)
    text = "" if whole else read_tail(path, _TAIL)
    if _OFFSET not in text:
        text, whole = read_tail(path, WHOLE), True
    return _known(records_in(text), [] if whole else records_in(_head(path)), whole)


def records_in(text: str) -> list[Record]:
    """The records in lines of a journal; what is no JSON object with a kind is left out."""
    found = []
    for line in text.split("\n"):
        try:
            value = json.loads(line) if line else None
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("k"), str):
            found.append(value)
    return found


def text_in(record: Record, name: str) -> str:
    """A text value of a record; empty where there is none."""
    value = record.get(name)
    return value if isinstance(value, str) else ""


def texts_in(record: Record, name: str) -> list[str]:
    """A list of texts in a record; what is no text is left out."""
    value = record.get(name)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _known(records: list[Record], head: list[Record], whole: bool) -> Known:
    ledger = Ledger()
    turns: set[tuple[str, str]] = set()
    deeds: set[tuple[str, str]] = set()
    mark: Record = {}
    for one in records:
        if one["k"] in PROMPT_KINDS:
            ledger.place(one)
        elif one["k"] == "turn":
            of = text_in(one, "of")
            turns.add((of, squashed(text_in(one, "text"))))
            deeds.update((of, deed) for deed in [*texts_in(one, "tools"), *texts_in(one, "files")])
        mark = one if "off" in one else mark
    start = next((one for one in [*reversed(records), *head] if one["k"] == "start"), {})
    first = next(iter(head or records), {})
    return Known(
        ledger,
        frozenset(turns),
        frozenset(deeds),
        text_in(mark, "of"),
        _number(mark, "off"),
        _number(mark, "sum"),
        text_in(start, "host"),
        text_in(start, "transcript"),
        moment(first.get("at")),
        whole,
    )


def _number(record: Record, name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) and 0 <= value < 2**62 else 0


def _head(path: str) -> str:
    with open(path, "rb") as journal:
        return journal.read(_HEAD).rpartition(b"\n")[0].decode("utf-8", "replace")
