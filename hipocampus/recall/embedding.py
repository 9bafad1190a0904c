"""Making the neural vectors that the index lacks: in the background, a bounded time at a time, never in a hook.

What is made is written down a few at a time, so a process that is stopped loses next to nothing, and no session waits.
Only texts that are in the index are read, and those were redacted on the way in.
"""

from __future__ import annotations

import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from hipocampus.recall.encoder import PACKAGE, Encoder, EncoderError
from hipocampus.recall.index_damage import doubt, is_damage
from hipocampus.recall.index_file import UnusableError, open_to_read, open_to_write
from hipocampus.recall.index_neural import Wanted, check_encoder, store, wanted_yet, wants_neural
from hipocampus.recall.index_pack import note_lacking, pack
from hipocampus.recall.learned import WeightsError
from hipocampus.recall.vectors import NEURAL
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout

_BATCH = 16
# Whoever makes vectors says so in the index, with each batch anew; another process leaves it to that one so long.
_LEASE = 60.0


@dataclass(frozen=True, slots=True)
class Embedded:
    """How many vectors were made, how many are left to make, and why it stopped, if not for the time."""

    made: int = 0
    left: int = 0
    problem: str = ""


def embed_missing(layout: Layout, config: Config, seconds: float) -> Embedded:
    """Make the vectors that the index lacks, the most useful first, for about `seconds`.

    Another process that does so is left to it. Troubles of the encoder, or on the way, are the `problem`. UnusableError
    where the index cannot be used at all: the refresh that came before has told that already.
    """
    if not wants_neural(config) or seconds <= 0:
        return Embedded()
    base = open_to_write(layout)
    try:
        check_encoder(base)
        return _embedded(base, time.monotonic() + seconds)
    except WeightsError as error:
        return Embedded(problem=note_lacking(base, str(error)))
    except Exception as error:
        if is_damage(error):
            doubt(layout)
            return Embedded(problem=f"the index is damaged ({error}); it is built anew the next time")
        if isinstance(error, sqlite3.Error):
            return Embedded(problem=f"the index cannot be written: {error}")
        raise
    finally:
        base.close()


def lacking(layout: Layout) -> int | None:
    """How many vectors the index lacks; None where there is none that can be read. Nothing is written."""
    try:
        with closing(open_to_read(layout)) as base:
            return len(wanted_yet(base))
    except (UnusableError, sqlite3.Error):
        return None
    except Exception as error:
        if is_damage(error):
            return None
        raise


def _embedded(base: sqlite3.Connection, end: float) -> Embedded:
    missing = wanted_yet(base)
    if not missing:
        return Embedded()
    if not _claim(base):
        return Embedded(left=len(missing))
    made, problem = 0, ""
    try:
        for rows in _batches(missing, end):
            store(base, rows)
            _say_until(base, time.time() + _LEASE)
            made += len(rows)
    except EncoderError as error:
        problem = str(error)
    finally:
        _say_until(base, 0.0)
    if made:
        pack(base, neural=True)
    return Embedded(made, len(missing) - made, problem)


def _batches(missing: Sequence[Wanted], end: float) -> Iterator[list[tuple[bytes, bytes]]]:
    """Texts with their vectors, a few at a time, until the time is up."""
    _try_in_a_child()
    encoder = Encoder()
    rows = []
    for number, one in enumerate(missing, 1):
        vector = encoder.query(one.text) if one.asked else encoder.passage(one.text)
        rows.append((one.mark, struct.pack(f"{NEURAL.dimensions}e", *vector)))
        is_over = number == len(missing) or time.monotonic() >= end
        if is_over or len(rows) == _BATCH:
            yield rows
            rows = []
        if is_over:
            return


_TRIAL = """
import sys
sys.path[:] = {path!r}
from hipocampus.recall.encoder import Encoder
Encoder().passage("a text")
"""


def _try_in_a_child() -> None:
    """EncoderError where the engine ends its process: it may have been built for another processor."""
    command = [sys.executable, "-I", "-S", "-c", _TRIAL.format(path=sys.path)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EncoderError(f"the engine of {PACKAGE} cannot be tried: {error}") from error
    if done.returncode < 0:
        raise EncoderError(f"the engine of {PACKAGE} does not run here: signal {-done.returncode}")


def _claim(base: sqlite3.Connection) -> bool:
    """Whether this process may make vectors now."""
    now = time.time()
    base.execute("BEGIN IMMEDIATE")
    try:
        row = base.execute("SELECT value FROM meta WHERE name = 'embedding until'").fetchone()
        if row is not None and now < row[0] <= now + _LEASE:
            return False
        _say_until(base, now + _LEASE)
        return True
    finally:
        base.execute("COMMIT")


def _say_until(base: sqlite3.Connection, moment: float) -> None:
    base.execute("INSERT OR REPLACE INTO meta VALUES ('embedding until', ?)", (moment,))
