"""Packing sentences for hooks, and whether what is packed is still as it was written.

A hook has no time to look into that: it says nothing where it meets damage. Whoever brings the index up to date looks.
"""

from __future__ import annotations

import sqlite3
from hashlib import blake2b

from hipocampus.recall.index_damage import agrees, is_sound
from hipocampus.recall.index_neural import check_encoder, clear, keep_needed, wants_neural
from hipocampus.recall.index_scan import is_packed, write_scan
from hipocampus.recall.index_vectors import add_vectors
from hipocampus.recall.learned import WeightsError, mark_of_map
from hipocampus.store.config import Config

_NOTED, _TURNED_BY = "packed", "turned by"
# Where the index has noted what vectors it lacks, since weights are damaged.
_LACKING = "lacking"


def pack(base: sqlite3.Connection, *, neural: bool) -> None:
    """Pack the sentences anew, with their neural vectors if they should be there, and note what came of it, and by
    which map those were turned. WeightsError where that cannot be read.
    """
    turned_by = mark_of_map() if neural else b""
    base.execute("DELETE FROM meta WHERE name = ?", (_TURNED_BY,))  # until it is done
    write_scan(base, neural=neural)
    base.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", ((_NOTED, _state(base)), (_TURNED_BY, turned_by)))


def pack_with_vectors(base: sqlite3.Connection, config: Config, *, news: bool) -> str:
    """Give what is new its vectors, and pack all that there is. What cannot be made, since weights are damaged, is left
    out, and named.
    """
    if not config.search_vector:
        clear(base)
    elif news:
        keep_needed(base)
    problems = []
    try:
        news |= add_vectors(base, wanted=config.search_vector)
    except WeightsError as error:
        problems.append(str(error))
    if not problems and said_lacking(base):
        news = True  # what was packed without numpy lacks more than vectors
    try:
        if neural := wants_neural(config):
            check_encoder(base)
        _pack_if(news, base, neural=neural)
    except WeightsError as error:
        problems.append(str(error))
        _pack_if(news, base, neural=False)
    return note_lacking(base, *problems)


def note_lacking(base: sqlite3.Connection, *problems: str) -> str:
    """Note for `doctor` what vectors the index lacks, and why; that it lacks none without a problem."""
    said = f"vectors are missing: {'; '.join(dict.fromkeys(problems))}" if problems else ""
    # An index where nothing is new stays as it is, byte for byte.
    if said_lacking(base) != said:
        base.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_LACKING, said))
    return said


def said_lacking(base: sqlite3.Connection) -> str | None:
    """What was noted so; None where nothing ever was."""
    row = base.execute("SELECT value FROM meta WHERE name = ?", (_LACKING,)).fetchone()
    return str(row[0]) if row else None


def _pack_if(news: bool, base: sqlite3.Connection, *, neural: bool) -> None:
    if news or not is_packed_as_noted(base, neural=neural):
        pack(base, neural=neural)


def is_packed_as_noted(base: sqlite3.Connection, *, neural: bool) -> bool:
    """Whether the sentences are packed for this wish, and nothing of it was lost, cut off or grew since."""
    row = base.execute("SELECT value FROM meta WHERE name = ?", (_TURNED_BY,)).fetchone()
    is_turned = row == ((mark_of_map() if neural else b""),)
    return is_turned and _is_as_noted(base) and is_packed(base, neural=neural)


def is_whole(base: sqlite3.Connection) -> bool:
    """Whether the index was ever brought up to date, and is complete. One that was only made says that nothing is
    stored.
    """
    return is_sound(base) and agrees(base) and _is_as_noted(base)


def _is_as_noted(base: sqlite3.Connection) -> bool:
    row = base.execute("SELECT value FROM meta WHERE name = ?", (_NOTED,)).fetchone()
    return row is not None and row[0] == _state(base)


def _state(base: sqlite3.Connection) -> str:
    """What each part is, and how many vectors there are of what sizes: what is in so many takes too long to look at."""
    parts = [(name, _digest(value)) for name, value in base.execute("SELECT name, value FROM scan ORDER BY name")]
    vectors = base.execute("SELECT model, count(*), min(length(v)), max(length(v)) FROM packed GROUP BY model")
    return repr([*parts, *vectors])


def _digest(value: object) -> str:
    raw = value if isinstance(value, bytes) else repr(value).encode()
    return blake2b(raw, digest_size=12).hexdigest()
