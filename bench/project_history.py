"""Half a year of a software project as a memory, with prompts whose relevant entry is known, and prompts without any.

Fifty entries are written by hand, with four prompts each: one in the entry's words (easy), one that names a file or a
part (medium), two that share no telling word with it (hard). Around them lies what else went on, put together by a
seeded script from parts, deeds and ends. The controls are about the same project, or its people's day, and nothing in
the memory bears on them. English and Korean.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product
from pathlib import Path

from homes import write_home

SAMPLES = Path(__file__).parent / "samples"
SEED = 20260401
FIRST_DAY, DAYS = date(2025, 10, 1), 182
ROUTINE = 380
TIERS = {"e": "easy", "m": "medium", "h": "hard"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt, its tier (control: nothing bears on it), and the pointer of the entry that bears on it."""

    tier: str
    prompt: str
    pointer: str = ""


def make_project(home: Path) -> list[Asked]:
    """Write the raw logs of a home; the prompts."""
    rng = random.Random(SEED)  # noqa: S311
    facts = [_fact(block) for block in _blocks(SAMPLES / "project_facts.txt")]
    parts = {name: lines for name, *lines in _blocks(SAMPLES / "project_routine.txt")}
    routine = list(product(parts["[parts]"], parts["[deeds]"], parts["[ends]"]))
    entries = [(text, prompts) for text, prompts in facts]
    entries += [(_routine(*one), []) for one in rng.sample(routine, ROUTINE)]
    rng.shuffle(entries)
    days = sorted(FIRST_DAY + timedelta(rng.randrange(DAYS)) for _ in entries)
    logs: dict[str, str] = {}
    asked = []
    for day, (text, prompts) in zip(map(str, days), entries, strict=True):
        log = logs.get(day, f"# {day}\n") + "\n"
        pointer = f"memory/{day}.md:{log.count(chr(10)) + 1}"
        logs[day] = log + text
        asked += [Asked(tier, prompt, pointer) for tier, prompt in prompts]
    write_home(home, logs)
    controls = parts["[controls]"]
    asked += [Asked("control", prompt) for prompt in controls]
    return asked + [Asked("control", f"{prompt} {_AFTERTHOUGHTS[at % 5]}") for at, prompt in enumerate(controls)]


_AFTERTHOUGHTS = (
    "Keep it short.",
    "I want to understand every step.",
    "We have ten minutes.",
    "Tell me first what you are going to do.",
    "My colleague needs it too.",
)


def _blocks(path: Path) -> list[list[str]]:
    """Runs of lines, each beginning with one in brackets."""
    blocks: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            blocks.append([])
        if blocks and line:
            blocks[-1].append(line)
    return blocks


def _fact(block: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """An entry as Markdown, and its prompts."""
    head, *lines = block
    kind, _, topic = head.partition("] ")
    fields = [line for line in lines if line[:3] not in ("e: ", "m: ", "h: ")]
    prompts = [(TIERS[line[0]], line[3:]) for line in lines if line[:3] in ("e: ", "m: ", "h: ")]
    return f"## {topic} {kind}]\n" + "".join(f"- {field}\n" for field in fields), prompts


def _routine(part: str, deed: str, end: str) -> str:
    name, _, file = part.partition(" | ")
    return f"## {name} [project]\n- request: work on the {name}\n- outcome: {deed}; {end}\n- files: {file}\n"
