"""A host without transcript files hands its turns over, and each reaches the journal once."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.capture.folding import fold_session
from hipocampus.capture.journal import counts, record_prompt, record_start, record_turn
from hipocampus.hosts.events import MISSED, Event
from hipocampus.hosts.transcript import Item, Prompt, Reply, Tool
from hipocampus.store.layout import Layout
from tests.capture.conversation import raw_text

HOST, SESSION = "opencode", "ses_1"


class Handing:
    """A session of such a host. Every message has an id and a moment; `items` is all that was said so far."""

    def __init__(self, layout: Layout, now: datetime) -> None:
        self.layout = layout
        self.at = now
        self.items: list[Item] = []
        record_start(layout, Event("session-start", HOST, SESSION, source="startup"), now)

    def ask(self, text: str, *, hook: bool = True) -> str:
        self.at += timedelta(minutes=1)
        name = f"msg_{len(self.items)}"
        milliseconds = int(self.at.timestamp() * 1000)
        self.items.append(Prompt(text, prompt_id=name, at=self._stamp(), start=milliseconds))
        if hook:
            record_prompt(self.layout, Event("prompt", HOST, SESSION, prompt=text, prompt_id=name), self.at)
        return name

    def reply(self, text: str, *tools: Tool) -> None:
        self.at += timedelta(seconds=10)
        self.items += [*tools, Reply(text, f"msg_{len(self.items)}", self._stamp())]

    def hand_over(self, first: int = 0, source: str = "") -> None:
        self.at += timedelta(seconds=1)
        record_turn(self.layout, Event("stop", HOST, SESSION, source=source, items=tuple(self.items[first:])), self.at)

    def records(self, *kinds: str) -> list[dict[str, object]]:
        path = Path(self.layout.journal_file(SESSION))
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [record for record in records if record["k"] in kinds]

    @property
    def turns(self) -> list[tuple[object, object]]:
        return [(record["of"], record["text"]) for record in self.records("turn")]

    @property
    def prompts(self) -> list[object]:
        return [record["text"] for record in self.records("prompt")]

    def _stamp(self) -> str:
        return self.at.astimezone(UTC).isoformat(timespec="milliseconds")


@pytest.fixture
def handing(layout: Layout, now: datetime) -> Handing:
    """A session that has just begun."""
    return Handing(layout, now)


def test_a_turn_is_journalled_with_its_files(handing: Handing) -> None:
    """Last message, tools and changed files, under the prompt that the hook journalled."""
    asked = handing.ask("move the limiter")
    handing.reply("Let me look.", Tool("bash"))
    handing.reply("Moved.", Tool("edit", "/p/limits.py"))
    handing.hand_over()
    (turn,) = handing.records("turn")
    assert (turn["of"], turn["text"], turn["tools"]) == (asked, "Moved.", ["bash", "edit"])
    assert turn["files"] == ["/p/limits.py"]
    assert handing.prompts == ["move the limiter"]


@pytest.mark.parametrize("times", [1, 2, 5])
def test_what_is_handed_over_again_is_known(handing: Handing, times: int) -> None:
    """The end of a turn may be told twice, and a client that began anew tells all it has."""
    for number in range(3):
        handing.ask(f"prompt {number}")
        handing.reply("Done.")
        for _ in range(times):
            handing.hand_over()
    assert [text for _, text in handing.turns] == ["Done."] * 3
    assert handing.prompts == ["prompt 0", "prompt 1", "prompt 2"]


def test_a_long_session_repeats_nothing_of_its_beginning(handing: Handing) -> None:
    """What is new is told by the moment of its prompt, so that the end of the journal is enough to know."""
    for number in range(40):
        handing.ask(f"prompt {number} " + "x" * 4_000)
        handing.reply(f"answer {number}")
        handing.hand_over()
    before = len(handing.records("prompt", "past", "turn", "echo"))
    handing.hand_over(source=MISSED)
    assert len(handing.records("prompt", "past", "turn", "echo")) == before


def test_a_turn_that_goes_on_is_told_further(handing: Handing) -> None:
    """After the client compacted by itself it goes on with the same prompt."""
    asked = handing.ask("a long task")
    handing.reply("Half of it.", Tool("edit", "/p/a"))
    handing.hand_over()
    handing.reply("All of it.", Tool("edit", "/p/b"))
    handing.hand_over()
    assert handing.turns == [(asked, "Half of it."), (asked, "All of it.")]
    assert [record["files"] for record in handing.records("turn")] == [["/p/a"], ["/p/a", "/p/b"]]


def test_what_a_killed_client_could_not_hand_over_comes_with_the_next(handing: Handing) -> None:
    """The turn keeps its own time and the prompt its words; a prompt whose hook did not run is found as well."""
    first = handing.ask("one")
    handing.reply("One done.")
    ended = handing.at
    second = handing.ask("two", hook=False)
    handing.reply("Half of two")
    handing.at += timedelta(hours=3)
    handing.hand_over(source=MISSED)
    assert handing.turns == [(first, "One done."), (second, "Half of two")]
    assert datetime.fromisoformat(str(handing.records("turn")[0]["at"])) == ended
    assert handing.prompts == ["one", "two"]
    handing.ask("three")
    handing.reply("Three done.")
    handing.hand_over(first=2)
    assert [text for _, text in handing.turns] == ["One done.", "Half of two", "Three done."]


def test_a_reply_without_its_prompt_is_nobodys(handing: Handing) -> None:
    """A list that begins in the middle of a turn does not give its words to another one."""
    handing.ask("one")
    handing.reply("Done.")
    handing.hand_over(first=1)
    assert handing.turns == []


def test_history_from_before_the_journal_is_past(handing: Handing) -> None:
    """A session that is older than the memory brings its history along; it is no uncovered work."""
    old = [
        Prompt("old question", prompt_id="msg_old", at="2026-03-01T09:00:00.000+00:00", start=1),
        Reply("old answer"),
    ]
    handing.items = [*old, *handing.items]
    handing.hand_over(source=MISSED)
    assert [record["text"] for record in handing.records("past")] == ["old question"]
    assert counts(handing.layout, SESSION).uncovered == 0


def test_all_of_it_reaches_the_raw_log_once(handing: Handing) -> None:
    """Handed over in pieces, twice, and folded between: each request and outcome stands once."""
    for number in range(3):
        handing.ask(f"question number {number}")
        handing.reply(f"Answer number {number}.", Tool("write", f"/p/{number}.py"))
        handing.hand_over()
        fold_session(handing.layout, SESSION, handing.at)
        handing.hand_over()
    fold_session(handing.layout, SESSION, handing.at, finished=True)
    log = raw_text(handing.layout)
    for number in range(3):
        assert log.count(f"request: question number {number}") == log.count(f"Answer number {number}.") == 1
