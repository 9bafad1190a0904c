"""Kubernetes manifests of `kind: Secret`: every value under `data:` and `stringData:` is one."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import words
from hipocampus.redaction.view import Span, View

WINDOW = 6000
_QUOTE = r"\\{0,7}[\"']?"
_KIND = pattern(rf"kind{_QUOTE}[ \t]{{0,3}}:[ \t]{{0,3}}{_QUOTE}$", IGNORECASE)
_DATA = pattern(rf"(?:^|\n|\\n|[{{,\s\"'])(?:string)?data{_QUOTE}[ \t]{{0,3}}:[ \t]{{0,3}}(\{{)?", IGNORECASE)
_NEXT_DOCUMENT = pattern(r"\n[ \t>+]{0,8}---|\\n---|\n[ \t>+]{0,8}(?:kind|apiVersion)[ \t]{0,3}:")
_ENTRY = pattern(
    rf"{_QUOTE}([A-Za-z0-9._-]{{1,80}}){_QUOTE}[ \t]{{0,3}}:[ \t]{{0,3}}"
    rf"(?:[|>][+-]?\s{{0,2}}\n[ \t]{{0,20}}|!!binary[ \t]{{1,3}})?{_QUOTE}([!#-&(-+\--\[\]-z|~]{{4,4096}})"
)
# Entries that name a place or a person, and those that are public.
_STAYS = pattern(
    r"user|login|host|port|^name$|namespace|ca\.crt|tls\.crt|^cert|region|endpoint|database$|^db$|email|issuer"
    r"|labels?$|annotations?$|type$|kind$|apiversion$|metadata$|immutable$",
    IGNORECASE,
)
_CERTIFICATE = "LS0tLS1CRUdJTiBDRV"  # base64 of -----BEGIN CE


def find(view: View, start: int, end: int) -> tuple[Span, ...]:
    """The values of the manifest whose word `Secret` is from `start` to `end`; each manifest is read once."""
    text = view.text
    if not _KIND.search(text, max(start - 20, 0), start):
        return ()
    top = max(start - WINDOW, view.seen.get("kind", 0))
    for document in _NEXT_DOCUMENT.finditer(text, top, max(start - 12, top)):
        if "---" in document[0]:
            top = document.end()
    below = _NEXT_DOCUMENT.search(text, end, end + WINDOW)
    bottom = below.start() if below else min(len(text), end + WINDOW)
    view.seen["kind"] = bottom
    spans: list[Span] = []
    while block := _DATA.search(text, top, bottom):
        close = text.find("}", block.end(), bottom) if block[1] else -1
        top = close if close >= 0 else _block_end(text, block.end(), bottom)
        spans += _entries(text, block.end(), top)
    return tuple(spans)


def _entries(text: str, start: int, stop: int) -> list[Span]:
    spans: list[Span] = []
    for entry in _ENTRY.finditer(text, start, stop):
        value = entry[2].rstrip(",}\\")
        if _is_secret(entry[1], value):
            spans.append((entry.start(2), entry.start(2) + len(value), "kubernetes-secret", entry[1]))
    return spans


def _is_secret(name: str, value: str) -> bool:
    if len(value) < 4 or "[REDACTED" in value or value.startswith(_CERTIFICATE):
        return False
    return not _STAYS.search(name) and not words.is_reference(value)


def _block_end(text: str, start: int, stop: int) -> int:
    """Where the lines end that are indented deeper than the line of `data:`."""
    line = text.rfind("\n", max(start - 200, 0), start) + 1
    indent = _indent(text[line:start])
    at = text.find("\n", start, stop)
    while 0 <= at < stop:
        following = text.find("\n", at + 1, stop)
        content = text[at + 1 : following if following >= 0 else stop]
        if content.strip() and _indent(content) <= indent:
            return at
        at = following
    return stop


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t>+"))
