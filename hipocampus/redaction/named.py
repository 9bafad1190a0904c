"""Values with a name beside them: assignments in code, environment files, YAML, JSON at any escape depth, query strings."""

from __future__ import annotations

import re

from hipocampus.redaction import names, values
from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.quoting import Extent, read_value
from hipocampus.redaction.view import Span, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAME_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_NAME_REST = pattern(r"[A-Za-z0-9_.-]{0,64}")
_BEFORE = pattern(r"([A-Za-z][A-Za-z0-9]{0,30})[ _/-]{1,2}$")
_FOLLOWS = frozenset("=:\"'`\\ \t)]*_<>|,({[?!+-&~.：＝→’}\r\n은는이가을를도はがを是为為の값") | {""}
# What may close the name, a type, an operator: `"]`, `: str =`, `=>`, `**:`, `:-`.
_CLOSE = r"(?:\\{0,15}[\"'`]|[\])]|\*\*|__|</(?:b|i|em|strong|code|span|label|dt|th|td)>){0,3}"
_TYPE = r"(?::[ \t]{0,3}|[ \t]{1,3})&?(?:'static )?[A-Za-z_][\w.:<>?| ]{0,30}?(?:\[[\w, |\"']{0,30}\])?(?: \| \w{1,12})?[ \t]{0,3}(?==)|\[\d{0,5}\][ \t]{0,3}(?==)"
_OPERATOR = r":=|={2,3}|!==?|=~|[:?|]{0,2}=>?|[-=]>|<-|:{1,2}[-=]?|[：＝→]"
_ASSIGNED = pattern(rf"({_CLOSE})(?:\.{{3,30}})?[ \t]{{0,12}}(?:{_TYPE})?({_OPERATOR})(?:\*\*|__|</\w{{1,8}}>)?([ \t]{{0,16}})")
_LINE_BREAK = pattern(r"(?:[|>][+-]?\d?|\(|\\)?[ \t]{0,8}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t>+]{0,60}")
_PAIR_COMMA = pattern(r"[\])]{0,2}\\{0,15}[\"'`][ \t]{0,4},[ \t]{0,8}(?=[rbufL@]{0,2}\\{0,15}[\"'`])")
_CALLED = pattern(r"\([ \t]{0,4}(?=[rbufL@]{0,2}\\{0,15}[\"'`])|[\"'`]?[ \t]{1,4}(?=\\{0,15}[\"'`])")
_FALLBACK = pattern(r"\\{0,15}[\"'`]?[\])]{0,2}\s{0,3}(?:or|\|\||\?\?|else)\s{0,3}(?=[rbu]?\\{0,15}[\"'`])")
_LAST_ARGUMENT = pattern(r"\(\s{0,20}(?:[\"'][^\"'\n]{0,80}[\"']\s{0,3},\s{0,20}){1,3}(?=[rbu]?[\"'])")
_CELL = pattern(r"(?:\*\*|`|__)?[ \t]{0,40}\|[ \t]{0,40}[`*\"']{0,2}([!-_a-{}~]{6,512}?)[`*\"']{0,2}[ \t]{0,40}\|")

_QUADS = pattern(r"[\"'`]?([a-z]{4}(?:[- ][a-z]{4}){3})(?![\w-]| [a-z])")
_QUERY_END = pattern("[&#]")

# start, end, kind, text
Name = tuple[int, int, str, str]
_known: dict[tuple[str, str], str | None] = {}


def find(view: View, at: int) -> tuple[Span, ...]:
    """The value that the identifier around `at` names, in whatever syntax follows the identifier."""
    text = view.text
    end = _NAME_REST.match(text, at).end()  # type: ignore[union-attr]
    if text.startswith("KEY", at) and text[at - 8 : at] == "PRIVATE ":
        return _lazily("pem").find(view, at)  # type: ignore[no-any-return]
    if text.startswith("token$", at):
        return _lazily("shapes").braintree(text, at)  # type: ignore[no-any-return]
    while text[end - 1] in ".-" and end > at:
        end -= 1
    if text[end : end + 1] not in _FOLLOWS:
        return ()
    name = _name(text, at, end)
    return value_of(view, name) if name else ()


def _name(text: str, at: int, end: int) -> Name | None:
    chunk = text[max(at - 48, 0) : at]
    start = at - len(chunk) + len(chunk.rstrip(_NAME_CHARS))
    if start < at and text[start - 1 : start] == "\\" and text[start] in "nrt":
        start += 1
    word = text[start:end]
    if text[start - 3 : start] == "://":
        return None  # a user in a URL
    if word == "key" and start and text[start - 1] in "?&":
        return start, end, names.API_KEY, word
    if text[start - 1 : start] == ":" and (text[start - 2 : start] == "::" or "arn:" in text[max(start - 80, 0) : start]):
        return None  # AWS::IAM::AccessKey, arn:aws:secretsmanager:…:secret:name
    before = ""
    if "-" not in word and "_" not in word and len(word) < 12:
        match = _BEFORE.search(text, max(start - 33, 0), start)
        before = match[1] if match else ""
    kind = _kind(word, before)
    return (start, end, kind, word) if kind else None


def _kind(word: str, before: str) -> str | None:
    key = (word, before)
    if key not in _known:
        if len(_known) > 4096:
            _known.clear()
        _known[key] = names.classify(word, before)
    return _known[key]


def value_of(view: View, name: Name) -> tuple[Span, ...]:
    """The value beside a name that was classified, by the syntax that follows the name."""
    text, end = view.text, name[1]
    if name[2] in (names.AUTH, names.CREDENTIALS):
        spans = _lazily("headers").authorization(text, end, name[3])
        if spans or name[2] == names.AUTH:
            return spans or _lazily("commands").after_name(text, name)  # type: ignore[no-any-return]
    if name[3] in ("Secret", "secret"):
        spans = _lazily("formats").kubernetes(view, name[0], end)
        if spans:
            return spans  # type: ignore[no-any-return]
    assigned = _ASSIGNED.match(text, end)
    spans = _assigned(text, name, assigned) if assigned else _adjacent(text, name)
    return spans or _elsewhere(text, name, assigned is not None)


def _adjacent(text: str, name: Name) -> tuple[Span, ...]:
    """`"NAME", "v"`, `NAME("v")`, `NAME "v"`; `pass` alone is a verb there."""
    if name[3].lower() == "pass":
        return ()
    syntax = values.HARD if name[3] == "PASSWORD" else values.QUOTED
    for separator in (_PAIR_COMMA, _FALLBACK, _CALLED, _LAST_ARGUMENT):
        match = separator.match(text, name[1])
        extent = read_value(text, match.end()) if match else None
        spans = judged(text, name, extent, syntax) if extent and extent[2] else ()
        if spans:
            return spans
    cell = _CELL.match(text, name[1])
    return judged(text, name, (*cell.span(1), False), values.RAW) if cell else ()


def _assigned(text: str, name: Name, assigned: re.Match[str]) -> tuple[Span, ...]:
    at = assigned.end()
    broken = _LINE_BREAK.match(text, at)
    if broken:
        extent = read_value(text, broken.end())
        if extent and not extent[2] and "=" in assigned[2] and not broken[0].strip():
            return ()  # an empty setting, and the next one below it
        return judged(text, name, extent, values.QUOTED if extent and extent[2] else values.RAW)
    extent = _quads(text, at, name) or read_value(text, at)
    if extent and not extent[2] and _before(text, name) in "?&#":
        extent = (extent[0], extent[0] + len(_QUERY_END.split(text[extent[0] : extent[1]], 1)[0]), False)
    return judged(text, name, extent, _syntax(text, name, assigned, extent))


def _quads(text: str, at: int, name: Name) -> Extent | None:
    """An application password as Google and Apple write it, in four groups of four."""
    match = _QUADS.match(text, at) if name[2] == names.PASSWORD else None
    return (match.start(1), match.end(1), True) if match else None


def _before(text: str, name: Name) -> str:
    """The character before the name; a line break at the start."""
    return text[name[0] - 1] if name[0] else "\n"


def _syntax(text: str, name: Name, assigned: re.Match[str], extent: Extent | None) -> str:
    """HARD for `NAME=value` of the environment, flags, query and connection strings; else as it is quoted."""
    tight = assigned[2] == "=" and not assigned[3] and not assigned[1]
    if tight and (name[3].isupper() or name[3].startswith("-") or _before(text, name) in "?&"):
        return values.HARD
    return values.QUOTED if extent and extent[2] else values.RAW


def judged(text: str, name: Name, extent: Extent | None, syntax: str) -> tuple[Span, ...]:
    """The span of the value, if the verdict is that it is a secret."""
    if extent is None or not values.is_secret(name[2], text[extent[0] : extent[1]], syntax):
        return ()
    if text[extent[0] : extent[1]].lower() in name[3].lower():
        return ()  # a name for the name
    return ((extent[0], extent[1], name[2], name[3]),)


def _elsewhere(text: str, name: Name, assigned: bool) -> tuple[Span, ...]:
    """Markup, a command line or a sentence; what is assigned is not said, except in pairs."""
    following = text[name[1] : name[1] + 1]
    if following > "\u3000" or text[name[1] + 1 : name[1] + 2] > "\u3000":
        return _lazily("prose").joined(text, name)  # type: ignore[no-any-return]
    if following in "<>:\"'\\=\r\n,}" or _before(text, name) == "<":
        spans = _lazily("markup").find(text, name)
        if spans:
            return spans  # type: ignore[no-any-return]
    if following not in "\"'`*_)] \ts:,’":
        return ()
    prose = _lazily("prose")
    if assigned:
        return prose.paired(text, name)  # type: ignore[no-any-return]
    return _lazily("commands").after_name(text, name) or prose.after_name(text, name)  # type: ignore[no-any-return]


def _lazily(module: str) -> Any:
    """A module of this package that most texts do not need."""
    return __import__(f"hipocampus.redaction.{module}", fromlist=["find"])
