"""Functions that take a secret by its place: `smtp.login("bob", "v")`, `jwt.sign(x, "v")`, `mysqli(host, user, "v")`.

A row is how the call ends up to its arguments, in lower case, which argument is the secret, and the kind of it.
"""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction import names, values
from hipocampus.redaction.view import Span, View

CALLS: tuple[tuple[str, int, str], ...] = (
    ("login(", 1, names.TOKEN),
    ("login(", 2, names.PASSWORD),
    ("basic(", 2, names.PASSWORD),
    ("basic_auth(", 2, names.PASSWORD),
    ("basic_auth ", 2, names.PASSWORD),
    ("addlogin ", 2, names.PASSWORD),
    ("connection(", 3, names.PASSWORD),
    ("mysqli(", 3, names.PASSWORD),
    ("mysqli_connect(", 3, names.PASSWORD),
    ("mysql_connect(", 3, names.PASSWORD),
    ("pdo(", 3, names.PASSWORD),
    ("jwt.sign(", 2, names.SECRET),
    ("jwt.verify(", 2, names.SECRET),
    ("jwt.encode(", 2, names.SECRET),
    ("jwt.decode(", 2, names.SECRET),
    ("hmac(", 2, names.SECRET),
    ("hmac.new(", 1, names.SECRET),
    ("fernet(", 1, names.SECRET),
)
_KEYWORD = r"\s{0,20}(?:\w{1,20}\s{0,2}[=:]\s{0,2})?"
_OPENING = r"[rbu@]?\\{0,7}[\"'`]"
_OTHER = (
    rf"{_KEYWORD}(?:{_OPENING}[^\"'`\\\n]{{0,200}}\\{{0,7}}[\"'`]|[^,()\"'`\n]{{1,80}}(?:\([^()\n]{{0,60}}\))?)"
    r"\s{0,4},"
)
_LITERAL = rf"{_KEYWORD}{_OPENING}([^\"'`\\\s]{{4,512}})\\{{0,7}}[\"'`](?=\s{{0,4}}(?:[,);]|$)|[\r\n])"
_ARGUMENT = {place: pattern(rf"(?:{_OTHER}){{{place - 1}}}{_LITERAL}") for place in (1, 2, 3)}


def find(view: View, at: int) -> tuple[Span, ...]:
    """The secret among the arguments of the call at `at`."""
    for call, place, kind in CALLS:
        match = _ARGUMENT[place].match(view.text, at + len(call)) if view.lower.startswith(call, at) else None
        if match and (kind != names.TOKEN or len(match[1]) >= 20) and values.is_secret(kind, match[1], values.QUOTED):
            return ((*match.span(1), kind, ""),)
    return ()
