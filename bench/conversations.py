"""MemAware's conversations and questions, and a home made of them in which nothing gives the evidence away.

The source's session ids say which conversations bear evidence, and so does their order: conversations are shuffled
within their day and numbered (``s-0001``), and that number, in the heading of the entry, is all that is left.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

from homes import write_home

SEED = 20261129
TIERS = ("easy", "medium", "hard")
_UNUSABLE = re.compile(r"<(?:what|why|how|the)\b[^>]*>?|CONNECTION:|what fact from memory", re.IGNORECASE)
_CUT_OFF = re.compile(r"(?:SHOULD|The|The user|The page)?")


@dataclass
class Conversation:
    """One conversation of the source: its id there, its day, its turns (speaker, text), and its number here."""

    source: str
    day: str
    turns: list[tuple[str, str]]
    anchor: str = ""

    @property
    def said(self) -> list[str]:
        """What the user said."""
        return [text for who, text in self.turns if who == "User"]


@dataclass
class Question:
    """A prompt, its tier, the conversations that bear on it, and what should be recalled."""

    id: str
    tier: str
    prompt: str
    wanted: str
    answer: str
    sources: list[str]
    evidence: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    facts: set[str] = field(default_factory=set)


def conversations(data: Path) -> list[Conversation]:
    """All of them, in their order here."""
    found: list[Conversation] = []
    for path in sorted((data / "sessions").glob("*.md")):
        day = parsed(path.read_text(encoding="utf-8"), path.stem)
        random.Random(f"{SEED}{path.name}").shuffle(day)  # noqa: S311
        found += day
    for number, one in enumerate(found, 1):
        one.anchor = f"s-{number:04d}"
    return found


def parsed(text: str, day: str) -> list[Conversation]:
    """The conversations in a file of the source, in its order."""
    found = []
    for part in re.split(r"^## Session ", text, flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        body = re.sub(r"^Session Date:.*\n", "", body, flags=re.MULTILINE)
        pieces = re.split(r"^(User|Assistant): ?", body, flags=re.MULTILINE)
        turns = [(who, said.strip()) for who, said in zip(pieces[1::2], pieces[2::2], strict=False) if said.strip()]
        found.append(Conversation(name.strip(), day, turns))
    return found


def questions(data: Path) -> list[Question]:
    """Those that can be used: the others hold placeholders or are cut off."""
    rows = json.loads((data / "questions.json").read_text(encoding="utf-8"))
    return [
        Question(
            row["question_id"],
            row["difficulty"],
            row["question"],
            row["should_recall"],
            str(row["answer"]),
            row["answer_session_ids"],
        )
        for row in rows
        if _is_usable(row["question"].strip().strip('"'), row["should_recall"].strip())
    ]


def _is_usable(prompt: str, wanted: str) -> bool:
    if _UNUSABLE.search(wanted) or _UNUSABLE.search(prompt) or _CUT_OFF.fullmatch(wanted):
        return False
    words, ends = len(prompt.split()), prompt.count(".") + prompt.count("?")
    return words >= 6 and (ends > 0 or words >= 12)


def make_home(found: list[Conversation], home: Path, *, user_only: bool) -> None:
    """Write each conversation as an entry of its day: whole, or what the user said."""
    days: dict[str, list[str]] = {}
    for one in found:
        days.setdefault(one.day, []).append(_entry(one, user_only))
    write_home(home, {day: f"# {day}\n\n" + "\n".join(entries) for day, entries in days.items()})


def _entry(one: Conversation, user_only: bool) -> str:
    first = (one.said or [text for _, text in one.turns] or ["session"])[0].split()
    topic = " ".join(first[:9]).strip("#*`>-[]() ").replace("\n", " ") or "session"
    lines = [f"## {topic} [chat] ({one.anchor})", ""]
    for who, text in one.turns:
        if who == "User" or not user_only:
            plain = "\n".join("\\" + line if line.startswith("#") else line for line in text.splitlines())
            lines += [f"- {plain}" if user_only else f"**{who}:** {plain}", ""]
    return "\n".join(lines)
