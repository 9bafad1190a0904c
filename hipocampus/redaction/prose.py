"""Secrets in sentences: English beside a name, and Korean, Japanese, Chinese and Spanish words of their own."""

from __future__ import annotations

import re

from hipocampus.redaction import names, values
from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.view import Span, View

# start, end, kind, text
Name = tuple[int, int, str, str]

_VALUE = r"([\"'`“‘«「『(\[]{0,2}\*{0,2})([!-~]{4,512})"
_IS = (
    r"(?:(?:has been|have been|was|were|got|is being)?\s?(?:recently |just |now )?(?:changed|set|reset|updated|rotated|switched|configured|renamed)(?: back)?(?: to| as|:| ->)"
    r"|is(?: now| still| currently| just| simply| literally| actually| always| called)?|was(?: previously| originally)?|are(?: now)?|were|should be|will be|would be|becomes|equals|=|:|-|–|—|->|→|to be"
    r"|must be|to|as|es|ist|est|é|é agora)"
)
_SENTENCE = pattern(
    rf"s?(?:\\?[\"'`*_)\]]){{0,3}}(?:[ \t]\([^()\n]{{1,40}}\))?(?:[ \t](?:for|of|on|at|in|to|with|i use|we use|you need|you want|that|which|here|there|now)\b(?:(?!\bis\b|\bwas\b|\bare\b)[^\n:=.!?;]){{0,60}}?)?(?:[ \t]{{1,2}}{_IS}|['’]s|[:=])[ \t]{{0,2}}:?[ \t]{{0,3}}{_VALUE}",
    re.IGNORECASE,
)
_BESIDE = pattern(r"s?\)?(?:[ \t]{1,20}(?:[-–—:=>]{1,6}[ \t]{1,8})?|(?=\()|(?<=\)))([\"'`“‘(]?)([!-~]{6,256})")
_AHEAD = pattern(r"(?:^|[\s\"'`(])([!-~]{6,64}?)[\"'`)]?[ \t]{1,3}(?:is|as|was)[ \t]{1,2}(?:the|my|our|your|a|an)[ \t]{1,2}(?:[A-Za-z-]{1,12}[ \t]{1,2}){0,2}$")
_USER_AND = r"[\"'`(]?([\w.@+-]{2,64})[ \t]{0,2}(?:[/:|,(]|[ \t]\()[ \t]{0,2}[\"'`]?([!-~]{4,128})"
_PAIR = pattern(
    rf"s?(?:[ \t](?:for|of|on)[^\n:=]{{1,40}})?(?:[ \t]{{1,2}}(?:are|is|were|was|:|-|=)|[:=])[ \t]{{0,3}}(?![\w.]{{1,64}}\(){_USER_AND}",
    re.IGNORECASE,
)
_BOTH_NAMES = pattern(r"(?:id|user|username|login|account|계정|아이디)[ \t]?[/,&|+ ][ \t]?$", re.IGNORECASE)
_ANY_PAIR = pattern(_USER_AND)
_IN_PARENTHESES = pattern(r"[ \t]?\((?:[A-Za-z]{2,12}:[ \t]?)?([!-'*-~]{6,64})\)")
_LOGIN = pattern(rf"(?:login|in)(?: to [\w.-]{{1,40}})?(?: with| using| as|:)[ \t]{{1,2}}{_USER_AND}", re.IGNORECASE)
_TOKEN_LOGIN = pattern(r"login[ \t]{1,2}(?:-method=\w+[ \t])?([A-Za-z0-9._-]{20,200})")
_NO_USERS = frozenset("user username login id email name your you google sso".split())
_ESCAPED = pattern(r"\\+[\"'nrt]")
_TRAILING = ".,;:!?)]}>\"'`*”’»」』"

# The first word of what joins a name to its value; anything else is another sentence.
_FIRST = pattern(r"s?(?:\\?[\"'`*_)\]]){0,3}[ \t]{1,2}\(?([A-Za-z]{1,9}|[-=:–—→(\"'`“‘])|s?['’*:]")
_FIRSTS = frozenset(
    "is was are were be has have got for of on at in to as i we you that which here there now should will would must becomes "
    "equals with es ist est".split()
) | frozenset("-=:–—→(\"'`“‘")

# How words for password, token and key begin in Korean, Japanese, Chinese, Spanish and Russian: literals that all begin with a letter
# that is not ASCII, so that `re` skips what holds none of them. Then the words; the last two groups need a qualifier before them.
_BEGINS = pattern("비밀|비번|패스워드|암호|시크릿|토큰|키|パスワード|暗証番号|トークン|シークレット|キー|秘密|令牌|密码|密碼|密钥|密鑰|秘钥|秘鑰|口令|ña|пароль|Пароль")
_WORD = pattern(
    "(비밀번호|비번|패스워드|암호(?!화)|パスワード|暗証番号|密[码碼]|口令|пароль|Пароль)"
    "|(비밀 ?키|시크릿(?: ?키)?|토큰|トークン|シークレット(?:キー)?|秘密鍵|秘密キー|令牌|[密秘][钥鑰])"
    "|(키|キー)|(ña)"
)
_QUALIFIED = pattern(r"(?:api|액세스|인증|보안|암호화|비밀|アクセス|アクセスキー|シークレット)[ _-]?$", re.IGNORECASE)
_JOIN = pattern(
    r"(?:[ \t]?(?:값|번호|文字列|値|值)|[ \t]?\([^()\n]{1,30}\)|[ \t](?:de|del|para|da|do|для|от)[ \t][\w .-]{1,30}?(?=[ \t]?(?:es|era|é|[:=])[ \t]))?"
    r"[ \t]?(?:은|는|이|가|을|를|도|만|으로|로|は|が|を|も|就是|是|为|為|改成|改为|改為|设为|設為|已改为|ahora es|nueva es|será|era|es|é|—|–|-)?"
    r"[ \t]{0,2}(?:지금|현재|이제|방금|임시로|새로|現在|今|现在|目前|다음과 같습니다|아래와 같습니다)?[ \t]{0,2}(?:[:：=＝]|->|→|=>)?"
    r"[ \t]{0,3}(?:\r?\n[ \t]{0,8})?([\"'`“‘「『(\[]{0,2}\*{0,2})([!-~]{4,512})"
)


def find(view: View, at: int) -> tuple[Span, ...]:
    """The password of the pair after `log in with` or `login:` at `at`, or the token that a login command takes."""
    found = _pair(view.text, _LOGIN.match(view.text, at))
    token = None if found else _TOKEN_LOGIN.match(view.text, at)
    if token and values.is_secret(names.TOKEN, token[1], values.HARD):
        return ((*token.span(1), "token", ""),)
    return found


def after_name(text: str, name: Name) -> tuple[Span, ...]:
    """The value that a sentence gives for the name, after it or before it."""
    return paired(text, name) or _after(text, name) or _ahead(text, name[0], name[2])


def paired(text: str, name: Name) -> tuple[Span, ...]:
    """`creds: admin / v`, `ID/PW: admin / v`."""
    if name[2] == names.CREDENTIALS:
        return _pair(text, _PAIR.match(text, name[1]))
    if name[2] != names.PASSWORD or not _BOTH_NAMES.search(text, max(name[0] - 12, 0), name[0]):
        return ()
    line_end = text.find("\n", name[1], name[1] + 100)
    for match in _ANY_PAIR.finditer(text, name[1], line_end if line_end >= 0 else name[1] + 100):
        spans = _pair(text, match)
        if spans:
            return spans
    return ()


def joined(text: str, name: Name) -> tuple[Span, ...]:
    """The value that a Korean, Japanese or Chinese sentence gives for an English name."""
    match = _JOIN.match(text, name[1])
    return _said(text, match, name[2], 1) if match else ()


def _ahead(text: str, start: int, kind: str) -> tuple[Span, ...]:
    """`use Xy12… as the password`."""
    match = _AHEAD.search(text, max(start - 110, 0), start) if text[start - 1 : start] == " " else None
    if not match or (kind == names.PASSWORD and not values.is_strong(match[1])) or not values.is_secret(kind, match[1], values.PROSE):
        return ()
    return ((*match.span(1), kind, ""),)


def _after(text: str, name: Name) -> tuple[Span, ...]:
    _start, end, kind, word = name
    first = _FIRST.match(text, end)
    if not first or (first[1] and first[1].lower() not in _FIRSTS):
        return _beside(text, end, kind, word)
    match = _SENTENCE.match(text, end)
    if match:
        spans = _said(text, match, kind, 1)
        return spans if spans and (word.lower() != "pass" or values.is_strong(text[spans[0][0] : spans[0][1]])) else ()
    return _beside(text, end, kind, word)


def _beside(text: str, end: int, kind: str, word: str) -> tuple[Span, ...]:
    """`password 'v'`, or a value without any joint that is too strange to be the next word."""
    match = _IN_PARENTHESES.match(text, end)
    if match and kind == names.PASSWORD and values.is_strong(match[1]) and values.is_secret(kind, match[1], values.PROSE):
        return ((*match.span(1), kind, ""),)
    match = _BESIDE.match(text, end)
    if not match or "=" in match[2][:-2] or "," in match[2][:-1]:
        return ()
    if match[1] and match[1] != "(" and word.lower() != "pass":
        return _said(text, match, kind, 1) if _is_closed(text, match) else ()
    value = _without_end(match[2], match[1])
    if match[0].startswith(")") and not re.fullmatch(r"[\w!@#$%^&*-]{6,40}", value):
        return ()
    if kind == names.PASSWORD:
        accepted = len(value) >= 8 and values.is_strong(value) and values.is_secret(kind, value, values.PROSE)
    else:
        accepted = len(value) >= 20 and not value.startswith("0x") and "-" not in value[8:9] and values.is_secret(kind, value, values.PROSE)
    return ((match.start(2), match.start(2) + len(value), kind, ""),) if accepted else ()


def _is_closed(text: str, match: re.Match[str]) -> bool:
    closing = {"“": "”", "‘": "’", "(": ")"}.get(match[1], match[1])
    return closing in match[2] or text[match.end() : match.end() + 1] == closing


def _said(text: str, match: re.Match[str], kind: str, group: int) -> tuple[Span, ...]:
    """The span of the value in the groups `group` (its quote) and the next, if the verdict is that it is a secret."""
    opening, start = match[group], match.start(group + 1)
    value = _without_end(match[group + 1], opening)
    quoted = bool(opening.strip("*")) or text[start - 1] in "\"'`"
    literal = opening.strip("*`") != "" and "user" not in match[0]
    if not values.is_secret(kind, value, values.QUOTED if literal else values.PROSE) and not (literal and _is_plain(kind, value)):
        return ()
    if kind == names.PASSWORD and not _is_said(value, quoted):
        return ()
    return ((start, start + len(value), kind, ""),)


def _is_plain(kind: str, value: str) -> bool:
    """In quotes a plain word may be the password, if it is none that documentation uses."""
    return kind == names.PASSWORD and value.isalpha() and values.is_secret(kind, value, values.HARD)  # "the password is 'sunshine'"


def _is_said(value: str, quoted: bool) -> bool:
    """A password in a sentence has a digit, or a symbol between letters; in quotes any form will do."""
    if any(char.isdigit() for char in value):
        return bool(re.search(r"[A-Za-z]", value)) or len(value) >= 8
    return quoted or bool(re.search(r"[A-Za-z0-9][!@#$%^&*+=?~|]+[A-Za-z0-9]", value))


def _without_end(value: str, opening: str) -> str:
    """The value without the quote that closes it and the sentence's punctuation."""
    value = _ESCAPED.split(value, 1)[0]
    for char in opening:
        closing = {"“": "”", "‘": "’", "(": ")", "[": "]", "«": "»"}.get(char, char)
        place = value.find(closing)
        if place > 0:
            value = value[:place]
    bare = value.rstrip(_TRAILING)
    kept = value[len(bare) :]
    if kept.startswith("!") and any(char.isdigit() for char in bare) and not opening:
        bare += "!" * (len(kept) - len(kept.lstrip("!")))
    return bare


def _pair(text: str, match: re.Match[str] | None) -> tuple[Span, ...]:
    if not match:
        return ()
    value = _without_end(match[2], "")
    start = match.start(2)
    strong = _is_said(value, False) and values.is_secret(names.PASSWORD, value, values.PROSE)
    return ((start, start + len(value), "password", ""),) if strong and match[1].lower() not in _NO_USERS else ()


def find_foreign(view: View) -> list[Span]:
    """Values that Korean, Japanese, Chinese and Spanish sentences give for their words for password, token and key."""
    text = view.text
    spans: list[Span] = []
    refused: set[str] = set()
    at = hits = 0
    while begin := _BEGINS.search(text, at):
        hits += 1
        around = text[begin.start() - 10 : begin.start() + 200] if hits > 256 else ""
        match = None if around and around in refused else _WORD.match(text, begin.start())
        at = match.end() if match else begin.end()
        if around and len(refused) < 10_000:
            refused.add(around)
        kind = _foreign_kind(text, match) if match else None
        joined = _JOIN.match(text, at) if kind else None
        if joined and kind:
            found = _said(text, joined, kind, 1)
            spans += found
            at = found[0][1] if found else at
            if found:
                refused.discard(around)
    return spans


def _foreign_kind(text: str, match: re.Match[str]) -> str | None:
    before = text[max(match.start() - 8, 0) : match.start()]
    if match[1] or (match[4] and before.lower().endswith("contrase")):
        return names.PASSWORD
    return names.TOKEN if match[2] or (match[3] and _QUALIFIED.search(before)) else None
