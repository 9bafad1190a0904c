"""Credentials in URLs: `scheme://user:password@host`, a token in the user's place, signatures in the query."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction import names, values, words
from hipocampus.redaction.view import Span, View

_AUTHORITY = pattern(r"[^\s\"'<>`\\]{1,1024}")
_HOST = pattern(
    r"(?:[A-Za-z0-9][\w.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\]|[$<{][\w{}.$<>-]{1,60})(?::\d{1,5}|:[$<{][\w{}.$<>-]{1,60})?(?=[/?#,;:)\]}|&]|$)"
)
_PORT = pattern(r"\d{1,5}(?:[/?#]|$)")
_NEXT_HOST = pattern(r"\d{1,5},")
_SIGNED = pattern(r"(?:sig|signature)=([A-Za-z0-9%+/_=-]{16,1024})")
_ORACLE = pattern(r"thin:[\w$]{1,30}/([^\s\"'/]{4,64})@(?=[/(\w])")  # up to the last @: it may be part of the password
_USER = pattern(r"([\w.%-]{1,64}):([^\s\"'`@/]{4,128})$")
_NO_PASSWORD = "x-oauth-basic"  # noqa: S105 - what stands there when the user is the token


def find(view: View, at: int) -> tuple[Span, ...]:
    """The credential of the URL whose `://` is at `at`, of the signature, or of the Oracle address there."""
    text = view.text
    match view.lower[at]:
        case ":":
            return _user_info(text, at + 3)
        case "@":
            return _before_address(text, at)
        case "s":
            signed = _SIGNED.match(view.lower, at)
            return _signature(text, *signed.span(1)) if signed else ()
        case _:
            oracle = _ORACLE.match(text, at)
            return ((*oracle.span(1), "url-password", ""),) if oracle and _is_password("", oracle[1]) else ()


def _before_address(text: str, at: int) -> tuple[Span, ...]:
    """The password of `user:v@tcp(host:3306)/database`, as Go's MySQL driver writes it."""
    match = _USER.search(text, max(at - 200, 0), at)
    return ((*match.span(2), "url-password", ""),) if match and _is_password(match[1], match[2]) else ()


def _signature(text: str, start: int, end: int) -> tuple[Span, ...]:
    value = text[start:end].replace("%", "")
    return ((start, end, "signature", "sig"),) if values.is_secret(names.TOKEN, value, values.HARD) else ()


def _user_info(text: str, start: int) -> tuple[Span, ...]:
    match = _AUTHORITY.match(text, start)
    if not match or "@" not in match[0] or "[REDACTED" in match[0]:
        return ()
    run = match[0]
    at = _at_sign(run)
    if at < 0:
        return ()
    user, colon, password = run[:at].partition(":")
    if colon and password and _is_password(user, password):
        return ((start + len(user) + 1, start + at, "url-password", ""),)
    if (not colon or not password or words.is_placeholder(password) or password == _NO_PASSWORD) and _is_token(user):
        return ((start, start + len(user), "url-token", ""),)
    return ()


def _at_sign(run: str) -> int:
    """The `@` that ends the user information: the last before the path, else one behind a `/` in the password."""
    slash = min((place for place in (run.find(char) for char in "/?#") if place >= 0), default=len(run))
    at = run.rfind("@", 0, slash)
    if at >= 0 and _HOST.match(run, at + 1):
        return -1 if _NEXT_HOST.match(run.partition(":")[2]) else at
    user, colon, rest = run.partition(":")
    if not colon or any(char in user for char in "/?#@") or _PORT.match(rest) or "." in user:
        return -1
    at = run.find("@", slash)
    while at >= 0:
        if _HOST.match(run, at + 1) and not words.is_joined_name(run[len(user) + 1 : at]):
            return at
        at = run.find("@", at + 1)
    return -1


def _is_password(user: str, password: str) -> bool:
    if len(password) < 4 or "[REDACTED" in password or password.lower() == user.lower() or not password.isascii():
        return False
    if words.is_reference(password) or words.is_placeholder(password) or words.is_common(password):
        return False
    if password.startswith("key_") and password[4:].isdigit():
        return False
    if password.isalpha():
        return len(password) >= 6
    return not password.isdigit() or len(password) >= 5


def _is_token(user: str) -> bool:
    return len(user) >= 16 and "." not in user[:8] and values.is_secret(names.TOKEN, user, values.HARD)
