"""Hashes of passwords: they can be tried offline, so they are as secret as what they were made of."""

from __future__ import annotations

from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.view import Span, View

_CRYPT = pattern(
    r"\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|[156]\$(?:rounds=\d{1,9}\$)?[^\s$:\"'\\]{1,16}\$[./A-Za-z0-9]{22,86}|apr1\$[^\s$:\"'\\]{1,8}\$[./A-Za-z0-9]{22}"
    r"|y\$[./A-Za-z0-9]{1,12}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|7\$[./A-Za-z0-9]{11,60}\$[./A-Za-z0-9]{43}|[PH]\$[./A-Za-z0-9]{31}"
    r"|argon2(?:id|i|d)\$v=\d{1,3}\$m=\d{1,9},t=\d{1,4},p=\d{1,3}\$[A-Za-z0-9+/=]{8,100}\$[A-Za-z0-9+/=]{16,200}"
    r"|scrypt\$[^\s\"']{20,200}|pbkdf2-sha\d{1,3}\$\d{1,9}\$[./A-Za-z0-9+=]{4,100}\$[./A-Za-z0-9+=]{20,200})"
)
_NAMED = pattern(r"\$(?:\d{1,9}\$)?[^\s$\"'\\]{1,64}\$[A-Za-z0-9+/=]{20,200}")
_BEFORE = pattern(
    r"(?:pbkdf2_sha\d{1,3}|pbkdf2:sha\d{1,3}(?::\d{1,9})?|scrypt:\d{1,9}:\d{1,3}:\d{1,3}|bcrypt_sha256|argon2|scrypt|md5|sha1|sha256)$"
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The crypt string that begins at the `$` at `at`, or the Django or Werkzeug hash that has its first `$` there."""
    text = view.text
    if text[at + 1 : at + 2] in "12567yaPHsp":
        match = _CRYPT.match(text, at)
        if match:
            return ((at, match.end(), "password-hash", None),)
    before = _BEFORE.search(text, max(at - 32, 0), at) if text[at - 1 : at].isalnum() else None
    named = _NAMED.match(text, at) if before else None
    return ((before.start(), named.end(), "password-hash", None),) if before and named else ()
