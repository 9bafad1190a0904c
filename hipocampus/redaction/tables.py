"""Columns of tables that are headed by the name of a secret: Markdown, and lines separated by commas or tabs."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction import values
from hipocampus.redaction.view import Span, View

MOST_ROWS = 200
_MARKS = frozenset("|,;\t\r\n\\") | {""}
LONGEST = 1000
_LINE = pattern(r"((?:(?!\\{1,7}r?\\{0,7}n)[^\r\n]){0,1000})(?:\r?\n|\\{1,7}(?:r\\{1,7})?n|$)")
_RULE = pattern(r"[\s|:+-]*-{2}[\s|:+-]*")
_HEADER = pattern(r"[\w .\"'*-]{1,40}(?:([,;\t])[\w .\"'*-]{1,40})(?:\1[\w .\"'*-]{1,40}){0,40}")
_BREAK = pattern(r"[\r\n]|\\n")
_VALUE = pattern(r"\s*(\*\*)?[`\"']?([^\s`\"'|]{4,512}?)[`\"']?(?(1)\*\*)\s*")


def column(view: View, start: int, end: int, kind: str) -> tuple[Span, ...]:
    """The values below the heading from `start` to `end`, if it is one; each table is read once."""
    text = view.text
    if start < view.seen.get("table", 0) or text[end : end + 20].lstrip(" `*\"'")[:1] not in _MARKS:
        return ()
    line = start - len(_BREAK.split(text[max(start - LONGEST, 0) : start])[-1])
    heading = _LINE.match(text, line)
    if not heading or heading.end() <= end:
        return ()
    mark, rows = _mark(text, heading[1], heading.end())
    if not mark or (mark != "|" and _is_row(text, line, heading[1], mark)):
        return ()
    place, width = text.count(mark, line, start), heading[1].count(mark)
    spans: list[Span] = []
    for _ in range(MOST_ROWS):
        row = _LINE.match(text, rows)
        if not row or row.end() == rows or row[1].count(mark) != width:
            break
        spans += _cell(text, row.start(1), row[1], mark, place, kind)
        rows = row.end()
    view.seen["table"] = rows if spans else end
    return tuple(spans)


def _mark(text: str, heading: str, below: int) -> tuple[str, int]:
    """What separates the cells, and where the first row begins; nothing if the line is no heading."""
    if "|" in heading:
        rule = _LINE.match(text, below)
        return ("|", rule.end()) if rule and "|" in rule[1] and _RULE.fullmatch(rule[1]) else ("", 0)
    listed = _HEADER.fullmatch(heading)
    return (listed[1], below) if listed else ("", 0)


def _is_row(text: str, line: int, heading: str, mark: str) -> bool:
    """Is the line one of several alike, with as many cells in the line above it?"""
    above = text[max(line - LONGEST, 0) : line].rstrip("\r\n").rpartition("\n")[2]
    return above.count(mark) == heading.count(mark)


def _cell(text: str, start: int, row: str, mark: str, place: int, kind: str) -> list[Span]:
    cells = row.split(mark)
    begin = start + sum(map(len, cells[:place])) + place
    value = _VALUE.fullmatch(text, begin, begin + len(cells[place]))
    if not value or not values.is_secret(kind, value[2], values.QUOTED):
        return []
    return [(*value.span(2), kind, "")]
