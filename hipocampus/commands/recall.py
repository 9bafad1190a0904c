"""``hipocampus recall`` and ``hipocampus manifest``: what memory has on a question, in three steps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from hipocampus.commands.caller import Caller
from hipocampus.commands.lookup import Index, opened_index
from hipocampus.commands.output import complain, say, say_json, tell
from hipocampus.commands.place import open_home
from hipocampus.commands.search import as_object, in_words
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.wording import counted
from hipocampus.errors import UserError
from hipocampus.recall.manifest import fitting, line_of, manifest_text
from hipocampus.recall.manifest import manifest as nodes
from hipocampus.recall.search import Filters, Hit, search
from hipocampus.recall.select import Choice, chosen_by_llm, chosen_by_words
from hipocampus.recall.triage import root_lines
from hipocampus.redaction import scrub
from hipocampus.store.config import load_lenient
from hipocampus.store.layout import Layout
from hipocampus.summarize.backends import backend_of

HITS = 5
# Of so many hits those in the chosen files come first.
_LOOKED_AT = 25
_TOPICS_WIDTH = 160
_WORDS = "words"


def recall(
    caller: Caller, *, query: tuple[str, ...], select: bool = False, as_json: bool = False, home: str = ""
) -> int:
    """Print what ROOT says, with `select` the files that are chosen from the manifest, and what a search finds.

    1 where all of them are silent; where only the search is, the manifest is printed to choose from.
    """
    words = " ".join(query)
    if not words.strip():
        raise UserError("Say what to recall: hipocampus recall 'rate limiting'.")
    with opened_index(caller, home) as index:
        recalled = _recalled(caller, index, words, select=select)
    if as_json:
        say_json(_as_object(recalled, caller.now.date()))
    else:
        tell(_in_words(recalled, caller.now.date()) if recalled.is_answer else "Memory holds nothing relevant.")
    return 0 if recalled.is_answer else 1


@dataclass(frozen=True, slots=True)
class _Recalled:
    """Lines of ROOT, what was chosen to read (None: nobody was to choose), what was found, and the manifest."""

    root: list[str]
    choice: Choice | None
    hits: list[Hit]
    manifest: list[str]

    @property
    def is_answer(self) -> bool:
        """Whether it tells anything; what words chose without finding it does not."""
        return bool(self.root or self.hits or (self.choice and self.choice.by and self.choice.files))


def _recalled(caller: Caller, index: Index, words: str, *, select: bool) -> _Recalled:
    encode, layout = index.encoding(), index.layout
    said = index.ask(lambda base: root_lines(layout, base, words, encode))
    lines = [neutralise(scrub(line)) for line in said]
    choice = _choice(caller, layout, words) if select else None
    most = _LOOKED_AT if choice else HITS
    hits = index.ask(lambda base: search(layout, base, words, Filters(), most, encode))
    if choice:
        hits = sorted(hits, key=lambda hit: not choice.holds(hit.day))
    return _Recalled(lines, choice, hits[:HITS], manifest_text(layout).splitlines())


def _in_words(recalled: _Recalled, today: date) -> str:
    parts = [("In ROOT:", [f"- {line}" for line in recalled.root])]
    choice = recalled.choice
    if choice:
        files = [f"- {line_of(one, _TOPICS_WIDTH)}" for one in choice.files]
        parts.append((f"To read, chosen by {one_line(choice.by or _WORDS)}:", files))
    parts.append(("Found:", [line for hit in recalled.hits for line in in_words(hit, today)]))
    if not recalled.hits and not (choice and choice.files):
        parts.append(("Files to choose from, at most five:", recalled.manifest))
    return "\n\n".join("\n".join([head, *rest]) for head, rest in parts if rest)


def _as_object(recalled: _Recalled, today: date) -> dict[str, object]:
    chosen: dict[str, object] = {}
    if recalled.choice:
        files = [one.path for one in recalled.choice.files]
        chosen = {"chosen": files, "chosen_by": recalled.choice.by or _WORDS}
    found = [as_object(hit, today) for hit in recalled.hits]
    return {"root": recalled.root, "manifest": recalled.manifest, **chosen, "found": found}


def _choice(caller: Caller, layout: Layout, words: str) -> Choice:
    """What the back end chooses; where there is none, or no answer that can be used, what the topics' words choose."""
    listed, manifest = fitting(layout)
    if not listed:
        return Choice(())
    try:
        config = load_lenient(layout, caller.env)
        backend = backend_of(config, layout, caller.env)
        if backend is not None:
            choice = chosen_by_llm(backend, listed, manifest, words)
            if choice.foreign:
                names = counted(choice.foreign, "name that is", "names that are")
                complain(f"note: left out of the answer: {names} not in the manifest")
            return choice
        why = f"llm.backend is {config.llm_backend}; to have an LLM choose: hipocampus config set llm.backend anthropic"
    except UserError as error:
        why = one_line(str(error))
    complain(f"note: chosen by words: {why}")
    return chosen_by_words(listed, words)


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
