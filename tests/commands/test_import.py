"""`hipocampus import`: from the transcripts that are there to a ROOT that knows them, in one command."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hipocampus.capture import backfill
from hipocampus.hosts.past import Past, read_past
from hipocampus.hosts.transcript import Part
from hipocampus.store.layout import Layout
from hipocampus.store.locks import Hold
from tests.capture.conversation import raw_texts
from tests.capture.pasts import PastTalk
from tests.commands.conftest import Shell

Env = dict[str, str]


@pytest.fixture
def talk(layout: Layout, env: Env) -> PastTalk:
    """Two exchanges on two days of the week before."""
    talk = PastTalk(layout, env, "2026-03-07T10:00:00+09:00")
    talk.say("Please choose a rate limiting strategy", "Token bucket.")
    talk.at = datetime.fromisoformat("2026-03-09T10:00:00+09:00")
    talk.say("Never use tabs in this project", "Understood.")
    return talk


def files(layout: Layout) -> dict[str, bytes]:
    """Every file of the home, but for the lock."""
    paths = [path for path in Path(layout.root).rglob("*") if path.is_file() and not path.name.endswith("lock")]
    return {str(path): path.read_bytes() for path in paths}


@pytest.mark.usefixtures("talk")
def test_root_is_useful_at_once(shell: Shell, layout: Layout) -> None:
    """The table says what came of it, and the next session's index names both topics."""
    result = shell("import", cwd=layout.root)
    assert (result.code, result.err) == (0, "")
    assert "claude-code" in result.out
    assert "Added 2 entries on 2 days from 2026-03-07 to 2026-03-09" in result.out
    root = shell("show", "ROOT", cwd=layout.root).out
    assert "rate limiting" in root
    assert "tabs" in root
    assert shell("verify", cwd=layout.root).code == 0


@pytest.mark.usefixtures("talk")
def test_a_second_import_changes_nothing(shell: Shell, layout: Layout) -> None:
    """Not one byte, and it says so."""
    shell("import", cwd=layout.root)
    before = files(layout)
    result = shell("import", cwd=layout.root)
    assert (result.code, files(layout)) == (0, before)
    assert "Nothing new: all of it was known." in result.out
    assert "1 skipped: read before, nothing new" in result.out


def test_a_turn_that_is_left_is_named_until_it_is_taken(
    shell: Shell, layout: Layout, talk: PastTalk, now: datetime
) -> None:
    """Every import says that it leaves the last turn, and when it can be had; never that all of it was known."""
    os.utime(talk.transcript, (now.timestamp(), now.timestamp()))
    left = "claude-code: 1 last turn may still run; import again after ten quiet minutes"
    first, second = shell("import", cwd=layout.root).out, shell("import", cwd=layout.root).out
    assert left in first
    assert "Added 1 entry on 1 day" in first
    assert left in second
    assert second.endswith("Nothing new yet.\n")
    later = shell("import", cwd=layout.root, HIPOCAMPUS_NOW=(now + timedelta(minutes=11)).isoformat()).out
    assert "may still run" not in later
    assert "Added 1 entry on 1 day" in later


@pytest.mark.usefixtures("talk")
def test_who_sits_at_a_terminal_is_asked_only_about_news(
    shell: Shell, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One question for a session that was never read, none once it is known."""
    asked: list[str] = []
    monkeypatch.setattr("hipocampus.commands.backfill.can_ask", lambda: True)
    monkeypatch.setattr("hipocampus.commands.backfill.confirmed", lambda question: not asked.append(question))
    shell("import", cwd=layout.root)
    assert "Nothing new" in shell("import", cwd=layout.root).out
    assert asked == ["1 past session of this project, 2026-03-07 (1 of claude-code). Import them?"]


@pytest.mark.usefixtures("talk")
def test_a_rehearsal_writes_nothing(shell: Shell, layout: Layout) -> None:
    """And says exactly what the import would do."""
    before = files(layout)
    result = shell("import", "--dry-run", cwd=layout.root)
    assert (result.code, files(layout)) == (0, before)
    assert "Would add 2 entries on 2 days from 2026-03-07 to 2026-03-09. Nothing was written." in result.out
    rehearsed = shell("import", "--dry-run", "--json", cwd=layout.root).json["hosts"]
    assert rehearsed == shell("import", "--json", cwd=layout.root).json["hosts"]


@pytest.mark.usefixtures("talk")
def test_json(shell: Shell, layout: Layout) -> None:
    """Numbers by host, the days, and what was compacted."""
    found = shell("import", "--json", cwd=layout.root).json
    (host,) = found["hosts"]
    assert (host["host"], host["sessions"], host["turns"], host["entries"]) == ("claude-code", 1, 2, 2)
    assert host["days"] == ["2026-03-07", "2026-03-09"]
    assert "memory/ROOT.md" in found["compacted"]
    assert (found["problems"], found["dryRun"]) == ([], False)


@pytest.mark.parametrize("arguments", [("--host", "codex"), ("--host", "openclaw", "--host", "opencode")])
@pytest.mark.usefixtures("talk")
def test_only_some_hosts(shell: Shell, layout: Layout, arguments: tuple[str, ...]) -> None:
    """The sessions of the others are left alone."""
    result = shell("import", *arguments, cwd=layout.root)
    assert (result.code, raw_texts(layout)) == (0, {})
    assert result.out == "No past sessions of this project were found.\n"


@pytest.mark.usefixtures("talk")
def test_since(shell: Shell, layout: Layout) -> None:
    """As `list` takes it; what is no date is refused in one line."""
    os.utime(next(Path(os.environ["HOME"]).rglob("*.jsonl")), (1_900_000_000, 1_900_000_000))
    assert shell("import", "--since", "7d", cwd=layout.root).code == 0
    assert list(raw_texts(layout)) == ["2026-03-09"]
    refused = shell("import", "--since", "lately", cwd=layout.root)
    assert (refused.code, refused.out) == (1, "")
    assert "2026-03-15, 2026-W11, 2026-03, 7d or 2w" in refused.err


@pytest.mark.usefixtures("talk")
def test_late_days_are_rebuilt(shell: Shell, layout: Layout) -> None:
    """A day that was fixed already takes what the import adds to it, once."""
    shell(
        "checkpoint",
        "--topic",
        "cache",
        "--field",
        "outcome=done",
        cwd=layout.root,
        HIPOCAMPUS_NOW="2026-03-07T12:00:00+09:00",
    )
    shell("compact", "--force", cwd=layout.root)
    node = Path(layout.node("daily", "2026-03-07"))
    assert "rate limiting" not in node.read_text()
    shell("import", cwd=layout.root)
    assert "status: fixed" in node.read_text()
    assert "rate limiting" in node.read_text()


@pytest.mark.usefixtures("talk")
def test_a_memory_from_elsewhere_is_not_written(shell: Shell, layout: Layout, tmp_path: Path) -> None:
    """Until somebody trusts it."""
    result = shell("import", cwd=layout.root, HIPOCAMPUS_STATE=str(tmp_path / "another"))
    assert (result.code, raw_texts(layout)) == (1, {})
    assert "hipocampus trust" in result.err


@pytest.mark.usefixtures("talk")
def test_a_problem_is_named(shell: Shell, layout: Layout, env: Env) -> None:
    """The other sessions are imported, and the exit status is 1."""
    other = PastTalk(layout, env, "2026-03-08T10:00:00+09:00", "0000a6f2-0000-4000-8000-2")
    for _ in range(30):
        other.write({"kind": "utterance"})
    result = shell("import", cwd=layout.root)
    assert (result.code, len(raw_texts(layout))) == (1, 2)
    assert f"not read: {other.transcript}: 0 of 30 lines understood" in result.err


@pytest.mark.parametrize("lines", [1, 2, 60])
@pytest.mark.parametrize("others", [True, False])
def test_what_could_not_be_read_is_named_by_every_import(
    shell: Shell, layout: Layout, env: Env, talk: PastTalk, lines: int, others: bool
) -> None:
    """However short it is, until a version reads it: the exit status is 1, and nothing calls it known or read."""
    if not others:
        talk.transcript.unlink()
    unknown = PastTalk(layout, env, "2026-03-08T10:00:00+09:00", "0000a6f2-0000-4000-8000-2")
    for _ in range(lines):
        unknown.write({"kind": "utterance"})
    shell("import", cwd=layout.root)
    for option in ("--dry-run", "--yes"):
        again = shell("import", option, cwd=layout.root)
        assert (again.code, again.err.count("not read:")) == (1, 1)
        assert f"{unknown.transcript}: 0 of {lines} lines understood" in again.err
        assert "claude-code: 1 skipped: could not be read\n" in again.out
        assert again.out.endswith("Nothing new in what could be read.\n")
    rows = shell("import", "--json", cwd=layout.root).json["hosts"]
    assert rows[0]["skipped"] == {"could not be read": 1} | ({"read before, nothing new": 1} if others else {})


@pytest.mark.usefixtures("talk", "shell")
def test_one_import_at_a_time(layout: Layout) -> None:
    """The second one says so in one line and writes nothing."""
    with Hold(os.path.join(layout.journal, "import.lock"), 1):
        command = [sys.executable, "-m", "hipocampus", "import", "--yes"]
        env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(command, cwd=layout.root, env=env, capture_output=True, text=True)
    assert (done.returncode, raw_texts(layout)) == (1, {})
    assert "another process holds" in done.stderr


@pytest.mark.usefixtures("talk")
def test_ctrl_c_keeps_what_was_read(shell: Shell, layout: Layout, env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stops at once with 130, and the next import goes on where it was."""
    later = PastTalk(layout, env, "2026-03-10T10:00:00+09:00", "9999a6f2-0000-4000-8000-2")
    later.say("the later question", "The later answer.")

    def interrupted(past: Past, *rest: Any) -> Part:
        if past.session == later.session:
            raise KeyboardInterrupt
        return read_past(past, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(backfill, "read_past", interrupted)
        result = shell("import", cwd=layout.root)
    assert result.code == 130
    assert "run it again to go on" in result.err
    assert list(raw_texts(layout)) == ["2026-03-07", "2026-03-09"]
    assert "Added 1 entry on 1 day" in shell("import", cwd=layout.root).out


@pytest.mark.usefixtures("talk")
def test_an_import_that_died_before_it_compacted(shell: Shell, layout: Layout) -> None:
    """The next one has nothing to read, and compacts."""
    shell("import", cwd=layout.root)
    day = Path(layout.raw("2026-03-07"))
    shell("checkpoint", "--topic", "cache", "--field", "outcome=done", cwd=layout.root)
    assert "cache" not in Path(layout.root_md).read_text()
    shell("import", cwd=layout.root)
    assert day.exists()
    assert "cache" in Path(layout.root_md).read_text()
