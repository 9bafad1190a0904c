"""One import reads what every host has of a project."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.store.layout import Layout
from hipocampus.store.user_state import trust
from tests.capture.conversation import raw_texts
from tests.capture.pasts import LONG_AGO, PastTalk, told
from tests.commands.conftest import Shell
from tests.conftest import HOME_ID
from tests.hosts.test_codex_sessions import put
from tests.hosts.test_openclaw_sessions import add
from tests.hosts.test_opencode_sessions import Database, messages

Env = dict[str, str]
LATER = "2026-12-24T12:00:00+00:00"


@pytest.fixture
def everything(layout: Layout, env: Env) -> None:
    """A session in Claude Code, one in Codex, one in OpenCode."""
    PastTalk(layout, env, "2026-03-07T10:00:00+09:00").say("choose a cache", "An LRU cache.")
    path = put(Path(env["HOME"], ".codex"), layout.project)
    os.utime(path, (LONG_AGO, LONG_AGO))
    database = Database(env)
    database.add_session("ses_1", layout.project)
    database.add_messages("ses_1", messages())


@pytest.mark.usefixtures("everything")
def test_every_host(shell: Shell, layout: Layout) -> None:
    """Each has its row, its turns are in the logs, and a second import adds nothing."""
    found = shell("import", "--json", cwd=layout.root, HIPOCAMPUS_NOW=LATER).json
    rows = {row["host"]: (row["sessions"], row["turns"] > 0, row["entries"] > 0) for row in found["hosts"]}
    assert rows == dict.fromkeys(("claude-code", "codex", "opencode"), (1, True, True))
    assert found["problems"] == []
    said = told(layout)
    assert [said.count(words) for words in ("choose a cache", "Name the port", "go on", "after")] == [1, 1, 1, 1]
    before = raw_texts(layout)
    again = shell("import", "--json", cwd=layout.root, HIPOCAMPUS_NOW=LATER).json
    assert [row["entries"] for row in again["hosts"]] == [0, 0, 0]
    Path(layout.journal, "imported.json").unlink()
    shell("import", cwd=layout.root, HIPOCAMPUS_NOW=LATER)
    assert raw_texts(layout) == before


def test_openclaw(shell: Shell, env: Env, now: datetime) -> None:
    """Its transcripts, and the days that its own memory wrote down, which stay as they are."""
    workspace = Path(os.path.realpath(env["HOME"]), ".openclaw", "workspace")
    home = workspace / ".hipocampus"
    (home / "memory").mkdir(parents=True)
    (home / "hipocampus.config.json").write_text(json.dumps({"id": HOME_ID, "platform": "openclaw"}))
    trust(env, str(home), HOME_ID)
    sessions = workspace.parent / "agents" / "main" / "sessions"
    sessions.mkdir(parents=True)
    add(sessions, "a.jsonl", "a")
    os.utime(sessions / "a.jsonl", (LONG_AGO, LONG_AGO))
    (workspace / "memory").mkdir()
    notes = {"2026-03-01": "# Sunday\n\n## Dentist\nOn the 12th.\n", now.date().isoformat(): "still being written\n"}
    for day, text in notes.items():
        (workspace / "memory" / f"{day}.md").write_text(text)
    result = shell("import", cwd=workspace)
    assert (result.code, result.err) == (0, "")
    layout = Layout(str(home), str(workspace))
    logs = raw_texts(layout)
    assert list(logs) == ["2026-03-01", "2026-03-15"]
    assert "## Dentist [project]\n" in logs["2026-03-01"]
    assert "source=import" in logs["2026-03-01"]
    assert told(layout) == ["In a."]
    assert {path.stem: path.read_text() for path in (workspace / "memory").iterdir()} == notes
    shell("import", cwd=workspace)
    assert raw_texts(layout) == logs
