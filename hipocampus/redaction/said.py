"""A value inside a sentence: where it ends, and whether it is said to be a secret."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction import names, values
from hipocampus.redaction.patterns import digits_in, vocabulary
from hipocampus.redaction.view import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# What opens the value, and the value with whatever stands behind it.
VALUE = r"(?:\\{1,15}(?=[\"'`]))?([\"'`“‘«「『(\[]{0,2}\*{0,2})([!-~]{4,512})"
# A user and a password: `admin / v`, `admin:v`, `admin (v)`.
USER_AND = r"[\"'`(]?([\w.@+-]{2,64})[ \t]{0,2}(?:[/:|,(]|[ \t]\()[ \t]{0,2}[\"'`]?([!-~]{4,128})"
_CLOSES = {"“": "”", "‘": "’", "(": ")", "[": "]", "«": "»"}
_TRAILING = ".,;:!?)]}>\"'`*”’»」』"
_ESCAPED = pattern(r"\\+[\"'nrt]")
_SYMBOL_INSIDE = pattern(r"[A-Za-z0-9][!@#$%^&*+=?~|]+[A-Za-z0-9]")
_NO_USERS = vocabulary("user username login id email name your you google sso")


def said(text: str, match: re.Match[str], kind: str) -> tuple[Span, ...]:
    """The span of the value in the last two groups (its quote and the value), if the verdict is that it is a secret."""
    group = match.re.groups
    opening, start = match[group - 1], match.start(group)
    value = without_end(match[group], opening)
    literal = opening.strip("*`") != "" and "user" not in match[0]
    secret = values.is_secret(kind, value, values.QUOTED if literal else values.PROSE)
    if not secret and not (
        literal and not match[0][: -len(match[group]) - 1].count('"') % 2 and _is_plain(kind, value)
    ):
        return ()
    quoted = bool(opening.strip("*")) or text[start - 1] in "\"'`"
    if kind == names.PASSWORD and not _is_said(value, quoted):
        return ()
    return ((start, start + len(value), kind, ""),)


def _is_plain(kind: str, value: str) -> bool:
    """In quotes a plain word may be the password, `the password is "blooberry"`, if documentation does not use it."""
    plain = kind == names.PASSWORD and value.isalpha() and not names.classify(value)
    return plain and values.is_secret(kind, value, values.HARD)


def _is_said(value: str, quoted: bool) -> bool:
    """A password in a sentence has a digit, or a symbol between letters; in quotes any form will do."""
    if digits_in(value):
        return value.lower() != value.upper() or len(value) >= 8
    return quoted or bool(_SYMBOL_INSIDE.search(value))


def without_end(value: str, opening: str) -> str:
    """The value without the quote that closes it and without the sentence's punctuation."""
    value = _ESCAPED.split(value, 1)[0] if "\\" in value else value
    for char in opening:
        place = value.find(_CLOSES.get(char, char))
        value = value[:place] if place > 0 else value
    bare = value.rstrip(_TRAILING)
    rest = value[len(bare) :]
    if rest.startswith("!") and not opening and digits_in(bare):
        bare += "!" * (len(rest) - len(rest.lstrip("!")))
    return bare


def pair(match: re.Match[str] | None) -> tuple[Span, ...]:
    """The password of the user and password in the last two groups."""
    if not match:
        return ()
    group = match.re.groups
    value, start = without_end(match[group], ""), match.start(group)
    if match[group - 1].lower() in _NO_USERS or not _is_said(value, False):
        return ()
    secret = values.is_secret(names.PASSWORD, value, values.PROSE)
    return ((start, start + len(value), names.PASSWORD, ""),) if secret else ()
