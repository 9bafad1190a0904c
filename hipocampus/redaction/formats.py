"""Formats that keep secrets in places of their own: Kubernetes Secret, JSON web keys, seed phrases."""

from __future__ import annotations

import re

from hipocampus.redaction import words
from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.view import Span, View

_WINDOW = 6000
_KIND = pattern(r"kind\\{0,7}[\"']?[ \t]{0,3}:[ \t]{0,3}\\{0,7}[\"']?$", re.IGNORECASE)
_DATA = pattern(r"(?:^|\n|\\n|[{,\s\"'])(?:string)?data\\{0,7}[\"']?[ \t]{0,3}:[ \t]{0,3}(\{)?", re.IGNORECASE)
_DOCUMENT_END = pattern(r"\n[ \t>+]{0,8}---|\\n---|\n[ \t>+]{0,8}(?:kind|apiVersion)[ \t]{0,3}:")
_ENTRY = pattern(
    r"\\{0,7}[\"']?([A-Za-z0-9._-]{1,80})\\{0,7}[\"']?[ \t]{0,3}:[ \t]{0,3}(?:[|>][+-]?\s{0,2}\n[ \t]{0,20}|!!binary[ \t]{1,3})?\\{0,7}[\"']?([!#-&(-+\--\[\]-z|~]{4,4096})"
)
_NOT_SECRET = pattern(
    r"user|login|host|port|^name$|username|namespace|ca\.crt|tls\.crt|^cert|region|endpoint|database$|^db$|email|issuer|labels?$|annotations?$|type$|kind$|apiversion$|metadata$|immutable$",
    re.IGNORECASE,
)
_CERTIFICATE = "LS0tLS1CRUdJTiBDRV"  # base64 of -----BEGIN CE
_JWK = pattern(r"\\{0,7}[\"'](?:d|p|q|dp|dq|qi|k)\\{0,7}[\"']\s{0,3}:\s{0,3}\\{0,7}[\"']([A-Za-z0-9_-]{20,2048})")
_PHRASE = pattern(
    r"(?:\\{0,3}[\"'`*_]{0,3})?(?:s|[ \t](?:is|are|words?|was|für|para))?[ \t]{0,3}(?:[:=]|->)?[ \t\r\n]{0,4}(?:\\{0,3}[\"'`*(]{0,3})((?:\d{1,2}[.)][ \t]{0,2})?[a-z]{3,8}(?:(?:,?[ \t]{1,3}|,|\r?\n|-)(?:\d{1,2}[.)][ \t]{0,2})?[a-z]{3,8}){11,24})(?![\w])"
)
_COMMON = frozenset(
    [
        "the",
        "and",
        "you",
        "your",
        "with",
        "from",
        "that",
        "this",
        "have",
        "for",
        "not",
        "are",
        "was",
        "can",
        "will",
        "would",
        "must",
        "should",
        "which",
        "when",
        "then",
        "than",
        "into",
        "them",
        "they",
        "been",
        "being",
        "there",
        "their",
    ]
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The private parts of the JSON web key, or the seed phrase, that the word at `at` announces."""
    if view.lower.startswith("kty", at):
        return _web_key(view, at)
    after = at + (8 if view.lower.startswith("mnemonic", at) else 6)
    if after - at == 6 and not re.search(
        r"(?:seed|recovery|backup|secret|wallet|mnemonic|bip-?39)[ _-]?$", view.lower[max(at - 12, 0) : at]
    ):
        return ()
    return _seed(view.text, after)


def _web_key(view: View, at: int) -> tuple[Span, ...]:
    text = view.text
    if at < view.seen.get("kty", 0):
        return ()
    start = max(text.rfind("{", max(at - 2000, 0), at), max(at - 2000, 0))
    end = text.find("}", at, at + 4000)
    stop = view.seen["kty"] = end if end >= 0 else min(len(text), at + 4000)
    return tuple((*match.span(1), "private-key", "d") for match in _JWK.finditer(text, start, stop))


def _seed(text: str, after: int) -> tuple[Span, ...]:
    match = _PHRASE.match(text, after)
    if not match:
        return ()
    listed = re.findall(r"[a-z]{3,8}", match[1])
    if len(listed) < 12 or sum(word in _COMMON for word in listed) > 1 or len(set(listed)) < 8:
        return ()
    return ((*match.span(1), "mnemonic", ""),)


def kubernetes(view: View, start: int, end: int) -> tuple[Span, ...]:
    """The values under `data:` and `stringData:` of the manifest whose `kind: Secret` stands at `start`; names that say user or host stay."""
    text = view.text
    if not _KIND.search(text[max(start - 20, 0) : start]):
        return ()
    top = max(start - _WINDOW, view.seen.get("kind", 0))
    view.seen["kind"] = end
    for match in _DOCUMENT_END.finditer(text, top, max(start - 12, top)):
        if "---" in match[0]:
            top = match.end()
    below = _DOCUMENT_END.search(text, end, end + _WINDOW)
    bottom = below.start() if below else min(len(text), end + _WINDOW)
    spans: list[Span] = []
    for block in _DATA.finditer(text, top, bottom):
        spans += _entries(text, block.end(), bottom, bool(block[1]))
    return tuple(spans)


def _entries(text: str, start: int, stop: int, braced: bool) -> list[Span]:
    close = text.find("}", start, stop) if braced else -1
    stop = close if close >= 0 else _block_end(text, start, stop)
    spans: list[Span] = []
    for match in _ENTRY.finditer(text, start, stop):
        value = match[2].rstrip(",}\\")
        if (
            len(value) >= 4
            and not _NOT_SECRET.search(match[1])
            and not words.is_reference(value)
            and "[REDACTED" not in value
            and not value.startswith(_CERTIFICATE)
        ):
            spans.append((match.start(2), match.start(2) + len(value), "kubernetes-secret", match[1]))
    return spans


def _block_end(text: str, start: int, stop: int) -> int:
    """Where the lines end that are indented deeper than the line of `data:`."""
    line = text.rfind("\n", 0, start) + 1
    indent = len(text[line:start]) - len(text[line:start].lstrip(" \t>+"))
    at = text.find("\n", start, stop)
    while 0 <= at < stop:
        following = text.find("\n", at + 1, stop)
        content = text[at + 1 : following if following >= 0 else stop]
        if content.strip() and len(content) - len(content.lstrip(" \t>+")) <= indent:
            return at
        at = following
    return stop
