"""Hashes of passwords: they can be tried offline, so they are as secret as what they were made of."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.view import Span, View

_B64 = "[./A-Za-z0-9]"
_CRYPT = pattern(
    rf"\$(?:2[abxy]?\$\d\d\${_B64}{{53}}|[156]\$(?:rounds=\d{{1,9}}\$)?[^\s$:\"'\\]{{1,16}}\${_B64}{{22,86}}"
    rf"|apr1\$[^\s$:\"'\\]{{1,8}}\${_B64}{{22}}|y\${_B64}{{1,12}}\${_B64}{{1,86}}\${_B64}{{43}}"
    rf"|7\${_B64}{{11,60}}\${_B64}{{43}}|[PH]\${_B64}{{31}}"
    r"|argon2(?:id|i|d)\$v=\d{1,3}\$m=\d{1,9},t=\d{1,4},p=\d{1,3}\$[A-Za-z0-9+/=]{8,100}\$[A-Za-z0-9+/=]{16,200}"
    r"|scrypt\$[^\s\"']{20,200}|pbkdf2-sha\d{1,3}\$\d{1,9}\$[./A-Za-z0-9+=]{4,100}\$[./A-Za-z0-9+=]{20,200})"
)
# Django's and Werkzeug's form: the method before the first `$`.
_METHOD = pattern(
    r"(?:pbkdf2_sha\d{1,3}|pbkdf2:sha\d{1,3}(?::\d{1,9})?|scrypt:\d{1,9}:\d{1,3}:\d{1,3}|bcrypt_sha256"
    r"|argon2|scrypt|md5|sha1|sha256)$"
)
# As Docker Compose wants it, with each `$` twice.
_DOUBLED = pattern(r"\$\$(?:1|2[aby]|5|6|7|y|apr1)(?:\$\$[./A-Za-z0-9]{1,90}){1,3}")
_SALTED = pattern(r"\$(?:\d{1,9}\$)?[^\s$\"'\\]{1,64}\$[A-Za-z0-9+/=]{20,200}")


def find(view: View, at: int) -> tuple[Span, ...]:
    """The crypt string that begins at the `$` at `at`, or the Django or Werkzeug hash that has its first `$` there."""
    text = view.text
    if text.startswith("$$", at):
        return _doubled(text, at)
    match = _CRYPT.match(text, at) if text[at + 1 : at + 2] in "12567yaPHsp" else None
    if match:
        return ((at, match.end(), "password-hash", None),)
    method = _METHOD.search(text, max(at - 32, 0), at) if text[at - 1 : at].isalnum() else None
    salted = _SALTED.match(text, at) if method else None
    return ((method.start(), salted.end(), "password-hash", None),) if method and salted else ()


def _doubled(text: str, at: int) -> tuple[Span, ...]:
    match = _DOUBLED.match(text, at)
    return ((at, match.end(), "password-hash", None),) if match and len(match[0]) >= 30 else ()
