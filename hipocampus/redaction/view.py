"""The text as the rules read it: without escapes, colours and joints, and with the way back to the original.

Transcripts carry `\\u003d` for an equals sign, `&quot;` for a quote, Korean as `\\ube44\\ubc88`, and terminal colours
between a name and its value; a long string is written in two that `+` joins, or has invisible characters inside. Each
rule would have to know all of that; instead they read a view, and their spans are mapped back.
"""

from __future__ import annotations

from bisect import bisect_right

from hipocampus.core.patterns import pattern
from hipocampus.core.record import record

# Start, end, kind, and the identifier beside the value: "" where a context rule has none, None for fixed shapes.
Span = tuple[int, int, str, "str | None"]

_HINT = pattern(r"[\x1b\\&%](?:\[|u[0-9a-d]|x1b|033|e\[|quot;|apos;|amp;|[lg]t;|#|3d|22|3a)")
# What takes no room: hyphens that may be, joiners, and selectors of how the character before looks.
_INVISIBLE = pattern(
    "[\u00ad\u034f\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)
# That in UTF-8, or how it begins there.
_HIDDEN = (
    *map(str.encode, "\u00ad\u034f\u17b4\u17b5\u200b\u200c\u200d\u2060\ufeff"),
    *(b"\xe1\xa0", b"\xef\xb8", b"\xf3\xa0"),
)
_WIDE = pattern("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
# Every branch begins with a literal, so that `re` skips to the few characters that can begin one.
_ESCAPE = pattern(
    r"\x1b\[[0-9;]{0,16}m|\\\\{0,7}(?:(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,16}m"
    r"|u(?:00(?:2[267bBfF]|3[a-eA-E])|(?:[3-9aAcC][0-9a-fA-F]|[bB][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2}))"
    r"|&(?:quot|apos|amp|lt|gt|#[0-9]{2,3}|#[xX][0-9a-fA-F]{2});|%(?:3[dDaA]|22)"
)
# The end of a line that goes on in the next one, in the middle of a word.
_GOES_ON = pattern(r"(?<=[\w+/=-])\\\r?\n(?=\w)")
# Around the `+` between two strings.
_ENDS = pattern(r"(\\{0,7}[\"'`])[ \t]{0,4}$")
_BEGINS = pattern(r"\+\s{0,40}(\\{0,7}[\"'`])")
_NAMED = {"&quot;": '"', "&apos;": "'", "&amp;": "&", "&lt;": "<", "&gt;": ">"}


@record
class View:
    """`text` to search, its narrow lower-case form with the same offsets, and where pieces of it begin in the original.

    `seen` is where a rule notes how far it has read, so that a window full of openings is read once and not from each;
    `named` has the places of the names that were looked at, for a name can hold several of the words that lead to it.
    `joined` is where, in the original, the text goes on behind something that stood between two characters: what is one
    word in the view may be a token that begins there.
    """

    text: str
    lower: str
    seen: dict[str, int]
    named: set[int]
    starts: tuple[int, ...] = ()
    origins: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()

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
    if not text.isascii() and _is_wide(text):
        text = text.translate(_NARROW)
    lower = lowered(text)
    joints = _joints(text)
    if "\\\n" in text or "\\\r" in text:
        joints += [(*end.span(), "") for end in _GOES_ON.finditer(text)]
    if not text.isascii() and any(map(text.encode("utf-8", "surrogatepass").__contains__, _HIDDEN)):
        joints += [(*mark.span(), "") for mark in _INVISIBLE.finditer(text)]
    escapes = [(*match.span(), _plain(match[0])) for match in _ESCAPE.finditer(text)] if _HINT.search(lower) else []
    if not joints and not escapes:
        return View(text, lower, {}, set())
    joined = tuple(end for _start, end, _plain in joints)
    return _decoded(text, sorted(joints + escapes) if joints else escapes, joined)


def _is_wide(text: str) -> bool:
    """Has the text letters or digits in their wide form? Their bytes are looked for first, which is faster."""
    encoded = text.encode("utf-8", "surrogatepass")
    return (b"\xef\xbc" in encoded or b"\xef\xbd" in encoded) and bool(_WIDE.search(text))


def lowered(text: str) -> str:
    """`text` in lower case, offsets kept, `?` for what is not ASCII: plain words are found fastest in narrow text."""
    if not text.isascii():
        text = text.encode("ascii", "replace").decode("ascii")
    return text.lower()


def _joints(text: str) -> list[tuple[int, int, str]]:
    """Where one string ends and `+` and the next follow, in the same quotes."""
    joints: list[tuple[int, int, str]] = []
    for begin in _BEGINS.finditer(text):
        end = _ENDS.search(text, max(begin.start() - 12, 0), begin.start())
        if end and begin[1] == end[1]:
            joints.append((end.start(), begin.end(), ""))
    return joints


def _decoded(text: str, escapes: list[tuple[int, int, str]], joined: tuple[int, ...]) -> View:
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
    parts.append(text[done:])
    starts.append(length)
    origins += (done, 0)
    decoded = "".join(parts)
    return View(decoded, lowered(decoded), {}, set(), tuple(starts), tuple(origins), joined)


def _plain(escape: str) -> str:
    lower = escape.lower()
    if lower[-1] == "m":
        return ""
    if lower.startswith("&#"):
        return chr(int("0" + lower[2:-1], 16 if "x" in lower else 10) or 32)
    if lower.startswith("&"):
        return _NAMED[lower]
    return chr(int(lower[-2:] if lower.startswith("%") else lower[-4:], 16))
