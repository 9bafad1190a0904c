"""``hipocampus dag status``, ``tree``, ``search``, ``inspect`` and ``assemble``: look at summaries, change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, line_width, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.sections import Marker
from hipocampus.core.tokens import cut
from hipocampus.dag.assemble import assemble as assembled
from hipocampus.dag.assemble import heading, label
from hipocampus.dag.compact import existing_source, named, source_of
from hipocampus.dag.condense import expandable
from hipocampus.dag.find import Hit, find
from hipocampus.dag.graph import Graph, Node, name_of
from hipocampus.dag.growth import order
from hipocampus.dag.report import Report, Standing, gather
from hipocampus.dag.source import Source, shown_title, source_name
from hipocampus.dag.store import State, read_state
from hipocampus.dag.texts import stale
from hipocampus.redaction import scrub
from hipocampus.store.config import Config, load_lenient
from hipocampus.store.layout import Layout

_DEEPEST_INDENT = 12


def status(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """How the summaries stand; 1 where their state is broken, with every fault named."""
    layout, config, state = _opened(caller, home)
    report = gather(layout, config, state, source_name(layout, "", caller.cwd))
    if as_json:
        say_json({**asdict(report), "faults": [str(fault) for fault in report.faults]})
    else:
        _print_status(report)
    return 1 if report.faults else 0


def _print_status(report: Report) -> None:
    say(f"last compact: {report.last_compact_at or 'never'}")
    say()
    rows = [_row(one, report.budget) for one in report.files]
    say_table(("file", "entries", "not summarised", "summaries", "active", "tokens (est.)"), rows)
    for one in report.files:
        for line in _remarks(one):
            say(line)
    for fault in report.faults:
        say(f"broken: {one_line(scrub(str(fault)))}")
    if report.faults:
        say("The next compact mends it from the file: hipocampus dag compact")


def _row(one: Standing, budget: int) -> tuple[str, ...]:
    depths = ", ".join(f"{count} d{depth}" for depth, count in one.summaries.items()) or "none"
    tokens = f"{one.tokens:,} of {budget:,}"
    return one_line(scrub(one.file)), str(one.entries), str(one.waiting), depths, str(one.active), tokens


def _remarks(one: Standing) -> Iterator[str]:
    file = one_line(scrub(one.file))
    if not one.exists:
        yield f"{file}: not there" + ("; its summaries stand for nothing now" if one.summaries else "")
    if one.due:
        yield f"{file}: a run is due: hipocampus dag compact"
    if one.dissolved:
        yield f"{file}: dissolved: {', '.join(one.dissolved)}"
    if one.exists:
        yield from (f"{file}: stale: {name}, {why}" for name, why in one.stale.items())


def tree(caller: Caller, *, file: str = "", as_json: bool = False, home: str = "") -> int:
    """Every summary below its parent, oldest first."""
    layout, _, state = _opened(caller, home)
    rows = [row for source in _sources(layout, state, file, caller.cwd) for row in _tree(layout, state, source)]
    if as_json:
        say_json([_as_object(state.graph, node) | {"stale": why} for _, node, why in rows])
        return 0
    if not rows:
        say("No summaries yet; make them with: hipocampus dag compact")
    for level, node, why in rows:
        marks = ", dissolved" * node.dissolved + f", stale: {why}" * bool(why)
        indent = "  " * min(level, _DEEPEST_INDENT)
        say(cut(neutralise(f"{indent}{label(node)}{marks}: {expandable(node.text)}"), max(line_width(), 60)))
    return 0


def _tree(layout: Layout, state: State, name: str) -> Iterator[tuple[int, Node, str]]:
    graph = state.graph
    source = source_of(layout, state, name)
    outdated = stale(graph, source, name)
    begins = order(graph, name, source.ids if source else ())
    roots = sorted(graph.roots(name), key=lambda node: begins[node.id])
    return ((level, node, outdated.get(node.id, "")) for level, node in graph.walk(roots))


def search(
    caller: Caller, *, text: tuple[str, ...], file: str = "", limit: int = 20, as_json: bool = False, home: str = ""
) -> int:
    """What holds all of the words; 1 where nothing does."""
    layout, config, state = _opened(caller, home)
    hits: list[Hit] = []
    for name in _sources(layout, state, file, caller.cwd) or [source_name(layout, file, caller.cwd)]:
        source = source_of(layout, state, name) or _empty(name)
        hits += find(state.graph, source, " ".join(text), config.policy)
    shown = hits[:limit] if limit else hits
    if as_json:
        say_json({"hits": [asdict(hit) for hit in shown], "more": len(hits) - len(shown)})
        return 0 if hits else 1
    for hit in shown:
        place = f"{hit.id} d{hit.depth}" if hit.depth >= 0 else f"{scrub(hit.source)}:{hit.line}"
        under = f"  (under {', '.join(hit.above)})" if hit.above else ""
        say(neutralise(f"{place}  {hit.text}{under}"))
    if len(hits) > len(shown):
        say(f"+{len(hits) - len(shown)} more: --limit 0")
    if not hits:
        complain("Nothing holds all of these words.")
    return 0 if hits else 1


def _empty(name: str) -> Source:
    """A file that is gone."""
    return Source(name, Marker.PARAGRAPH, ())


def inspect(caller: Caller, *, name: str, as_json: bool = False, home: str = "") -> int:
    """One summary: its text, what stands above it and what it stands for."""
    layout, _, state = _opened(caller, home)
    node = named(state.graph, name)
    source = source_of(layout, state, node.source) or _empty(node.source)
    why = stale(state.graph, source, node.source).get(node.id, "")
    if as_json:
        children = {child: _child(state.graph, source, child, node) for child in node.children}
        text = str(scrub(node.text))
        say_json({**_as_object(state.graph, node), "text": text, "stale": why, "about": children})
        return 0
    say(f"{heading(node)}, over {one_line(scrub(node.source))}, {node.made_by}" + ", dissolved" * node.dissolved)
    if why:
        say(f"stale: {why}")
    above = state.graph.above(node.id)
    say(f"under: {' < '.join(above) if above else 'nothing'}")
    say(neutralise(str(scrub(node.text))))
    say("stands for:")
    for child in node.children:
        say(f"  {neutralise(_child(state.graph, source, child, node))}")
    return 0


def _child(graph: Graph, source: Source, child: str, node: Node) -> str:
    """A line on what a summary stands for."""
    if node.depth:
        below = graph.nodes[child]
        return label(below) + ", dissolved" * below.dissolved
    record = source.by_id.get(child)
    if record is None:
        return f"{child}: gone from the file, or changed"
    return f"{one_line(scrub(source.name))}:{record.line}  {shown_title(record)}"


def assemble(
    caller: Caller, *, file: str = "", budget: int | None = None, as_json: bool = False, home: str = ""
) -> int:
    """The active set within the budget, oldest first. UserError where there is no such file."""
    layout, config, state = _opened(caller, home)
    name = source_name(layout, file, caller.cwd)
    source = existing_source(layout, state, name)
    limit = config.dag_token_budget if budget is None else budget
    found = assembled(state.graph, source, limit, config.policy)
    if as_json:
        items = [asdict(one) for one in found.shown]
        say_json({"file": name, "budget": limit, "tokens": found.tokens, "left_out": found.left_out, "items": items})
    else:
        say(neutralise(found.text))
    return 0


def _opened(caller: Caller, home: str) -> tuple[Layout, Config, State]:
    layout = open_home(caller, home).layout
    return layout, load_lenient(layout, caller.env), read_state(layout)


def _sources(layout: Layout, state: State, file: str, cwd: str) -> list[str]:
    """The files to look at: the one that was named, else all that summaries lie over."""
    return [source_name(layout, file, cwd)] if file else state.graph.sources


def _as_object(graph: Graph, node: Node) -> dict[str, object]:
    return {
        "id": node.id,
        "depth": node.depth,
        "name": name_of(node.depth),
        "file": node.source,
        "first": node.first,
        "last": node.last,
        "made_by": node.made_by,
        "dissolved": node.dissolved,
        "parent": graph.parents.get(node.id, ""),
        "children": list(node.children),
    }
