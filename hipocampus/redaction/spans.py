"""From overlapping spans to one text: merge, find other copies of the same value, replace."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice

from hipocampus.core.patterns import pattern
from hipocampus.redaction.findings import Finding
from hipocampus.redaction.patterns import digits_in
from hipocampus.redaction.view import Span
from hipocampus.redaction.wordlike import is_wordy

MOST_VALUES = 300
MOST_SCANNED = 200_000_000
_MARKER = pattern(r"\[REDACTED:[a-z0-9-]{1,40}(?: [^\]\n]{0,80})?\]")


def merge(spans: list[Span]) -> list[Span]:
    """In order and apart: of overlapping spans the union, with the kind of the first, of those the longest."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1], span[3] is not None)):
        if merged and span[0] < merged[-1][1]:
            last = merged[-1]
            merged[-1] = (last[0], max(last[1], span[1]), last[2], last[3])
        elif span[1] > span[0]:
            merged.append(span)
    return merged


def beside_markers(text: str, spans: list[Span]) -> list[Span]:
    """The spans that do not reach into a marker that is already in the text; a private block may hold some."""
    if "[REDACTED:" not in text:
        return spans
    markers = [marker.span() for marker in _MARKER.finditer(text)]
    starts = [start for start, _end in markers]

    def reaches_in(span: Span) -> bool:
        before = bisect_right(starts, span[1] - 1) - 1
        return before >= 0 and markers[before][1] > span[0]

    return [span for span in spans if span[2] == "private" or not reaches_in(span)]


def behind(spans: list[Span], place: int) -> int:
    """Where a place of the redacted text stands in the original, `spans` being what was replaced in it."""
    shift = 0
    for start, end, kind, _name in spans:
        if start + shift >= place:
            break
        shift += len(marker_of(kind)) - (end - start)
    return place - shift


def copies(text: str, spans: list[Span]) -> list[Span]:
    """Other places of the values found: of particular ones only, and of no more than linear time allows."""
    known = {text[start:end]: kind for start, end, kind, _name in spans if kind != "private"}
    values = ((value, kind) for value, kind in known.items() if _is_particular(value))
    found: list[Span] = []
    for value, kind in islice(values, min(MOST_VALUES, MOST_SCANNED // (len(text) + 1))):
        at = text.find(value)
        while at >= 0:
            found.append((at, at + len(value), kind, None))
            at = text.find(value, at + len(value))
    return found


def _is_particular(value: str) -> bool:
    """Twelve characters, two digits, no words: it will not stand elsewhere by chance."""
    if not 12 <= len(value) <= 8192 or "\n" in value or not value.isascii() or digits_in(value) < 2:
        return False
    return not is_wordy(value[:200])


def marker_of(kind: str) -> str:
    """What is written where a value of this kind stood."""
    return f"[REDACTED:{kind}]"


def replace(text: str, spans: list[Span]) -> str:
    """`text` with each span, in order and apart, replaced by its marker."""
    parts: list[str] = []
    done = 0
    for start, end, kind, _name in spans:
        parts += (text[done:start], marker_of(kind))
        done = end
    parts.append(text[done:])
    return "".join(parts)


def findings_of(spans: list[Span]) -> tuple[Finding, ...]:
    """What the caller may know: kinds and places."""
    return tuple(Finding(kind, start, end) for start, end, kind, _name in spans)
