"""The state of compaction: when it last ran and what has happened since. Anything unreadable means: expired."""

from __future__ import annotations

import json
from datetime import datetime

from hipocampus.core.record import record
from hipocampus.errors import UserError
from hipocampus.redaction import scrub_json
from hipocampus.store.files import read_text, write_text
from hipocampus.store.layout import Layout
from hipocampus.store.locks import locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

STARTED = "lastCompactionRun"
FINISHED = "lastCompactionFinished"
RAW_LINES = "rawLinesSinceLastCompaction"
CHECKPOINTS = "checkpointsSinceLastCompaction"
# The periods whose nodes waited for a summary after the last cycle, and the answers that were refused, by period.
WAITING = "waitingSummaries"
REFUSED = "refusedSummaries"
# Something is being forgotten, or was when its process was killed.
FORGETTING = "forgetting"
#: So many answers refused in a row, and nobody is asked until the input changes.
MOST_REFUSED = 2

_LIMIT = 1024 * 1024


@record
class State:
    """What the state file says, repaired.

    `started` and `finished` are the moments of the last cycle, None where there was none or the value is of no use;
    `expired` says why the state counts as expired (missing, empty, not JSON, …) and is empty for a sound one. `values`
    is the whole object, unknown keys too.
    """

    started: datetime | None
    finished: datetime | None
    raw_lines: int
    checkpoints: int
    expired: str
    values: dict[str, object]


def read_state(layout: Layout, now: datetime) -> State:
    """The state of the home. Never raises: what cannot be read is expired, and the next update repairs it."""
    values, problem = _load(layout)
    started = _moment(values.get(STARTED), now)
    if not problem and started is None:
        problem = f"{STARTED} is not a moment in the past" if STARTED in values else "never compacted"
    return State(
        started=started,
        finished=_moment(values.get(FINISHED), now),
        raw_lines=_count(values.get(RAW_LINES)),
        checkpoints=_count(values.get(CHECKPOINTS)),
        expired=problem,
        values=values,
    )


def update_state(layout: Layout, now: datetime, change: Callable[[dict[str, object]], None]) -> State:
    """Let `change` edit the repaired values under the lock, write them, and return the new state. Unknown keys stay."""
    with locked(layout):
        state = read_state(layout, now)
        values = {**state.values, **_repaired(state)}
        change(values)
        write_text(layout.state, scrub_json(values))
        return read_state(layout, now)


def bump(layout: Layout, now: datetime, raw_lines: int = 0, checkpoints: int = 0) -> State:
    """Raise the counters."""

    def change(values: dict[str, object]) -> None:
        values[RAW_LINES] = _count(values.get(RAW_LINES)) + raw_lines
        values[CHECKPOINTS] = _count(values.get(CHECKPOINTS)) + checkpoints

    return update_state(layout, now, change)


def waiting_summaries(state: State) -> list[str]:
    """The periods whose nodes waited for a summary after the last cycle, but for those that nobody is asked for."""
    names, refused = state.values.get(WAITING), state.values.get(REFUSED)
    counts = {
        name: _count(one.get("count"))
        for name, one in (refused.items() if isinstance(refused, dict) else ())
        if isinstance(one, dict)
    }
    known = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return [name for name in known if counts.get(name, 0) < MOST_REFUSED]


def _repaired(state: State) -> dict[str, object]:
    values: dict[str, object] = {RAW_LINES: state.raw_lines, CHECKPOINTS: state.checkpoints}
    for key, moment in ((STARTED, state.started), (FINISHED, state.finished)):
        if key in state.values and moment is None:
            values[key] = None
    return values


def _load(layout: Layout) -> tuple[dict[str, object], str]:
    try:
        text = read_text(layout.state, _LIMIT)
    except (OSError, UserError) as error:
        return {}, f"the state cannot be read: {error}"
    if text is None:
        return {}, "there is no state yet"
    if not text.strip("\0 \t\r\n"):
        return {}, "the state is empty"
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return {}, "the state is not JSON"
    return (values, "") if isinstance(values, dict) else ({}, "the state is not a JSON object")


def _moment(value: object, now: datetime) -> datetime | None:
    """A moment not after `now`; one without a zone is taken in the zone of `now`."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
        return moment if moment <= now else None
    except (ValueError, OverflowError):
        return None


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
