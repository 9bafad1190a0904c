"""A key that nothing but the word `key` names: `here is the key: v`, `key: "v"`. Only the value can tell."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import names, values, words
from hipocampus.redaction.patterns import digits_in
from hipocampus.redaction.view import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_WORD = pattern(r"(?<![A-Za-z0-9_.$-])(?:key|KEY|Key)(?![A-Za-z0-9_-])")
# Who gives it: "here is the", "use this", "my".
_GIVEN = pattern(
    r"\b(?:here(?:['’]s| is)|use|using|try|take|with|got|this is|is) (?:the|your|my|our|this|that|a)(?: [a-z]{2,12})? $"
    r"|\b(?:my|our|your|the|new) $",
    IGNORECASE,
)
_SAID = pattern(r"key(?: (?:is|was)(?: now)?|,)?:?[ \t]{1,2}[\"'`]?([A-Za-z0-9+/_=-]{16,256})(?![\w.])", IGNORECASE)
_WRITTEN = pattern(
    r"key\\{0,7}[\"'`]?[ \t]{0,4}(?:[:=]|:=|=>)[ \t]{0,4}\\{0,7}([\"'`])([A-Za-z0-9+/_=]{28,256})\\{0,7}\1"
    r"|KEY=()([A-Za-z0-9+/_=]{28,256})(?=\s|$)",
    IGNORECASE,
)
# How a public key begins in base64; private ones have a rule of their own.
_PUBLIC = ("MFkw", "MFYw", "MHYw", "MCow", "MIGb", "MIGf", "MIIB", "MIIC")
_CASES = (pattern(r"[a-z]"), pattern(r"[A-Z]"))


def find(text: str, at: int) -> tuple[Span, ...]:
    """The random value that is said to be the key, or is written as `key` is."""
    if not _WORD.match(text, at):
        return ()
    written = _WRITTEN.match(text, at)
    if written:
        group = 2 if written[2] else 4
        return _judged(written, group)
    said = _SAID.match(text, at)
    return _judged(said, 1) if said and _GIVEN.search(text, max(at - 40, 0), at) else ()


def _judged(match: re.Match[str], group: int) -> tuple[Span, ...]:
    """Random: both cases and digits, no words in it, no digest, no id of another kind."""
    value = match[group]
    mixed = digits_in(value) >= 3 and all(case.search(value) for case in _CASES)
    mixed = mixed and value.count("/") < 3 and not value.startswith(_PUBLIC) and not words.in_base64(value)
    secret = mixed and values.is_secret(names.SECRET, value, values.PROSE)
    return ((*match.span(group), "secret", "key"),) if secret else ()
