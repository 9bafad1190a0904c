"""Several processes at one file: nothing lost, nothing mixed, nobody locked out for ever."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hipocampus.store.files import LockTimeout, locked, read_log
from hipocampus.store.layout import Layout

ROOT = Path(__file__).parents[2]
BEGIN = """
import sys
from datetime import datetime
from hipocampus.redaction import Redacted
from hipocampus.store import diagnostics, files, state, user_state
from hipocampus.store.layout import layout_at
layout, number = layout_at(sys.argv[1]), int(sys.argv[2])
now = datetime.fromisoformat("2026-03-15T10:22:03+09:00")
print("ready", flush=True)
sys.stdin.readline()
"""

Start = Callable[[str], "list[subprocess.Popen[str]]"]


@pytest.fixture
def start(layout: Layout) -> Iterator[Start]:
    """Starts eight processes that run one script and waits until all stand at its beginning."""
    started: list[subprocess.Popen[str]] = []

    def begin(script: str) -> list[subprocess.Popen[str]]:
        for number in range(8):
            command = [sys.executable, "-c", BEGIN + script, layout.root, str(number)]
            process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            started.append(process)
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        return started

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def finish(processes: list[subprocess.Popen[str]]) -> list[str]:
    """Let all go at once; what each printed. Any error of theirs is one of the test."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outcomes = [process.communicate(timeout=120) for process in processes]
    assert [error for _output, error in outcomes if error] == []
    return [output for output, _error in outcomes]


def test_lines_appended_during_edits_are_not_lost(layout: Layout, start: Start) -> None:
    """Seven processes append without the lock while one takes lines out: all other lines are there once, in order."""
    finish(
        start(
            """
path = layout.journal_file("s")
def without(text):
    return "".join(line for line in text.splitlines(True) if " gone" not in line)
if number == 0:
    while (files.read_text(path) or "").count(" end") < 7:
        with files.locked(layout):
            files.edit_exact(path, without)
else:
    for turn in range(600):
        files.append_text(path, Redacted(f"{number} {turn}" + " gone" * (turn % 3 == 0) + "\\n"), sync=False)
    files.append_text(path, Redacted(f"{number} end\\n"), sync=False)
"""
        )
    )
    lines = Path(layout.journal_file("s")).read_text(encoding="utf-8").splitlines()
    for number in range(1, 8):
        kept = [line for line in lines if line.startswith(f"{number} ") and not line.endswith("gone")]
        assert kept == [*(f"{number} {turn}" for turn in range(600) if turn % 3), f"{number} end"]


def test_lines_appended_without_the_lock_stay_whole(layout: Layout, start: Start) -> None:
    """The journal takes no lock: each line of each process is there once, in its process's order."""
    finish(
        start(
            """
for turn in range(200):
    line = f"{number} {turn} " + "x" * (turn * 37 % 3000) + "\\n"
    files.append_text(layout.journal_file("s"), Redacted(line), sync=False)
"""
        )
    )
    lines = Path(layout.journal_file("s")).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 8 * 200
    for number in range(8):
        mine = [line.split() for line in lines if line.startswith(f"{number} ")]
        assert [(int(parts[1]), len([*parts, ""][2])) for parts in mine] == [
            (turn, turn * 37 % 3000) for turn in range(200)
        ]


def test_read_and_write_under_the_lock_lose_no_count(layout: Layout, start: Start) -> None:
    """Counters raised by many processes add up, since the lock spans the read and the write."""
    finish(start("for _ in range(25):\n    state.bump(layout, now, raw_lines=1, checkpoints=number)\n"))
    values = json.loads(Path(layout.state).read_text(encoding="utf-8"))
    assert values["rawLinesSinceLastCompaction"] == 8 * 25
    assert values["checkpointsSinceLastCompaction"] == sum(range(8)) * 25


def test_a_reader_never_sees_half_a_file(layout: Layout, start: Start) -> None:
    """While others replace it without a pause, every read gives one whole version."""
    outputs = finish(
        start(
            """
for turn in range(150):
    if number % 2:
        files.write_text(layout.root_md, Redacted(f"{number} " * (1000 + turn)), sync=False)
    else:
        words = (files.read_text(layout.root_md) or "").split()
        if words and (len(set(words)) != 1 or not 1000 <= len(words) < 1150):
            print("torn")
"""
        )
    )
    assert set(outputs) == {""}
    assert [path.name for path in Path(layout.memory).iterdir()] == ["ROOT.md"]


def test_the_log_rotates_once_at_a_time(layout: Layout, start: Start) -> None:
    """Processes that find the log full at one moment do not push each other's lines out: none but the oldest go."""
    finish(
        start(
            """
diagnostics.LOG_LIMIT = 20_000
for turn in range(60):
    diagnostics.log_event(layout, {"number": number, "turn": turn, "text": "x" * 60})
"""
        )
    )
    seen = [(int(str(event["number"])), int(str(event["turn"]))) for event in read_log(layout)]
    assert len(set(seen)) == len(seen)
    # 480 lines of about 95 bytes: the two parts that are kept hold the last 20,000 to 40,000 bytes of them.
    assert 20_000 // 110 <= len(seen) <= 480
    for number in range(8):
        turns = [turn for who, turn in seen if who == number]
        assert turns == sorted(turns)


def test_user_state_is_shared_without_a_lock(start: Start, env: dict[str, str]) -> None:
    """Sessions that start at once in several projects all leave their mark."""
    finish(
        start(
            f"""
env = {{"HIPOCAMPUS_STATE": {env["HIPOCAMPUS_STATE"]!r}}}
for turn in range(20):
    user_state.mark_told(env, f"/p/{{number}}/{{turn}}")
    user_state.record_start(env, f"s{{number}}-{{turn}}", f"/p/{{number}}/{{turn}}")
"""
        )
    )
    told = Path(env["HIPOCAMPUS_STATE"], "projects.jsonl").read_text(encoding="utf-8").splitlines()
    assert len({json.loads(line)["project"] for line in told}) == len(told) == 160
    assert len(list(Path(env["HIPOCAMPUS_STATE"], "sessions").iterdir())) == 160


def test_another_process_is_kept_out_until_the_holder_ends(layout: Layout, start: Start) -> None:
    """Who waits too long gets one clear line; a holder that is killed leaves no lock behind."""
    holder, *others = start(
        """
with files.locked(layout):
    print("held", flush=True)
    sys.stdin.readline()
"""
    )
    for process in others:
        process.kill()
    assert holder.stdin is not None
    assert holder.stdout is not None
    holder.stdin.write("go\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(LockTimeout, match="another process holds"), locked(layout, timeout=0.05):
        pass
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with locked(layout, timeout=10):
        pass
