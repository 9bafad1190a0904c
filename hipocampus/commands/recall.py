"""``hipocampus recall`` and ``hipocampus manifest``: what memory has on a question, in three steps."""

from __future__ import annotations

from hipocampus.commands.caller import Caller
from hipocampus.commands.lookup import encoding, opened_index
from hipocampus.commands.output import say, say_json
from hipocampus.commands.place import open_home
from hipocampus.commands.search import as_object, in_words
from hipocampus.core.neutral import neutralise
from hipocampus.errors import UserError
from hipocampus.recall.manifest import manifest as nodes
from hipocampus.recall.manifest import manifest_text
from hipocampus.recall.search import Filters
from hipocampus.recall.search import search as run
from hipocampus.recall.triage import root_lines
from hipocampus.redaction import scrub

HITS = 5


def recall(caller: Caller, *, query: tuple[str, ...], as_json: bool = False, home: str = "") -> int:
    """Print what ROOT says, the manifest to choose files from, and what a search finds; 1 where all of it is silent."""
    today = caller.now.date()
    words = " ".join(query)
    if not words.strip():
        raise UserError("Say what to recall: hipocampus recall 'rate limiting'.")
    with opened_index(caller, home) as (layout, base):
        lines = [neutralise(scrub(line)) for line in root_lines(layout, words)]
        hits = run(layout, base, words, Filters(), HITS, encoding())
        chosen = manifest_text(layout)
    if as_json:
        say_json({"root": lines, "manifest": chosen.split("\n"), "found": [as_object(hit, today) for hit in hits]})
        return 0 if lines or hits else 1
    if not lines and not hits:
        say("Memory holds nothing relevant.")
        return 1
    parts = [("In ROOT:", [f"- {line}" for line in lines])]
    parts.append(("Found:", [line for hit in hits for line in in_words(hit, today)]))
    if not hits:
        parts.append(("Nodes to choose from, at most five:", chosen.split("\n")))
    say("\n\n".join("\n".join([head, *rest]) for head, rest in parts if rest))
    return 0


def manifest(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Print the manifest."""
    layout = open_home(caller, home).layout
    if as_json:
        say_json(
            [
                {"path": one.path, "level": one.level, "period": one.period, "topics": list(one.topics)}
                for one in nodes(layout)
            ]
        )
        return 0
    say(manifest_text(layout) or "No nodes yet; `hipocampus compact` makes them.")
    return 0
