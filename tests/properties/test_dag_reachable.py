"""Whatever is done to a memory file and its summaries, every entry is reachable exactly once."""

from __future__ import annotations

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hipocampus.core.sections import Marker
from hipocampus.dag.assemble import active, assemble
from hipocampus.dag.graph import Graph, Node
from hipocampus.dag.growth import Limits, grow
from hipocampus.dag.soundness import sound
from hipocampus.dag.source import Record, Source
from hipocampus.dag.store import State, parse_state, render_state
from hipocampus.dag.texts import Matter, Summarise, Writer, stale
from hipocampus.redaction import DEFAULT

FILE = "MEMORY.md"


def _dense(matter: Matter) -> str:
    """What an LLM says of something, if there is enough of it."""
    said = " ".join(" ".join(matter.parts).split())
    return said[: max(len(said) * 2 // 3, 60)]


def _poor(matter: Matter) -> str:
    """Nothing that may be kept: longer than what it is of."""
    return "I am afraid that I cannot do this. " + "".join(matter.parts) * 2


class Summaries(RuleBasedStateMachine):
    """A file that grows and changes, with runs, dissolves and undos in any order."""

    @initialize(chunk=st.integers(1, 4), fanout=st.integers(1, 3), depth=st.integers(0, 4))
    def begin(self, chunk: int, fanout: int, depth: int) -> None:
        """Small limits make deep trees of few entries."""
        self.limits = Limits(chunk, fanout, depth)
        self.graph = Graph()
        self.next = 1
        self.entries: list[str] = []
        self.written = 0

    @property
    def source(self) -> Source:
        """The file as it is now."""
        records = (Record(entry, f"- entry {entry} in src/{entry}.py\n", 1, None) for entry in self.entries)
        return Source(FILE, Marker.BULLET, tuple(records))

    @rule(count=st.integers(1, 9))
    def append(self, count: int) -> None:
        """Entries at the end."""
        for _ in range(count):
            self.written += 1
            self.entries.append(f"e{self.written}")

    @precondition(lambda self: self.entries)
    @rule(choice=st.data())
    def change(self, choice: st.DataObject) -> None:
        """An entry says something else now, or is gone."""
        at = choice.draw(st.integers(0, len(self.entries) - 1))
        self.written += 1
        self.entries[at : at + 1] = [f"e{self.written}"] * choice.draw(st.integers(0, 1))

    @rule(deepest=st.integers(0, 4), summarise=st.sampled_from((None, _dense, _poor)))
    def compact(self, deepest: int, summarise: Summarise | None) -> None:
        """A run, no deeper than that, with an LLM or without; a second one has nothing to do, and no text is stale."""
        limits = Limits(self.limits.chunk, self.limits.fanout, min(deepest, self.limits.depth))
        grown = grow(self.graph, FILE, self.entries, limits, self.next)
        self.graph, self.next = Writer(self.source, DEFAULT, summarise).write(grown.graph).graph, grown.next
        assert Writer(self.source, DEFAULT, summarise).write(self.graph).changed == ()
        again = grow(self.graph, FILE, self.entries, limits, self.next)
        assert (again.graph, again.made, again.dropped, again.next) == (self.graph, (), (), self.next)
        assert stale(self.graph, self.source, FILE) == {}
        assert len(self.entries) - len(self.graph.covered(FILE)) < limits.chunk

    @precondition(lambda self: any(isinstance(one, Node) for one in active(self.graph, self.source)))
    @rule(choice=st.data())
    def dissolve_and_undo(self, choice: st.DataObject) -> None:
        """What was active is active again, exactly, and then the summary is."""
        before = active(self.graph, self.source)
        node = choice.draw(st.sampled_from([one for one in before if isinstance(one, Node)]))
        opened = self.graph.with_nodes(_marked(node, dissolved=True))
        below = active(opened, self.source)
        assert set(map(_name, before)) - set(map(_name, below)) == {node.id}
        assert active(opened.with_nodes(node), self.source) == before
        self.graph = opened

    @precondition(lambda self: any(node.dissolved for node in self.graph.nodes.values()))
    @rule(choice=st.data())
    def take_back(self, choice: st.DataObject) -> None:
        """A summary that was dissolved some time ago stands for what is below it again."""
        dissolved = [node for node in self.graph.nodes.values() if node.dissolved]
        self.graph = self.graph.with_nodes(_marked(choice.draw(st.sampled_from(dissolved)), dissolved=False))

    @precondition(lambda self: self.graph.nodes)
    @rule(choice=st.data())
    def take_back_a_run(self, choice: st.DataObject) -> None:
        """Several summaries are dissolved at once, whatever stands above or below them."""
        made = choice.draw(st.sets(st.sampled_from(sorted(self.graph.nodes))))
        self.graph = self.graph.with_nodes(*(_marked(self.graph.nodes[one], dissolved=True) for one in made))

    @rule()
    def lose_the_state(self) -> None:
        """The file is all that is left; the next run makes the summaries from it."""
        self.graph, self.next = Graph(), 1

    @precondition(lambda self: self.graph.nodes)
    @rule(choice=st.data())
    def break_the_state(self, choice: st.DataObject) -> None:
        """A summary is gone from it, or stands under another; what is left of it is sound."""
        nodes = {**self.graph.nodes}
        names = st.sampled_from([*nodes])
        edges = [(node.id, node.children) for node in nodes.values()]
        del nodes[choice.draw(names)]
        edges.append((choice.draw(names), (choice.draw(names), *self.entries[:1])))
        self.graph, _ = sound(nodes.values(), edges)

    @invariant()
    def every_entry_is_reachable_once(self) -> None:
        """From what is active, whatever is stale."""
        if not hasattr(self, "graph"):
            return
        reached: Counter[str] = Counter()
        for one in active(self.graph, self.source):
            reached.update(self.graph.entries(one) if isinstance(one, Node) else [one.id])
        assert {entry: reached[entry] for entry in self.entries} == dict.fromkeys(self.entries, 1)

    @invariant()
    def every_summary_says_what_it_can_be_expanded_for(self) -> None:
        """In its last line, whoever wrote it."""
        for node in self.graph.nodes.values() if hasattr(self, "graph") else ():
            assert node.text.rpartition("\n")[2].startswith("[Expand for details about: ")

    @invariant()
    def the_state_is_sound_and_survives_the_disk(self) -> None:
        """Nothing is wrong with it, and it is read back as it was written."""
        if not hasattr(self, "graph"):
            return
        nodes = self.graph.nodes.values()
        assert sound(nodes, [(node.id, node.children) for node in nodes]) == (self.graph, ())
        state = State(self.graph, next=self.next)
        assert parse_state(render_state(state)) == state

    @invariant()
    def the_budget_holds(self) -> None:
        """Whatever is active."""
        if hasattr(self, "graph"):
            assert assemble(self.graph, self.source, 120, DEFAULT).tokens <= 120


def _marked(node: Node, *, dissolved: bool) -> Node:
    from dataclasses import replace

    return replace(node, dissolved=dissolved)


def _name(one: Node | Record) -> str:
    return one.id


TestSummaries = Summaries.TestCase
TestSummaries.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
