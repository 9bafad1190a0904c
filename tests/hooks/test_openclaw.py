"""What OpenClaw's handler is answered, and what becomes of the Gateway's history, through the launcher."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hipocampus.store.layout import Layout
from tests.hooks.conftest import HandOver, PutRoot

ROOT = "## Topics Index\n- rate limiting [project, 2d]: token bucket → memory/2026-03-15.md:3\n"
SESSION = "c44cc93c-ca6d-4770-b02a-5a16c0f76a28"
TEN = 1773537600000  # ten in the morning of 2026-03-15 in Seoul, in milliseconds

Ask = Callable[..., Any]


def user(entry: str, text: str, at: int) -> dict[str, object]:
    """A prompt as the history has it."""
    return {"role": "user", "content": text, "timestamp": at, "__openclaw": {"id": entry}}


def agent(entry: str, text: str, at: int) -> dict[str, object]:
    """An answer as the history has it."""
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": text}],
        "timestamp": at,
        "__openclaw": {"id": entry},
    }


FIRST = [user("u1", "Name the limiter.", TEN), agent("a1", "A token bucket.", TEN + 2000)]
SECOND = [user("u2", "Name the port.", TEN + 60_000), agent("a2", "It is 6543.", TEN + 62_000)]


@pytest.fixture
def ask(hand_over: HandOver, layout: Layout) -> Ask:
    """Hand one event over; the answer, {} where there is none."""

    def asked(entry: str, **payload: object) -> Any:
        return hand_over("openclaw", entry, {"session_id": SESSION, "workspace": layout.project, **payload})

    return asked


def raw_log(layout: Layout) -> str:
    return Path(layout.raw("2026-03-15")).read_text(encoding="utf-8")


@pytest.mark.parametrize("source", ["startup", "new", "compact"])
def test_a_start_is_answered_with_the_memory(ask: Ask, put_root: PutRoot, source: str) -> None:
    """Whenever the handler asks, it gets the whole text: it is in no conversation of this host."""
    put_root(ROOT)
    answer = ask("session-start", source=source)
    assert "token bucket" in answer["context"]
    assert "hipocampus-core" in answer["context"]


def test_a_history_is_folded_once(ask: Ask, layout: Layout) -> None:
    """Prompts that a channel told first, a history that grows, one that is handed over again: each is stored once."""
    ask("session-start", source="startup")
    ask("prompt", prompt="Name the limiter.")
    ask("checkpoint", messages=FIRST[:1])
    ask("checkpoint", messages=FIRST)
    ask("checkpoint", messages=FIRST + SECOND)
    ask("checkpoint", messages=FIRST + SECOND)
    ask("pre-compact")
    ask("checkpoint", messages=FIRST + SECOND)
    ask("session-end", source="shutdown")
    ask("pre-compact")
    said = ("Name the limiter.", "A token bucket.", "Name the port.", "It is 6543.")
    assert [raw_log(layout).count(text) for text in said] == [1, 1, 1, 1]


def test_the_session_goes_on_after_a_reset(ask: Ask, layout: Layout) -> None:
    """The same session with another history is the same journal, and what is said there is new."""
    ask("session-start", source="startup")
    ask("checkpoint", messages=FIRST)
    ask("pre-compact")
    ask("session-end", source="new")
    ask("session-start", source="new")
    ask("prompt", prompt="Name the limiter.")
    ask(
        "checkpoint", messages=[user("u3", "Name the limiter.", TEN + 120_000), agent("a3", "Still it.", TEN + 121_000)]
    )
    ask("pre-compact")
    assert [raw_log(layout).count(text) for text in ("Name the limiter.", "A token bucket.", "Still it.")] == [2, 1, 1]


def test_days_are_those_of_the_history(ask: Ask, layout: Layout) -> None:
    """What a Gateway could not keep yesterday is stored in yesterday's log."""
    day = 24 * 60 * 60 * 1000
    yesterday = [user("u0", "Name the colour.", TEN - day), agent("a0", "Blue.", TEN - day + 1000)]
    ask("session-start", source="startup")
    ask("checkpoint", messages=yesterday + FIRST)
    ask("pre-compact")
    assert "Blue." in Path(layout.raw("2026-03-14")).read_text(encoding="utf-8")
    assert "A token bucket." in raw_log(layout)


def test_a_directory_without_a_memory_is_left_alone(ask: Ask, tmp_path: Path) -> None:
    """Another workspace gets nothing to show the model, and no file."""
    other = tmp_path / "other"
    other.mkdir()
    for entry in ("session-start", "hot-files", "prompt", "checkpoint", "session-end"):
        answer = ask(entry, workspace=str(other), prompt="Hello.", messages=FIRST)
        assert "context" not in answer
    assert [*other.iterdir()] == []
