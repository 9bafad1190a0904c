"""A text as one more entry of a file, at its newest end, with the beginning that the entries there have."""

from __future__ import annotations

import re
from datetime import date

from hipocampus.budget.splitting import Document, begins, level_of, put_together, split

_BLANK = re.compile(r"\A\s*\n")


def entry_of(text: str, document: Document, day: date) -> str:
    """What a person says as an entry of that document: itself where it begins like one, else below the date, or as a
    bullet; otherwise it would become a part of the entry before it.
    """
    text = _BLANK.sub("", text).rstrip("\n")
    if begins(document.marker, text):
        return text
    match document.marker:
        case "-":
            return "- " + text.lstrip().replace("\n", "\n  ").replace("\n  \n", "\n\n")
        case "date":
            return f"{day}\n{text}"
        case "dated heading":
            return f"{'#' * level_of(document.pieces[-1])} {day}\n{text}"
        case marks:
            return f"{marks} {day}\n{text}"


def is_newest(entry: str, document: Document) -> bool:
    """Whether the newest entries say just that; a text may hold several."""
    wanted = entry.replace("\n", document.end).strip()
    said = ""
    for piece in reversed(document.pieces):
        said = said + piece.text if document.is_newest_first else piece.text + said
        if len(said.strip()) >= len(wanted):
            break
    return said.strip() == wanted


def added(text: str, entry: str, marker: str) -> str:
    """A text with one more entry at its newest end, parted by a blank line; itself where that is the newest already."""
    document = split(text, marker)
    if is_newest(entry, document):
        return text
    end = document.end
    entry = entry.replace("\n", end)
    if document.is_newest_first:
        head = len(document.head) if text.startswith(document.head) else 0
        at = max(text.find(document.pieces[-1].text, head), head)
        return put_together([text[:at], entry + end + end, text[at:]], end)
    is_tight = document.marker == "-" and document.pieces[-1:] and not document.pieces[-1].text.endswith(end * 2)
    last_line = text.removesuffix("\n").removesuffix("\r").rpartition("\n")[2]
    gap = "" if is_tight or not text or (text.endswith("\n") and not last_line.strip()) else end
    return put_together([text, gap, entry + end], end)
