"""``dag/state.yaml``: summaries, what each stands for, and when they were made; read whatever it holds.

It is YAML so that a person can read it, and written here and not by a library, so that it is the same bytes on every
machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.sections import Marker
from hipocampus.dag.graph import Graph, Node, number_of
from hipocampus.dag.soundness import Edge, Fault, Flaw, sound
from hipocampus.errors import UserError, reason_of
from hipocampus.redaction import Redacted, scrub_json
from hipocampus.store.files import read_text, write_text
from hipocampus.store.layout import Layout

_LIMIT = 256 * 1024 * 1024
_HISTORY = 50
_HEAD = "# Summaries of memory files, made by `hipocampus dag compact`. Without this file they are made anew.\n"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a source file: how its entries begin, and how many there were."""

    marker: Marker
    entries: int


@dataclass(frozen=True, slots=True)
class State:
    """The whole state; `faults` are what was wrong with it when it was read, `next` is the number of the next id.

    `history` are the last runs, oldest first: plain values.
    """

    graph: Graph = field(default_factory=Graph)
    sources: Mapping[str, Known] = field(default_factory=dict)
    last_compact_at: str = ""
    next: int = 1
    history: tuple[Mapping[str, Any], ...] = ()
    faults: tuple[Fault, ...] = ()

    def having(self, run: Mapping[str, Any]) -> State:
        """The state with one more run in its history."""
        return replace(self, history=(*self.history, run)[-_HISTORY:])


def read_state(layout: Layout) -> State:
    """The state of a home; an empty one where there is none. Never fails on what a file holds: faults say what."""
    try:
        text = read_text(layout.summaries, _LIMIT)
    except (OSError, UserError) as error:
        why = reason_of(error)
        return State(faults=(Fault(Flaw.UNREADABLE, "dag/state.yaml", f"cannot be read: {why}"),))
    return State() if text is None else parse_state(text)


def write_state(layout: Layout, state: State) -> None:
    """Replace the state, atomically. Its texts must have been scrubbed."""
    write_text(layout.summaries, Redacted(render_state(state)))


def parse_state(text: str) -> State:
    """Read a state, whatever it is."""
    value, problem = _loaded(text)
    if not isinstance(value, dict):
        return State(faults=(Fault(Flaw.UNREADABLE, "dag/state.yaml", problem or "holds no summaries"),))
    faults: list[Fault] = []
    graph, broken = sound(_nodes(value.get("dag_nodes"), faults), _edges(value.get("dag_edges"), faults))
    numbers = [number_of(name) for name in graph.nodes]
    begun = value.get("next_id")
    return State(
        graph=graph,
        sources=_sources(value.get("sources")),
        last_compact_at=one_line(_text(value.get("last_compact_at"))),
        next=max([begun if _is_number(begun) and begun > 0 else 1, *(number + 1 for number in numbers)]),
        history=_history(value.get("compact_history")),
        faults=(*faults, *broken),
    )


_ANCHOR = re.compile(r"(?<![^\s\[{,:-])&\w")


def _loaded(text: str) -> tuple[Any, str]:
    import yaml

    # libyaml is ten times faster; some builds lack it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        # By references a small file says more than any memory holds, or something that holds itself.
        if _ANCHOR.search(text) and any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, loader)):
            return None, "refers to its own parts, which is not read"
        return yaml.load(text, loader), ""  # noqa: S506 - both loaders make plain values only
    except yaml.MarkedYAMLError as error:
        where = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
        return None, f"is no YAML{where}"
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        return None, f"is no YAML ({type(error).__name__})"


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    """A text; YAML makes dates of what looks like one."""
    isoformat = getattr(value, "isoformat", None)
    return value if isinstance(value, str) else str(isoformat()) if isoformat else ""


def _day(value: object) -> str:
    """A day, or the empty string."""
    text = _text(value)
    return text if _DAY.fullmatch(text) else ""


def _count(value: object) -> int:
    """A small number; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 100 else 0


def _is_number(value: object) -> TypeGuard[int]:
    """Whether a value is a number from 0; Python cannot print one that is as long as YAML lets it be."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _nodes(value: object, faults: list[Fault]) -> Iterator[Node]:
    if value is not None and not isinstance(value, list):
        faults.append(Fault(Flaw.UNREADABLE, "dag_nodes", "is no list"))
    for item in _list(value):
        if not isinstance(item, dict):
            faults.append(Fault(Flaw.UNREADABLE, "dag_nodes", "holds something that is no summary"))
            continue
        depth = item.get("depth")
        yield Node(
            id=_text(item.get("id")),
            depth=depth if _is_number(depth) else -1,
            source=_text(item.get("source")),
            children=(),
            text=plain(_text(item.get("text"))),
            hash=one_line(_text(item.get("hash"))),
            made_by="llm" if item.get("made_by") == "llm" else "extractive",
            first=_day(item.get("first")),
            last=_day(item.get("last")),
            dissolved=item.get("dissolved") is True,
            refused=_count(item.get("refused")),
        )


def _edges(value: object, faults: list[Fault]) -> Iterator[Edge]:
    if value is not None and not isinstance(value, list):
        faults.append(Fault(Flaw.UNREADABLE, "dag_edges", "is no list"))
    for item in _list(value):
        parent, children = (item.get("parent"), item.get("children")) if isinstance(item, dict) else (None, None)
        if isinstance(parent, str) and _are_texts(children):
            yield parent, tuple(children)
        else:
            faults.append(Fault(Flaw.UNREADABLE, "dag_edges", "holds something that is no parent with children"))


_MARKERS = frozenset(marker.value for marker in Marker)


def _sources(value: object) -> dict[str, Known]:
    found = {}
    for item in _list(value):
        if isinstance(item, dict) and isinstance(item.get("file"), str) and _text(item.get("marker")) in _MARKERS:
            count = item.get("entries")
            found[item["file"]] = Known(Marker(item["marker"]), count if _is_number(count) else 0)
    return found


def _history(value: object) -> tuple[Mapping[str, Any], ...]:
    """The last runs, without what no run is noted with."""
    runs = [run for run in _list(value) if isinstance(run, dict)][-_HISTORY:]
    return tuple({key: item for key, item in run.items() if isinstance(key, str) and _is_plain(item)} for run in runs)


def _is_plain(value: object) -> bool:
    return isinstance(value, str) or _is_number(value) or _are_texts(value)


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def render_state(state: State) -> str:
    """The file of a state; ``parse_state`` reads it back equal, but for faults."""
    return _HEAD + "".join(f"{line}\n" for line in _lines(state))


def _lines(state: State) -> Iterator[str]:
    nodes = sorted(state.graph.nodes.values(), key=lambda node: number_of(node.id))
    yield f"last_compact_at: {_flow(state.last_compact_at)}"
    yield f"entry_count: {sum(known.entries for known in state.sources.values())}"
    yield f"next_id: {state.next}"
    yield from _block("sources", (_known(name, known) for name, known in sorted(state.sources.items())))
    yield from _block("dag_nodes", (line for node in nodes for line in _node(node)), is_open=True)
    yield from _block("dag_edges", (_flow({"parent": node.id, "children": node.children}) for node in nodes))
    yield from _block("compact_history", (str(scrub_json(run)) for run in state.history))


def _block(name: str, items: Iterable[str], *, is_open: bool = False) -> Iterator[str]:
    lines = [line if is_open else f"- {line}" for line in items]
    yield f"{name}:" if lines else f"{name}: []"
    yield from lines


def _known(name: str, known: Known) -> str:
    return _flow({"file": name, "marker": str(known.marker), "entries": known.entries})


def _node(node: Node) -> Iterator[str]:
    yield f"- id: {node.id}"
    yield f"  depth: {node.depth}"
    yield f"  source: {_flow(node.source)}"
    if node.first:
        yield f"  first: {_flow(node.first)}"
        yield f"  last: {_flow(node.last)}"
    if node.dissolved:
        yield "  dissolved: true"
    yield f"  made_by: {node.made_by}"
    if node.refused:
        yield f"  refused: {node.refused}"
    yield f"  hash: {_flow(node.hash)}"
    yield "  text: " + ("|2-" if node.text else '""')
    yield from (f"    {line}" if line else "" for line in plain(node.text).split("\n") if node.text)


def plain(text: str) -> str:
    """`text` as a state can hold it: neutral, without the few characters that YAML has no place for, trimmed."""
    return neutralise(text).replace("\ufffe", "").replace("\uffff", "").strip()


def _flow(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def cleaned(text: str, clean: Callable[[str], str]) -> str:
    """A state with `clean` over every text in it; what could not be read is left out."""
    state = parse_state(text)
    nodes = {
        node.id: replace(node, text=clean(node.text), source=clean(node.source)) for node in state.graph.nodes.values()
    }
    known = {clean(name): one for name, one in state.sources.items()}
    runs = tuple(
        {key: clean(item) if isinstance(item, str) else item for key, item in run.items()} for run in state.history
    )
    return render_state(replace(state, graph=Graph(nodes), sources=known, history=runs))
