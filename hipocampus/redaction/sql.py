"""`IDENTIFIED BY 'v'`; the other forms of SQL are names with a value beside them."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction.commands import is_literal
from hipocampus.redaction.view import Span, View

_QUOTED = pattern(
    r"identified(?:\s+with\s+\S{1,60})?\s+(?:by|as)(?:\s+password)?\s+(?:values\s+)?\\{0,3}([\"'])([^\"'\s]{4,256})\\{0,3}\1",
    IGNORECASE,
)
_RAW = pattern(r"IDENTIFIED\s+BY\s+([^\s\"';,)]{4,128})")
_STATEMENT = pattern(r"(?:create|alter|grant|set password)\b[^;]{1,280}$", IGNORECASE)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The password after the `IDENTIFIED` at `at`; in small letters only where a statement begins before it."""
    text = view.text
    match = _QUOTED.match(text, at)
    group = 2 if match else 1
    match = match or _RAW.match(text, at)
    if not match or not (text[at] == "I" or _STATEMENT.search(text, max(at - 300, 0), at)):
        return ()
    value = match[group].rstrip("\\")
    start = match.start(group)
    return ((start, start + len(value), "password", "IDENTIFIED BY"),) if is_literal(value) else ()
