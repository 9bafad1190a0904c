"""Whatever happens between hooks, checkpoints, folds, forks and crashes: nothing is lost and nothing is stored twice.

A random history is played against the real files. Each prompt and answer has words of its own, so that counting them in
the raw logs tells what became of it.
"""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from unittest import mock

from hypothesis import given, note, settings
from hypothesis import strategies as st

from hipocampus.capture.checkpoint import parse_checkpoint, store_checkpoint
from hipocampus.capture.folding import fold_dead, fold_session
from hipocampus.capture.journal import prune
from hipocampus.core.entries import entry_id, parse_log
from hipocampus.store import disk
from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation, raw_texts

NOW = datetime.fromisoformat("2026-03-15T10:22:03+09:00")


@dataclass(eq=False)
class Said:
    """A prompt, with what must have become of it in the end.

    `certain` is False where both are right: stored, or covered by a checkpoint that a crash or a failed hook made
    ambiguous. `answers` are all its answers, `open` those that a checkpoint may still cover, `owed` those that a fold
    has taken. `late`: a checkpoint covers the rest of its turn. `vague`: a fold may have found it in a transcript.
    """

    words: str
    told: bool
    in_file: bool
    covered: bool = False
    folded: bool = False
    certain: bool = True
    late: bool = False
    vague: bool = False
    answers: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    owed: list[str] = field(default_factory=list)

    def take(self) -> None:
        """A fold takes what stands in the journal."""
        self.vague = self.vague or not self.told
        self.folded = self.folded or self.told
        self.owed += self.open
        self.open = []


class Killed(BaseException):
    """The process ends here."""


@contextmanager
def killed_after(writes: int, torn: bool) -> Iterator[None]:
    """The process is killed at that write: before it, or with half of it on the disk."""
    left = writes

    def dying(real: Callable[..., None]) -> Callable[..., None]:
        def write(path: str, content: bytes, *rest: object) -> None:
            nonlocal left
            left -= 1
            if left >= 0:
                real(path, content, *rest)
                return
            if torn and real is appending:
                real(path, content[: len(content) // 2], *rest)
            raise Killed

        return write

    appending = disk.append
    with mock.patch.object(disk, "append", dying(disk.append)), mock.patch.object(disk, "replace", dying(disk.replace)):
        try:
            yield
        except Killed:
            return


class History:
    """A home, its conversations, and what was said in each."""

    def __init__(self, folder: Path) -> None:
        root = folder / "project"
        (root / "memory").mkdir(parents=True)
        (root / "hipocampus.config.json").write_text("{}")
        self.layout = Layout(str(root.resolve()), str(root.resolve()))
        self.folder = folder
        self.talks = [Conversation(self.layout, folder, NOW, "session-0")]
        self.talks[0].start()
        self.said: dict[str, list[Said]] = {"session-0": []}
        self.running: dict[str, Said] = {}
        self.count = 0

    def talk(self, which: int) -> Conversation:
        return self.talks[which % len(self.talks)]

    def ask(self, which: int, way: str) -> None:
        """`way` is how the prompt becomes known: by hook and file, by one of them, or queued before."""
        self.count += 1
        talk, words = self.talk(which), f"please build part{self.count} now"
        if not os.path.exists(self.layout.journal_file(talk.session)):
            way = "both"  # a session of which no hook ever ran is nobody's to know
        if way in ("queued", "attached", "queued and asked"):
            talk.write_attached(words) if way == "attached" else talk.write_queued(words)
        if way not in ("queued", "attached"):
            talk.ask(words, hook=way != "file", file=way != "hook")
        told = way in ("both", "hook", "queued and asked")
        said = Said(words, told, way != "hook", certain=way != "queued and asked")
        self.said[talk.session].append(said)
        if way not in ("queued", "attached"):
            self.running[talk.session] = said

    def answer(self, which: int, way: str) -> None:
        """The running turn ends, with or without a Stop, with or without the message in the transcript.

        No transcript holds an answer without its prompt.
        """
        self.count += 1
        talk, words = self.talk(which), f"Result{self.count} is there."
        asked = self.running.get(talk.session)
        if asked is None or asked.answers:
            return
        talk.answer(
            words,
            stop=way != "no stop",
            file=way != "no file" and asked.in_file,
            edits=(f"/p/file{self.count}.py",),
        )
        if way != "no stop":
            asked.answers.append(words)
            asked.open += [] if asked.covered or asked.late else [words]
            for said in self.said[talk.session]:
                said.told = True

    def checkpoint(self, which: int) -> None:
        self.count += 1
        talk = self.talk(which)
        written = parse_checkpoint(f"checkpoint {self.count}", "project", [f"outcome=covered{self.count}"], "")
        store_checkpoint(self.layout, written, talk._tick(), talk.session)
        for said in self.said[talk.session]:
            said.open = []
            if not said.folded:
                said.covered = True
                said.certain = said.certain and said.told and not said.vague
        if talk.session in self.running:
            self.running[talk.session].late = True

    def fold(self, which: int, finished: bool) -> None:
        talk = self.talk(which)
        fold_session(self.layout, talk.session, talk._tick(), str(talk.transcript), finished=finished)
        for said in self.said[talk.session]:
            said.take()

    def crash(self, which: int, writes: int, torn: bool) -> None:
        """A fold that is killed; whether its boundary was written decides what a later checkpoint covers."""
        talk = self.talk(which)
        with killed_after(writes, torn):
            fold_session(self.layout, talk.session, talk._tick(), str(talk.transcript))
        for said in self.said[talk.session]:
            said.open = []
            if not said.covered and not said.folded:
                said.certain = False

    def fork(self, which: int) -> None:
        if len(self.talks) < 4:
            talk = self.talk(which)
            for said in self.said[talk.session]:
                said.vague = True  # the fork may fold it before a checkpoint here covers it
            twin = talk.fork(f"session-{len(self.talks)}")
            self.talks.append(twin)
            self.said[twin.session] = []

    def rewrite(self, which: int, keep: float) -> None:
        """The transcript is replaced by its last part, with what was read so far."""
        talk = self.talk(which)
        if not talk.transcript.exists():
            return
        fold_session(self.layout, talk.session, talk._tick(), str(talk.transcript), finished=True)
        for said in self.said[talk.session]:
            said.told = True
            said.take()
        lines = talk.transcript.read_bytes().splitlines(keepends=True)
        os.unlink(talk.transcript)
        talk.transcript.write_bytes(b"".join(lines[int(len(lines) * (1 - keep)) :]))

    def forget_journals(self, which: int) -> None:
        """A month goes by: journals that are done are let go, and the conversations are resumed.

        A turn that ends after that month is not waited for.
        """
        for said in itertools.chain(*self.said.values()):
            said.late = True
            said.certain = said.certain and said.folded
        for talk in self.talks:
            talk.at += timedelta(days=40)
        prune(self.layout, self.talk(which).at)
        for talk in self.talks:
            talk.start("resume")

    def end(self) -> None:
        fold_dead(self.layout, max(talk.at for talk in self.talks) + timedelta(days=1), "")
        for talk in self.talks:
            fold_session(self.layout, talk.session, talk.at + timedelta(days=2), str(talk.transcript), finished=True)
            for said in self.said[talk.session]:
                said.take()


WHICH = st.integers(0, 3)
ASKED = st.sampled_from(["both", "both", "both", "hook", "file", "queued", "attached", "queued and asked"])
ANSWERED = st.sampled_from(["both", "both", "no file", "no stop"])
STEPS = st.one_of(
    st.tuples(st.just("ask"), WHICH, ASKED),
    st.tuples(st.just("answer"), WHICH, ANSWERED),
    st.tuples(st.just("ask"), WHICH, ASKED),
    st.tuples(st.just("answer"), WHICH, ANSWERED),
    st.tuples(st.just("checkpoint"), WHICH),
    st.tuples(st.just("fold"), WHICH, st.booleans()),
    st.tuples(st.just("crash"), WHICH, st.integers(0, 7), st.booleans()),
    st.tuples(st.just("fork"), WHICH),
    st.tuples(st.just("rewrite"), WHICH, st.floats(0, 1)),
    st.tuples(st.just("forget_journals"), WHICH),
)


@settings(max_examples=120, deadline=None)
@given(st.lists(STEPS, min_size=1, max_size=24))
def test_each_prompt_is_stored_once(steps: list[tuple[object, ...]]) -> None:
    """Every uncovered prompt and its answer stands in the raw logs exactly once; what a checkpoint covers, never."""
    with tempfile.TemporaryDirectory() as name, mock.patch.object(os, "fsync"):
        history = History(Path(name))
        for action, *arguments in steps:
            getattr(history, str(action))(*arguments)
        history.end()
        requests = stored(history.layout, "request")
        outcomes = stored(history.layout, "outcome")
        note(str(history.said))
        note(json.dumps(requests, indent=1))
        for said in itertools.chain(*history.said.values()):
            times = requests.count(said.words)
            assert times <= 1, f"stored twice: {said}"
            assert all(outcomes.count(answer) <= 1 for answer in said.answers), f"an answer stored twice: {said}"
            if said.certain:
                assert times == (not said.covered), f"lost, or stored although covered: {said}"
            assert all(outcomes.count(answer) == 1 for answer in said.owed), f"an answer lost: {said}"
        before = raw_texts(history.layout)
        history.end()
        assert raw_texts(history.layout) == before, "folding again changed something"


def stored(layout: Layout, name: str) -> list[str]:
    """The texts of a field in all entries that stand whole (a crash may leave half an entry before the whole one)."""
    found = []
    for day, text in raw_texts(layout).items():
        for entry in parse_log(text):
            if entry.provenance.id == entry_id(day, entry.topic, entry.body):
                found += [said for key, said in entry.fields if key == name]
    return found
