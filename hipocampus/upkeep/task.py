"""What a step of maintenance is, what it is given, and what it says of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from hipocampus.store.config import Config
from hipocampus.store.layout import Layout


class Result(StrEnum):
    """What became of a step."""

    DONE = "done"
    WOULD = "would do"
    """Of a look: there is something to do."""
    NOTHING = "nothing to do"
    SKIPPED = "skipped"
    """It was not its turn: switched off, no time left, or another process writes."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Round:
    """One run over one memory. `left` says how many seconds of it are left."""

    layout: Layout
    config: Config
    env: Mapping[str, str]
    now: datetime
    left: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Told:
    """What a step did, or (of a look) would do, in a few words."""

    result: Result
    said: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A step: its name, the doing of it, and a look at what that would be, which writes nothing."""

    name: str
    run: Callable[[Round], Told]
    look: Callable[[Round], Told]


NOTHING = Told(Result.NOTHING)


def done(said: str) -> Told:
    """It was done."""
    return Told(Result.DONE, said)


def would(said: str) -> Told:
    """There is something to do."""
    return Told(Result.WOULD, said)


def skipped(said: str) -> Told:
    """It was not done, for a reason that is no fault."""
    return Told(Result.SKIPPED, said)


def failed(said: str) -> Told:
    """It was not done, or not all of it."""
    return Told(Result.FAILED, said)
