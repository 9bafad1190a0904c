"""The boundary of every hook, in real processes: whatever comes in, exit 0, no noise, one JSON object at most."""

from __future__ import annotations

import json
import os
import subprocess
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hipocampus.hooks.runner import ENTRIES as SPECS
from hipocampus.hooks.runner import HOSTS, clock, run
from hipocampus.install.registry import HOSTS as INSTALLED
from hipocampus.store.files import read_failures, read_log
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import mark_never
from tests.hooks.conftest import ENTRIES, LAUNCHER, PutRoot, RunHook

PAYLOADS = {
    "nothing": b"",
    "a blank line": b"\n",
    "null": b"null",
    "a list": b"[]",
    "a number": b"7",
    "text": b'"text"',
    "cut off": b'{"session_id": "s", "prompt": "half',
    "not JSON": b"{ not json }",
    "NUL bytes": b"\0\0\0\0",
    "NUL in a value": b'{"session_id": "a\\u0000b", "prompt": "x\\u0000y", "transcript_path": "/tmp/\\u0000"}',
    "a lone surrogate": b'{"session_id": "s\\ud800", "prompt": "\\udfff and \\ud83d"}',
    "wrong types": b'{"session_id": 7, "cwd": 7, "prompt": [1], "source": {}, "transcript_path": true, "reason": 1.5}',
    "not UTF-8": b'{"session_id": "s", "prompt": "\xff\xfe\xfa"}',
    "deeply nested": b'{"session_id": "s", "prompt": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "a path as session": b'{"session_id": "../../../etc/passwd", "prompt": "x", "source": "startup"}',
    "keys of the future": b'{"session_id": "s", "source": "teleport", "brand_new": {"a": [null]}, "prompt": "hello"}',
}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_no_payload_breaks_a_hook(run_hook: RunHook, entry: str, payload: bytes) -> None:
    """Malformed and surprising payloads end with status 0, silence on standard error and at most one object."""
    run_hook(entry, payload).assert_quiet()


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_the_model_may_see(run_hook: RunHook, put_root: PutRoot, layout: Layout, entry: str) -> None:
    """Only session start and prompt ever print; the output names its event, or a host would drop it."""
    put_root("## Topics Index\n- limits [project, 1d]: bucket → memory/2026-03-15.md:1\n")
    Path(layout.working).write_text("# Working\n\n## Now\n- the limiter\n")
    ran = run_hook(entry, {"source": "startup", "prompt": "hello", "last_assistant_message": "done"})
    ran.assert_quiet()
    if entry in ("session-start", "hot-files"):
        assert ran.json["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    else:
        assert ran.out == b""


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_sub_agent_has_no_memory_of_its_own(run_hook: RunHook, put_root: PutRoot, layout: Layout, entry: str) -> None:
    """Events inside a sub-agent change nothing and show nothing."""
    put_root("## Topics Index\n- limits [project, 1d]: bucket → memory/2026-03-15.md:1\n")
    before = tree(layout.root)
    ran = run_hook(entry, {"source": "startup", "prompt": "hello", "agent_id": "a1", "last_assistant_message": "x"})
    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    assert tree(layout.root) == before


@pytest.mark.parametrize("entry", ENTRIES)
def test_disabled_is_nothing_at_all(run_hook: RunHook, tmp_path: Path, entry: str) -> None:
    """HIPOCAMPUS_DISABLE=1: no output and no file touched, by the launcher and by the library."""
    before = tree(str(tmp_path))
    ran = run_hook(entry, {"source": "startup", "prompt": "hello"}, HIPOCAMPUS_DISABLE="1")
    assert (ran.code, ran.out, ran.err) == (0, b"", b"")
    answer = in_process(entry, {"session_id": "s", "source": "startup"}, {"HIPOCAMPUS_DISABLE": "1"})
    assert answer == b""
    assert tree(str(tmp_path)) == before


def tree(root: str) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in Path(root).rglob("*") if path.is_file()}


def in_process(entry: str, payload: Any, env: dict[str, str], *argv: str) -> bytes:
    """What `run` writes, through descriptors as a command would use it."""
    incoming, feed = os.pipe()
    result, outgoing = os.pipe()
    os.write(feed, json.dumps(payload).encode())
    os.close(feed)
    run(entry, list(argv), incoming, outgoing, env, datetime.fromisoformat("2026-03-15T10:22:03+09:00"))
    os.close(outgoing)
    os.close(incoming)
    with open(result, "rb") as file:
        return file.read()


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_host_that_never_closes_the_pipe(host_env: dict[str, str], entry: str) -> None:
    """The payload is taken from an open pipe, and an open pipe that stays empty is given up."""
    for payload in (b'{"session_id": "s", "source": "startup", "prompt": "x"}\n', b""):
        command = ["sh", LAUNCHER, entry, "--host", "claude-code"]
        hook = subprocess.Popen(
            command, env=host_env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert hook.stdin is not None
        hook.stdin.write(payload)
        hook.stdin.flush()
        assert hook.wait(30) == 0
        assert hook.stderr is not None
        assert hook.stderr.read() == b""
        for stream in (hook.stdin, hook.stdout, hook.stderr):
            assert stream is not None
            stream.close()


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-"])
def test_closed_standard_streams(run_hook: RunHook, layout: Layout, entry: str, closed: str) -> None:
    """Without standard input or output a hook still ends well, and no file of ours takes their place."""
    run_hook(entry, {"source": "startup", "prompt": "hello"}, before=f"exec {closed}").assert_quiet()
    for content in tree(layout.root).values():
        assert b"hookSpecificOutput" not in content


def test_a_reader_that_went_away(host_env: dict[str, str], put_root: PutRoot) -> None:
    """A host that closes its end before we print is no failure to tell anybody of."""
    put_root("- x\n")
    command = ["sh", LAUNCHER, "session-start", "--host", "claude-code"]
    hook = subprocess.Popen(
        command, env=host_env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert hook.stdout is not None
    assert hook.stdin is not None
    assert hook.stderr is not None
    hook.stdout.close()
    hook.stdin.write(b'{"session_id": "s", "source": "startup"}')
    hook.stdin.close()
    assert (hook.wait(30), hook.stderr.read()) == (0, b"")
    hook.stderr.close()


def test_five_megabytes_of_prompt(run_hook: RunHook) -> None:
    """A huge prompt costs no error and no output."""
    ran = run_hook("prompt", {"prompt": "긴 문장 and words " * 250_000, "prompt_id": "p"})
    assert (ran.code, ran.out, ran.err) == (0, b"", b"")


def test_a_payload_nobody_understands_is_told_once(run_hook: RunHook, host_env: dict[str, str], layout: Layout) -> None:
    """When the host's shape changes, the user reads of it at the next session start, once."""
    run_hook("prompt", b"not json").assert_quiet()
    assert read_failures(layout, host_env).count == 1
    assert "not understood" in run_hook("session-start", {"source": "startup"}).line
    assert "not understood" not in run_hook("session-start", {"source": "startup"}).line


def test_an_unknown_host_is_logged_and_quiet(layout: Layout, env: dict[str, str]) -> None:
    """A host that this version does not know does no harm."""
    assert (
        in_process("prompt", {"session_id": "s"}, {**env, "CLAUDE_PROJECT_DIR": layout.project}, "--host", "x") == b""
    )
    assert read_failures(None, env).count == 1


def test_arguments_of_another_version_are_ignored(run_hook: RunHook) -> None:
    """Unknown options and an odd number of arguments change nothing."""
    run_hook("prompt", {"prompt": "x"}, "--new", "1", "--flag").assert_quiet()


def test_what_is_shown_is_counted(run_hook: RunHook, put_root: PutRoot, layout: Layout) -> None:
    """Each injection leaves a line in the log with its size, for the statistics."""
    put_root("- x\n")
    ran = run_hook("session-start", {"source": "startup"})
    (event,) = [one for one in read_log(layout) if one.get("kind") == "injected"]
    assert (event["entry"], event["host"], event["chars"]) == ("session-start", "claude-code", len(ran.context))
    assert isinstance(event["estimate"], int)
    assert isinstance(event["ms"], int)


def test_the_payloads_directory_is_not_the_project(run_hook: RunHook, put_root: PutRoot, tmp_path: Path) -> None:
    """The agent's `cd` moves the payload's cwd and the hook's own; the memory stays that of the session's start."""
    put_root("- mine\n")
    other = tmp_path / "other"
    (other / "memory").mkdir(parents=True)
    (other / "hipocampus.config.json").write_text('{"id": "fedcba9876543210"}')
    (other / "memory" / "ROOT.md").write_text("- theirs\n")
    ran = run_hook("session-start", {"source": "startup", "cwd": str(other)}, cwd=other)
    assert "- mine" in ran.context
    assert "- theirs" not in ran.context


def test_the_recorded_start_stands_in(run_hook: RunHook, put_root: PutRoot, layout: Layout) -> None:
    """Without the host's variable a later event finds the memory that the session started with."""
    put_root("- mine\n")
    run_hook("session-start", {"source": "startup"})
    ran = run_hook("hot-files", {"source": "startup"}, CLAUDE_PROJECT_DIR=None)
    assert ran.json is None
    Path(layout.working).write_text("# Working\n- the limiter\n")
    assert "the limiter" in run_hook("hot-files", {"source": "startup"}, CLAUDE_PROJECT_DIR=None).context
    assert run_hook("hot-files", {"session_id": "never-seen"}, CLAUDE_PROJECT_DIR=None).json is None


@pytest.mark.parametrize("entry", ENTRIES)
def test_never_turns_a_memory_off(
    run_hook: RunHook, put_root: PutRoot, layout: Layout, host_env: dict[str, str], entry: str
) -> None:
    """After `init --never` sessions neither see nor write the memory that is there."""
    put_root("- mine\n")
    mark_never(host_env, layout.project)
    before = sorted(os.listdir(layout.memory))
    ran = run_hook(entry, {"source": "startup", "prompt": "what next?"})
    assert ran.json is None
    assert sorted(os.listdir(layout.memory)) == before


def test_every_limit_is_below_the_hosts() -> None:
    """A hook ends itself before the host's timeout in hooks.json, and a session's end before 1.5 s."""
    tree = json.loads((Path(LAUNCHER).parent / "hooks.json").read_text())["hooks"]
    for groups in tree.values():
        for hook in groups[0]["hooks"]:
            entry = hook["command"].split('sh "$run" ')[1].split()[0]
            assert SPECS[entry].seconds + 0.3 < hook["timeout"]
    assert SPECS["session-end"].seconds + 0.3 <= 1.5
    assert set(SPECS) == set(ENTRIES)
    assert tuple(HOSTS) == INSTALLED


def test_the_clock_can_be_set() -> None:
    """HIPOCAMPUS_NOW replaces the time; nonsense and absence mean the real one, and there always is a zone."""
    assert clock({"HIPOCAMPUS_NOW": "2026-03-15T10:22:03+09:00"}).utcoffset() == timedelta(hours=9)
    assert clock({"HIPOCAMPUS_NOW": "2026-03-15T10:22:03"}).tzinfo is not None
    for env in ({}, {"HIPOCAMPUS_NOW": "soon"}, {"HIPOCAMPUS_NOW": "0001-01-01T00:00:00+00:00"}):
        assert abs(clock(env).timestamp() - time.time()) < 60
