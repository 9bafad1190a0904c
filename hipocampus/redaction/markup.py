"""Names and values in markup: elements, attributes, definition lists, and pairs such as `name: X`, `value: v`."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import values
from hipocampus.redaction.identifiers import Name
from hipocampus.redaction.quoting import read_value
from hipocampus.redaction.view import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_TEXT = r"\s{0,40}(?:<!\[CDATA\[)?([^<>\s]{1,4096})(?=\s{0,40}(?:\]\]>)?\s{0,40}</)"
# <password>v</password>
_ELEMENT = pattern(rf"(?:\s[^<>]{{0,200}})?>{_TEXT}")
# <td>Password</td><td>v</td>, <key>TOKEN</key><string>v</string>
_NEXT_ELEMENT = pattern(
    r"[\"']?\s{0,2}:?(?:[^<>\n]{0,60}>)?</[\w:.-]{1,30}>(?:[:\s]|\\{1,7}[nrt]){0,60}"
    rf"<[\w:.-]{{1,30}}(?:\s[^<>]{{0,100}})?>{_TEXT}"
)
# <string name="api_key">v</string>
_ATTRIBUTE_ELEMENT = pattern(rf"\\{{0,7}}[\"'](?:\s[^<>]{{0,200}})?>(?:\s{{0,40}}<value>)?{_TEXT}")
_QUOTE = r"\\{0,7}[\"']?"
# The name is itself a value: name="TOKEN", "key": "password", variable "db_password".
_NAMES = (
    *("name", "key", "id", "type", "variable", "property", "setting", "env", "field", "header", "param", "parameter"),
    *("label", "option"),
)
_OF_NAME = pattern(
    rf"(?:{'|'.join(_NAMES)})"
    rf"{_QUOTE}\s{{0,3}}[:= ]\s{{0,3}}{_QUOTE}$",
    IGNORECASE,
)
# … and the value follows as value="v", value: v, "default": "v".
_VALUE = pattern(
    rf"{_QUOTE}[,;]?(?:[ \t]{{1,4}}[\w-]{{1,20}}[=:][ \t]?[\"'][^\"'\n]{{0,60}}[\"'],?){{0,4}}"
    rf"(?:\s|\\{{1,4}}n){{0,60}}(?:[{{-]\s{{0,3}})?(?:\w{{1,20}}\s{{0,3}}=\s{{0,3}}\w{{1,20}}\s{{1,40}})?"
    rf"{_QUOTE}(?:value|default|defaultvalue|content|newvalue|secretvalue){_QUOTE}[ \t]{{0,4}}[:=]>?[ \t]{{0,4}}",
    IGNORECASE,
)
# "db_password": {"type": "string", "value": "v"}, variable "db_password" { default = "v" }
_BLOCK_VALUE = pattern(
    rf"{_QUOTE}[ \t]{{0,3}}[:=]?>?[ \t]{{0,3}}\{{\s{{0,60}}"
    rf"(?:{_QUOTE}(?:type|description|sensitive|required){_QUOTE}\s{{0,20}}[:=]\s{{0,3}}[^\n]{{0,80}}[\n,]\s{{0,60}}){{0,4}}"
    rf"{_QUOTE}(?:value|default|const|initialvalue|_value|key|signingkey|secretkey){_QUOTE}\s{{0,20}}[:=]\s{{0,3}}",
    IGNORECASE,
)


def find(text: str, name: Name) -> tuple[Span, ...]:
    """The value that markup puts beside the name."""
    end = name.end
    before = text[max(name.start - 60, 0) : name.start]
    if before.endswith(("<", ":")) and "<" in before[-30:]:
        return _inside(_ELEMENT.match(text, end), name)
    is_closed = text[end : end + 1] in "<:>\"' " and text.find("</", end, end + 70) >= 0
    spans = _inside(_NEXT_ELEMENT.match(text, end), name) if is_closed else ()
    is_value = before.rstrip("\\\"' \t\r\n:=").lower().endswith(_NAMES)  # most are not, and are not searched
    if not spans and is_value and _OF_NAME.search(before):
        spans = _inside(_ATTRIBUTE_ELEMENT.match(text, end), name) or _valued(text, _VALUE.match(text, end), name)
    if spans or text.find("{", end, end + 20) < 0:
        return spans
    return _valued(text, _BLOCK_VALUE.match(text, end), name)


def _inside(match: re.Match[str] | None, name: Name) -> tuple[Span, ...]:
    if match and values.is_secret(name.kind, match[1], values.QUOTED):
        return ((*match.span(1), name.kind, name.text),)
    return ()


def _valued(text: str, match: re.Match[str] | None, name: Name) -> tuple[Span, ...]:
    extent = read_value(text, match.end()) if match else None
    if not extent:
        return ()
    start, end, quoted = extent
    if values.is_secret(name.kind, text[start:end], values.QUOTED if quoted else values.RAW):
        return ((start, end, name.kind, name.text),)
    return ()
