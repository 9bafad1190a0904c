"""Names and values in markup: elements, attributes, definition lists, and pairs such as `name: X`, `value: v`."""

from __future__ import annotations

import re

from hipocampus.redaction import values
from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.quoting import read_value
from hipocampus.redaction.view import Span

_ELEMENT = pattern(r"(?:\s[^<>]{0,200})?>\s{0,40}(?:<!\[CDATA\[)?([^<>\s]{1,4096})(?=\s{0,40}(?:\]\]>)?\s{0,40}</)")
_NEXT_ELEMENT = pattern(r"[\"']?\s{0,2}:?(?:[^<>\n]{0,60}>)?</[\w:.-]{1,30}>[:\s]{0,60}<[\w:.-]{1,30}(?:\s[^<>]{0,100})?>\s{0,40}([^<>\s]{1,4096})(?=\s{0,40}</)")
_ATTRIBUTE_ELEMENT = pattern(r"\\{0,7}[\"'](?:\s[^<>]{0,200})?>\s{0,40}([^<>\s]{1,4096})(?=\s{0,40}</)")
_OF_NAME = pattern(r"(?:name|key|id|type|variable|property|setting|env|field|header|param|parameter|label|option)\\{0,7}[\"']?\s{0,3}[:= ]\s{0,3}\\{0,7}[\"']?$", re.IGNORECASE)
_VALUE = pattern(
    r"\\{0,7}[\"']?(?:,|;)?(?:[ \t]{1,4}[\w-]{1,20}[=:][ \t]?[\"'][^\"'\n]{0,60}[\"'],?){0,4}(?:\s|\\{1,4}n){0,60}(?:[{-]\s{0,3})?(?:\w{1,20}\s{0,3}=\s{0,3}\w{1,20}\s{1,40})?"
    r"\\{0,7}[\"']?(?:value|default|defaultvalue|content|newvalue|secretvalue)\\{0,7}[\"']?[ \t]{0,4}[:=]>?[ \t]{0,4}",
    re.IGNORECASE,
)
_BLOCK_VALUE = pattern(r"\\{0,7}[\"']?[ \t]{0,3}[:=]?>?[ \t]{0,3}\{\s{0,60}(?:\\{0,7}[\"']?(?:type|description|sensitive|required)\\{0,7}[\"']?\s{0,20}[:=]\s{0,3}[^\n]{0,80}[\n,]\s{0,60}){0,4}\\{0,7}[\"']?(?:value|default|const|initialvalue|_value)\\{0,7}[\"']?\s{0,20}[:=]\s{0,3}", re.IGNORECASE)

# start, end, kind, text
Name = tuple[int, int, str, str]


def find(text: str, name: Name) -> tuple[Span, ...]:
    """The value that markup puts beside the name."""
    start, end = name[0], name[1]
    before = text[max(start - 60, 0) : start]
    if before.endswith(("<", ":")) and "<" in before[-30:]:
        return _inside(text, _ELEMENT.match(text, end), name)
    following = text[end : end + 1]
    if following in "<:>\"' ":
        spans = _inside(text, _NEXT_ELEMENT.match(text, end), name)
        if spans:
            return spans
    if _OF_NAME.search(before):
        spans = _inside(text, _ATTRIBUTE_ELEMENT.match(text, end), name) or _valued(text, _VALUE.match(text, end), name)
        if spans:
            return spans
    return _valued(text, _BLOCK_VALUE.match(text, end), name)


def _inside(text: str, match: re.Match[str] | None, name: Name) -> tuple[Span, ...]:
    if not match:
        return ()
    if values.is_secret(name[2], match[1], values.QUOTED):
        return ((match.start(1), match.end(1), name[2], name[3]),)
    return ()


def _valued(text: str, match: re.Match[str] | None, name: Name) -> tuple[Span, ...]:
    extent = read_value(text, match.end()) if match else None
    if not extent:
        return ()
    syntax = values.QUOTED if extent[2] else values.RAW
    if values.is_secret(name[2], text[extent[0] : extent[1]], syntax):
        return ((extent[0], extent[1], name[2], name[3]),)
    return ()
