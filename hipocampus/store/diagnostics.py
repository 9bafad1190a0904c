"""What hooks did and what went wrong: a rotated log, and failures that wait to be told once."""

from __future__ import annotations

import errno
import fcntl
import os

from hipocampus.core.json_objects import json_object
from hipocampus.core.record import record
from hipocampus.errors import UserError
from hipocampus.redaction import scrub_json
from hipocampus.store.disk import TEMPORARY_PREFIX, append, open_regular, read_range
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

LOG_LIMIT = 512 * 1024
FAILURES_LIMIT = 64 * 1024
_ERROR_LENGTH = 1_000


@record
class Failures:
    """Failures that the user was not told of yet: how many, since when (ISO), and the last one in words."""

    count: int = 0
    since: str = ""
    last: str = ""


def log_event(layout: Layout, event: Mapping[str, object]) -> None:
    """Append one JSON line to ``memory/.log``; past 512 KiB the log becomes ``.log.1`` first. OSError if it cannot."""
    _log(layout.log, event)


def read_log(layout: Layout) -> Iterator[dict[str, object]]:
    """The logged events, oldest first; lines that are not JSON objects are left out."""
    return _read_log(layout.log)


def read_log_without_home(env: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """What was logged where no home could take it, oldest first."""
    return _read_log(_places_without_home(env)[0])


def _read_log(log: str) -> Iterator[dict[str, object]]:
    for path in (log + ".1", log):
        yield from _read_lines(path, 4 * LOG_LIMIT)


def log_failure(
    layout: Layout | None, env: Mapping[str, str], now: datetime, where: str, error: BaseException | str
) -> None:
    """Note that `where` (a hook, a step) failed, in the home's log and in the list that the next session start tells.

    Without a home, or for what of the two cannot be written there, the user state directory takes it; neither is noted
    in both. Never raises, and creates no memory where there is none.
    """
    event = {"at": now.isoformat(timespec="seconds"), "kind": "failure", "where": where, "error": _in_words(error)}
    is_logged = is_listed = False
    if layout is not None and os.path.isdir(layout.memory):
        is_logged, is_listed = _logged(layout.log, event), _listed(layout.failures, event)
    if is_logged and is_listed:
        return
    try:
        log, failures = _places_without_home(env)
    except UserError:
        return  # there is no place to write to, and nobody left to tell
    if not is_logged:
        _logged(log, event)
    if not is_listed:
        _listed(failures, event)


def _logged(log: str, event: Mapping[str, object]) -> bool:
    try:
        _log(log, event)
    except (OSError, UserError):
        return False
    return True


def _listed(failures: str, event: Mapping[str, object]) -> bool:
    """Whether the list takes it, or is so long that one more says nothing."""
    try:
        if _size(failures) < FAILURES_LIMIT:
            append(failures, _line(event), sync=False)
    except (OSError, UserError):
        return False
    return True


def read_failures(layout: Layout | None, env: Mapping[str, str]) -> Failures:
    """The failures that wait to be told."""
    return _summed([event for path in _failure_files(layout, env) for event in _read_lines(path, 2 * FAILURES_LIMIT)])


def take_failures(layout: Layout | None, env: Mapping[str, str]) -> Failures:
    """The failures that wait to be told, and forget them: each is told once. Their lines stay in the log."""
    events: list[dict[str, object]] = []
    for path in _failure_files(layout, env):
        # A name of its own, so that of two sessions that start at once each tells its part.
        told = os.path.join(os.path.dirname(path), f"{TEMPORARY_PREFIX}{os.urandom(6).hex()}")
        try:
            os.replace(path, told)
            events.extend(_read_lines(told, 2 * FAILURES_LIMIT))
            os.unlink(told)
        except OSError:
            continue
    return _summed(events)


def _failure_files(layout: Layout | None, env: Mapping[str, str]) -> list[str]:
    return [*([layout.failures] if layout is not None else []), _places_without_home(env)[1]]


def _places_without_home(env: Mapping[str, str]) -> tuple[str, str]:
    folder = state_dir(env)
    return os.path.join(folder, "log"), os.path.join(folder, "failures")


def _summed(events: list[dict[str, object]]) -> Failures:
    if not events:
        return Failures()
    events.sort(key=lambda event: str(event.get("at", "")))
    last = events[-1]
    return Failures(len(events), str(events[0].get("at", "")), f"{last.get('where', '')}: {last.get('error', '')}")


def _in_words(error: BaseException | str) -> str:
    if isinstance(error, str):
        return error[:_ERROR_LENGTH]
    trace, places = error.__traceback__, []
    while trace is not None:
        places.append(f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}")
        trace = trace.tb_next
    at = f" ({' < '.join(reversed(places[-3:]))})" if places else ""
    return f"{type(error).__name__}: {error}"[:_ERROR_LENGTH] + at


def _log(path: str, event: Mapping[str, object]) -> None:
    if _size(path) > LOG_LIMIT:
        _rotate(path)
    append(path, _line(event), sync=False)


def _line(event: Mapping[str, object]) -> bytes:
    return scrub_json(dict(event)).encode("utf-8", "replace") + b"\n"


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            return 0
        raise


def _rotate(path: str) -> None:
    """Rename the log, unless another process does so at this moment or has just done so."""
    descriptor = open_regular(path)
    if descriptor is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(path)):
            os.replace(path, f"{path}.1")
    except (BlockingIOError, FileNotFoundError):
        return
    finally:
        os.close(descriptor)


def _read_lines(path: str, limit: int) -> Iterator[dict[str, object]]:
    try:
        descriptor = open_regular(path)
    except OSError:
        return
    if descriptor is None:
        return
    try:
        content = read_range(descriptor, 0, limit)
    finally:
        os.close(descriptor)
    for line in content.split(b"\n"):
        event = json_object(line)
        if event is not None:
            yield event
