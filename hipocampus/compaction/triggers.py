"""Why a compaction is due: decided by numbers in the state and the config, never by judgement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from hipocampus.core.wording import counted
from hipocampus.store.config import Config
from hipocampus.store.state import FINISHED, State

RAW_LINES = 300
CHECKPOINTS = 5
RETRY_MINUTES = 10


@dataclass(frozen=True, slots=True)
class Trigger:
    """One reason to compact. `value` and `limit` are what was compared; `sentence` says both in words."""

    name: str
    value: float
    limit: float
    fired: bool
    sentence: str


def due(state: State, config: Config, now: datetime, edited: int = 0) -> tuple[Trigger, ...]:
    """Every trigger with its value and limit; compaction is due if any of them fired.

    `edited` logs were changed by hand.

    For ten minutes after the start of a cycle that has not finished nothing but a cooldown of 0 fires: it may be
    running still, and one that fails must not be tried again at every hook.
    """
    return (*(rule(state, config, now) for rule in _RULES), _edited(edited, state, now))


def news_waits(state: State, now: datetime, edited: int = 0) -> bool:
    """Whether the logs got entries since the last compaction: a new session must know of them, trigger or not.
    `edited` logs got theirs by hand.

    Not for ten minutes after the start of a cycle that has not finished: see `due`.
    """
    return (state.raw_lines > 0 or state.checkpoints > 0 or edited > 0) and not _may_still_run(state, now)


def _no_state(state: State, _config: Config, _now: datetime) -> Trigger:
    if state.started is None:
        return Trigger("no-state", 0, 0, True, f"{state.expired or 'never compacted'}: a first compaction is due")
    return Trigger("no-state", 0, 0, False, f"the last compaction began at {state.started.isoformat(' ', 'minutes')}")


def _cooldown(state: State, config: Config, now: datetime) -> Trigger:
    limit = config.cooldown_hours
    if limit == 0:
        return Trigger("cooldown", 0, 0, True, "the cooldown is 0 hours: every run is due")
    hours = _minutes_since_start(state, now) / 60
    if state.started is None:
        return Trigger("cooldown", 0, limit, False, f"there was no last compaction for the cooldown of {limit:g} hours")
    sentence = f"{hours:.1f} hours since the last compaction; due from {limit:g} hours on"
    return Trigger("cooldown", round(hours, 2), limit, hours >= limit, sentence)


def _raw_lines(state: State, _config: Config, now: datetime) -> Trigger:
    return _count("raw-lines", state.raw_lines, RAW_LINES, "raw line", state, now)


def _checkpoints(state: State, _config: Config, now: datetime) -> Trigger:
    return _count("checkpoints", state.checkpoints, CHECKPOINTS, "checkpoint", state, now)


def _edited(logs: int, state: State, now: datetime) -> Trigger:
    return _count("edited-logs", logs, 0, "raw log", state, now, " changed by hand")


def _count(name: str, value: int, limit: int, what: str, state: State, now: datetime, how: str = "") -> Trigger:
    held_back = value > limit and _may_still_run(state, now)
    sentence = f"{counted(value, what)}{how} since the last compaction; due above {limit}"
    if held_back:
        sentence += ", but a compaction began less than ten minutes ago"
    return Trigger(name, value, limit, value > limit and not held_back, sentence)


def _unfinished(state: State, _config: Config, now: datetime) -> Trigger:
    if not is_unfinished(state):
        return Trigger("unfinished", 0, RETRY_MINUTES, False, "the last compaction finished")
    minutes = _minutes_since_start(state, now)
    sentence = f"the last compaction began {minutes:.0f} minutes ago and has not finished; due from {RETRY_MINUTES} on"
    return Trigger("unfinished", round(minutes, 1), RETRY_MINUTES, minutes >= RETRY_MINUTES, sentence)


_RULES: tuple[Callable[[State, Config, datetime], Trigger], ...] = (
    _no_state,
    _cooldown,
    _raw_lines,
    _checkpoints,
    _unfinished,
)


def is_unfinished(state: State) -> bool:
    """Whether the last cycle began and did not end. The original hipocampus says nothing about ends: then it did."""
    if state.started is None or FINISHED not in state.values:
        return False
    return state.finished is None or state.finished < state.started


def _may_still_run(state: State, now: datetime) -> bool:
    return is_unfinished(state) and _minutes_since_start(state, now) < RETRY_MINUTES


def _minutes_since_start(state: State, now: datetime) -> float:
    return (now - state.started).total_seconds() / 60 if state.started else 0.0
