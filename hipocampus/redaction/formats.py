"""Formats that keep a secret in a place of its own: JSON web keys, seed phrases, .pgpass, Laravel keys."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import names, values
from hipocampus.redaction.patterns import vocabulary
from hipocampus.redaction.view import Span, View

_JWK = pattern(r"\\{0,7}[\"'](?:d|p|q|dp|dq|qi|k)\\{0,7}[\"']\s{0,3}:\s{0,3}\\{0,7}[\"']([A-Za-z0-9_-]{20,2048})")
_SEED = pattern(r"(?:seed|recovery|backup|secret|wallet|mnemonic|bip-?39)[ _-]?$", IGNORECASE)
_WORD = r"(?:\d{1,2}[.)][ \t]{0,2})?[a-z]{3,8}"
_PHRASE = pattern(
    r"(?:mnemonic|phrase)s?(?:\\{0,3}[\"'`*_]{0,3})?(?:[ \t](?:is|are|words?|was))?[ \t]{0,3}(?:[:=]|->)?[ \t\r\n]{0,4}"
    rf"\\{{0,3}}[\"'`*(]{{0,3}}({_WORD}(?:(?:,?[ \t]{{1,3}}|,|\r?\n|-){_WORD}){{11,24}})(?!\w)",
    IGNORECASE,
)
# The key of a Laravel application; a line of .pgpass, from its port on.
_LARAVEL = pattern(r"base64:([A-Za-z0-9+/]{43}=)(?![A-Za-z0-9+/=])")
_PGPASS = pattern(r":5432:[\w*.-]{1,64}:[\w*.-]{1,64}:([^\s:\"']{4,128})(?=\s|\\n|[\"']|$)")
_PLAIN_WORD = pattern(r"[a-z]{3,8}")
# Words of sentences, of which a seed phrase has none.
_COMMON = vocabulary(
    "the and you your with from that this have for not are was will would must should which when then than into",
    "them they been being there their",
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The private parts of the JSON web key, or the seed phrase, that the word at `at` announces."""
    if view.lower.startswith("kty", at):
        return _web_key(view, at)
    if view.lower[at] in "b:":
        match = (_LARAVEL if view.lower[at] == "b" else _PGPASS).match(view.text, at)
        is_value = match and (view.lower[at] == "b" or values.is_secret(names.PASSWORD, match[1], values.HARD))
        kind = names.SECRET if view.lower[at] == "b" else names.PASSWORD
        return ((*match.span(1), kind, ""),) if match and is_value else ()
    if view.lower.startswith("phrase", at) and not _SEED.search(view.text, max(at - 12, 0), at):
        return ()
    match = _PHRASE.match(view.text, at)
    return ((*match.span(1), "mnemonic", ""),) if match and _is_seed(match[1]) else ()


def _web_key(view: View, at: int) -> tuple[Span, ...]:
    text = view.text
    if at < view.seen.get("kty", 0):
        return ()
    floor = max(at - 2000, 0)
    end = text.find("}", at, at + 4000)
    stop = view.seen["kty"] = end if end >= 0 else min(len(text), at + 4000)
    parts = _JWK.finditer(text, max(text.rfind("{", floor, at), floor), stop)
    return tuple((*part.span(1), "private-key", "d") for part in parts)


def _is_seed(text: str) -> bool:
    listed = _PLAIN_WORD.findall(text)
    return len(listed) >= 12 and len(set(listed)) >= 8 and sum(word in _COMMON for word in listed) < 2
