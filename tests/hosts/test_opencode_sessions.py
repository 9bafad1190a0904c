"""What OpenCode still has of a project is found and read, in its database and in the files of older versions."""

from __future__ import annotations

import json
import os
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hipocampus.capture.folding import fold_session
from hipocampus.capture.journal import record_prompt, record_start
from hipocampus.hosts.events import Event
from hipocampus.hosts.opencode_sessions import sessions
from hipocampus.hosts.opencode_transcript import read_transcript, transcript_of
from hipocampus.hosts.past import read_past
from hipocampus.hosts.transcript import Prompt, Reply, Tool
from hipocampus.store.layout import Layout
from tests.capture.conversation import raw_text
from tests.hosts.test_opencode_messages import RECORDED

# The tables as version 1.18.33 makes them, with the columns that are read, and one that must never be.
TABLES = """
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);
CREATE TABLE account (id text PRIMARY KEY, access_token text NOT NULL);
"""
BEGAN = 1796015281042


def messages() -> list[dict[str, Any]]:
    """The recorded conversation."""
    found = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert isinstance(found, list)
    return found


class Database:
    """The client's database in the data directory of a user."""

    def __init__(self, env: dict[str, str], name: str = "opencode.db") -> None:
        self.path = Path(env["HOME"], ".local", "share", "opencode", name)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(self.path) as connection:
            connection.executescript(TABLES)
        connection.close()

    def add_session(self, name: str, directory: str, parent: str | None = None) -> None:
        self._run("INSERT INTO session VALUES (?, 'p', ?, ?, ?, ?)", (name, parent, directory, BEGAN, BEGAN + 5000))

    def add_messages(self, session: str, messages: list[dict[str, Any]], suffix: str = "") -> None:
        """Messages as the client's interface gives them; ids are columns here."""
        for message in messages:
            info = dict(message["info"])
            name = f"{info.pop('id')}{suffix}"
            when = info["time"]["created"]
            self._run("INSERT INTO message VALUES (?, ?, ?, ?)", (name, session, when, json.dumps(info)))
            for part in message["parts"]:
                data = {key: value for key, value in dict(part).items() if key not in ("id", "messageID", "sessionID")}
                row = (f"{part['id']}{suffix}", name, session, json.dumps(data))
                self._run("INSERT INTO part VALUES (?, ?, ?, ?)", row)

    def _run(self, command: str, values: tuple[object, ...]) -> None:
        connection = sqlite3.connect(self.path)
        with connection:
            connection.execute(command, values)
        connection.close()


def put_files(env: dict[str, str], session: str, directory: str, messages: list[dict[str, Any]]) -> None:
    """The same as an older client kept it."""
    storage = Path(env["HOME"], ".local", "share", "opencode", "storage")

    def put(*place: str, value: object) -> None:
        path = storage.joinpath(*place).with_suffix(".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")

    info = {"id": session, "directory": directory, "time": {"created": BEGAN, "updated": BEGAN + 5000}}
    put("session", "p", session, value=info)
    for message in messages:
        name = str(message["info"]["id"])
        put("message", session, name, value=message["info"])
        for part in message["parts"]:
            put("part", name, str(part["id"]), value=part)


def test_messages_of_a_newer_form_are_told_of(env: dict[str, str], layout: Layout) -> None:
    """Where no message has a role that this version knows, that is said and not taken for silence."""
    strange = [{"info": {"id": f"msg_{n}", "speaker": "user", "time": {"created": n}}, "parts": []} for n in range(4)]
    put_files(env, "ses_1", layout.project, strange)
    (past,) = sessions(env, layout.project)
    assert read_past(past, 0, 1, 0).problem.startswith("0 of 4 lines understood")


@pytest.fixture
def database(env: dict[str, str]) -> Database:
    """An empty database."""
    return Database(env)


def test_a_session_is_found_and_read(database: Database, env: dict[str, str], layout: Layout) -> None:
    """With its first moment, its size and all that was said in it."""
    database.add_session("ses_1", layout.project)
    database.add_messages("ses_1", messages())
    (past,) = sessions(env, layout.project)
    assert (past.host, past.session, past.began) == ("opencode", "ses_1", "2026-11-30T05:08:01.042+00:00")
    assert (past.size, past.touched) == (BEGAN + 5000, (BEGAN + 5000) / 1000)
    part = read_past(past, 0, 1, 0)
    assert [item.text for item in part.items if isinstance(item, Prompt)] == ["use a tool", "after"]
    assert [item.text for item in part.items if isinstance(item, Reply)] == ["Let me look.", "done", "continued", "OK"]
    assert Tool("write", "/home/u/proj/x.txt") in part.items
    assert part.complete
    assert part.understood == part.lines == len(messages())


def test_an_older_clients_files_say_the_same(database: Database, env: dict[str, str], layout: Layout) -> None:
    """One file for each message and part; a session that is in the database too is told from there, once."""
    database.add_session("ses_new", layout.project)
    database.add_messages("ses_new", messages())
    put_files(env, "ses_old", layout.project, messages())
    put_files(env, "ses_new", layout.project, [])
    new, old = sessions(env, layout.project)
    assert (new.session, old.session) == ("ses_new", "ses_old")
    assert read_past(old, 0, 1, 0).items == read_past(new, 0, 1, 0).items != ()


def test_only_sessions_of_the_project(database: Database, env: dict[str, str], layout: Layout, tmp_path: Path) -> None:
    """Those of a directory in it too; not another project's, and not what sub-agents did."""
    below = os.path.join(layout.project, "src")
    for name, directory, parent in [
        ("ses_here", layout.project, None),
        ("ses_below", below, None),
        ("ses_sub", layout.project, "ses_here"),
        ("ses_there", str(tmp_path / "other"), None),
        ("ses_neighbour", f"{layout.project}-2", None),
    ]:
        os.makedirs(directory, exist_ok=True)
        database.add_session(name, directory, parent)
    assert [past.session for past in sessions(env, layout.project)] == ["ses_here", "ses_below"]


def test_places_that_the_environment_names(env: dict[str, str], layout: Layout, tmp_path: Path) -> None:
    """``OPENCODE_DB`` is read besides the databases of every channel."""
    Database(env, "opencode-nightly.db").add_session("ses_nightly", layout.project)
    elsewhere = Database({"HOME": str(tmp_path / "elsewhere")}, "mine.db")
    elsewhere.add_session("ses_mine", layout.project)
    found = sessions({**env, "OPENCODE_DB": str(elsewhere.path)}, layout.project)
    assert {past.session for past in found} == {"ses_nightly", "ses_mine"}


def test_reading_leaves_nothing_behind(database: Database, env: dict[str, str], layout: Layout) -> None:
    """Neither a byte of the database changes nor a file appears beside it."""
    connection = sqlite3.connect(database.path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    database.add_session("ses_1", layout.project)
    before = database.path.read_bytes()
    for past in sessions(env, layout.project):
        read_past(past, 0, 1, 0)
    assert [path.name for path in database.path.parent.iterdir()] == ["opencode.db"]
    assert database.path.read_bytes() == before


def test_a_client_that_runs_is_read_beside(database: Database, env: dict[str, str], layout: Layout) -> None:
    """What an open client has written, and not yet moved into the file itself, is there."""
    client = sqlite3.connect(database.path)
    client.execute("PRAGMA journal_mode = WAL")
    with client:
        client.execute("INSERT INTO session VALUES ('ses_live', 'p', NULL, ?, 1, 2)", (layout.project,))
    assert [past.session for past in sessions(env, layout.project)] == ["ses_live"]
    client.close()


@pytest.mark.parametrize("content", [b"", b"not a database at all", b"SQLite format 3\0" + b"\xff" * 200])
def test_a_broken_database_holds_no_sessions(
    env: dict[str, str], layout: Layout, database: Database, content: bytes
) -> None:
    """Another program's file may be damaged, or of a version without these tables; that is no failure of ours."""
    database.path.write_bytes(content)
    assert list(sessions(env, layout.project)) == []
    assert read_transcript(transcript_of(str(database.path), "ses_1"), 7).offset == 7


def test_rows_that_are_no_json_are_passed_over(database: Database, env: dict[str, str], layout: Layout) -> None:
    """Of a damaged row nothing is told; the rest of the session is."""
    database.add_session("ses_1", layout.project)
    database.add_messages("ses_1", messages())
    connection = sqlite3.connect(database.path)
    with connection:
        connection.execute("INSERT INTO message VALUES ('msg_x', 'ses_1', 1, '{')")
        connection.execute("UPDATE part SET data = '[1]' WHERE data LIKE '%use a tool%'")
    connection.close()
    (past,) = sessions(env, layout.project)
    assert [item.text for item in read_past(past, 0, 1, 0).items if isinstance(item, Prompt)] == ["after"]


def test_reading_on_begins_with_the_last_prompt(database: Database, env: dict[str, str], layout: Layout) -> None:
    """Its turn may have grown since; what is older is not told again."""
    database.add_session("ses_1", layout.project)
    database.add_messages("ses_1", messages())
    (past,) = sessions(env, layout.project)
    first = read_past(past, 0, 1, 0)
    again = read_past(past, first.offset, 1, 0)
    assert [item.text for item in again.items if not isinstance(item, Tool)] == ["after", "OK"]
    assert again.offset == first.offset


def test_a_session_whose_client_was_killed_is_folded_whole(database: Database, layout: Layout, now: datetime) -> None:
    """The prompt was journalled, the end of the turn was never told: what was said is read from the database."""
    asked, answered = messages()[-2:]
    database.add_messages("ses_1", [asked, answered])
    transcript = transcript_of(str(database.path), "ses_1")
    place = {"host": "opencode", "session": "ses_1", "transcript": transcript}
    record_start(layout, Event("session-start", source="startup", **place), now)
    prompt = Event("prompt", prompt="after", prompt_id=str(asked["info"]["id"]), **place)
    record_prompt(layout, prompt, now)
    fold_session(layout, "ses_1", now, finished=True)
    log = raw_text(layout)
    assert log.count("- request: after") == log.count("- outcome: OK") == 1
