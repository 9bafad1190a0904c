"""Values beside a name without an operator between: arguments, fallbacks, what is sent, cells, directives."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import names, values
from hipocampus.redaction.identifiers import Name
from hipocampus.redaction.judging import judged
from hipocampus.redaction.patterns import digits_in
from hipocampus.redaction.quoting import read_value
from hipocampus.redaction.view import Span

_LITERAL = r"(?=[rbufL@]{0,2}\\{0,15}[\"'`])"
_DIRECT = pattern(rf"\([ \t]{{0,4}}{_LITERAL}|[\"'`]?[ \t]{{1,4}}(?=\\{{0,15}}[\"'`])")
# Joints without an operator: `"NAME", "v"`; `NAME or "v"`; `NAME("v")` and `NAME "v"`; `set_NAME("a", "b", "v")`;
# `"--NAME", default="v"`; `get("NAME").type("v")`; `fetch("NAME") { "v" }`.
_JOINTS = (
    pattern(rf"[\])]{{0,2}}\\{{0,15}}[\"'`][ \t]{{0,4}},[ \t]{{0,8}}{_LITERAL}"),
    pattern(rf"\\{{0,15}}[\"'`]?[\])]{{0,2}}\s{{0,3}}(?:or|\|\||\?\?|else)\s{{0,3}}{_LITERAL}"),
    _DIRECT,
    pattern(rf"\(\s{{0,20}}(?:[\"'][^\"'\n]{{0,80}}[\"']\s{{0,3}},\s{{0,20}}){{1,3}}{_LITERAL}"),
    pattern(
        rf"\\{{0,15}}[\"'`](?:\s{{0,3}},\s{{0,20}}[\w=\"'.-]{{1,40}}){{0,4}}\s{{0,3}},\s{{0,20}}default\s{{0,2}}=\s{{0,2}}{_LITERAL}"
    ),
    pattern(
        rf"[\])\"'`]{{0,5}}\s{{0,3}}(?:\.\w{{1,16}}\(\))?\.(?:type|fill|send_?keys|set_?value|val|clear_?and_?type|input|enter_?text)"
        rf"\(\s{{0,4}}{_LITERAL}",
        IGNORECASE,
    ),
    pattern(rf"\\{{0,15}}[\"'`]\)[ \t]{{0,3}}(?:\{{|do)[ \t]{{0,3}}{_LITERAL}"),
)
# How any of them begins: most names are followed by something else.
_JOINT = pattern(r"[\])(\\\"'`]|[ \t]{1,4}[\\\"'`]|\s{0,3}(?:\.|or|else|\|\||\?\?)")
# How a joint, the end of a cell, the next argument or a directive begins.
_FIRSTS = frozenset("])(\\\"'`.?|oe*_, \t")
# expect "NAME:" { send "v\r" }
_SENT = pattern(
    r":?[ \t]?\\{0,15}[\"'`]?[ \t]{0,3}[;{]?\s{0,20}(?:exp_)?send(?:line)?[ \t]{1,3}(?:--[ \t]{1,3})?"
    rf"{_LITERAL}"
)
_COMPARED = pattern(r"(?:assert|expect|equal|compare|verify|match)\w{0,20}\([^()\n]{0,60}$", IGNORECASE)
_NEXT_ARGUMENT = pattern(rf"[ \t]{{0,4}},[ \t]{{0,8}}{_LITERAL}")
# A whole line of a configuration file: `password v`.
_DIRECTIVE = pattern(r"[ \t]{1,12}([!-~]{8,128})[ \t]{0,4}(?=[\r\n]|\\n|$)")
_CELL = pattern(r"(?:\*\*|`|__)?[ \t]{0,40}\|[ \t]{0,40}[`*\"']{0,2}([!-_a-{}~]{6,512}?)[`*\"']{0,2}[ \t]{0,40}\|")


def adjacent(text: str, name: Name) -> tuple[Span, ...]:
    """A literal behind one of the joints, or in the next cell of a table; `pass` alone is a verb there."""
    following = text[name.end : name.end + 1]
    if (following not in _FIRSTS and not following.isspace()) or name.text.lower() == "pass":
        return ()
    for joint in _JOINTS if _JOINT.match(text, name.end) else ():
        syntax = values.HARD if name.text == "PASSWORD" and joint is _DIRECT else values.QUOTED  # SQL: PASSWORD 'v'
        match = joint.match(text, name.end)
        extent = read_value(text, match.end()) if match else None
        spans = judged(text, name, extent, syntax) if extent and extent[2] else ()
        if spans:
            return spans
    if (
        text[name.end : name.end + 1] in "\"'"
        and name.before(text).isspace()
        and text[name.end + 1 : name.end + 2].isalnum()
    ):
        spans = judged(text, name, read_value(text, name.end), values.QUOTED)  # name"v", without anything between
        if spans:
            return spans
    cell = _CELL.match(text, name.end)
    if cell:
        return judged(text, name, (*cell.span(1), False), values.RAW)
    return _compared(text, name) or _directive(text, name)


def sent(text: str, name: Name) -> tuple[Span, ...]:
    """What a script types when it is asked for the name."""
    match = _SENT.match(text, name.end) if text.find("send", name.end, name.end + 40) >= 0 else None
    return judged(text, name, read_value(text, match.end()), values.QUOTED) if match else ()


def _compared(text: str, name: Name) -> tuple[Span, ...]:
    """`assertEqual(config.password, "v")`."""
    match = _NEXT_ARGUMENT.match(text, name.end)
    if not match or not _COMPARED.search(text, max(name.start - 90, 0), name.start):
        return ()
    return judged(text, name, read_value(text, match.end()), values.QUOTED)


def _directive(text: str, name: Name) -> tuple[Span, ...]:
    """`password v` as a whole line, if the value could not be the next word."""
    match = _DIRECTIVE.match(text, name.end) if name.kind == names.PASSWORD else None
    if not match or (name.before(text) != "\n" and text[text.rfind("\n", 0, name.start) + 1 : name.start].strip()):
        return ()
    value = match[1]
    sure = digits_in(value) > 1 and (not value[:1].isdigit() or len(value) > 11) and not value.endswith((".", ",", ":"))
    return judged(text, name, (*match.span(1), False), values.PROSE) if sure else ()
