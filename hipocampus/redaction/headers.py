"""Authorization and cookie headers, as headers, in code and in dictionaries; `Bearer` wherever it stands."""

from __future__ import annotations

import re

from hipocampus.redaction import names, values, words
from hipocampus.redaction.forms import is_known_form
from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.view import Span, View
from hipocampus.redaction.wordlike import is_wordy

_SEPARATOR = r"(?:\\{0,15}[\"'`]|\])?\s{0,3}(?:[:=,]|=>|\{)\s{0,4}\(?\s{0,4}[rbfu$@]{0,2}\\{0,15}[\"'`]?\s{0,3}"
_SCHEMES = (
    "basic bearer token apikey api-key key ssws splunk oauth digest ntlm negotiate bot jwt geniekey flyv1 mac hawk aws4-hmac-sha256 "
    "aws googlelogin zoho-oauthtoken pveapitoken sharedaccesssignature klaviyo-api-key discogs sso-key client-id stytch session user "
    "x-access-token service-account"
).split()
_AUTHORIZATION = pattern(
    rf"{_SEPARATOR}(?:({'|'.join(_SCHEMES)})[ \t=:]{{1,3}})?(?:\\?[\"'])?(?:(?:token|key|auth|id)=\\?[\"']?)?([A-Za-z0-9._~+/=:@!%*$^&#|-]{{6,8192}})",
    re.IGNORECASE,
)
_BEARER = pattern(r"[ \t]{0,2}[ \t:=][ \t]{0,2}\\{0,3}[\"'`]?([A-Za-z0-9._~+/=:%|-]{12,8192})")
_PARAMETER = pattern(r"(?:response|signature|mac|oauth_signature)\s?=\s?\\{0,3}[\"']?([A-Za-z0-9+/=%_-]{16,512})", re.IGNORECASE)
_COOKIE = pattern(rf"s?(?:[._-]?(?:header|string|value|jar|str))?(?:{_SEPARATOR}|[ \t]{{1,3}}\\{{0,3}}[\"']?(?=[\w.-]{{1,60}}=))", re.IGNORECASE)
_PAIR = pattern(r"([\w.%-]{1,80})=([A-Za-z0-9._~+/=:%|!*@-]{6,8192})")
_ITEM = pattern(r"\\{0,7}[\"']([\w.%-]{1,80})\\{0,7}[\"']\s{0,2}[:,]\s{0,2}\\{0,7}[\"']([A-Za-z0-9._~+/=:%|!*@-]{6,8192})")
_HEADER_END = pattern(r"[\r\n\"'`]|\\n")
_SESSION = pattern(
    r"sess|sid(?:$|[._-])|auth|token|jwt|csrf|xsrf|remember|identity|sso|access|refresh|clearance|laravel|secret|credential|sapisid"
    r"|hsid|ssid|bearer|^__(?:host|secure)-|^\.asp|logged_in_user|apikey|_oauth|li_at|^connect\."
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The token after the word `Bearer` at `at`, or the session values of the cookies after the word `cookie`."""
    if view.lower.startswith("bearer", at):
        return _bearer(view.text, at + 6)
    return _cookies(view, at + 6)


def authorization(text: str, after: int, name: str) -> tuple[Span, ...]:
    """What an `Authorization`-like name carries: credentials after a scheme, base64 of `user:password`, or a token."""
    match = _AUTHORIZATION.match(text, after)
    if not match:
        return _user_and_password(text, after, name)
    scheme, start, end = (match[1] or "").lower(), *match.span(2)
    value = text[start:end].rstrip(".,:;")
    end = start + len(value)
    if scheme in ("digest", "aws4-hmac-sha256", "oauth", "mac", "hawk", "sharedaccesssignature"):
        return _parameters(text, start, name)
    if scheme == "basic" or not scheme:
        if is_basic(value):
            return ((start, end, "basic-auth", name),)
        return () if scheme else _bare(text, start, end, after, name)
    kind = "bearer" if scheme == "bearer" else "token"
    return ((start, end, kind, name),) if _is_credential(value) else ()


def _bare(text: str, start: int, end: int, after: int, name: str) -> tuple[Span, ...]:
    value = text[start:end]
    user, colon, password = value.partition(":")
    if colon and 0 < len(user) < 40 and values.is_strong(password) and values.is_secret(names.PASSWORD, password, values.HARD):
        return ((start + len(user) + 1, end, "password", name),)
    quoted = text[start - 1] in "\"'`"
    if values.is_secret(names.TOKEN, value, values.QUOTED if quoted else values.RAW) and len(value) >= 16:
        return ((start, end, "token", name),)
    return _user_and_password(text, after, name)


_TUPLE = pattern(r"\s{0,3}=?\s{0,3}\(\s{0,20}(?:\w{1,20}\s{0,2}=\s{0,2})?[\"'][^\"'\n]{1,80}[\"']\s{0,3},\s{0,20}(?:\w{1,20}\s{0,2}=\s{0,2})?[rbu]?([\"'])([^\"'\s]{4,200})\1\s{0,20}[,)]")


def _user_and_password(text: str, after: int, name: str) -> tuple[Span, ...]:
    """`auth=("user", "password")`, `HTTPBasicAuth('user', 'password')`."""
    match = _TUPLE.match(text, after)
    sure = match and ("cred" not in name.lower() or values.is_strong(match[2]) or values.is_token(match[2], values.QUOTED))
    if match and sure and values.is_secret(names.PASSWORD, match[2], values.QUOTED):
        return ((match.start(2), match.end(2), "password", name),)
    return ()


def is_basic(value: str) -> bool:
    """Is the value the base64 of `user:password`, with a password in it that is no placeholder?"""
    from binascii import Error, a2b_base64

    value = value.replace("%3D", "=").replace("%3d", "=")
    if len(value) < 6 or not re.fullmatch(r"[A-Za-z0-9+/]{4,}={0,2}", value):
        return False
    try:
        decoded = a2b_base64(value + "=" * (-len(value) % 4))
        user, colon, password = decoded.decode("utf-8").partition(":")
    except (Error, UnicodeDecodeError):
        return False
    printable = bool(colon) and decoded.isascii() and all(32 <= byte < 127 for byte in decoded)
    if not printable or len(user) > 128 or len(password) + len(user) < 8 or password.lower() == user.lower():
        return False
    return not (words.is_reference(password) or words.is_placeholder(password) or words.is_placeholder(user) and not password)


def _is_credential(value: str) -> bool:
    """After a scheme stands a credential, unless it is a placeholder, a reference or a word."""
    if len(value) < 8 or words.is_reference(value) or words.is_placeholder(value) or is_known_form(value):
        return False
    return values.is_secret(names.TOKEN, value, values.QUOTED) or (len(value) >= 20 and len(set(value)) >= 10 and any(c.isdigit() for c in value))


def _bearer(text: str, after: int) -> tuple[Span, ...]:
    match = _BEARER.match(text, after)
    if not match:
        return ()
    value = match[1].rstrip(".,:;")
    if not _is_credential(value) or (len(value) < 16 and not values.is_strong(value)):
        return ()
    return ((match.start(1), match.start(1) + len(value), "bearer", ""),)


def _parameters(text: str, start: int, name: str) -> tuple[Span, ...]:
    newline = text.find("\n", start, start + 2048)
    stop = newline if newline >= 0 else start + 2048
    return tuple((*match.span(1), "signature", name) for match in _PARAMETER.finditer(text, start, stop))


def _cookies(view: View, after: int) -> tuple[Span, ...]:
    """The values of session-like cookies after the word that announces them, once a line."""
    opening = _COOKIE.match(view.text, after)
    if not opening or after < view.seen.get("cookie", 0):
        return ()
    start = opening.end()
    stop = min(len(view.text), start + 8192)
    if view.text[start : start + 1] == "{" or "{" in opening[0]:
        close = view.text.find("}", start, stop)
        spans = _session_values(_ITEM, view.text, opening.start(), close if close >= 0 else stop)
    else:
        spans = session_values(view.text, start)
    view.seen["cookie"] = spans[-1][1] if spans else after + 24
    return spans


def session_values(text: str, start: int) -> tuple[Span, ...]:
    """The values of session-like cookies up to the end of the line or string; the other pairs stay."""
    end = _HEADER_END.search(text, start, start + 8192)
    return _session_values(_PAIR, text, start, end.start() if end else min(len(text), start + 8192))


def _session_values(pairs: re.Pattern[str], text: str, start: int, stop: int) -> tuple[Span, ...]:
    spans: list[Span] = []
    for match in pairs.finditer(text, start, stop):
        if _SESSION.search(match[1].lower()) and _is_session_value(match[2]):
            spans.append((*match.span(2), "cookie", match[1]))
    return tuple(spans)


def _is_session_value(value: str) -> bool:
    if len(value) < 8 or words.is_reference(value) or words.is_placeholder(value):
        return False
    if any(char.isdigit() for char in value):
        return not (is_wordy(value) or is_known_form(value))
    return len(value) >= 12 and value not in (value.lower(), value.upper()) and not is_wordy(value)
