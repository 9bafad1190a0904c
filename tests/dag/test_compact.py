"""Runs over a memory file."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from hipocampus.dag import compact as compacting
from hipocampus.dag import texts
from hipocampus.dag.assemble import active
from hipocampus.dag.compact import compact_if_grown, dissolve, named, silence
from hipocampus.dag.memory_file import may_have_grown
from hipocampus.dag.source import read_source
from hipocampus.dag.store import State, parse_state, read_state, render_state, write_state
from hipocampus.dag.texts import Matter, stale
from hipocampus.errors import UserError
from hipocampus.store import disk
from hipocampus.store.config import defaults, load
from hipocampus.store.locks import locked
from tests.audit.conftest import TOKEN
from tests.dag.conftest import entry, text_of


def state_bytes(layout) -> bytes:
    return Path(layout.summaries).read_bytes()


def test_a_run_makes_summaries_and_leaves_the_file(layout, put, run) -> None:
    """Twenty entries a leaf, the oldest five leaves one summary; the file keeps every byte."""
    before = put(*range(130))
    done = run()
    assert [node.depth for node in done.made] == [0] * 6 + [1]
    assert (done.entries, done.waiting) == (130, 10)
    assert Path(layout.root, "MEMORY.md").read_bytes() == before
    state = read_state(layout)
    assert state.faults == ()
    assert all(
        node.text.rpartition("\n")[2].startswith("[Expand for details about: ") for node in state.graph.nodes.values()
    )
    assert (state.graph.nodes["s-001"].first, state.graph.nodes["s-001"].last) == ("2026-01-01", "2026-01-20")


def test_with_nothing_new_no_byte_changes(layout, put, run) -> None:
    """However often it runs."""
    put(*range(130))
    run()
    before = state_bytes(layout)
    assert not run().did_something
    assert state_bytes(layout) == before


def test_a_dry_run_says_what_a_run_does(layout, put, run) -> None:
    """And writes nothing."""
    put(*range(130))
    planned = run(dry_run=True)
    assert not os.path.exists(layout.summaries)
    assert run() == planned


def test_a_short_file_gets_nothing(layout, put, run) -> None:
    """No summary, and no state."""
    put(*range(19))
    assert not run().did_something
    assert not os.path.exists(layout.summaries)


def test_no_file_is_said(run) -> None:
    """In one line."""
    with pytest.raises(UserError, match=r"MEMORY\.md: no such file"):
        run()


def test_a_lost_state_is_made_anew(layout, put, run) -> None:
    """The same one, but for its history."""
    put(*range(130))
    run()
    before = read_state(layout)
    os.unlink(layout.summaries)
    run()
    assert read_state(layout).graph == before.graph


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"dag_nodes: [", b"[]", b"dag_nodes: {}\ndag_edges: 3\n"])
def test_a_broken_state_is_mended_from_the_file(layout, put, run, damage: bytes) -> None:
    """And the run says what was wrong."""
    put(*range(130))
    run()
    before = read_state(layout)
    Path(layout.summaries).write_bytes(damage)
    done = run()
    assert done.mended
    assert read_state(layout).graph == before.graph
    assert read_state(layout).faults == ()


def test_a_missing_leaf_is_mended(layout, put, run) -> None:
    """Its entries get a new one, and all else stays."""
    put(*range(130))
    run()
    text = Path(layout.summaries).read_text(encoding="utf-8")
    Path(layout.summaries).write_text(text.replace("- id: s-003\n", "- id: gone\n"), encoding="utf-8")
    done = run()
    assert [str(fault.flaw) for fault in done.mended] == ["unreadable", "orphan", "missing child"]
    assert [len(node.children) for node in done.made] == [20]
    source = read_source(layout, "MEMORY.md")
    assert source is not None
    assert sorted(read_state(layout).graph.covered("MEMORY.md")) == sorted(source.ids[:120])


def test_what_changed_is_written_anew(layout, put, run) -> None:
    """The leaf that stood for it and all above it; the rest keeps its text. What it says now is new."""
    put(*range(130))
    run()
    before = read_state(layout)
    put(text=text_of(*range(130)).replace("make part 45 work", "make part 45 shine"))
    source = read_source(layout, "MEMORY.md")
    assert set(stale(before.graph, source, "MEMORY.md")) == {"s-003", "s-007"}
    done = run()
    assert (done.rewritten, done.waiting) == (("s-003", "s-007"), 11)
    after = read_state(layout)
    assert after.graph.nodes["s-001"] == before.graph.nodes["s-001"]
    assert "topic 45" not in after.graph.nodes["s-003"].text
    assert stale(after.graph, source, "MEMORY.md") == {}


def test_dissolving_gives_back_exactly_what_was(layout, put, run, now) -> None:
    """At each depth, down to the entries; and all of it can be taken back, in any order."""
    Path(layout.config).write_text(json.dumps({"id": "0123456789abcdef", "dag": {"chunkSize": 2, "fanout": 2}}))
    put(*range(64))
    run()
    source = read_source(layout, "MEMORY.md")
    assert source is not None
    whole = read_state(layout).graph
    assert {node.depth for node in whole.nodes.values()} == {0, 1, 2, 3, 4}
    done = []
    graph = whole
    while nodes := [one for one in active(graph, source) if not hasattr(one, "line")]:
        before = active(graph, source)
        at = before.index(nodes[0])
        node = dissolve(layout, now, nodes[0].id)
        done.append(node.id)
        graph = read_state(layout).graph
        below = [graph.nodes[child] if node.depth else source.by_id[child] for child in node.children]
        assert active(graph, source) == [*before[:at], *below, *before[at + 1 :]]
    assert active(graph, source) == list(source.records)
    assert not run().made
    for name in done:
        dissolve(layout, now, name, undo=True)
    assert read_state(layout).graph == whole


def test_what_cannot_be_dissolved(layout, put, run, now) -> None:
    """What is not there, is dissolved already, or is hidden."""
    put(*range(130))
    run()
    for name, why in (("s-099", "No summary"), ("x", "No summary"), ("s-001", "s-007 stands for it")):
        with pytest.raises(UserError, match=why):
            dissolve(layout, now, name)
    with pytest.raises(UserError, match="not dissolved"):
        dissolve(layout, now, "s-007", undo=True)
    dissolve(layout, now, "7")
    with pytest.raises(UserError, match="dissolved already"):
        dissolve(layout, now, "S-007")
    assert named(read_state(layout).graph, "s-1").id == "s-001"


def test_crlf_cjk_and_fences(layout, put, run) -> None:
    """Entries are what a reader sees, in whatever script and with whatever line ends."""
    one = "## 결정 {0} [project]\r\n- 결정: 토큰 버킷 {0} 선택\r\n```sh\r\n## no entry\r\nmake part_{0}\r\n```\r\n\r\n"
    before = put(text="# 기억\r\n\r\n" + "".join(one.format(at) for at in range(41)))
    done = run()
    assert (done.entries, done.waiting, len(done.made)) == (41, 1, 2)
    text = read_state(layout).graph.nodes["s-001"].text
    assert "결정 0" in text
    assert "토큰 버킷" in text
    assert "make part_0" in text
    assert "\r" not in text
    assert Path(layout.root, "MEMORY.md").read_bytes() == before


def test_two_files_in_one_state(layout, put, run) -> None:
    """Each has summaries of its own, and a run over one leaves the other alone."""
    put(*range(40))
    put(*range(40), name="notes.md")
    run()
    first = read_state(layout)
    run("notes.md")
    both = read_state(layout)
    assert {name: both.graph.nodes[name] for name in first.graph.nodes} == dict(first.graph.nodes)
    assert [node.source for node in both.graph.nodes.values()] == ["MEMORY.md"] * 2 + ["notes.md"] * 2
    assert not run().did_something


def test_no_secret_reaches_the_state(layout, put, run) -> None:
    """Though the file holds one."""
    put(text=text_of(*range(40)).replace("done in", f"done with {TOKEN} in"))
    run()
    assert TOKEN.encode() not in state_bytes(layout)


def test_the_texts_are_made_outside_the_lock(layout, put, run, monkeypatch) -> None:
    """A run that another one overtakes starts again from what that left."""
    put(*range(40))
    real, overtaken = compacting.grow, []

    def grow(*arguments):
        if not overtaken:
            overtaken.append(True)
            with locked(layout, timeout=0.1):
                write_state(layout, State(next=50))
        return real(*arguments)

    monkeypatch.setattr(compacting, "grow", grow)
    assert [node.id for node in run().made] == ["s-050", "s-051"]


def dense(matter: Matter) -> str:
    """A summariser that says what it was given."""
    return f"dense d{matter.depth} of {len(matter.parts)}: " + " ".join(matter.parts)[:200]


def test_a_denser_text_can_be_plugged_in(layout, put, run) -> None:
    """It gets entries at depth 0 and summaries above, and keeps the line that says what can be expanded."""
    put(*range(130))
    run()
    done = run(summarise=dense)
    assert len(done.rewritten) == 7
    nodes = read_state(layout).graph.nodes
    assert nodes["s-001"].text.startswith("dense d0 of 20: ## 2026-01-01 topic 0 [project]")
    assert nodes["s-007"].text.startswith("dense d1 of 5: dense d0 of 20")
    assert {node.made_by for node in nodes.values()} == {"llm"}
    assert all("\n[Expand for details about: " in node.text for node in nodes.values())
    assert not run(summarise=dense).did_something
    assert not run().did_something


BAD = {
    "a word": lambda _matter: "ok",
    "too much": lambda matter: "much " * 100 + "".join(matter.parts),
    "a fence": lambda _matter: "```\n" + "word " * 20 + "\n```",
}


@pytest.mark.parametrize("summarise", BAD.values(), ids=BAD.keys())
def test_a_bad_text_leaves_the_extractive_one(layout, put, run, summarise) -> None:
    """Nothing is lost by asking; after two bad ones in a row nobody is asked until there is something else to say."""
    asked: list[int] = []

    def counting(matter: Matter) -> str:
        asked.append(matter.depth)
        return summarise(matter)

    put(*range(40))
    run()
    before = read_state(layout).graph
    for count in (2, 2, 0, 0):
        asked.clear()
        done = run(summarise=counting)
        assert (len(asked), len(done.refused), done.did_something) == (count, count, False)
    after = read_state(layout).graph
    assert {name: node.text for name, node in after.nodes.items()} == {
        name: node.text for name, node in before.nodes.items()
    }
    put(*range(1, 40))
    asked.clear()
    assert run(summarise=counting).refused == ("s-001",)
    assert asked == [0]


def test_nobody_to_ask_is_no_refusal(layout, put, run) -> None:
    """A back end that is down is asked again by the next run, and the text that is there stays."""
    put(*range(40))
    run()
    before = state_bytes(layout)
    assert not run(summarise=lambda _matter: "").refused
    assert state_bytes(layout) == before
    assert len(run(summarise=dense).rewritten) == 2


def test_a_secret_of_the_summariser_is_redacted(layout, put, run) -> None:
    """Whoever invents it."""
    put(*range(40))
    run(summarise=lambda matter: dense(matter) + f" token={TOKEN}")
    assert "dense d0" in read_state(layout).graph.nodes["s-001"].text
    assert TOKEN.encode() not in state_bytes(layout)


def test_it_runs_by_itself_when_the_file_has_grown(layout, put, now) -> None:
    """From 200 entries on, once for each change."""
    put(*range(199))
    assert compact_if_grown(layout, defaults(), now) is None
    put(*range(200))
    done = compact_if_grown(layout, defaults(), now)
    assert done is not None
    assert len(done.made) == 11
    Path(layout.summaries).touch()
    assert not may_have_grown(layout, 200)
    assert compact_if_grown(layout, defaults(), now) is None


def test_silence_takes_out_what_is_to_be_forgotten(layout, put, run, env, now) -> None:
    """From every text above the entry, though the file still says it; dissolved marks and all else stay."""
    put(*range(130))
    run()
    dissolve(layout, now, "s-007")
    before = read_state(layout)
    assert "src/part_45.py" in before.graph.nodes["s-003"].text
    silence(layout, load(layout, env), lambda text: "part_45.py" in text)
    after = read_state(layout)
    assert b"part_45" not in state_bytes(layout)
    assert after.graph.nodes["s-007"].dissolved
    assert {name for name in before.graph.nodes if before.graph.nodes[name] != after.graph.nodes[name]} <= {
        "s-003",
        "s-007",
    }
    assert not run().did_something


def test_silence_without_the_file(layout, put, run, env) -> None:
    """Lines go, since nothing can be written anew."""
    put(*range(40))
    run()
    os.unlink(os.path.join(layout.root, "MEMORY.md"))
    silence(layout, load(layout, env), lambda text: "part_5.py" in text)
    node = read_state(layout).graph.nodes["s-001"]
    assert "part_5.py" not in node.text
    assert "part_6.py" in node.text


def test_entries_that_come_at_the_top(layout, put, run) -> None:
    """A file that is written newest first gets the same summaries."""
    put(*range(60))
    run()
    first = read_state(layout).graph
    os.unlink(layout.summaries)
    put(text="# Memory\n\n" + "\n".join(entry(at) for at in reversed(range(40))))
    run()
    put(text="# Memory\n\n" + "\n".join(entry(at) for at in reversed(range(60))))
    run()
    assert read_state(layout).graph == first


def test_the_state_is_as_it_was_rendered(layout, put, run) -> None:
    """A real one is read and written back byte for byte."""
    put(*range(130))
    run()
    text = state_bytes(layout).decode()
    assert render_state(replace(parse_state(text))) == text


def test_each_entry_is_read_once_whatever_stands_above_it(put, run, monkeypatch) -> None:
    """So the work grows with the file, not with the depth of its summaries; what is summarised is not read again."""
    seen = []
    real = texts.gist_of
    monkeypatch.setattr(texts, "gist_of", lambda record, policy: seen.append(record.id) or real(record, policy))
    put(*range(640))
    assert {node.depth for node in run().made} == {0, 1, 2}
    assert len(seen) == len(set(seen)) == 640
    put(*range(660))
    seen.clear()
    assert [node.depth for node in run().made] == [0]
    assert len(seen) == 20


def test_a_full_disk_leaves_the_old_state(layout, put, run, monkeypatch) -> None:
    """Whole, and the next run makes the rest."""
    put(*range(40))
    run()
    before = state_bytes(layout)
    put(*range(60))

    def full(_descriptor: int, _content: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(disk.os, "write", full)
        with pytest.raises(OSError, match="No space left"):
            run()
    assert state_bytes(layout) == before
    assert os.listdir(os.path.dirname(layout.summaries)) == ["state.yaml"]
    assert len(run().made) == 1
