"""`<private>…</private>`: what a user does not want stored at all, whatever it is."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.view import Span

_TAG = pattern(r"<(/?)\s{0,4}private\s{0,4}>")


def find_private(text: str, lower: str) -> list[Span]:
    """The outermost private blocks, tags included; one that is not closed goes to the end of the text.

    `lower` is the text in lower case with the same offsets.
    """
    if "private" not in lower or ">" not in lower:
        return []
    spans: list[Span] = []
    depth = begin = 0
    for tag in _TAG.finditer(lower):
        if not tag[1]:
            begin = tag.start() if depth == 0 else begin
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                spans.append((begin, tag.end(), "private", None))
    if depth and not _is_parameter(lower, begin):
        spans.append((begin, len(text), "private", None))
    return spans


def _is_parameter(lower: str, at: int) -> bool:
    """Is the tag a type's parameter, `Local<Private>`? It has no end, and stands right behind a name (or a marker)."""
    before = lower[at - 1 : at]
    return before.isalnum() or before == "]"
