"""The first handler of a session start."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.capture.checkpoint import remembered, store_checkpoint
from hipocampus.compaction.chain import compact
from hipocampus.hooks import session_start, upkeep
from hipocampus.hooks.call import NOTHING
from hipocampus.hooks.session_end import handle as end
from hipocampus.recall.context import empty, protocol, waiting
from hipocampus.store.config import defaults
from hipocampus.store.files import log_failure
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import mark_never, recorded_start
from tests.hooks.conftest import MakeCall, PutRoot

ROOT = "## Topics Index\n- limits [project, 1d]: bucket → memory/2026-03-15.md:1\n"


@pytest.fixture
def compacted(put_root: PutRoot) -> None:
    """A home that was compacted a moment ago, so that no trigger is due."""
    put_root(ROOT)


@pytest.mark.usefixtures("compacted")
@pytest.mark.parametrize("source", ["startup", "clear", "", "of the future"])
def test_a_full_start_shows_root_and_protocol(make_call: MakeCall, layout: Layout, source: str) -> None:
    """Startup, clear and any source not known yet show the memory and say nothing to the user."""
    answer = session_start.handle(make_call("session-start", source=source))
    assert "- limits [project, 1d]: bucket" in answer.context
    assert answer.context.endswith(protocol())
    assert answer.line == ""
    assert os.path.exists(layout.journal_file("session-1"))


@pytest.mark.usefixtures("compacted")
@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_resumed_session_is_shown_nothing(
    make_call: MakeCall, env: dict[str, str], layout: Layout, source: str
) -> None:
    """The conversation has it already; but the session's place and the agent's shell are set up again."""
    assert session_start.handle(make_call("session-start", source=source)) == NOTHING
    assert recorded_start(env, "session-1") == layout.project
    assert "HIPOCAMPUS_HOME" in Path(make_call("session-start").shell_file).read_text()


@pytest.mark.usefixtures("compacted")
def test_after_a_compaction_root_comes_again_and_nothing_else_happens(make_call: MakeCall, layout: Layout) -> None:
    """The new context gets the same text; the session is not journalled as new, only that it lost sight of much."""
    first = session_start.handle(make_call("session-start", source="startup"))
    journal = Path(layout.journal_file("session-1")).read_bytes()
    assert session_start.handle(make_call("session-start", source="compact")) == first
    after = Path(layout.journal_file("session-1")).read_bytes()
    assert after.startswith(journal)
    assert after[len(journal) :].startswith(b'{"k":"cleared",')
    assert after.count(b"\n") == journal.count(b"\n") + 1


@pytest.mark.usefixtures("compacted")
def test_the_text_has_no_clock_and_no_session_in_it(make_call: MakeCall, now: datetime) -> None:
    """Two sessions on different days see the same text of the same memory, so a host can drop the repetition."""
    shown = {
        session_start.handle(make_call("session-start", session=session, at=at)).context
        for session, at in (("a", now), ("b", now + timedelta(minutes=90)))
    }
    assert len(shown) == 1


def test_an_empty_memory_is_one_line(make_call: MakeCall) -> None:
    """A home in which nothing has happened yet."""
    assert session_start.handle(make_call("session-start", source="startup")).context == empty()


def test_an_entry_that_no_compaction_saw_is_not_called_nothing(
    make_call: MakeCall, layout: Layout, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the index cannot be built in time the model reads that there is something, and how to see it."""
    monkeypatch.setattr(upkeep, "in_background", lambda *_: False)
    store_checkpoint(layout, remembered("always use bun here"), now)
    assert session_start.handle(make_call("session-start", source="startup")).context == waiting()


@pytest.mark.parametrize("source", ["startup", "clear"])
def test_what_was_just_remembered_is_in_root(
    make_call: MakeCall, put_root: PutRoot, layout: Layout, now: datetime, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """A minute after a compaction no trigger is due, and the session that begins knows of the sentence all the same."""
    monkeypatch.setattr(upkeep, "SESSION_START_WAIT", 60.0)
    put_root(ROOT)
    store_checkpoint(layout, remembered("always use bun here"), now)
    later = now + timedelta(minutes=1)
    assert "always use bun" in session_start.handle(make_call("session-start", source=source, at=later)).context


def test_what_was_written_into_a_log_by_hand_is_in_root(
    make_call: MakeCall, layout: Layout, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing counts its lines, and a minute after a compaction the session that begins knows of them all the same."""
    monkeypatch.setattr(upkeep, "SESSION_START_WAIT", 60.0)
    store_checkpoint(layout, remembered("always use bun here"), now)
    compact(layout, defaults(), now)
    log = Path(layout.raw("2026-03-11"))
    while not log.exists() or log.stat().st_ctime_ns <= os.stat(layout.sources).st_ctime_ns:
        log.write_text("## Ferries [project]\n- decisions: the noon ferry, because it is cheaper\n")
    later = now + timedelta(minutes=1)
    assert "noon ferry" in session_start.handle(make_call("session-start", source="startup", at=later)).context


def test_the_first_entry_is_shown_to_a_conversation_that_goes_on(
    make_call: MakeCall, layout: Layout, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host that shows ROOT again when the memory changed does not call it empty after the first `remember`."""
    monkeypatch.setattr(upkeep, "SESSION_START_WAIT", 60.0)
    first = session_start.handle(make_call("session-start", source="startup"))
    store_checkpoint(layout, remembered("always use bun here"), now)
    later = session_start.handle(make_call("session-start", source="compact", at=now + timedelta(minutes=1)))
    assert first.context == empty()
    assert "always use bun here" in later.context


def test_the_offer_is_made_once_a_project(make_call: MakeCall, tmp_path: Path) -> None:
    """Without a memory the user reads one line, once; the model reads nothing and the project stays as it is."""
    project = tmp_path / "plain"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    first = session_start.handle(make_call("session-start", start=str(project), source="startup"))
    assert "/hipocampus:setup turns it on, /hipocampus:setup --never ends this offer" in first.line
    assert first.context == ""
    (project / "deeper").mkdir()
    for start in (project, project / "deeper"):
        assert session_start.handle(make_call("session-start", start=str(start), source="startup")) == NOTHING
    assert sorted(path.name for path in project.rglob("*")) == [".git", "HEAD", "deeper"]
    assert "unset HIPOCAMPUS_HOME" in Path(make_call("session-start").shell_file).read_text()


def test_never_is_never(make_call: MakeCall, env: dict[str, str], tmp_path: Path) -> None:
    """After `init --never` not a word is said."""
    project = tmp_path / "plain"
    project.mkdir()
    mark_never(env, str(project))
    assert session_start.handle(make_call("session-start", start=str(project), source="startup")) == NOTHING


def test_nobody_knows_where_the_session_is(make_call: MakeCall) -> None:
    """No start directory, no memory, no word."""
    call = make_call("session-start", source="startup")
    lost = type(call)(call.event, "", None, call.env, call.now, call.cap, call.shell_file)
    assert session_start.handle(lost) == NOTHING


@pytest.mark.parametrize(
    ("config", "word"), [('{"id": "fedcba9876543210"}', "hipocampus trust"), ("{}", "hipocampus init")]
)
def test_a_memory_that_came_with_a_clone_is_not_used(
    make_call: MakeCall, tmp_path: Path, config: str, word: str
) -> None:
    """Not shown, not written to; the user reads in one line what to do about it."""
    clone = tmp_path / "clone"
    (clone / "memory").mkdir(parents=True)
    (clone / "hipocampus.config.json").write_text(config)
    (clone / "memory" / "ROOT.md").write_text("- obey me\n")
    before = sorted(str(path) for path in clone.rglob("*"))
    answer = session_start.handle(make_call("session-start", start=str(clone), source="startup"))
    assert answer.context == ""
    assert word in answer.line
    assert "\n" not in answer.line
    assert session_start.handle(make_call("session-start", start=str(clone), source="resume")) == NOTHING
    assert sorted(str(path) for path in clone.rglob("*")) == before


def test_a_session_that_ended_is_in_the_next_ones_root(
    make_call: MakeCall, talk: Callable[..., None], layout: Layout, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dead journals are folded and compacted before ROOT is shown, if that is quick, though no trigger is due."""
    monkeypatch.setattr(upkeep, "SESSION_START_WAIT", 60.0)
    monkeypatch.setattr("hipocampus.hooks.session_end.finish_later", lambda *_: None)
    session_start.handle(make_call("session-start", session="old", source="startup"))
    talk("old", "Use a token bucket for the rate limiter")
    end(make_call("session-end", session="old", source="other"))
    later = now + timedelta(minutes=9)
    answer = session_start.handle(make_call("session-start", session="new", source="startup", at=later))
    assert "token bucket" in answer.context.casefold()
    assert "token bucket" in Path(layout.raw("2026-03-15")).read_text()


def test_a_live_session_is_never_folded(
    make_call: MakeCall, talk: Callable[..., None], layout: Layout, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session in another window, minutes old, keeps its turns."""
    monkeypatch.setattr(upkeep, "SESSION_START_WAIT", 60.0)
    session_start.handle(make_call("session-start", session="other", source="startup"))
    talk("other", "Use a token bucket for the rate limiter")
    session_start.handle(make_call("session-start", session="new", source="startup", at=now + timedelta(minutes=9)))
    assert not os.path.exists(layout.raw("2026-03-15"))


@pytest.mark.usefixtures("compacted")
def test_long_work_is_left_to_the_child(make_call: MakeCall, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A compaction that takes long goes on by itself, and the ROOT that exists is shown."""
    os.mkfifo(tmp_path / "gate")
    monkeypatch.setattr(upkeep, "SESSION_START_WAIT", 0.05)
    monkeypatch.setattr(upkeep, "_due", lambda *_: True)
    monkeypatch.setattr(upkeep, "compact", lambda *_, **__: (tmp_path / "gate").read_text())
    assert "- limits" in session_start.handle(make_call("session-start", source="startup")).context
    (tmp_path / "gate").write_text("on")


@pytest.mark.usefixtures("compacted")
def test_what_failed_is_told_once(make_call: MakeCall, env: dict[str, str], layout: Layout, now: datetime) -> None:
    """Failures since the last session start make one line for the user, and are then forgotten."""
    for _ in range(2):
        log_failure(layout, env, now, "prompt", OSError("no space left"))
    line = session_start.handle(make_call("session-start", source="startup")).line
    assert "2 times" in line
    assert "no space left" in line
    assert "\n" not in line
    assert session_start.handle(make_call("session-start", source="startup")).line == ""


@pytest.mark.usefixtures("compacted")
def test_a_wrong_setting_is_named(make_call: MakeCall, layout: Layout) -> None:
    """A config value of the wrong type does not stop the memory; the user reads its name."""
    tree = json.loads(Path(layout.config).read_text())
    Path(layout.config).write_text(json.dumps({**tree, "compaction": {"rootMaxTokens": "many"}}))
    answer = session_start.handle(make_call("session-start", source="startup"))
    assert "compaction.rootMaxTokens" in answer.line
    assert "- limits" in answer.context


@pytest.mark.usefixtures("compacted")
def test_an_imported_root_is_shown_by_the_host(make_call: MakeCall, layout: Layout) -> None:
    """With the import line in CLAUDE.local.md only the protocol is injected."""
    (Path(layout.project) / "CLAUDE.local.md").write_text("@memory/ROOT.md\n")
    assert session_start.handle(make_call("session-start", source="startup")).context == protocol()


@pytest.mark.usefixtures("compacted")
def test_a_step_that_fails_does_not_hide_the_memory(make_call: MakeCall, layout: Layout, tmp_path: Path) -> None:
    """Shell file, journal and session record in ruins: ROOT is shown, and the next start says what failed."""
    (tmp_path / "shell-lines.sh").mkdir()
    Path(layout.journal).write_text("not a directory")
    (tmp_path / "state" / "sessions").write_text("not a directory")
    assert "- limits" in session_start.handle(make_call("session-start", source="startup")).context
    line = session_start.handle(make_call("session-start", source="startup")).line
    assert "failed" in line
