"""Private keys in armour: from BEGIN to END, quoted, indented or escaped in any way, also without an END or a BEGIN.

The BEGIN and END lines stay; what lies between them goes. Also the private lines of PuTTY key files.
"""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction.view import Span, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

LONGEST = 60_000
_LABEL = r"(?:[A-Z0-9]{1,20}[ -]){0,6}?PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_BEGIN = pattern(rf"-{{4,5}}[ ]?BEGIN {_LABEL}")
_END = pattern(rf"-{{4,5}}[ ]?END {_LABEL}")
_ANY_BEGIN = pattern(r"-{4,5}[ ]?BEGIN ")
_MATERIAL = pattern(r"[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{2,}={1,2}(?![A-Za-z0-9])")
# A line of key material, with what can stand around it: a quote mark, a diff sign, a line number, quotes, `\n`.
_KEY_LINE = pattern(
    r"[^\S\n]{0,80}(?:[>|+*#]|//|\d{1,6}[\t |:→]{1,3})?[^\S\n]{0,80}[\"'`]?[A-Za-z0-9+/]{20,100}={0,2}"
    r"(?:\\{1,4}n)?[\"'`]?[,+\\]?[^\S\n]{0,8}"
)
_PUTTY = pattern(r"private-lines: ?(\d{1,3})", IGNORECASE)
_PUTTY_LINE = pattern(
    r"[ \t]*(?:\r?\n|\\{1,4}r?\\{0,4}n)[^\S\n]{0,40}(?:[>|+] ?)?([A-Za-z0-9+/]{1,80}={0,2})(?![A-Za-z0-9+/:-])"
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The key body beside the armour line whose word `KEY` is at `at`, or after the `Private-Lines:` there."""
    if view.lower.startswith("private-lines", at):
        return _putty(view.text, at)
    begin = _around(_BEGIN, view.text, at)
    if begin:
        return _after_begin(view.text, begin.end())
    end = _around(_END, view.text, at)
    floor = max(at - LONGEST, view.seen.get("end", 0))
    view.seen["end"] = end.end() if end else floor
    return _before_end(view.text, end.start(), floor) if end else ()


def _around(armour: re.Pattern[str], text: str, at: int) -> re.Match[str] | None:
    """The armour line that `at` lies in."""
    for match in armour.finditer(text, max(at - 80, 0), at + 24):
        if match.start() <= at < match.end():
            return match
    return None


def _after_begin(text: str, start: int) -> tuple[Span, ...]:
    """From the BEGIN line to its END, or as far as the lines look like key material."""
    stop = min(len(text), start + LONGEST)
    other = _ANY_BEGIN.search(text, start, stop)
    limit = other.start() if other else stop
    end = _END.search(text, start, limit)
    return _body(text, start, end.start() if end else _last_key_line(text, start, limit))


def _last_key_line(text: str, start: int, stop: int) -> int:
    """Where key material ends: other lines, headers and empty ones for instance, may stand between for three lines."""
    end = at = start
    misses = 0
    while at < stop and misses < 4:
        newline = text.find("\n", at, stop)
        line_end = stop if newline < 0 else newline
        if _KEY_LINE.fullmatch(text, at, line_end) or (at == start and _MATERIAL.search(text, at, line_end)):
            end, misses = line_end, 0
        elif at > start or text[at:line_end].strip():
            misses += 1
        at = line_end + 1
    return end


def _body(text: str, start: int, stop: int) -> tuple[Span, ...]:
    """From the first to the last key material between the two places, if it is enough for a key."""
    first = last = -1
    amount = 0
    for match in _MATERIAL.finditer(text, start, stop):
        if first < 0:  # the letter of an escape `\n` is none of it
            first = match.start() + (text[match.start() - 1] == "\\" and text[match.start()] in "nrt")
        last = match.end()
        amount += last - match.start()
    if amount < 40 or "[REDACTED" in text[start:stop]:
        return ()
    return ((first, last, "private-key", None),)


def _before_end(text: str, end: int, floor: int) -> tuple[Span, ...]:
    """The tail of a key: lines of key material right above an END line that has no BEGIN in sight."""
    begin = text.rfind("-----BEGIN", floor, end)
    if begin >= 0 and "PRIVATE KEY" in text[begin : begin + 60]:
        return ()
    start = end
    while start > floor:
        above = text.rfind("\n", floor, max(start - 1, floor)) + 1 or floor
        if not _KEY_LINE.fullmatch(text, above, start - 1):
            break
        start = above
    return _body(text, start, end)


def _putty(text: str, at: int) -> tuple[Span, ...]:
    """The lines that `Private-Lines: n` announces."""
    announced = _PUTTY.match(text, at)
    begin = end = announced.end() if announced else at
    for count in range(int(announced[1]) if announced else 0):
        line = _PUTTY_LINE.match(text, end)
        if not line:
            break
        begin = line.start(1) if count == 0 else begin
        end = line.end()
    return ((begin, end, "private-key", None),) if end - begin >= 32 else ()
