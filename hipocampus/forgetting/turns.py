"""Silence what a journal tells of something that is forgotten.

A record stays, since it says where to read on in the transcript and which prompts were told; its words go.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hipocampus.capture.condense import condense
from hipocampus.capture.grouping import REQUEST_LENGTH
from hipocampus.capture.journal import moment, shortened
from hipocampus.capture.normalise import normalise
from hipocampus.core.json_objects import json_object
from hipocampus.forgetting.wanted import Wanted
from hipocampus.redaction import scrub_json


@dataclass(frozen=True, slots=True)
class Silenced:
    """A journal without the words, each text that was silenced with the days it may be told again on, and the lines
    (1-based) that changed.
    """

    text: str
    told: tuple[tuple[str, str], ...]
    lines: tuple[int, ...]


def silence(journal: str, wanted: Wanted) -> Silenced:
    """Take the words of what is to be forgotten out of a journal. A damaged line that holds them goes whole."""
    kept: list[str] = []
    told: list[tuple[str, str]] = []
    lines: list[int] = []
    began = ""
    for number, line in enumerate(journal.split("\n"), 1):
        record = json_object(line)
        if record is None:
            new = "" if wanted.is_in(line) else line
        else:
            day = record.get("day")
            began = day if isinstance(day, str) else began
            words = record.get("text")
            new = _without(line, record, wanted)
            if new != line and isinstance(words, str):
                told += [(day, words) for day in {began, _day(record)} - {""}]
        lines += [number] if new != line else []
        kept += [new] if new or not line else []
    return Silenced("\n".join(kept), tuple(told), tuple(lines))


def forms_of(words: str) -> tuple[str, ...]:
    """The texts of which a fold makes the fields of an entry, for a prompt and for what came of it."""
    return words, shortened(normalise(words), REQUEST_LENGTH), condense(words)


def _day(record: dict[str, Any]) -> str:
    at = moment(record.get("at"))
    return at.date().isoformat() if isinstance(at, datetime) else ""


_EMPTY: dict[str, dict[str, Any]] = {"prompt": {"k": "wordless"}, "turn": {"text": "", "tools": [], "files": []}}


def _without(line: str, record: dict[str, Any], wanted: Wanted) -> str:
    """The line of a record without what it tells; the line itself where it tells nothing of it."""
    words = record.get("text")
    if isinstance(words, str) and words and wanted.is_told_by(words):
        kept = {**record, "text": "", **_EMPTY.get(str(record.get("k")), {})}
        return str(scrub_json(kept))
    files = record.get("files")
    if isinstance(files, list) and any(isinstance(file, str) and wanted.is_in(file) for file in files):
        kept = {**record, "files": [file for file in files if not (isinstance(file, str) and wanted.is_in(file))]}
        return str(scrub_json(kept))
    return line
