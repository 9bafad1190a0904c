"""However the sessions of the past are imported, the logs say the same, and say it once.

Random conversations on random days, with forks that bring their history along, some of them captured by the hooks; each
prompt has words of its own, so that counting them tells what became of it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.capture.folding import fold_session
from hipocampus.capture.journal import prune
from hipocampus.core.entries import Entry
from hipocampus.store.layout import Layout
from tests.capture.conversation import raw_texts
from tests.capture.pasts import PastTalk, bring_in, entries, told

NOW = datetime.fromisoformat("2026-03-15T10:22:03+09:00")


@dataclass(frozen=True)
class Story:
    """A session: the hours between its exchanges, which earlier session it continues (-1: none), and whether the hooks
    captured it.
    """

    hours: tuple[int, ...]
    of: int
    live: bool


stories = st.lists(
    st.builds(
        Story, st.lists(st.integers(0, 30), min_size=1, max_size=5).map(tuple), st.integers(-3, 2), st.booleans()
    ),
    min_size=1,
    max_size=4,
)


@contextmanager
def place() -> Iterator[tuple[Layout, dict[str, str]]]:
    """A home and a user of its own."""
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(os.path.realpath(folder), "project")
        os.makedirs(os.path.join(root, "memory", ".journal"))
        Path(root, "hipocampus.config.json").write_text('{"id": "0123456789abcdef"}')
        home = os.path.join(os.path.realpath(folder), "user")
        os.makedirs(home)
        yield Layout(root, root), {"HOME": home}


def happen(layout: Layout, env: dict[str, str], told_by: list[Story]) -> list[str]:
    """Let the sessions happen; their names."""
    talks: list[PastTalk] = []
    for number, story in enumerate(told_by):
        at = datetime.fromisoformat("2026-03-01T09:00:00+09:00") + timedelta(hours=number)
        talk = PastTalk(layout, env, at.isoformat(), f"{number}aaa-{number}")
        if 0 <= story.of < number:
            talk.transcript.write_bytes(talks[story.of].transcript.read_bytes())
            talk.at = max(talk.at, talks[story.of].at)
        talk._count = 100 * number
        if story.live:
            talk.start()
        for step, hours in enumerate(story.hours):
            talk.at += timedelta(hours=hours)
            words, answer = f"session {number} asks about step {step}", f"Session {number} did step {step}."
            talk.ask(words, hook=story.live)
            talk.answer(answer, stop=story.live)
        if story.live:
            fold_session(layout, talk.session, talk.at, str(talk.transcript), finished=True)
        talks.append(talk)
    return [talk.session for talk in talks]


def contents(layout: Layout) -> list[tuple[str, str, str]]:
    """What the logs say, in no order: day, topic and body."""
    return sorted((entry.provenance.at[:10], str(entry.topic), entry.body) for entry in entries(layout))


def once(found: list[Entry], name: str) -> list[str]:
    return sorted(text for entry in found for field, text in entry.fields if field == name)


@settings(max_examples=60, deadline=None)
@given(told_by=stories, data=st.data())
def test_any_order_any_split(told_by: list[Story], data: st.DataObject) -> None:
    """Each prompt and each answer is told once, however the sessions are dealt out to imports, and in whatever order.

    Where no session repeats another's history the entries are the same, too.
    """
    with place() as (layout, env):
        sessions = happen(layout, env, told_by)
        order = data.draw(st.permutations(sessions))
        cut = data.draw(st.integers(0, len(order)))
        twin = Layout(f"{layout.root}-twin", layout.project)
        shutil.copytree(layout.root, twin.root)
        bring_in(layout, env, NOW)
        for part in (order[:cut], order[cut:]):
            if part:
                bring_in(twin, env, NOW, only=part)
        asked = [f"session {a} asks about step {b}" for a, story in enumerate(told_by) for b in range(len(story.hours))]
        for home in (layout, twin):
            assert sorted(told(home)) == sorted(asked)
            assert len(told(home, "outcome")) == len(set(told(home, "outcome"))) == len(asked)
        if all(not 0 <= story.of < number for number, story in enumerate(told_by)):
            assert contents(layout) == contents(twin)


@settings(max_examples=40, deadline=None)
@given(told_by=stories, lost=st.booleans(), pruned=st.booleans())
def test_twice_is_once_and_live_is_known(told_by: list[Story], lost: bool, pruned: bool) -> None:
    """A second import changes no byte of the logs, whatever was pruned or lost; what was captured live adds nothing."""
    with place() as (layout, env):
        happen(layout, env, told_by)
        live = raw_texts(layout)
        if pruned:
            prune(layout, NOW + timedelta(days=90))
        bring_in(layout, env, NOW)
        first = raw_texts(layout)
        if all(story.live for story in told_by):
            assert first == live
        if lost:
            Path(layout.journal, "imported.json").unlink()
        bring_in(layout, env, NOW)
        assert raw_texts(layout) == first
