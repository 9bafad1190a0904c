"""`hipocampus maintain`: all that is due in a memory, as a scheduler runs it at night."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.budget.snapshots import take
from hipocampus.capture.journal import record_prompt, record_start
from hipocampus.hosts.events import Event
from hipocampus.store.locks import is_held
from hipocampus.upkeep.maintain import alone
from hipocampus.upkeep.tasks import TASKS

NAMES = [task.name for task in TASKS]
ROOT = str(Path(__file__).parents[2])


def contents(layout) -> dict[str, bytes]:
    """Every file of the memory, but for what says when it was last maintained."""
    changing = (".log", ".compaction-state.json", ".sources.json", ".lock", ".lock-maintain", ".last-cycle.json")
    files = (path for path in Path(layout.root).rglob("*") if path.is_file() and path.name not in changing)
    return {str(path): path.read_bytes() for path in files}


@pytest.fixture
def neglected(logged, now):
    """A memory with a session that ended, logs that were never compacted, a long memory file and old snapshots."""
    long_ago = now.replace(year=2025)
    event = Event("prompt", "claude-code", "old", prompt="please add rate limiting to the public API", prompt_id="p1")
    record_start(logged, event, long_ago)
    record_prompt(logged, event, long_ago)
    lines = (f"- 2026-01-{1 + at % 28:02d} step {at}: made src/part_{at}.py work\n" for at in range(220))
    Path(logged.root, "MEMORY.md").write_text("# Memory\n\n" + "".join(lines))
    Path(logged.root, "NOTES.md").write_text("short\n")
    for day in range(1, 28):
        take(logged, "NOTES.md", f"version {day}\n", long_ago.replace(day=day), "compaction")
    return logged


def test_everything_that_is_due_is_done(shell, neglected) -> None:
    """Each step is a line of a table, without colour, and there is not a word on standard error."""
    result = shell("maintain", cwd=neglected.root)
    assert (result.code, result.err) == (0, "")
    assert "\x1b" not in result.out
    rows = dict(
        line.split(maxsplit=1) for line in result.out.splitlines() if line.split()[:1] and line.split()[0] in NAMES
    )
    assert [*rows] == NAMES
    for name, said in (
        ("fold", "1 entry from 1 session that ended"),
        ("compact", "files written"),
        ("dag", "MEMORY.md: "),
        ("index", "added, 0 taken out"),
        ("snapshots", "7 deleted"),
    ):
        assert said in " ".join(rows[name].split()), rows
    assert "rate limiting" in Path(neglected.root_md).read_text()
    assert Path(neglected.summaries).exists()


def test_a_second_run_changes_nothing(shell, neglected) -> None:
    """And says so of each step."""
    shell("maintain", cwd=neglected.root)
    before = contents(neglected)
    result = shell("maintain", "--json", cwd=neglected.root)
    assert {line["result"] for line in result.json} <= {"nothing to do", "skipped"}, result.out
    assert contents(neglected) == before


def test_a_dry_run_says_what_would_be_done(shell, neglected) -> None:
    """Every step, and nothing is written."""
    before = contents(neglected)
    result = shell("maintain", "--dry-run", "--json", cwd=neglected.root)
    said = {line["step"]: line["said"] for line in result.json}
    assert said["fold"] == "1 session that ended"
    assert "to write" in said["compact"]
    assert said["dag"].startswith("MEMORY.md: 13 to make")
    assert said["index"].endswith("files to look at")
    assert said["snapshots"] == "7 to delete"
    assert {line["result"] for line in result.json} <= {"would do", "nothing to do", "skipped"}
    assert contents(neglected) == before
    assert not Path(neglected.log).exists()


def test_a_dry_run_after_a_run_finds_nothing_to_do(shell, neglected) -> None:
    """Of any step; a note that was changed since is one file for the index."""
    shell("maintain", cwd=neglected.root)
    lines = shell("maintain", "--dry-run", "--json", cwd=neglected.root).json
    assert {line["result"] for line in lines} <= {"nothing to do", "skipped"}, lines
    note = Path(neglected.knowledge, "ferries.md")
    note.parent.mkdir(exist_ok=True)
    note.write_text("# Ferries\n\nThe noon ferry is cheaper.\n")
    said = {line["step"]: line["said"] for line in shell("maintain", "--dry-run", "--json", cwd=neglected.root).json}
    assert said["index"] == "1 file to look at"


def test_what_fails_is_named_and_the_rest_is_done(shell, neglected) -> None:
    """On standard error, with exit status 1; the next session start and `status` know of it."""
    Path(neglected.memory, "2026-02-01.md").symlink_to("/etc/hostname")
    result = shell("maintain", cwd=neglected.root)
    assert result.code == 1
    assert result.err.startswith("hipocampus maintain: compact failed: memory/2026-02-01.md: ")
    assert Path(neglected.summaries).exists()
    assert "failures: 2 since" in shell("status", cwd=neglected.root).out


def test_another_run_is_left_to_itself(shell, neglected) -> None:
    """The second says so and ends well; with --json, too."""
    code = (
        "import sys; from hipocampus.store.layout import layout_at; from hipocampus.upkeep.maintain import alone\n"
        "with alone(layout_at(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, neglected.root],
        env={"PYTHONPATH": ROOT},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert other.stdout.readline() == b"held\n"
        before = contents(neglected)
        result = shell("maintain", cwd=neglected.root)
        assert (result.code, result.err) == (0, "")
        assert "Another run" in result.out
        assert shell("maintain", "--json", cwd=neglected.root).json == []
        assert contents(neglected) == before
    finally:
        other.communicate()
    assert shell("maintain", cwd=neglected.root).out.count("done") >= 4


def test_a_run_that_is_killed_is_in_nobodys_way(shell, neglected) -> None:
    """Its lock ends with it."""
    with alone(neglected):
        assert is_held(neglected.maintaining)
    assert not is_held(neglected.maintaining)
    Path(neglected.maintaining).write_text("")
    assert "written" in shell("maintain", cwd=neglected.root).out


def test_time_is_limited(shell, neglected, monkeypatch) -> None:
    """What has not begun by then waits for the next run, and that is no failure."""
    ticks = iter(range(0, 10_000, 50))
    monkeypatch.setattr("hipocampus.commands.maintain.time.monotonic", lambda: next(ticks))
    result = shell("maintain", "--seconds", "60", "--json", cwd=neglected.root)
    assert result.code == 0
    assert [line["result"] for line in result.json][-1] == "skipped"


def test_settings_that_cannot_be_used_do_not_stop_it(shell, neglected) -> None:
    """They are noted below the table, and count as absent."""
    config = json.loads(Path(neglected.config).read_text())
    Path(neglected.config).write_text(json.dumps(config | {"compaction": {"cooldownHours": "soon"}}))
    result = shell("maintain", cwd=neglected.root)
    assert (result.code, result.err) == (0, "")
    assert "note: " in result.out
    assert "compaction.cooldownHours must be" in result.out.replace("\n", " ")


def test_without_search_there_is_no_index(shell, neglected) -> None:
    """It says that it was switched off."""
    shell("config", "set", "search.enabled", "false", cwd=neglected.root)
    said = {line["step"]: line for line in shell("maintain", "--json", cwd=neglected.root).json}
    assert (said["index"]["result"], said["index"]["said"]) == ("skipped", "search.enabled is off")
    assert not Path(neglected.index).exists()


def test_nothing_is_sent_anywhere(shell, neglected, monkeypatch) -> None:
    """Without a back end that the user set up no step opens a connection."""

    def refused(*_arguments: object) -> None:
        raise AssertionError("a connection was opened")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(f"socket.socket.{name}", refused, raising=True)
    assert shell("maintain", cwd=neglected.root).code == 0


def test_a_memory_from_elsewhere_is_not_maintained(shell, neglected, tmp_path) -> None:
    """Nothing is written into it."""
    before = contents(neglected)
    result = shell("maintain", cwd=neglected.root, HIPOCAMPUS_STATE=str(tmp_path / "other"))
    assert result.code == 1
    assert "not trusted" in result.err
    assert contents(neglected) == before


def test_a_terminal_shows_what_is_being_done(neglected, env) -> None:
    """A bar with the name of the step, which goes when the table comes."""
    leader, follower = pty.openpty()
    program = [sys.executable, "-m", "hipocampus", "maintain"]
    done = subprocess.run(
        program,
        cwd=neglected.root,
        env={**env, "PYTHONPATH": ROOT, "TERM": "xterm"},
        stderr=follower,
        stdout=subprocess.PIPE,
    )
    os.close(follower)
    shown = os.read(leader, 1 << 20).decode()
    os.close(leader)
    assert done.returncode == 0
    for name in NAMES:
        assert f"Maintaining: {name}" in shown
    assert b"\x1b" not in done.stdout
