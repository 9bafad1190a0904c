"""Forgetting: the text is gone from every file of ours, everything else is there, and nothing brings it back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.capture.checkpoint import parse_checkpoint, remembered, store_checkpoint
from hipocampus.capture.folding import fold_session
from hipocampus.capture.rawlog import append_entries
from hipocampus.compaction.chain import CompactionReport, compact
from hipocampus.compaction.verify import verify
from hipocampus.core.entries import Entry, Provenance, parse_log
from hipocampus.core.nodes import Status, parse_node
from hipocampus.core.topics import Topic
from hipocampus.errors import UserError
from hipocampus.forgetting.forget import Forgotten, forget
from hipocampus.forgetting.plan import Action, Target, plan
from hipocampus.store.config import load
from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation, raw_text
from tests.properties.memories import History, after, histories, memory, waits

CODE = "the door code is four seven eleven"
DAY = "2026-03-15"


@pytest.fixture
def keep(layout: Layout, now: datetime) -> Callable[..., str]:
    """Store an entry `days` ago; its id."""

    def store(topic: str, said: str, days: int = 0) -> str:
        checkpoint = parse_checkpoint(topic, "project", [f"outcome={said}"], "")
        return store_checkpoint(layout, checkpoint, now - timedelta(days=days)).entry.provenance.id

    return store


@pytest.fixture
def cycle(layout: Layout, env: dict[str, str], now: datetime) -> Callable[[], CompactionReport]:
    """Compact the home."""
    return lambda: compact(layout, load(layout, env), now, force=True)


@pytest.fixture
def lose(layout: Layout, env: dict[str, str], now: datetime) -> Callable[..., Forgotten]:
    """Forget, and prove that the home is whole afterwards."""

    def run(name: str = "", match: str = "", **options: object) -> Forgotten:
        config = load(layout, env)
        done = forget(layout, config, Target(name, match), now, **options)  # type: ignore[arg-type]
        assert [str(finding) for finding in verify(layout, config, now)] == []
        return done

    return run


def files_with(layout: Layout, text: str) -> list[str]:
    """The files of the home that hold a text."""
    paths = sorted(path for path in Path(layout.root).rglob("*") if path.is_file())
    return [path.relative_to(layout.root).as_posix() for path in paths if text.encode() in path.read_bytes()]


def test_an_entry_goes_from_the_log_and_all_above(layout: Layout, keep, cycle, lose) -> None:
    """Daily, weekly, monthly, ROOT; the other entries of its day are still reachable."""
    gone, kept = keep("the door", CODE), keep("the roof", "tiled")
    cycle()
    assert "memory/ROOT.md" in files_with(layout, "four seven")
    done = lose(gone)
    assert files_with(layout, "four seven") == []
    assert files_with(layout, gone[:8]) == ["memory/.tombstones"]
    assert "memory/ROOT.md" in files_with(layout, "the roof")
    assert [entry.provenance.id for entry in parse_log(raw_text(layout))] == [kept]
    assert done.remains == ()


def test_the_only_entry_leaves_an_empty_memory(layout: Layout, keep, cycle, lose) -> None:
    """No log, no node and no ROOT without an entry."""
    gone = keep("the door", CODE)
    cycle()
    lose(gone[:6])
    assert files_with(layout, "door") == []
    assert not Path(layout.root_md).exists()
    assert not Path(layout.raw(DAY)).exists()


def test_a_fixed_period_stays_fixed(layout: Layout, keep, cycle, lose) -> None:
    """Its nodes are built once more from what is left."""
    gone = keep("the door", CODE, days=60)
    keep("the roof", "tiled", days=60)
    cycle()
    paths = [
        Path(layout.node(*one)) for one in (("daily", "2026-01-14"), ("weekly", "2026-W03"), ("monthly", "2026-01"))
    ]
    lose(gone)
    nodes = [parse_node(path.read_text(encoding="utf-8")) for path in paths]
    assert [node.status for node in nodes] == [Status.FIXED] * 3
    assert files_with(layout, "four seven") == []


def test_everything_that_holds_a_text(layout: Layout, keep, cycle, lose) -> None:
    """On several days, whatever its case; an entry that does not hold it stays."""
    keep("the door", CODE)
    keep("again", "THE  DOOR\nCODE of last year", days=100)
    kept = keep("doors", "all doors were painted", days=100)
    cycle()
    assert len(lose(match="door code").done.entries) == 2
    assert [entry.provenance.id for entry in parse_log(raw_text(layout))] == [kept]
    assert files_with(layout, "four seven") == []


def test_only_what_was_shown(layout: Layout, keep, lose) -> None:
    """What came between the question and the answer was not agreed to; it is named as what is left."""
    first, second = keep("the door", CODE), keep("a second one", CODE + "!")
    done = lose(match="door code", only={first})
    assert [one.id for one in done.done.entries] == [first]
    assert [entry.provenance.id for entry in parse_log(raw_text(layout))] == [second]
    assert (f"memory/{DAY}.md", (5,)) in done.remains


def test_an_entry_written_by_hand(layout: Layout, cycle, lose) -> None:
    """Without provenance, by its pointer; text around it stays to the byte."""
    path = Path(layout.raw(DAY))
    path.write_bytes(b"# day\r\n\r\n## a\r\nthe door code, by hand\r\n\r\n## b\r\n\xff bytes\r\n")
    cycle()
    lose(f"memory/{DAY}.md:4")
    assert path.read_bytes() == b"# day\r\n\r\n## b\r\n\xff bytes\r\n"
    assert files_with(layout, "door code") == []


@pytest.mark.parametrize(
    ("name", "match", "message"),
    [
        ("ffffffff", "", "No entry"),
        ("x y", "", "--match"),
        ("", "never said", "Nothing in this memory"),
    ],
)
def test_what_is_not_there(layout: Layout, keep, name: str, match: str, message: str) -> None:
    """An id, a word that is no id, a text: one line that says so, and no file is touched."""
    keep("the roof", "tiled")
    before = {path: path.read_bytes() for path in Path(layout.root).rglob("*") if path.is_file()}
    with pytest.raises(UserError, match=message):
        plan(layout, Target(name, match))
    assert {path: path.read_bytes() for path in Path(layout.root).rglob("*") if path.is_file()} == before


def test_the_start_of_two_ids(layout: Layout) -> None:
    """Both are named."""
    ids = ("3f9c00000001", "3f9c00000002")
    Path(layout.raw(DAY)).write_text("".join(f"## {one}\n<!-- hipocampus: id={one} -->\nx\n" for one in ids))
    with pytest.raises(UserError, match="3f9c00000001, 3f9c00000002"):
        plan(layout, Target("3f9c"))


def test_a_text_of_the_user_is_named_and_not_edited(layout: Layout, keep, lose) -> None:
    """Hot files, knowledge, the log of the hooks."""
    gone = keep("the door", CODE)
    Path(layout.knowledge).mkdir()
    for path in (layout.scratchpad, f"{layout.knowledge}/door.md"):
        Path(path).write_text(f"# Notes\n\n{CODE.upper()}\n")
    Path(layout.log).write_text('{"kind":"failure","error":"the door code is four\\u0020seven eleven"}\n')
    done = lose(gone)
    assert done.remains == (("SCRATCHPAD.md", (3,)), ("knowledge/door.md", (3,)), ("memory/.log", (1,)))
    assert CODE.upper() in Path(layout.scratchpad).read_text()


def test_the_index_is_deleted(layout: Layout, keep, lose) -> None:
    """It is derived."""
    gone = keep("the door", CODE)
    for end in ("", "-wal", "-shm"):
        Path(layout.memory, f".index.sqlite{end}").write_bytes(b"\x00" + CODE.encode())
    lose(gone)
    assert files_with(layout, "four seven") == []


def test_snapshots_are_cleaned_when_that_is_asked(layout: Layout, keep, lose) -> None:
    """Otherwise they are named. The other entries of a copy stay."""
    gone = keep("the door", CODE)
    keep("the roof", "tiled")
    copy = Path(layout.root, "compaction", "snapshots", "copy.md")
    copy.parent.mkdir(parents=True)
    copy.write_text(Path(layout.raw(DAY)).read_text())
    assert [name for name, _ in lose(gone).remains] == ["compaction/snapshots/copy.md"]
    assert CODE in copy.read_text()
    lose(match="door code", snapshots=True)
    assert CODE not in copy.read_text()
    assert [entry.topic.name for entry in parse_log(copy.read_text())] == ["the roof"]


def test_lines_that_somebody_wrote_into_root_are_kept(layout: Layout, keep, cycle, lose) -> None:
    """They are taken into the log, as at every compaction."""
    gone = keep("the door", CODE)
    keep("the roof", "tiled")
    cycle()
    root = Path(layout.root_md)
    root.write_text(root.read_text() + "\n- mind the gap between platform and train\n")
    lose(gone)
    assert "mind the gap" in raw_text(layout)
    assert files_with(layout, "four seven") == []


def test_a_node_whose_log_is_gone_loses_lines(layout: Layout, env, now: datetime, keep, cycle) -> None:
    """It cannot be built again, so the rest of it must stay."""
    keep("the door", CODE, days=60)
    keep("the roof", "tiled", days=60)
    cycle()
    Path(layout.raw("2026-01-14")).unlink()
    done = forget(layout, load(layout, env), Target(match="door code"), now)
    assert [step.holding.name for step in done.done.of(Action.TRIM)] == ["memory/daily/2026-01-14.md"]
    node = parse_node(Path(layout.node("daily", "2026-01-14")).read_text())
    assert [entry.topic.name for entry in parse_log(node.body)] == ["the roof"]
    assert node.source_hash
    assert files_with(layout, "four seven") == []


class TestComingBack:
    """What would bring it back."""

    def test_storing_it_again_on_its_day(self, layout: Layout, keep, lose) -> None:
        """The tombstone keeps the exact repeat out; other words are other words."""
        lose(keep("the door", CODE))
        keep("the door", CODE)
        keep("the door", "painted")
        assert [entry.body for entry in parse_log(raw_text(layout))] == ["- outcome: painted"]

    def test_a_fold_of_the_same_session(self, layout: Layout, tmp_path: Path, now: datetime, lose) -> None:
        """Turns that no fold has taken yet are silenced, and their transcript is not read again for them."""
        talk = Conversation(layout, tmp_path, now)
        talk.start()
        talk.ask(f"Note that {CODE}")
        talk.answer("I noted it.")
        talk.ask("Now paint the roof")
        talk.answer("It is painted.")
        store_checkpoint(layout, remembered(CODE), talk.at, "")
        lose(match="door code")
        fold_session(layout, talk.session, talk.at, finished=True)
        assert "paint the roof" in raw_text(layout)
        assert files_with(layout, "four seven") == []

    def test_a_transcript_that_is_told_again(self, layout: Layout, tmp_path: Path, now: datetime, lose) -> None:
        """A forked session brings its history along; a transcript written anew is read from its beginning."""
        talk = Conversation(layout, tmp_path, now)
        talk.start()
        talk.ask("What is the secret of the front door?")
        talk.answer(f"As far as I know {CODE}.")
        talk.ask("Now paint the roof")
        talk.answer("It is painted.")
        fold_session(layout, talk.session, talk.at)
        lose(match="door code")
        twin = talk.fork("7d29a6f2-0000-4000-8000-2")
        twin.start("resume")
        twin.ask("And the walls")
        twin.answer("White.")
        text = talk.transcript.read_text(encoding="utf-8")
        talk.transcript.write_text("\n".join(text.split("\n")[1:]), encoding="utf-8")
        talk.ask("And the floor")
        talk.answer("Oak.")
        for one in (twin, talk):
            fold_session(layout, one.session, one.at, finished=True)
        assert "White." in raw_text(layout)
        assert "Oak." in raw_text(layout)
        assert "four seven" not in raw_text(layout)

    def test_an_import(self, layout: Layout, now: datetime, lose) -> None:
        """However it groups the turns of the day."""
        folded = Entry(Topic("the door"), f"- request: {CODE}\n- outcome: fine", Provenance(source="fold"))
        (stored,) = append_entries(layout, DAY, [folded], now)
        lose(stored.entry.provenance.id)
        told = Entry(Topic("x"), f"- request: {CODE}\n- request: paint\n- outcome: fine", Provenance(source="import"))
        append_entries(layout, DAY, [told], now)
        assert [entry.body for entry in parse_log(raw_text(layout))] == ["- request: paint"]

    def test_a_second_run(self, layout: Layout, keep, cycle, lose) -> None:
        """Changes nothing, and says that it is gone."""
        gone = keep("the door", CODE)
        keep("the roof", "tiled")
        cycle()
        lose(gone)
        before = {path: path.read_bytes() for path in Path(layout.memory).rglob("*.md")}
        assert lose(gone).done.finished
        assert {path: path.read_bytes() for path in Path(layout.memory).rglob("*.md")} == before


@given(histories, waits, st.data())
@settings(max_examples=20, deadline=None)
def test_any_entry_of_any_memory(history: History, wait: int, data: st.DataObject) -> None:
    """Gone from every file; every other entry stands; the home is whole, and compacting it again changes nothing."""
    with memory() as found:
        found.write_all(history)
        now = after(history, wait)
        found.compact(now)
        logs = found.raw()
        every = [entry for entries in logs.values() for entry in entries]
        gone = data.draw(st.sampled_from(every))
        forget(found.layout, found.config, Target(gone.provenance.id), now)
        assert [str(finding) for finding in verify(found.layout, found.config, now)] == []
        left = {entry.provenance.id for entries in found.raw().values() for entry in entries}
        assert left == {entry.provenance.id for entry in every} - {gone.provenance.id}
        named = [name for name, text in found.texts().items() if gone.provenance.id[:8] in text]
        assert named == []
        before = found.texts()
        found.compact(now)
        assert found.texts() == before


def test_what_a_cycle_replaced_is_forgotten_too(
    layout: Layout, keep: Callable[..., str], cycle: Callable[[], CompactionReport], lose: Callable[..., Forgotten]
) -> None:
    """The record of the last cycle goes, and the cycle of the forgetting itself keeps none."""
    keep("garden", "planted an oak")
    keep("door", CODE)
    cycle()
    keep("garden", "watered the oak")
    cycle()
    assert CODE in Path(layout.last_cycle).read_text()
    lose(match=CODE)
    assert not Path(layout.last_cycle).exists()
