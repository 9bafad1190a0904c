"""The text as the rules read it: without escapes, colours and joints, and with the way back to the original.

Transcripts carry `\\u003d` for an equals sign, `&quot;` for a quote, Korean as `\\ube44\\ubc88`, and terminal colours
between a name and its value; a long string is written in two that `+` joins, or has invisible characters inside. Each
rule would have to know all of that; instead they read a view, and their spans are mapped back.
"""

from __future__ import annotations

from bisect import bisect_right

from hipocampus.core.record import record
from hipocampus.redaction.patterns import pattern

# Start, end, kind, and the identifier beside the value: "" where a context rule has none, None for fixed shapes.
Span = tuple[int, int, str, "str | None"]

_HINT = pattern(r"[\x1b\\&%](?:\[|u[0-9a-d]|x1b|033|e\[|quot;|apos;|amp;|[lg]t;|#|3d|22|3a)")
_INVISIBLE = pattern("[\u00ad\u200b-\u200d\u2060\ufeff]")
_WIDE = pattern("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
# Every branch begins with a literal, so that `re` skips to the few characters that can begin one.
_ESCAPE = pattern(
    r"\x1b\[[0-9;]{0,16}m|\\\\{0,7}(?:(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,16}m"
    r"|u(?:00(?:2[267bBfF]|3[a-eA-E])|(?:[3-9aAcC][0-9a-fA-F]|[bB][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2}))"
    r"|[\u00ad\u200b-\u200d\u2060\ufeff]"
    r"|&(?:quot|apos|amp|lt|gt|#[0-9]{2,3}|#[xX][0-9a-fA-F]{2});|%(?:3[dDaA]|22)"
)
# Around the `+` between two strings.
_ENDS = pattern(r"(\\{0,7}[\"'`])[ \t]{0,4}$")
_BEGINS = pattern(r"\+\s{0,40}(\\{0,7}[\"'`])")
_NAMED = {"&quot;": '"', "&apos;": "'", "&amp;": "&", "&lt;": "<", "&gt;": ">"}


@record
class View:
    """`text` to search, its narrow lower-case form with the same offsets, and where pieces of it begin in the original.

    `seen` is where a rule notes how far it has read, so that a window full of openings is read once and not from each;
    `named` has the places of the names that were looked at, for a name can hold several of the words that lead to it.
    Where something between two characters was taken out, the text is `joined`: a token may begin there in the original.
    """

    text: str
    lower: str
    seen: dict[str, int]
    named: set[int]
    starts: tuple[int, ...] = ()
    origins: tuple[int, ...] = ()
    joined: bool = False

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that `start` to `end` of the view came from."""
        if not self.starts:
            return start, end
        return self._origin(start), self._origin(end - 1, last=True)

    def _origin(self, at: int, last: bool = False) -> int:
        piece = bisect_right(self.starts, at) - 1
        begin = self.origins[2 * piece] + at - self.starts[piece]
        if self.origins[2 * piece + 1]:  # one character that was written as an escape
            begin = self.origins[2 * piece]
            return begin + self.origins[2 * piece + 1] if last else begin
        return begin + 1 if last else begin


def view_of(text: str) -> View:
    """`text` ready to search; without escapes in it the view is the text itself."""
    if not text.isascii():
        text = text.translate(_NARROW) if _WIDE.search(text) else text
    lower = lowered(text)
    joints = _joints(text)
    hidden = not text.isascii() and bool(_INVISIBLE.search(text))
    escaped = hidden or bool(_HINT.search(lower))
    if not joints and not escaped:
        return View(text, lower, {}, set())
    found = [(*match.span(), _plain(match[0])) for match in _ESCAPE.finditer(text)] if escaped else []
    return _decoded(text, lower, sorted(joints + found) if joints else found, hidden or bool(joints))


def lowered(text: str) -> str:
    """`text` in lower case, offsets kept, `?` for what is not ASCII: plain words are found fastest in narrow text."""
    if not text.isascii():
        text = text.encode("ascii", "replace").decode("ascii")
    return text.lower()


def _joints(text: str) -> list[tuple[int, int, str]]:
    """Where one string ends and `+` and the next follow, in the same quotes."""
    joints: list[tuple[int, int, str]] = []
    at = text.find("+")
    while at >= 0:
        begin = _BEGINS.match(text, at)
        end = _ENDS.search(text, max(at - 12, 0), at) if begin else None
        if begin and end and begin[1] == end[1]:
            joints.append((end.start(), begin.end(), ""))
        at = text.find("+", at + 1)
    return joints


def _decoded(text: str, lower: str, escapes: list[tuple[int, int, str]], joined: bool) -> View:
    parts: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    done = length = 0
    for start, end, plain in escapes:
        if start < done:
            continue  # an escape inside a joint
        for piece, begin, width in ((text[done:start], done, 0), (plain, start, end - start)):
            if piece:
                parts.append(piece)
                starts.append(length)
                origins += (begin, width)
                length += len(piece)
        done = end
    if not parts and not done:
        return View(text, lower, {}, set())
    parts.append(text[done:])
    starts.append(length)
    origins += (done, 0)
    decoded = "".join(parts)
    return View(decoded, lowered(decoded), {}, set(), tuple(starts), tuple(origins), joined)


def _plain(escape: str) -> str:
    lower = escape.lower()
    if lower[-1] == "m" or not escape.isascii():
        return ""
    if lower.startswith("&#"):
        return chr(int("0" + lower[2:-1], 16 if "x" in lower else 10) or 32)
    if lower.startswith("&"):
        return _NAMED[lower]
    return chr(int(lower[-2:] if lower.startswith("%") else lower[-4:], 16))
