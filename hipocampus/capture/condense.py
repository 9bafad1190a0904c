"""What an assistant's message comes down to: its first and last sentences, where the answer and the result stand."""

from __future__ import annotations

import re

from hipocampus.capture.normalise import normalise
from hipocampus.core.tokens import cut

OUTCOME_LENGTH = 800

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_DECORATION = re.compile(r"[ \t]*(?:[-=*_|:+ ]{3,}|\|.*\|)[ \t]*")
_LIST_MARK = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+|[ \t]*#{1,6}[ \t]+|[ \t]*>[ \t]?")
_EMPHASIS = re.compile(r"\*\*|__(?=\S)|(?<=\S)__")
_SENTENCE_END = re.compile(r"(?<=[.!?。？！])[\"')\]]?\s+")
_ENDS = (".", "!", "?", ":", ";", ",", "。", "？", "！", "…")


def condense(text: str, length: int = OUTCOME_LENGTH) -> str:
    """`text` on one line without code and tables; a long one by its first and last sentences, ``…`` between them."""
    units = _units(_FENCED.sub("", normalise(text)))
    whole = _joined(units)
    if len(whole) <= length:
        return whole
    first = _taken(units, length // 2)
    last = _taken(units[len(first) :][::-1], length - len(_joined(first)) - 3)[::-1]
    if not first:
        return cut(whole, length)
    return " … ".join(part for part in (_joined(first), _joined(last)) if part)


def _units(text: str) -> list[str]:
    """The sentences and list items, without their marks."""
    units: list[str] = []
    for line in text.split("\n"):
        if _DECORATION.fullmatch(line):
            continue
        plain = " ".join(_EMPHASIS.sub("", _LIST_MARK.sub("", line, count=1)).split())
        units += [part for part in _SENTENCE_END.split(plain) if part]
    return units


def _taken(units: list[str], room: int) -> list[str]:
    taken: list[str] = []
    for unit in units:
        room -= len(unit) + 2
        if room < 0:
            break
        taken.append(unit)
    return taken


def _joined(units: list[str]) -> str:
    return " ".join(unit if unit.endswith(_ENDS) or unit is units[-1] else f"{unit};" for unit in units)
