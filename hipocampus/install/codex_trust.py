"""Whether Codex trusts our hooks, as Codex itself says: it is asked through its own server, within a time.

An untrusted hook is skipped without a word, so that nothing else would show it. Codex keeps logs of itself while it
answers; of ours nothing is written, and where it has kept nothing yet it is not started. No proxy leads anywhere
meanwhile: it would look for news of its plugins.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress

from hipocampus.core.neutral import one_line
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.codex_hooks import MARK
from hipocampus.install.plugins import codex_config, codex_home
from hipocampus.install.programs import on_path
from hipocampus.install.site import Site
from hipocampus.store.disk import names_in

PROGRAM = "codex"
SECONDS = 20.0
#: What users put into its directory themselves, or `init` for them.
_OF_THE_USER = {"config.toml", "hooks.json", "AGENTS.md", "AGENTS.override.md", "prompts", "rules", "skills"}
_SUBJECT = "Codex trust"
_ID = 2
_LONGEST = 8 * 1024 * 1024
_TRUST = 'start codex here in a terminal and choose "Trust all and continue", or type /hooks and press t'
_NOWHERE = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
_MESSAGES = (
    {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "hipocampus-doctor", "version": "1"}}},
    {"method": "initialized"},
)


def trust_checks(site: Site) -> Iterator[Check]:
    """What Codex says about each of our hooks in this project; only where it can be asked."""
    program = on_path(PROGRAM, site.env)
    if program is None:
        yield Check(
            Verdict.INFO, _SUBJECT, "codex is not on PATH, so it could not be asked whether it trusts the hooks"
        )
        return
    if not _has_state(codex_home(site)):
        yield Check(Verdict.INFO, _SUBJECT, "Codex was never started on this machine, so it trusts no hook yet")
        return
    listed = listed_hooks(program, site.layout.project, site.env, SECONDS)
    if listed is None:
        yield Check(Verdict.WARN, _SUBJECT, f"{one_line(program)} did not say; look at /hooks in it")
        return
    for kind in ("errors", "warnings"):
        for said in _items(listed.get(kind)):
            yield Check(Verdict.WARN, _SUBJECT, f"Codex says: {one_line(_text(said))[:300]}", "mend what it names")
    yield _judged([hook for hook in _items(listed.get("hooks")) if isinstance(hook, dict) and _is_ours(hook)])


def _has_state(folder: str) -> bool:
    """Whether Codex has written there, if only that a project is trusted; an answer would begin with that."""
    names = set(names_in(folder))
    return "config.toml" in names and ("projects" in codex_config(folder) or not names <= _OF_THE_USER)


def _judged(hooks: list[Mapping[str, object]]) -> Check:
    if not hooks:
        said = "Codex sees no hook of ours here: the folder is not trusted, or they are not registered"
        return Check(Verdict.FAIL, _SUBJECT, said, 'start codex here in a terminal and choose "Trust and continue"')
    waiting = [hook for hook in hooks if hook.get("trustStatus") not in ("trusted", "managed")]
    if waiting:
        counted = Counter(f"{hook.get('eventName')} {hook.get('trustStatus')}" for hook in waiting)
        kinds = ", ".join(kind + (f" ({count} hooks)" if count > 1 else "") for kind, count in sorted(counted.items()))
        said = f"{len(waiting)} of {len(hooks)} hooks are skipped in silence: {one_line(kinds)}"
        return Check(Verdict.FAIL, _SUBJECT, said, _TRUST)
    off = [str(hook.get("eventName")) for hook in hooks if hook.get("enabled") is False]
    if off:
        said = f"switched off in Codex: {one_line(', '.join(off))}"
        return Check(Verdict.FAIL, _SUBJECT, said, "switch them on again under /hooks in codex")
    return Check(Verdict.OK, _SUBJECT, f"all {len(hooks)} hooks are trusted, as Codex says")


def _is_ours(hook: Mapping[str, object]) -> bool:
    command = str(hook.get("command"))
    return MARK in command or str(hook.get("pluginId") or "").startswith("hipocampus@")


def listed_hooks(program: str, project: str, env: Mapping[str, str], seconds: float) -> Mapping[str, object] | None:
    """What ``hooks/list`` of the app server says about a directory; None where it does not answer in time."""
    question = {"id": _ID, "method": "hooks/list", "params": {"cwds": [project]}}
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in (*_MESSAGES, question))
    try:
        server = subprocess.Popen(  # noqa: S603 - the user's own program, fixed words, no shell
            [program, "app-server"],
            cwd=project,
            env={**env, **_NOWHERE, "HIPOCAMPUS_DISABLE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    try:
        return _answer(server, lines.encode(), time.monotonic() + seconds)
    finally:
        _end(server)


def _answer(server: subprocess.Popen[bytes], question: bytes, end: float) -> Mapping[str, object] | None:
    assert server.stdin is not None  # noqa: S101 - as it was started
    assert server.stdout is not None  # noqa: S101
    received = b""
    try:
        server.stdin.write(question)
        server.stdin.flush()
        while (left := end - time.monotonic()) > 0 and len(received) < _LONGEST:
            ready, _, _ = select.select([server.stdout], [], [], left)
            part = os.read(server.stdout.fileno(), 1 << 16) if ready else b""
            if not part:
                return None
            received += part
            found = _found(received)
            if found is not None:
                return found
    except OSError:  # it is gone
        return None
    return None


def _found(received: bytes) -> Mapping[str, object] | None:
    """The answer to our question among the whole lines so far, which hold other messages, too."""
    for line in received.split(b"\n")[:-1]:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        match message:
            case {"id": 2, "result": {"data": [dict() as first, *_]}}:
                return first
            case {"id": 2}:
                return {}
    return None


def _end(server: subprocess.Popen[bytes]) -> None:
    """End it with all that it started: the launcher from npm is the parent of the real program."""
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    for stream in filter(None, (server.stdin, server.stdout)):
        with suppress(OSError):  # what it did not read is nobody's loss
            stream.close()
    server.wait()


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
