"""Secrets in English sentences: `the password for staging is v`, `creds: admin / v`, `use v as the token`."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import names, values
from hipocampus.redaction.identifiers import Name
from hipocampus.redaction.patterns import Later, digits_in, vocabulary
from hipocampus.redaction.said import USER_AND, VALUE, pair, said, without_end
from hipocampus.redaction.view import Span, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from hipocampus.redaction import calls
else:
    calls = Later("calls")

_CHANGED = r"(?:changed|set|reset|updated|rotated|switched|configured|renamed)"
_IS = (
    rf"(?:(?:has been|have been|was|were|got|is being)?\s?(?:recently |just |now )?{_CHANGED}(?: back)?"
    r"(?: to| as|:| ->)"
    r"|is(?: now| still| currently| just| simply| literally| actually| always| called)?|was(?: previously| originally)?"
    r"|are(?: now)?|were|should be|will be|would be|becomes|equals|must be|to be|to|as|es|ist|est|é|=|:|-|–|—|->|→)"
)
_WHOSE = r"(?:for|of|on|at|in|to|with|de|del|da|do|du|i|we|you|they|he|she|that|which|here|there|now)"
_SENTENCE = pattern(
    r"s?(?:\\?[\"'`*_)\]]){0,3}(?:[ \t]\([^()\n]{1,40}\))?"
    rf"(?:[ \t]{_WHOSE}\b(?:(?!\bis\b|\bwas\b|\bare\b)[^\n:=.!?;]){{0,60}}?)?"
    rf"(?:[ \t]{{1,2}}{_IS}|['’]s|[:=])[ \t]{{0,2}}:?[ \t]{{0,3}}{VALUE}",
    IGNORECASE,
)
# The first word of what joins a name to its value; anything else begins another thought.
_FIRST = pattern(r"s?(?:\\?[\"'`*_)\]]){0,3}[ \t]{1,2}\(?([A-Za-z]{1,9}|[-=:–—→é(\"'`“‘])|s?['’*:]")
_FIRSTS = vocabulary(
    "is was are were be has have got for of on at in to as i we you that which here there now should will would must",
    "they he she de del da do du below follows becomes equals with es ist est - = : – — → é ( \" ' ` “ ‘",
)
_BESIDE = pattern(r"s?\)?(?:[ \t]{1,20}(?:[-–—:=>]{1,6}[ \t]{1,8})?|(?=\()|(?<=\)))([\"'`“‘(]?)([!-~]{6,256})")
_IN_PARENTHESES = pattern(r"[ \t]?\((?:[A-Za-z]{2,12}:[ \t]?)?([!-'*-~]{6,64})\)")
_SYMBOLS = pattern(r"[A-Za-z0-9][#&+*^!%@$~][A-Za-z0-9].*[#&+*^!%@$~]")
_SIMPLE = pattern(r"[\w!@#$%^&*-]{6,40}")
_WHOSE_NAME = vocabulary("the my our your a an")  # one of these, in the three words before the name
_AHEAD = pattern(
    r"(?:^|[\s\"'`(])([!-~]{6,64}?)[\"'`)]?[ \t]{1,3}(?:is|as|was|for|into)[ \t]{1,2}(?:the|my|our|your|a|an)[ \t]{1,2}"
    r"(?:[A-Za-z-]{1,12}[ \t]{1,2}){0,2}$"
)
_PAIR = pattern(
    r"s?(?:[ \t](?:for|of|on)[^\n:=]{1,40})?(?:[ \t]{1,2}(?:are|is|were|was|:|-|=)|[:=])[ \t]{0,3}"
    rf"(?![\w.]{{1,64}}\(){USER_AND}",
    IGNORECASE,
)
# Nothing that makes another thing of the word behind it, `the password hash`.
_AS_THE_END = pattern(r"[.,;!)]*(?:$|\s*\n| (?:for|on|to|in|at|and|of|now|again|until|when)\b)")
_USED = pattern(r"\b(?:use|used|using|try|tried|enter|entered|type|typed|set|put|with)[ \t]{1,2}[\"'`(]?$", IGNORECASE)
_ANY_PAIR = pattern(USER_AND)
_SLASHED = pattern(r"(?<![\w/.@-])([\w.@+-]{2,64})/([!-+\-.0-~]{6,64})(?![\w/])")
_USER_BEFORE = pattern(r"(?:id|user|username|login|account|계정|아이디)[ \t]?[/,&|+ ][ \t]?$", IGNORECASE)
_U_BEFORE = pattern(r"(?<![\w-])(?:u|user|usr|login|id)[:=][ \t]?[\w.@+-]{2,64}[,;/|]?\s{1,8}$", IGNORECASE)
_AFTER_P = pattern(r"p: {1,2}([!-~]{6,128})", IGNORECASE)
_AFTER_U_AND = pattern(rf"p: {{1,2}}{USER_AND}", IGNORECASE)
_LOGIN = pattern(
    rf"(?:login|in)(?: (?:to|for) [\w.-]{{1,40}})?(?: with| using| as| is| =|:)[ \t]{{1,2}}{USER_AND}", IGNORECASE
)
_TOKEN_LOGIN = pattern(r"login(?:[ \t]{1,2}(?:-method=\w+[ \t])?|=)([A-Za-z0-9._-]{20,200})")
# Before the word: whose password it is, or what it is for; then the next word may be the value.
_OWNED = pattern(
    r"(?:\b(?:temp|temporary|new|old|initial|default|root|admin|wi-?fi|database|db|with|and|staging|prod|production)"
    r"|\b(?:user|username|login|account|id)[ :=]{1,3}[\w.@-]{2,64}[,;]?(?: (?:and|with))?)[ \t]{1,2}(?:a |the |my )?$",
    IGNORECASE,
)
# The value stands alone on the next line, or after an empty one.
_BELOW = pattern(
    r"s?(?:[ \t](?:for|of|on|to)[ \t][^\n:.?!]{1,40})?(?:[ \t](?:is|below|follows|as follows|was|are))?"
    r"[ \t]?:?[ \t]{0,3}(?:(?:\r?\n|\\{1,7}n)[ \t>*-]{0,8}){1,2}"
    r"([\"'`]{0,3})([!-~]{6,512}?)[\"'`]{0,3}[ \t]{0,4}(?=[\r\n]|\\{1,7}n|$)",
    IGNORECASE,
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The password of the pair after `log in with` or `login:` at `at`, or the token that a login command takes."""
    if view.lower.startswith("p: ", at):
        return _after_u(view.text, at)
    if view.lower.startswith("login(", at):
        return calls.find(view, at)
    found = pair(_LOGIN.match(view.text, at))
    token = None if found else _TOKEN_LOGIN.match(view.text, at)
    if token and values.is_secret(names.TOKEN, token[1], values.HARD):
        return ((*token.span(1), "token", ""),)
    return found


def _after_u(text: str, at: int) -> tuple[Span, ...]:
    """`u: bob p: v`, and `u/p: bob/v`."""
    if text[at - 2 : at] in ("u/", "U/"):
        return pair(_AFTER_U_AND.match(text, at))
    match = _AFTER_P.match(text, at) if _U_BEFORE.search(text, max(at - 80, 0), at) else None
    value = without_end(match[1], "") if match else ""
    sure = digits_in(value) > 1 or (digits_in(value) and _SYMBOLS.search(value))
    if not match or not sure or not values.is_secret(names.PASSWORD, value, values.PROSE):
        return ()
    return ((match.start(1), match.start(1) + len(value), names.PASSWORD, ""),)


def after_name(text: str, name: Name) -> tuple[Span, ...]:
    """The value that a sentence gives for the name, after it or before it."""
    return paired(text, name) or _after(text, name) or _ahead(text, name) or below(text, name)


def paired(text: str, name: Name) -> tuple[Span, ...]:
    """`creds: admin / v`, `ID/PW: admin / v`."""
    if name.kind == names.CREDENTIALS:
        return pair(_PAIR.match(text, name.end))
    if name.kind != names.PASSWORD or not _USER_BEFORE.search(text, max(name.start - 12, 0), name.start):
        return ()
    newline = text.find("\n", name.end, name.end + 100)
    stop = newline if newline >= 0 else name.end + 100
    for separated in (_ANY_PAIR, _SLASHED):
        found = (pair(match) for match in separated.finditer(text, name.end, stop))
        spans = next((spans for spans in found if spans), ())
        if spans:
            return spans
    return ()


def _after(text: str, name: Name) -> tuple[Span, ...]:
    first = _FIRST.match(text, name.end)
    enclosed = first is not None and "(" in first[0]
    if not first or (first[1] and not enclosed and first[1].lower() not in _FIRSTS):
        return _beside(text, name)
    match = _SENTENCE.match(text, name.end)
    if not match:
        return _beside(text, name)
    spans = said(text, match, name.kind)
    if spans and name.text.lower() == "pass" and not values.is_strong(text[spans[0][0] : spans[0][1]]):
        return ()  # the first pass is 98%
    return spans


def _beside(text: str, name: Name) -> tuple[Span, ...]:
    """`password 'v'`, `password (v)`, or a value without any joint that is too strange to be the next word."""
    enclosed = _IN_PARENTHESES.match(text, name.end) if name.kind == names.PASSWORD else None
    if enclosed and _is_strange(name.kind, enclosed[1]):
        return ((*enclosed.span(1), name.kind, ""),)
    match = _BESIDE.match(text, name.end)
    if not match or "," in match[2][:-1] or ("=" in match[2][:-2] and not _is_owned(text, name, match[2])):
        return ()
    if match[1] and match[1] != "(" and name.text.lower() != "pass":
        return said(text, match, name.kind) if _is_closed(text, match) else ()
    value = without_end(match[2], match[1])
    if _is_owned(text, name, value):
        return ((match.start(2), match.start(2) + len(value), name.kind, ""),)
    if (match[0].startswith(")") and not _SIMPLE.fullmatch(value)) or not _is_strange(name.kind, value):
        return ()
    return ((match.start(2), match.start(2) + len(value), name.kind, ""),)


def below(text: str, name: Name) -> tuple[Span, ...]:
    """`the password is:`, and a line further down the value by itself."""
    near = text[name.end : name.end + 60]
    match = _BELOW.match(text, name.end) if "\n" in near or "\\" in near else None
    if not match:
        return ()
    value = match[2]
    sure = digits_in(value) > 1 or (digits_in(value) and values.is_strong(value))
    if not sure or value.endswith((":", ",")) or not values.is_secret(name.kind, value, values.PROSE):
        return ()
    return ((*match.span(2), name.kind, ""),)


def _is_owned(text: str, name: Name, value: str) -> bool:
    """`user bob, pass v`: between the name and the end of the thought nothing else can stand."""
    if name.kind != names.PASSWORD or len(value) < 8 or not values.is_secret(name.kind, value, values.PROSE):
        return False
    sure = digits_in(value) > 1 and not value[:1].isdigit()
    sure = sure or values.is_strong(value) or bool(_SYMBOLS.search(value)) or (len(value) > 11 and digits_in(value) > 2)
    return sure and bool(_OWNED.search(text, max(name.start - 90, 0), name.start))


def _is_strange(kind: str, value: str) -> bool:
    """A password of eight characters that a rule would take, or a token of twenty, of fourteen if it is well mixed."""
    if kind == names.PASSWORD:
        return len(value) >= 8 and values.is_strong(value) and values.is_secret(kind, value, values.PROSE)
    shaped = value.startswith("0x") or value[8:9] == "-"
    least = 14 if value.isalnum() and values.is_mixed(value) else 20
    return len(value) >= least and not shaped and values.is_secret(kind, value, values.PROSE)


def _is_closed(text: str, match: re.Match[str]) -> bool:
    closing = {"“": "”", "‘": "’"}.get(match[1], match[1])
    return closing in match[2] or text[match.end() : match.end() + 1] == closing


def _ahead(text: str, name: Name) -> tuple[Span, ...]:
    """`use v as the password`, `v is my token`."""
    if name.before(text) != " " or _WHOSE_NAME.isdisjoint(text[max(name.start - 36, 0) : name.start].split()):
        return ()
    match = _AHEAD.search(text, max(name.start - 110, 0), name.start)
    if not match:
        return ()
    used = (
        digits_in(match[1]) > 1
        and len(match[1]) >= 8
        and bool(_USED.search(text, max(match.start(1) - 20, 0), match.start(1)))
    )
    used = used or text[match.start(1) - 1] in "\"'`"
    mixed = digits_in(match[1]) > 0 and len(match[1]) >= 10 and "_" not in match[1]
    used = used or (mixed and bool(_AS_THE_END.match(text, name.end)))
    if name.kind == names.PASSWORD and not (values.is_strong(match[1]) or used):
        return ()
    return ((*match.span(1), name.kind, ""),) if values.is_secret(name.kind, match[1], values.PROSE) else ()
