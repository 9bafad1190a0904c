"""Searching with qmd (github.com/tobi/qmd), where the user has it and wants it: an index of this memory of its own.

Only `collection add`, `update` and `search` are used: none of them loads a model or asks the network. What qmd keeps
lies in the user state, and so never in a clone, whose settings it would obey. Its answers only point: what is shown
comes out of our own index, redacted, and a place that is not in there is not shown.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hipocampus.compaction.words import worth
from hipocampus.core.wording import counted
from hipocampus.install.programs import on_path
from hipocampus.recall.index_terms import terms_of
from hipocampus.recall.qmd_program import QmdError, make_room, run, surroundings
from hipocampus.recall.search import by_words
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import state_dir

INSTALL = "npm install -g @tobilu/qmd"
# Of the memory the raw logs; what is derived from them would be found twice.
_MASKS = {"memory": "????-??-??.md", "knowledge": "**/*.md", "plans": "**/*.md"}
_SECONDS = 60.0
_SEARCH_SECONDS = 20.0
_MOST = 50
_MOST_WORDS, _MOST_QUERY = 12, 6_000
_WORD = re.compile(r"[^\W_]{1,60}")
_NUMBER = re.compile(r"Indexed: (\d{1,9}) new, (\d{1,9}) updated, \d{1,9} unchanged, (\d{1,9}) removed")


@dataclass(frozen=True, slots=True)
class Place:
    """Something found: a file as a path from the home (``memory/2026-03-15.md``), and a line of it."""

    source: str
    line: int


def folder_of(layout: Layout, env: Mapping[str, str]) -> str:
    """Where qmd keeps its index of this memory."""
    name = hashlib.sha256(os.path.realpath(layout.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return os.path.join(state_dir(env), "qmd", name)


def is_wanted(config: Config) -> bool:
    """Whether the settings ask for it."""
    return config.search_enabled and config.search_qmd


def is_installed(env: Mapping[str, str]) -> bool:
    """Whether there is such a program."""
    return on_path("qmd", env) is not None


def is_registered(layout: Layout, env: Mapping[str, str]) -> bool:
    """Whether qmd has collections of this memory."""
    return os.path.isdir(folder_of(layout, env))


def register(layout: Layout, env: Mapping[str, str], seconds: float = _SECONDS) -> None:
    """Have qmd take up the memory from the start, one collection a folder. QmdError where it does not, and then there
    is none of them.
    """
    unregister(layout, env)
    make_room(folder_of(layout, env))
    try:
        for name, mask in _MASKS.items():
            path = os.path.join(layout.root, name)
            if os.path.isdir(path):
                _run(layout, env, ["collection", "add", path, "--name", name, "--mask", mask], seconds)
    except BaseException:
        unregister(layout, env)
        raise


def unregister(layout: Layout, env: Mapping[str, str]) -> None:
    """Take away what qmd has of this memory, if it has anything. Its program is not needed for that."""
    if is_registered(layout, env):
        shutil.rmtree(folder_of(layout, env))


def refresh(layout: Layout, config: Config, env: Mapping[str, str], seconds: float = _SECONDS) -> str:
    """Bring qmd up to date with the memory, or take its index away where the setting is off.

    What was done, in few words; empty where there was nothing to do. QmdError where qmd is not there or fails; each of
    its runs ends after `seconds`.
    """
    registered = is_registered(layout, env)
    if not is_wanted(config):
        unregister(layout, env)
        return "its collections are removed" if registered else ""
    if not registered:
        register(layout, env, seconds)
        return "its collections are registered"
    try:
        said = _run(layout, env, ["update"], seconds)
    except QmdError:
        register(layout, env, seconds)  # whatever is wrong with its index, a new one is not
        return "its collections are registered again"
    changed = sum(int(number) for counts in _NUMBER.findall(said) for number in counts)
    return f"{counted(changed, 'file')} taken up or dropped" if changed else ""


def candidates(base: sqlite3.Connection, layout: Layout, env: Mapping[str, str], query: str) -> dict[int, float]:
    """Documents of our index where qmd found something, with a score by their rank there.

    qmd tells a file: of a log those entries that hold most of the query, or the one at the line that qmd names.
    """
    held = by_words(base, terms_of(query))
    numbers: dict[int, None] = {}
    for place in places(layout, env, query):
        rows = base.execute("SELECT id, line FROM doc WHERE source = ? ORDER BY line", (place.source,)).fetchall()
        holding = sorted((number for number, _ in rows if number in held), key=lambda number: -held[number])
        before = [number for number, line in rows if line <= place.line]
        numbers |= dict.fromkeys(holding or before[-1:] or [number for number, _ in rows[:1]])
    return {number: 1 / rank for rank, number in enumerate(numbers, 1)}


def places(layout: Layout, env: Mapping[str, str], query: str) -> list[Place]:
    """Where qmd finds the words of a query, best first."""
    for words in _tries(query):
        command = ["search", " ".join(words), "--json", "--full-path", "-n", str(_MOST)]
        found = list(_places(layout, _run(layout, env, command, _SEARCH_SECONDS)))
        if found:
            return found
    return []


def _tries(query: str) -> Iterator[list[str]]:
    """What to ask for, since qmd wants every word of a query in a file: all words that tell something, then the half of
    them that tells most, at most three. Only letters and digits: nothing of a query is an operator or an option.
    """
    words = list(dict.fromkeys(_WORD.findall(query[:_MOST_QUERY])))
    telling = [word for word in words if worth(word.lower()) > 2][:_MOST_WORDS] or words[:_MOST_WORDS]
    if telling:
        yield telling
    if len(telling) > 1:
        yield sorted(telling, key=lambda word: -worth(word.lower()))[: min(3, (len(telling) + 1) // 2)]


def _places(layout: Layout, answer: str) -> Iterator[Place]:
    try:
        found = json.loads(answer)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise QmdError("qmd search answered with something else than a list")
    for one in found[:_MOST]:
        match one:
            case {"file": str(file), **rest}:
                line = rest.get("line")
                source = _source(layout, file)
                if source:
                    yield Place(source, line if type(line) is int and line > 0 else 1)


def _source(layout: Layout, file: str) -> str:
    """A file as a path from the home: qmd names it from ``/``, or by its collection, which has the folder's name."""
    if file.startswith("qmd://"):
        return file.removeprefix("qmd://")
    path = os.path.normpath(os.path.join("/", file))
    for root in (layout.root, os.path.realpath(layout.root)):
        if path.startswith(root.rstrip("/") + "/"):
            return path.removeprefix(root.rstrip("/") + "/")
    return ""


def _run(layout: Layout, env: Mapping[str, str], words: list[str], seconds: float) -> str:
    program = on_path("qmd", env)
    if program is None:
        raise QmdError(f"qmd is not installed: {INSTALL}")
    return run(program, words, surroundings(env, folder_of(layout, env)), seconds)
