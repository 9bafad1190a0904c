"""Where the context rules begin: plain words that are looked for one by one, and the module that reads on from each.

`str.find` for a word passes a megabyte in under a millisecond; one big alternation in `re` is many times slower. A
module is imported when its first word is met, so a prompt without secrets pays for none of them.
"""

from __future__ import annotations

from hipocampus.redaction.view import Span, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# All in lower case; the module of this package that has `find(view, at)`.
ANCHORS: tuple[tuple[str, str], ...] = (
    ("private-lines", "pem"),
    ("://", "urls"),
    ("thin:", "urls"),
    ("sig", "urls"),
    ("hook", "webhooks"),
    ("bearer", "headers"),
    ("cookie", "cookies"),
    ("pass", "named"),
    ("pw", "named"),
    ("secret", "named"),
    ("token", "named"),
    ("key", "named"),
    ("auth", "named"),
    ("cred", "named"),
    ("jwt", "named"),
    ("_pat", "named"),
    ("psk", "named"),
    ("salt", "named"),
    ("clave", "named"),
    (" -", "commands"),
    ("echo ", "commands"),
    ("identified", "sql"),
    ("securestring", "commands"),
    ("in with ", "prose"),
    ("login", "prose"),
    ("kty", "formats"),
    ("mnemonic", "formats"),
    ("phrase", "formats"),
    ("$", "hashes"),
    ("senha", "named"),
    ("kennwort", "named"),
    ('"-p', "commands"),
    (" /p", "commands"),
    ("<<<", "commands"),
    ("p: ", "prose"),
    ("akia", "split_keys"),
    ("asia", "split_keys"),
    ("net use", "commands"),
    ("base64:", "formats"),
    (":5432:", "formats"),
    ("@tcp(", "urls"),
    ("connection(", "calls"),
    ("mysql", "calls"),
    ("pdo(", "calls"),
    ("hmac", "calls"),
    ("basic", "calls"),
    ("addlogin ", "calls"),
    ("rabbitmqctl ", "commands"),
    ("encrypt_string", "commands"),
    ("fernet(", "calls"),
)
MANY = 256
MOST_KNOWN = 10_000
# So much of the text before and behind a word decides what it holds.
BEFORE, BEHIND = 60, 300
_loaded: dict[str, Callable[[View, int], tuple[Span, ...]]] = {}


def find_by_words(view: View, check: Callable[[], None]) -> list[Span]:
    """The spans of every context rule; `check` is called now and then and may raise when time is up."""
    spans: list[Span] = []
    view.seen["marked"] = "[redacted:" in view.lower
    for word, module in ANCHORS:
        if word in view.lower:
            spans += _at_each(view, word, module, check)
            check()
    return spans


def _at_each(view: View, word: str, module: str, check: Callable[[], None]) -> list[Span]:
    """The spans at each place of `word`; behind many places, surroundings that were read are not read again."""
    lower, text, size = view.lower, view.text, len(word)
    spans: list[Span] = []
    known: dict[str, tuple[Span, ...]] = {}  # what surroundings hold, in places from the word on
    repeats = False  # until that many differ from each other, any may come again
    marked = view.seen["marked"]
    hits = 0
    at = lower.find(word)
    find = _finder(module)
    while at >= 0:
        hits += 1
        if marked and _is_in_marker(lower, at):
            at = lower.find(word, at + size)
            continue
        watched = hits > MANY and (repeats or len(known) < MOST_KNOWN)
        around = text[at - BEFORE if at > BEFORE else 0 : at + BEHIND] if watched else ""
        held = known.get(around)
        if held is None:
            found = find(view, at)
            within = not found or (found[0][0] >= at - BEFORE and found[-1][1] < at + BEHIND)
            if around and within and len(known) < MOST_KNOWN:
                known[around] = tuple([(start - at, end - at, kind, name) for start, end, kind, name in found])
        else:
            repeats = True
            found = tuple([(start + at, end + at, kind, name) for start, end, kind, name in held])
        if found:
            spans += found
            at = max(at, min(found[-1][1] - size, at + 8192))
        at += size
        if not hits % 64:
            check()
        at = lower.find(word, at)
    return spans


def _is_in_marker(lower: str, at: int) -> bool:
    """Our own markers hold words such as `password`; they announce nothing."""
    opening = lower.rfind("[redacted:", max(at - 50, 0), at)
    return opening >= 0 and lower.find("]", opening, at) < 0


def _finder(module: str) -> Callable[[View, int], tuple[Span, ...]]:
    finder = _loaded.get(module)
    if finder is None:
        finder = _loaded[module] = __import__(f"hipocampus.redaction.{module}", fromlist=["find"]).find
    return finder
