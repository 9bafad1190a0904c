"""Where the context rules begin: plain words that are looked for one by one, and the module that reads on from each.

`str.find` for a word passes a megabyte in under a millisecond; one big alternation in `re` is many times slower. A
module is imported when its first word is met, so a prompt without secrets pays for none of them.
"""

from __future__ import annotations

from hipocampus.redaction import named
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
    ("hook", "shapes"),
    ("bearer", "headers"),
    ("cookie", "headers"),
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
    ("identified", "commands"),
    ("securestring", "commands"),
    ("in with ", "prose"),
    ("login", "prose"),
    ("kty", "formats"),
    ("mnemonic", "formats"),
    ("phrase", "formats"),
    ("$", "hashes"),
)
_loaded: dict[str, Callable[[View, int], tuple[Span, ...]]] = {"named": named.find}


def find_by_words(view: View, check: Callable[[], None]) -> list[Span]:
    """The spans of every context rule; `check` is called now and then and may raise when time is up."""
    spans: list[Span] = []
    lower = view.lower
    for word, module in ANCHORS:
        at = lower.find(word)
        while at >= 0:
            found = _finder(module)(view, at)
            at += len(word)
            if found:
                spans += found
                check()
                at = max(at, min(found[0][1], at + 8192))
            at = lower.find(word, at)
        check()
    return spans


def _finder(module: str) -> Callable[[View, int], tuple[Span, ...]]:
    finder = _loaded.get(module)
    if finder is None:
        finder = _loaded[module] = __import__(f"hipocampus.redaction.{module}", fromlist=["find"]).find
    return finder
