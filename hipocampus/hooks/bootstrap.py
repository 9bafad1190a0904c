"""Make a plugin whole that came without its packages: in a detached child, while every turn is journalled meanwhile.

No hook waits for it: at a session start a few files are looked at. The child installs, records the runtime for the next
hook, and folds and compacts what has waited.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime

from hipocampus.core.record import record
from hipocampus.errors import UserError
from hipocampus.hooks.attempts import (
    DONE,
    FAILED,
    RUNNING,
    Attempt,
    is_due,
    is_forbidden,
    is_running,
    pause_after,
    read_attempt,
    take_lock,
    write_attempt,
)
from hipocampus.hooks.background import in_background
from hipocampus.hooks.packages import add_packages, have_packages
from hipocampus.store.requirements import extras_of
from hipocampus.store.user_state import Runtime, read_runtime, record_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SETUP = "/hipocampus:setup (or `hipocampus init`)"
MISSING = f"its Python packages are missing, so turns are kept but not yet made into memory; {SETUP} installs them"
GOING_ON = "they are still being installed; run this again in a minute"
INTERRUPTED = "the attempt was interrupted"
STARTED = "its Python packages are being installed in the background, once; turns are kept meanwhile"
FAILURE = "its Python packages could not be installed: {reason}. {then}, " + SETUP + " does so at once"
PATIENCE = 100.0  # seconds that a person or an agent waits; a host ends a command after two minutes


@record
class Wanted:
    """What is to be installed, on whose behalf, and what to do once it is there."""

    target: str
    env: Mapping[str, str]
    now: datetime
    afterwards: Callable[[], None]
    extras: tuple[str, ...] = ()


def at_session_start(env: Mapping[str, str], now: datetime, afterwards: Callable[[], None]) -> str:
    """Have what is missing or outdated installed; what the user should read about it, or nothing.

    `afterwards` runs in the child, with the packages. A running attempt is left alone, a failed one is repeated after a
    pause. OSError where the user state directory cannot be written.
    """
    from hipocampus.hooks.environment import wanted

    outdated = have_packages()
    if is_forbidden(env):
        return "" if outdated else MISSING
    lock = take_lock(env)
    if lock is None:
        return ""
    try:
        extras = _extras_so_far(env)
        return _begun_or_told(Wanted(wanted(extras), env, now, afterwards, extras), lock, outdated)
    finally:
        os.close(lock)


def on_request(env: Mapping[str, str], now: datetime, extras: Iterable[str] = ()) -> str:
    """Install now, with `extras` beside those that are there, because the user asked for it, and wait; why it did not
    come to an end, or nothing.
    """
    from hipocampus.hooks.environment import existing, wanted

    whole = tuple(sorted({*_extras_so_far(env), *extras}))
    order = Wanted(wanted(whole), env, now, _nothing, whole)
    end = time.monotonic() + PATIENCE
    while (lock := take_lock(env)) is None:
        if not _waited(end):
            return GOING_ON
    try:
        if not _found(order):
            _begin(order, read_attempt(env), lock)
    finally:
        os.close(lock)
    while is_running(env):
        if not _waited(end):
            return GOING_ON
    add_packages(env)
    return "" if existing(env, order.target) else _settled(read_attempt(env)).reason


def _waited(end: float) -> bool:
    """Whether there was time left to wait a moment."""
    time.sleep(0.1)
    return time.monotonic() < end


def _extras_so_far(env: Mapping[str, str]) -> tuple[str, ...]:
    """The extras of the environment that is used: whatever takes its place has them, too."""
    try:
        runtime = read_runtime(env)
    except UserError:
        runtime = None
    return extras_of(runtime.packages) if runtime is not None and runtime.packages else ()


def _nothing() -> None:
    """Nobody has a memory to bring up to date yet."""


def _begun_or_told(order: Wanted, lock: int, outdated: bool) -> str:
    """Under the lock: take an environment that is there already, begin an attempt, or say how the last one ended."""
    if _found(order):
        return ""
    last = _settled(read_attempt(order.env))
    news = last.outcome == FAILED and last.target == order.target and not last.told
    if is_due(last, order.target, order.now):
        _begin(order, last, lock)
        first = last.target != order.target or not last.count
        said = STARTED if first else _failure(last, "It is being tried again") if news else ""
    else:
        if news:
            write_attempt(order.env, _changed(last, told=True))
        said = _failure(last, f"It is tried again {_later(last)}") if news else ""
    return "" if outdated else said


def _begin(order: Wanted, last: Attempt, lock: int) -> None:
    count = last.count + 1 if last.target == order.target else 1
    # Written first: where that is impossible nothing begins.
    write_attempt(order.env, Attempt(order.target, count, order.now.isoformat(timespec="seconds"), RUNNING))
    in_background(lambda: _install(order, lock))


def _install(order: Wanted, lock: int) -> None:
    """In the child: build, record, fold. How it ended is written down for the next session start."""
    from hipocampus.hooks.environment import BuildError, build

    attempt = read_attempt(order.env)
    try:
        record_runtime(order.env, Runtime(sys.executable, build(order.env, order.target, lock, order.extras)))
    except (OSError, BuildError, UserError) as error:
        write_attempt(order.env, _changed(attempt, outcome=FAILED, reason=str(error)))
        return
    write_attempt(order.env, _changed(attempt, outcome=DONE))
    os.close(lock)
    add_packages(order.env)
    order.afterwards()


def _found(order: Wanted) -> bool:
    """Whether the environment is there already (another version of the plugin took its place); then it is used."""
    from hipocampus.hooks.environment import existing

    packages = existing(order.env, order.target)
    if packages:
        record_runtime(order.env, Runtime(sys.executable, packages))
        add_packages(order.env)
    return bool(packages)


def _settled(last: Attempt) -> Attempt:
    """The last attempt, now that none is running: one that never said how it ended was killed."""
    return _changed(last, outcome=FAILED, reason=INTERRUPTED) if last.outcome == RUNNING else last


def _changed(attempt: Attempt, outcome: str = "", reason: str = "", told: bool = False) -> Attempt:
    return Attempt(
        attempt.target, attempt.count, attempt.at, outcome or attempt.outcome, reason or attempt.reason, told
    )


def _failure(last: Attempt, then: str) -> str:
    return FAILURE.format(reason=last.reason.rstrip("."), then=then)


def _later(last: Attempt) -> str:
    minutes = round(pause_after(last).total_seconds() / 60)
    return f"after {minutes} minutes" if minutes < 100 else f"after {minutes // 60} hours"
