"""Where a value begins and ends: quotes at any escape depth, raw runs, and what does not belong to a raw run's end."""

from __future__ import annotations

from hipocampus.core.patterns import pattern

LONGEST = 8192
_OPENING = pattern(r"(?:[rbufRBUFLN@$]{1,2}(?=\\{0,15}[\"'`]))?(\\{0,15})(\"\"\"|'''|[\"'`])")
# Printable ASCII but quotes, angle brackets and backslash; a backslash only where it starts no escape.
# How any of them begins: most values are raw, and are not searched for an opening.
_OPENS = frozenset("rbufRBUFLN@$\\\"'`")
_PLAIN_CHARS = r"[!#-&(-;=?-\[\]^_a-~]"
_RAW_CHARS = rf"(?:{_PLAIN_CHARS}|\\(?![nrtuxbf\"'`\\/0\s]|$))"
_PLAIN = pattern(_PLAIN_CHARS + "{0,400}")
_RAW = pattern(_RAW_CHARS + "{1,400}")
_LONG_RAW = pattern(_RAW_CHARS + "{1,8192}")
_NEXT_PAIR = pattern(r"[&;,](?:amp;)?[\w.%\[\]-]{1,64}=|,[\w.-]{1,40}:|;")
_BRACKET = pattern(r"[()\[\]{}]")
_OPENERS = {")": "(", "]": "[", "}": "{"}

# start, end, quoted
Extent = tuple[int, int, bool]


def read_value(text: str, at: int) -> Extent | None:
    """The value that begins at `at`: in its quotes, or the raw run; None without one or with an open quote."""
    opening = _OPENING.match(text, at) if text[at : at + 1] in _OPENS else None
    if not opening:
        return _read_raw(text, at)
    end = _closing(text, opening.end(), len(opening[1]), opening[2])
    return (opening.end(), end, True) if end > opening.end() else None


def _closing(text: str, start: int, depth: int, quote: str) -> int:
    """Where the value ends that began after `depth` backslashes and `quote`, or -1: on the same line unless tripled."""
    limit = min(len(text), start + LONGEST)
    if len(quote) == 1:
        newline = text.find("\n", start, limit)
        limit = newline if newline >= 0 else limit
    at = start
    for _ in range(64):
        at = text.find(quote, at, limit)
        if at < 0:
            return -1
        slashes = _slashes(text, start, at)
        if slashes < depth or slashes % (2 * (depth + 1)) == depth:
            return at - min(slashes, depth)
        at += 1
    return -1


def _slashes(text: str, start: int, at: int) -> int:
    count = 0
    while at - count > start and count < 64 and text[at - count - 1] == "\\":
        count += 1
    return count


def _read_raw(text: str, at: int) -> Extent | None:
    """The unquoted run at `at`, without brackets, separators and full stops that belong to the text around it."""
    match = _PLAIN.match(text, at)  # much faster, and most runs have no backslash
    if match and text.startswith("\\", match.end()):
        match = _RAW.match(text, at)
    if not match:
        return None
    value = _trimmed(match[0])
    if len(value) == 400:
        match = _LONG_RAW.match(text, at) or match
        value = _trimmed(match[0])
    return (at, at + len(value), False) if value else None


def _trimmed(run: str) -> str:
    """The part of a raw run that is the value."""
    if "," in run or ";" in run or "&" in run:
        pair = _NEXT_PAIR.search(run)
        run = run[: pair.start()] if pair else run
    if ")" in run or "]" in run or "}" in run:
        run = _balanced(run)
    while run and (run[-1] in ".,:|" or run.endswith("**")):
        run = run.removesuffix("**") if run[-1] == "*" else run[:-1]
    return run


def _balanced(run: str) -> str:
    """Up to the first bracket that closes what was opened before the run."""
    open_ones: list[str] = []
    for bracket in _BRACKET.finditer(run):
        char = bracket[0]
        if char in "([{":
            open_ones.append(char)
        elif not open_ones:
            return run[: bracket.start()]
        elif open_ones[-1] == _OPENERS[char]:
            open_ones.pop()
    return run
