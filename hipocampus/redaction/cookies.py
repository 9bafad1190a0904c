"""Cookie headers, in code and in dictionaries: values of session-like names go, the others stay."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import words
from hipocampus.redaction.forms import is_known_form
from hipocampus.redaction.headers import SEPARATOR
from hipocampus.redaction.patterns import digits_in
from hipocampus.redaction.view import Span, View
from hipocampus.redaction.wordlike import is_wordy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

LONGEST = 8192
_OPENING = pattern(
    r"cookies?(?:[._-]?(?:header|string|value|jar|str))?"
    rf"(?:{SEPARATOR}|[ \t]{{1,3}}\\{{0,3}}[\"']?(?=[\w.-]{{1,60}}=))",
    IGNORECASE,
)
_VALUE = r"([A-Za-z0-9._~+/=:%|!*@-]{6,8192})"
_PAIR = pattern(rf"([\w.%-]{{1,80}})={_VALUE}")
_ITEM = pattern(rf"\\{{0,7}}[\"']([\w.%-]{{1,80}})\\{{0,7}}[\"']\s{{0,2}}:\s{{0,2}}\\{{0,7}}[\"']{_VALUE}")
_END = pattern(r"[\r\n\"'`]|\\n")
_CLOSE = pattern(r"\}|\n[ \t]*\n")  # an empty line ends what nobody closed
_SESSION = pattern(
    r"sess|sid(?:$|[._-])|auth|token|jwt|csrf|xsrf|remember|identity|sso|access|refresh|clearance|laravel|secret|credential"
    r"|sapisid|hsid|ssid|bearer|^__(?:host|secure)-|^\.asp|logged_in_user|apikey|_oauth|li_at|^connect\."
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The session values of the cookies that the word at `at` announces, each read once."""
    opening = _OPENING.match(view.text, at)
    if not opening or at < view.seen.get("cookie", 0):
        return ()
    start = opening.end()
    if view.text[start : start + 1] == "{" or "{" in opening[0]:
        close = _CLOSE.search(view.text, start, start + LONGEST)
        stop = close.start() if close else min(len(view.text), start + LONGEST)
        spans = _session_values(_ITEM, view.text, opening.start(), stop)
    else:
        stop = _line_end(view.text, start)
        spans = _session_values(_PAIR, view.text, start, stop)
    view.seen["cookie"] = stop
    return spans


def session_values(text: str, start: int) -> tuple[Span, ...]:
    """The values of session-like cookies up to the end of the line or string."""
    return _session_values(_PAIR, text, start, _line_end(text, start))


def _line_end(text: str, start: int) -> int:
    end = _END.search(text, start, start + LONGEST)
    return end.start() if end else min(len(text), start + LONGEST)


def _session_values(pairs: re.Pattern[str], text: str, start: int, stop: int) -> tuple[Span, ...]:
    return tuple(
        (*match.span(2), "cookie", match[1])
        for match in pairs.finditer(text, start, stop)
        if _SESSION.search(match[1].lower()) and _is_session_value(match[2])
    )


def _is_session_value(value: str) -> bool:
    if len(value) < 8 or words.is_reference(value) or words.is_placeholder(value):
        return False
    if digits_in(value):
        return not (is_wordy(value) or is_known_form(value))
    return len(value) >= 12 and value not in (value.lower(), value.upper()) and not is_wordy(value)
