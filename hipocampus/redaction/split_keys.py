"""The id of an AWS key that two strings or two lines share: its pieces are too short for the scan for tokens."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.patterns import digits_in
from hipocampus.redaction.tokens import BETWEEN_LINES, BETWEEN_STRINGS
from hipocampus.redaction.view import Span, View

USUAL = 20
_ID = pattern(r"(?<![A-Za-z0-9_])(?:AKIA|ASIA)[A-Z0-9]{1,15}(?![A-Za-z0-9_])")
_GAP = pattern(f"{BETWEEN_STRINGS}|{BETWEEN_LINES}")
_REST = pattern(r"([A-Z0-9]{1,15})(?![A-Za-z0-9_])")


def find(view: View, at: int) -> tuple[Span, ...]:
    """The whole id, with what stands between its pieces, if they make its length exactly."""
    text = view.text
    match = _ID.match(text, at)
    if not match:
        return ()
    value, end = match[0], match.end()
    for _ in range(4):
        gap = _GAP.match(text, end)
        rest = _REST.match(text, gap.end()) if gap else None
        if not rest or len(value) + len(rest[1]) > USUAL:
            return ()
        value, end = value + rest[1], rest.end()
        if len(value) == USUAL:
            return ((at, end, "aws-access-key", None),) if digits_in(value) > 1 else ()
    return ()
