"""Prompt, end of turn, and the moments at which what was said is folded."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.capture.journal import counts
from hipocampus.hooks import checkpoint, flush, pre_compact, prompt, session_end
from hipocampus.hooks.call import NOTHING
from hipocampus.hooks.prompt import REMINDER
from hipocampus.store.layout import Layout
from tests.hooks.conftest import MakeCall, RunHook

SETTLED = 60.0
DAY = "2026-03-15"


def settle(condition: Callable[[], bool]) -> None:
    """Wait, within a bound, for what a detached child does."""
    end = time.monotonic() + SETTLED
    while not condition():
        assert time.monotonic() < end, "the child did not do it"
        time.sleep(0.05)


def say(make_call: MakeCall, number: int) -> str:
    return prompt.handle(make_call("prompt", prompt=f"message {number}", prompt_id=f"p{number}")).context


def test_a_prompt_is_journalled_at_once(make_call: MakeCall, layout: Layout) -> None:
    """Stop may never come; the prompt is on the disk before the model reads it."""
    assert prompt.handle(make_call("prompt", prompt="limit the public API", prompt_id="p")) == NOTHING
    assert "limit the public API" in Path(layout.journal_file("session-1")).read_text()


def test_a_reminder_comes_once_in_twenty_messages(make_call: MakeCall) -> None:
    """Messages 20 and 40 bring the reminder, no other does."""
    reminded = [number for number in range(1, 46) if say(make_call, number)]
    assert reminded == [20, 40]


def test_the_reminder_is_short_and_names_what_to_do() -> None:
    """At most 300 characters, with the commands."""
    assert len(REMINDER) <= 300
    assert "`hipocampus checkpoint" in REMINDER
    assert "`hipocampus flush`" in REMINDER


def test_a_prompt_without_words_is_no_message(make_call: MakeCall) -> None:
    """A slash command is neither counted nor answered."""
    for number in range(30):
        assert prompt.handle(make_call("prompt", prompt="", prompt_id=f"p{number}")) == NOTHING


def test_the_end_of_a_turn_adds_nothing(make_call: MakeCall, layout: Layout) -> None:
    """The turn is journalled; the conversation is left alone, whether or not the host is in a stop hook already."""
    say(make_call, 1)
    for active in (False, True):
        assert checkpoint.handle(make_call("stop", message="The limit is 60.", stop_active=active)) == NOTHING
    assert "The limit is 60." in Path(layout.journal_file("session-1")).read_text()


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_a_transcript_that_nobody_understands_is_told(
    run_hook: RunHook, layout: Layout, tmp_path: Path, host: str
) -> None:
    """A host that writes another form now is no silent loss: the next session start says so, once."""
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text('{"kind":"from the future"}\n' * 4, encoding="utf-8")
    payload = {"transcript_path": str(transcript), "cwd": layout.project, "last_assistant_message": "Done."}
    run_hook("checkpoint", payload, "--host", host).assert_quiet()
    lines = [
        run_hook("session-start", {"cwd": layout.project, "source": "startup"}, "--host", host).line for _ in range(2)
    ]
    assert "0 of 4 lines understood" in lines[0]
    assert "understood" not in lines[1]
    assert "Done." in Path(layout.journal_file("session-1")).read_text()


def test_an_item_of_the_hosts_list_is_a_marker_only(make_call: MakeCall, layout: Layout) -> None:
    """TaskCompleted notes the item and neither ends a turn nor counts as a checkpoint."""
    say(make_call, 1)
    assert checkpoint.handle(make_call("task-completed", task="Fix the limiter")) == NOTHING
    journal = Path(layout.journal_file("session-1")).read_text()
    assert "Fix the limiter" in journal
    assert '"k":"turn"' not in journal
    assert counts(layout, "session-1").uncovered == 1


def test_twenty_messages_without_a_checkpoint_are_folded(talk: Callable[..., None], layout: Layout) -> None:
    """At the twentieth end of turn a detached child folds; before that nothing is folded."""
    talk("session-1", *(f"message {number}" for number in range(19)))
    assert not os.path.exists(layout.raw(DAY))
    talk("session-1", *(f"message {number}" for number in range(19, 20)))
    settle(lambda: counts(layout, "session-1").uncovered == 0 and os.path.exists(layout.raw(DAY)))
    assert "message 7" in Path(layout.raw(DAY)).read_text()


def test_before_a_compaction_everything_is_stored(
    make_call: MakeCall, talk: Callable[..., None], layout: Layout
) -> None:
    """PreCompact folds and compacts although no trigger is due, and prints nothing."""
    talk("session-1", "Use a token bucket for the rate limiter")
    assert pre_compact.handle(make_call("pre-compact", source="auto")) == NOTHING
    assert "token bucket" in Path(layout.raw(DAY)).read_text()
    assert "token bucket" in Path(layout.root_md).read_text().casefold()
    talk("session-1", "Use Redis for the buckets")
    assert pre_compact.handle(make_call("pre-compact", source="auto")) == NOTHING
    assert "redis" in Path(layout.root_md).read_text().casefold()


def test_a_flush_folds_now(make_call: MakeCall, talk: Callable[..., None], layout: Layout) -> None:
    """The flush entry folds before it returns, and a second one adds nothing."""
    talk("session-1", "Use a token bucket for the rate limiter")
    flush.handle(make_call("stop"))
    log = Path(layout.raw(DAY)).read_bytes()
    assert b"token bucket" in log
    flush.handle(make_call("stop"))
    assert Path(layout.raw(DAY)).read_bytes() == log


def test_the_end_of_a_session_is_marked_and_finished_by_a_child(
    make_call: MakeCall, talk: Callable[..., None], layout: Layout
) -> None:
    """The mark is there when the hook returns; fold and compaction follow."""
    talk("session-1", "Use a token bucket for the rate limiter")
    assert session_end.handle(make_call("session-end", source="other")) == NOTHING
    assert '{"k":"end"' in Path(layout.journal_file("session-1")).read_text()
    settle(lambda: os.path.exists(layout.root_md) and "token bucket" in Path(layout.root_md).read_text().casefold())


@pytest.mark.parametrize("hook", [prompt, checkpoint, pre_compact, session_end, flush])
def test_without_a_trusted_home_nothing_is_written(
    hook: object, make_call: MakeCall, tmp_path: Path, now: datetime
) -> None:
    """No memory, or one that came with a clone: no hook writes a byte into the project."""
    clone = tmp_path / "clone"
    (clone / "memory").mkdir(parents=True)
    (clone / "hipocampus.config.json").write_text('{"id": "fedcba9876543210"}')
    plain = tmp_path / "plain"
    plain.mkdir()
    for place in (clone, plain):
        before = sorted(str(path) for path in place.rglob("*"))
        call = make_call("stop", start=str(place), prompt="x", prompt_id="p", message="y", at=now)
        assert hook.handle(call) == NOTHING  # type: ignore[attr-defined]
        assert sorted(str(path) for path in place.rglob("*")) == before
