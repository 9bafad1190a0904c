"""The boundary of every hook: bounded reading, one handler, at most one JSON object, and no failure that escapes.

`main` is the outermost part and owns the process's environment, clock and descriptors; `run` takes them as arguments.
"""

from __future__ import annotations

import itertools
import os
import sys
import time

from hipocampus.core.byte_code import drop_if_damaged
from hipocampus.core.json_text import to_json
from hipocampus.core.native import datetime
from hipocampus.core.record import record
from hipocampus.core.tokens import estimate_tokens, utf16_units
from hipocampus.core.years import COUNTED
from hipocampus.hooks.call import Answer, Call
from hipocampus.hooks.deadline import DeadlineError, clear_deadline, set_deadline
from hipocampus.hooks.packages import add_packages
from hipocampus.hooks.payload import read_payload
from hipocampus.store.files import log_event, log_failure
from hipocampus.store.home import Home, find_home
from hipocampus.store.own_policy import enforce_own_policy
from hipocampus.store.user_state import is_never, recorded_start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from hipocampus.hosts.events import Event
    from hipocampus.store.home import NoHome


@record
class Entry:
    """One entry of the launcher: the host event it serves, the module that handles it, and its own time limit.

    `seconds` stays below the timeout in hooks.json, and for a session's end below the 1.5 s that a client really gives.
    """

    kind: str
    module: str
    seconds: float


ENTRIES = {
    "session-start": Entry("session-start", "session_start", 4.5),
    "hot-files": Entry("session-start", "hot_files", 4.5),
    "prompt": Entry("prompt", "prompt", 2.5),
    "checkpoint": Entry("stop", "checkpoint", 2.5),
    "pre-compact": Entry("pre-compact", "pre_compact", 18.0),
    "session-end": Entry("session-end", "session_end", 1.2),
    "flush": Entry("stop", "flush", 4.5),
}


@record
class Host:
    """A host: its module, and the variables that name the directory a session was started in and the file whose lines
    its shell runs, where it has such variables; otherwise the payload names the directory.

    `shell_answer`: the host's plugin gives the agent's shell the variables that the answer to a session start names.
    """

    module: str
    start_variable: str = ""
    shell_variable: str = ""
    shell_answer: bool = False


HOSTS = {
    "claude-code": Host("claude_code", "CLAUDE_PROJECT_DIR", "CLAUDE_ENV_FILE"),
    "codex": Host("codex"),
    "opencode": Host("opencode", shell_answer=True),
    "openclaw": Host("openclaw"),
}


def main(entry: str, argv: list[str]) -> None:
    """Run one hook in this process, within its time. Never raises and prints nothing but the host's JSON."""
    fill_standard_streams()
    if entry not in ENTRIES:
        return
    output = b""
    set_deadline(ENTRIES[entry].seconds)
    try:
        output = respond(entry, argv, 0, os.environ, clock(os.environ))
    except DeadlineError:
        return  # it came while a failure was being written down
    finally:
        clear_deadline()
    write(1, output)


def fill_standard_streams() -> None:
    """Open /dev/null in place of closed standard descriptors, so that no file of ours ever gets their numbers."""
    while True:
        number = os.open(os.devnull, os.O_RDWR)
        if number > 2:
            os.close(number)
            return


def clock(env: Mapping[str, str]) -> datetime:
    """The time in the local zone, or what HIPOCAMPUS_NOW says (an ISO time, for demonstrations and tests)."""
    try:
        moment = datetime.fromisoformat(env.get("HIPOCAMPUS_NOW", ""))
    except ValueError:
        moment = None
    if moment is None or moment.year not in COUNTED:
        moment = datetime.now()
    return moment if moment.tzinfo else moment.astimezone()


def run(entry: str, argv: list[str], stdin: int, stdout: int, env: Mapping[str, str], now: datetime) -> None:
    """Handle one host event: payload from the descriptor `stdin`, the answer, if any, to the descriptor `stdout`."""
    write(stdout, respond(entry, argv, stdin, env, now))


def respond(entry: str, argv: list[str], stdin: int, env: Mapping[str, str], now: datetime) -> bytes:
    """What to print for one host event: one JSON object on a line, or nothing.

    `argv` may hold ``--host NAME`` and ``--event KIND``; anything else in it belongs to another version and is ignored.
    A failure is logged for the next session start and changes nothing else.
    """
    if env.get("HIPOCAMPUS_DISABLE") == "1":
        return b""
    began = time.monotonic()
    place: Home | NoHome | None = None
    try:
        add_packages(env)
        options = dict(itertools.pairwise(argv))
        host, spec = HOSTS[options.get("--host", "claude-code")], ENTRIES[entry]
        adapter = _module("hosts", host.module)
        payload = read_payload(stdin, min(1.0, spec.seconds / 2))
        start = env.get(host.start_variable, "")
        place = _place(start, env)
        event: Event | None = adapter.parse(options.get("--event", spec.kind), payload)
        if event is None:
            raise ValueError("the host's payload was not understood")
        if place is None:
            start = event.start or recorded_start(env, event.session) or ""
            place = _place(start, env)
        if event.agent or (isinstance(place, Home) and is_never(env, place.layout.project)):
            return b""
        shell_file = env.get(host.shell_variable, "")
        call = Call(event, start, place, env, now, adapter.CAP, shell_file, host.shell_answer)
        answer = _answer(call, entry, began)
        output = adapter.context(spec.kind, answer.context, answer.line)
        return _printed({**output, "shell": dict(answer.shell)} if answer.shell else output)
    except (Exception, DeadlineError) as error:
        drop_if_damaged(error)
        log_failure(place.layout if isinstance(place, Home) and place.trusted else None, env, now, entry, error)
        return b""


def _answer(call: Call, entry: str, began: float) -> Answer:
    """What the entry's own module says to the call."""
    if call.layout is not None:
        enforce_own_policy(call.layout, call.env)
    answer: Answer = _module("hooks", ENTRIES[entry].module).handle(call)
    call.attempt("statistics", lambda: _count(call, entry, answer.context, time.monotonic() - began))
    return answer


def _place(start: str, env: Mapping[str, str]) -> Home | NoHome | None:
    """The memory of a session that was started there; None where that is not known."""
    return find_home(start, env) if os.path.isabs(start) else None


def _module(room: str, name: str) -> ModuleType:
    """Import only the module that this one hook needs."""
    path = f"hipocampus.{room}.{name}"
    __import__(path)
    return sys.modules[path]


def _count(call: Call, entry: str, context: str, seconds: float) -> None:
    """Note what this hook puts into the model's context, for the statistics of `status`."""
    if not context or call.layout is None:
        return
    at = call.now.isoformat(timespec="seconds")
    # No name here looks like that of a secret, or redaction would load the rules that read what stands beside one.
    numbers = {"chars": utf16_units(context), "estimate": estimate_tokens(context), "ms": round(seconds * 1000)}
    log_event(call.layout, {"at": at, "kind": "injected", "entry": entry, "host": call.event.host, **numbers})


def _printed(output: dict[str, object]) -> bytes:
    return (to_json(output) + "\n").encode("utf-8", "replace") if output else b""


def write(stdout: int, output: bytes) -> None:
    """Write all of it; a reader that went away is no failure of ours."""
    rest = memoryview(output)
    try:
        while rest:
            rest = rest[os.write(stdout, rest) :]
    except BrokenPipeError:
        return
