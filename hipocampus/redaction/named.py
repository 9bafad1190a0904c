"""Values with a name beside them: assignments in code, environments, YAML, JSON at any escape depth, query strings."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction import beside, names, shapes, values
from hipocampus.redaction.identifiers import Name, name_at
from hipocampus.redaction.judging import judged
from hipocampus.redaction.patterns import Later, vocabulary
from hipocampus.redaction.quoting import Extent, read_value
from hipocampus.redaction.view import Span, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from hipocampus.redaction import (
        bare_keys,
        calls,
        commands,
        headers,
        kubernetes,
        languages,
        markup,
        pem,
        prose,
        tables,
    )
else:
    commands, headers, kubernetes = Later("commands"), Later("headers"), Later("kubernetes")
    languages, markup, pem, prose = Later("languages"), Later("markup"), Later("pem"), Later("prose")
    bare_keys, calls, tables = Later("bare_keys"), Later("calls"), Later("tables")

# What may close the name, a type, an operator: `"]`, `: str =`, `=>`, `**:`, `:-`.
_CLOSE = r"(?:\\{0,15}[\"'`]|[\])]|\*\*|__|</(?:b|i|em|strong|code|span|label|dt|th|td)>){0,3}"
_TYPE = (
    r"(?::[ \t]{0,3}|[ \t]{1,3})&?(?:'static )?[A-Za-z_][\w.:<>?| ]{0,30}?(?:\[[\w, |\"']{0,30}\])?"
    r"(?: \| \w{1,12})?[ \t]{0,3}(?==)|\[\d{0,5}\][ \t]{0,3}(?==)"
)
_OPERATOR = r":=|={2,3}|!==?|=~|[:?|]{0,2}=>?|[-=]>|<-|:{1,2}[-=]?|[：＝→]"
_ASSIGNED = pattern(
    rf"({_CLOSE})(?:\.{{3,30}})?[ \t]{{0,12}}(?:{_TYPE})?({_OPERATOR})(?:\*\*|__|</\w{{1,8}}>)?([ \t]{{0,16}})"
)
_LAST_WORD = pattern(r"(?:^|[^A-Za-z])[A-Za-z]{0,2}P?[Ww](?:d|D)?$|(?:Pw|PW|Pat|Psk)$")
_COLON = pattern(r":[ \t]{1,16}")
_LINE_BREAK = pattern(
    r"(?:[|>][+-]?\d?|\(|\\)?[ \t]{0,8}\r?\n(?:[ \t]{0,8}\r?\n)?(?:[ \t]{0,8}`{3}\w{0,10}\r?\n)?[ \t>+]{0,60}"
)
_TAG = pattern(r"!!(?:binary|str)[ \t]{1,3}")
_TANGLED = pattern(r"[!#-&(-+\--:<>?-\[\]-_a-~]{16,128}(?=\s|\\n|$)")
_SYMBOLS = frozenset("!#$%&()*+-/:<>?@[]^_{|}~")
# Around a literal, a function that only changes its type.
_WRAPPER = pattern(
    r"(?:(?:\[\]byte|new (?:\w{1,12}\.)?\w{0,16}String\w{0,8}|(?:std::|Q)?[sS]tring|QStringLiteral|String::from"
    r"|String\.valueOf|(?:pydantic\.)?Secret(?:Str|String|Bytes)?|Buffer\.from|bytes(?:\.fromhex)?|bytearray|str|Some|Optional\.of|Just"
    r"|(?:base64\.)?(?:url_?safe_)?b64decode|atob|hex\.DecodeString|hex::decode|unhexlify|strdup|TEXT|_T|to_owned)\(\s{0,4}"
    r"|\w{1,20}\(\s{0,4}(?:value|token|key|secret|password)\s{0,2}=\s{0,2}|\[\]string\{"
    r"|[({]\s{0,40})(?=[rbufLN@]{0,2}\\{0,15}[\"'`])"
)
_NEXT_STRING = pattern(r"([\"'])[ \t]{0,8}(?:\\?\r?\n[ \t]{0,60})?\1(?![\"'])")
_ITEM = pattern(r"[\[{(,]?\s{0,40}(?:-[ \t]{1,4})?(?=[^\s\[{(,\]})])")
_QUADS = pattern(r"[\"'`]?([a-z]{4}(?:[- ][a-z]{4}){3})(?![\w-]| [a-z])")

_LISTS = frozenset("[({\n\r")
# How _LINE_BREAK begins.
_BREAKS = frozenset("|>(\\ \t\r\n")
# Kinds whose values are those of a header, which has forms of its own.
_HEADERS = (names.AUTH, names.CREDENTIALS)
MOST_ITEMS = 50
# Kinds whose values stand beside the user, `admin / v`.
_PAIRED = (names.CREDENTIALS, names.PASSWORD)
# Before a parenthesis these are words of a note, `password(v)`; other names are functions.
_NOTED = vocabulary("password passwd pw pwd")

# What may stand before a name that heads the line below it.
_LABEL = pattern(r"[ \t>*#-]{0,8}(?:[A-Za-z]{1,12}[ \t]){0,3}")


def find(view: View, at: int) -> tuple[Span, ...]:
    """The value that the identifier around `at` names, in whatever syntax follows the identifier."""
    text = view.text
    first = text[at]
    if first == "K" and text[at - 8 : at + 3] == "PRIVATE KEY":
        return pem.find(view, at)
    if first in "jJ" and view.lower.startswith("jwt.", at):
        spans = calls.find(view, at)
        if spans:
            return spans
    if first == "t" and text.startswith("token$", at):
        return shapes.braintree(text, at)
    name = name_at(text, at, view.named)
    if not name:
        return bare_keys.find(text, at) if view.lower.startswith("key", at) else ()
    if _is_no_name(text, name):
        return ()
    view.named.add(name.start)
    return _value_of(view, name)


def _is_no_name(text: str, name: Name) -> bool:
    """`5pPw` in a table of numbers, `users:1:tokens`, the token of a badge."""
    if (name.text[0].isdigit() and _LAST_WORD.search(name.text)) or name.text == "user.signingkey":
        return True
    before = name.before(text)
    if before == "=" and text[name.end : name.end + 1] == ":" and _LAST_WORD.search(name.text):
        return True  # in data that is packed into a string
    if before == ":":
        return text[name.start - 2 : name.start - 1].isdigit()
    return before in "?&" and ".svg?" in text[max(name.start - 12, 0) : name.start]


def _value_of(view: View, name: Name) -> tuple[Span, ...]:
    """The value beside the name, by the syntax that follows it; what has a format of its own comes first."""
    text = view.text
    if name.kind in _HEADERS:
        spans = headers.authorization(text, name.end, name.text)
        if spans or name.kind == names.AUTH:
            return spans or commands.after_name(text, name)
    if name.text in ("Secret", "secret"):
        spans = kubernetes.find(view, name.start, name.end)
        if spans:
            return spans
    assigned = _assignment(text, name.end)
    if assigned:
        close, operator = assigned.group(1, 2)
        if ")" in close and operator in ("=>", "->"):
            return ()  # what a call with the name gives
        spans = _assigned(text, name, assigned)
        if not spans and operator == "=" and (typed := _COLON.match(text, name.end)):
            spans = judged(text, name, read_value(text, typed.end()), values.RAW)  # no type: a value with `=` inside
        return spans or _elsewhere(text, name, True) or beside.sent(text, name)
    spans = beside.adjacent(text, name) or _elsewhere(text, name, False) or beside.sent(text, name)
    return spans or tables.column(view, name.start, name.end, name.kind)


def _assignment(text: str, end: int) -> re.Match[str] | None:
    """What assigns to the name that ends at `end`. Behind a space and a letter that is a type with `=` behind it."""
    is_word = text[end : end + 1] in " \t" and text[end + 1 : end + 2].isalpha()
    return None if is_word and text.find("=", end, end + 110) < 0 else _ASSIGNED.match(text, end)


def _assigned(text: str, name: Name, assigned: re.Match[str]) -> tuple[Span, ...]:
    """The value behind what assigns: the items of a list, what stands on the next line, or on this one."""
    at = assigned.end()
    tag = _TAG.match(text, at) if text.startswith("!!", at) else None
    at = tag.end() if tag else at
    opening = text[at : at + 1]
    items = _listed(text, name, at) if opening in _LISTS else ()
    if items:
        return items
    broken = _LINE_BREAK.match(text, at) if opening in _BREAKS else None
    if broken:
        return _on_next_line(text, name, assigned, broken)
    if opening == "?" and assigned[2] == ":" and name.before(text) == "{":
        return ()  # ${NAME:?what is said without it}
    return _tangled(text, at, name) or _on_this_line(text, name, assigned, at)


def _on_next_line(text: str, name: Name, assigned: re.Match[str], broken: re.Match[str]) -> tuple[Span, ...]:
    extent = read_value(text, broken.end())
    if extent is None or not extent[2]:
        if "=" in assigned[2] and not broken[0].strip():
            return ()  # an empty setting, and the next one below it
        if ")" in assigned[1]:
            return ()  # the end of a signature
        if text.startswith("->", name.start - 3):
            return ()  # the type of what a function returns
    return _continued(text, name, extent) or judged(text, name, extent, _quoting(extent))


def _on_this_line(text: str, name: Name, assigned: re.Match[str], at: int) -> tuple[Span, ...]:
    may_be_wrapped = text[at : at + 1] in ("{", "[") or text.find("(", at, at + 40) >= 0
    wrapper = _WRAPPER.match(text, at) if may_be_wrapped else None
    extent = _quads(text, at, name) or read_value(text, wrapper.end() if wrapper else at)
    if extent and not extent[2] and name.before(text) in "?&#":
        return _in_address(text, name, assigned, extent)
    spans = _continued(text, name, extent) if extent and extent[2] else ()
    return spans or judged(text, name, extent, _syntax(text, name, assigned, extent))


def _in_address(text: str, name: Name, assigned: re.Match[str], extent: Extent) -> tuple[Span, ...]:
    """The value of a query string: a fragment follows, or the value has the sign inside."""
    start, end, _ = extent
    value = text[start:end].partition("&")[0]
    for part in (value.partition("#")[0], value):
        each = (start, start + len(part), False)
        if spans := judged(text, name, each, _syntax(text, name, assigned, each)):
            return spans
    return ()


def _continued(text: str, name: Name, extent: Extent | None) -> tuple[Span, ...]:
    """The strings of a value that is written in several, with nothing between them: `NAME = "v" "w"`."""
    extents: list[Extent] = []
    while extent and extent[2] and len(extents) < MOST_ITEMS:
        extents.append(extent)
        gap = _NEXT_STRING.match(text, extent[1])
        extent = read_value(text, gap.end() - 1) if gap else None
    if len(extents) < 2:
        return ()
    value = "".join(text[start:end] for start, end, _quoted in extents)
    if not values.is_secret(name.kind, value, values.QUOTED) or " " in value:
        return ()
    return tuple((start, end, name.kind, name.text) for start, end, _quoted in extents)


def _listed(text: str, name: Name, at: int) -> tuple[Span, ...]:
    """The values of a list, `tokens = ["v", "v"]` or lines with dashes, if the name is plural."""
    opening = text[at : at + 1]
    if name.text[-1:] not in "sS" or name.text[-4:].lower() == "pass":
        return ()
    spans: list[Span] = []
    for _ in range(MOST_ITEMS):
        item = _ITEM.match(text, at)
        if not item or (opening not in "[{(" and "-" not in item[0]):
            break
        extent = read_value(text, item.end())
        if not extent or (extent[2] and text[extent[1] + 1 : extent[1] + 3].lstrip().startswith(":")):
            break  # no more items, or the keys of an object
        spans += judged(text, name, extent, _quoting(extent))
        at = extent[1] + extent[2]
    return tuple(spans)


def _tangled(text: str, at: int, name: Name) -> tuple[Span, ...]:
    """An unquoted value of all kinds of symbols, whose brackets are none: nothing that a program could read."""
    match = _TANGLED.match(text, at)
    run = match[0] if match else ""
    if not match or "." in run or len(_SYMBOLS.intersection(run)) < 6 or name.kind in _HEADERS:
        return ()
    if text[text.rfind("\n", max(name.start - 40, 0), name.start) + 1 : name.start].strip(" \"'"):
        return ()
    return () if "[REDACTED" in run or _is_balanced(run) else ((*match.span(), name.kind, name.text),)


def _is_balanced(run: str) -> bool:
    open_ones: list[str] = []
    for char in run:
        if char in "([{":
            open_ones.append({"(": ")", "[": "]", "{": "}"}[char])
        elif char in ")]}" and (not open_ones or open_ones.pop() != char):
            return False
    return not open_ones


def _quads(text: str, at: int, name: Name) -> Extent | None:
    """An application password as Google and Apple write it, in four groups of four."""
    match = _QUADS.match(text, at) if name.kind == names.PASSWORD else None
    return (match.start(1), match.end(1), True) if match else None


def _syntax(text: str, name: Name, assigned: re.Match[str], extent: Extent | None) -> str:
    """HARD for `NAME=value` of the environment, flags and query strings; else as it is quoted."""
    tight = assigned[2] == "=" and not assigned[3] and not assigned[1]
    if tight and (name.text.isupper() or name.text.startswith("-") or name.before(text) in "?&"):
        return values.HARD
    return _quoting(extent)


def _quoting(extent: Extent | None) -> str:
    return values.QUOTED if extent and extent[2] else values.RAW


def _is_label(text: str, name: Name) -> bool:
    """Does the name end its line, with at most a few words before it?"""
    line = text.rfind("\n", max(name.start - 40, 0), name.start) + 1
    return (line > 0 or name.start < 40) and bool(_LABEL.fullmatch(text, line, name.start))


def _elsewhere(text: str, name: Name, assigned: bool) -> tuple[Span, ...]:
    """Markup, a command line or a sentence; what is assigned is not said, except in pairs."""
    following = text[name.end : name.end + 1]
    if not text.isascii() and (following > "\u3000" or text[name.end + 1 : name.end + 2] > "\u3000"):
        return languages.joined(text, name)
    spans: tuple[Span, ...] = ()
    if following in "<>:\"'\\=\r\n,}" or name.before(text) == "<":
        spans = markup.find(text, name)
    if not spans and following in "\r\n" and _is_label(text, name):
        spans = prose.below(text, name)
    if spans:
        return spans
    if following not in "\"'`*_)] \ts:,’" and (following != "(" or assigned or name.text.lower() not in _NOTED):
        return ()
    if assigned:
        return prose.paired(text, name) if name.kind in _PAIRED else ()
    return commands.after_name(text, name) or prose.after_name(text, name)
