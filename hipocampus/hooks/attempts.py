"""Attempts to install the packages: one at a time on a machine, counted, and repeated less and less often.

``bootstrap.json`` in the user state directory says how the last one went, ``bootstrap.lock`` is held while one runs.
The lock belongs to every process of the attempt, so that it ends with the last of them, however they end.
"""

from __future__ import annotations

import fcntl
import json
import os
from datetime import datetime, timedelta

from hipocampus.core.record import record
from hipocampus.errors import UserError
from hipocampus.redaction import scrub_json
from hipocampus.store.disk import make_folder
from hipocampus.store.files import read_text, write_text
from hipocampus.store.locks import is_held
from hipocampus.store.user_state import state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

RUNNING, FAILED, DONE = "running", "failed", "done"
OPT_OUT = "HIPOCAMPUS_NO_BOOTSTRAP"
OPT_OUT_FILE = "no-bootstrap"
_LOCK = "bootstrap.lock"
# After the first failure, the second, and so on; then always the last.
PAUSES = (timedelta(minutes=10), timedelta(hours=2), timedelta(hours=12), timedelta(days=2))


@record
class Attempt:
    """How the last attempt stands. `target` names what was to be installed; `count` is how many tried that so far.

    `at` is when it began (ISO), `reason` why it failed and what to do, `told` whether the user has read that.
    """

    target: str = ""
    count: int = 0
    at: str = ""
    outcome: str = ""
    reason: str = ""
    told: bool = False


def is_forbidden(env: Mapping[str, str]) -> bool:
    """Whether the user wants nothing to be installed by itself: by a variable, or a file in the state directory."""
    return env.get(OPT_OUT, "") not in ("", "0") or os.path.lexists(os.path.join(state_dir(env), OPT_OUT_FILE))


def take_lock(env: Mapping[str, str]) -> int | None:
    """The lock, as a descriptor that a child inherits; None while an attempt is running. OSError if it cannot be."""
    folder = state_dir(env)
    make_folder(folder)
    descriptor = os.open(os.path.join(folder, _LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def is_running(env: Mapping[str, str]) -> bool:
    """Whether an attempt is running now. Creates nothing."""
    return is_held(os.path.join(state_dir(env), _LOCK))


def read_attempt(env: Mapping[str, str]) -> Attempt:
    """The last attempt, an empty one where there was none or its record is damaged."""
    try:
        found = json.loads(read_text(_path(env), limit=64 * 1024) or "{}")
    except (OSError, ValueError, RecursionError, UserError):
        found = {}
    values = found if isinstance(found, dict) else {}
    words = {name: values.get(name) for name in ("target", "at", "outcome", "reason")}
    count = values.get("count")
    return Attempt(
        **{name: word if isinstance(word, str) else "" for name, word in words.items()},
        count=count if isinstance(count, int) and 0 <= count < 1000 else 0,
        told=values.get("told") is True,
    )


def write_attempt(env: Mapping[str, str], attempt: Attempt) -> None:
    """Keep how an attempt stands. OSError where it cannot be kept; then none may begin, or it would never end."""
    values = {name: getattr(attempt, name) for name in ("target", "count", "at", "outcome", "reason", "told")}
    write_text(_path(env), scrub_json(values), sync=False)


def is_due(last: Attempt, target: str, now: datetime) -> bool:
    """Whether another attempt may begin: something else is wanted now, or the pause is over. A clock that went back
    does not lengthen it."""
    if last.target != target or not last.count:
        return True
    try:
        began = datetime.fromisoformat(last.at)
        return not timedelta(0) <= now - began < pause_after(last)
    except (ValueError, TypeError):
        return True


def pause_after(last: Attempt) -> timedelta:
    """How long after the beginning of an attempt none other begins by itself."""
    return PAUSES[min(last.count, len(PAUSES)) - 1]


def _path(env: Mapping[str, str]) -> str:
    return os.path.join(state_dir(env), "bootstrap.json")
