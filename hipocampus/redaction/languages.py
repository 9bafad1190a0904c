"""Secrets in Korean, Japanese, Chinese, Spanish and Russian sentences."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import names, tables
from hipocampus.redaction.identifiers import Name
from hipocampus.redaction.said import USER_AND, VALUE, pair, said
from hipocampus.redaction.view import Span, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

MANY = 256

# How the words begin. All are literals with a first letter that is not ASCII: `re` skips what holds none of them.
_BEGINS = pattern(
    "비밀|비번|패스워드|암호|시크릿|토큰|키|パスワード|暗証番号|トークン|シークレット|キー|秘密|令牌|密码|密碼|密钥|密鑰|秘钥|秘鑰|口令"
    "|ña|пароль|Пароль|계정|접속|로그인|アカウント|账号|帐号|帳號"
)
# Words for a password; for a token or key; words for key that need a qualifier before them; the end of contraseña.
_WORD = pattern(
    "(비밀번호|비번|패스워드|암호(?!화)|パスワード|暗証番号|密[码碼]|口令|пароль|Пароль)"
    "|(비밀 ?키|시크릿(?: ?키)?|토큰|トークン|シークレット(?:キー)?|秘密鍵|秘密キー|令牌|[密秘][钥鑰])"
    "|(키|キー)|(ña)"
)
_QUALIFIER = pattern(r"(?:api|액세스|인증|보안|암호화|비밀|アクセス|シークレット)[ _-]?$", IGNORECASE)
_OF = r"[ \t](?:de|del|para|da|do|для|от)[ \t][\w .-]{1,30}?(?=[ \t]?(?:es|era|é|[:=])[ \t])"
_PARTICLE = (
    "은|는|이|가|을|를|도|만|으로|로|は|が|を|も|就是|是|为了|为|為|(?:已经?|被)?(?:改|换|更新|重置|设置|設定|変更)?(?:成|为|為)了?|改了"
    "|ahora es|será|era|es|é|—|–|-"
)
_NOW = "지금|현재|이제|방금|임시로|새로|現在|今|现在|目前|다음과 같습니다|아래와 같습니다"
_CHANGED = r"[ \t]?(?:바꿨|변경|재설정|초기화|발급)[가-힣]{0,5}[ \t]?(?=[:：])"
_JOINT = pattern(
    rf"(?:{_CHANGED}|[ \t]?(?:값|번호|文字列|値|值)|[ \t]?\([^()\n]{{1,30}}\)|{_OF})?[ \t]?(?:{_PARTICLE})?"
    rf"[ \t]{{0,2}}(?:{_NOW})?[ \t]{{0,2}}(?:[:：=＝]|->|→|=>)?[ \t]{{0,3}}(?:\r?\n[ \t]{{0,8}})?{VALUE}"
)


# `usuario y contraseña: bob / v`
_AND_USER = pattern(r"(?:usuario|아이디|계정|ユーザー|用户|账号|\bID|\buser)[\w ,/&+·와과]{0,12}$", IGNORECASE)
_PAIRED = pattern(rf"[ \t]?[:：][ \t]{{0,3}}{USER_AND}")
# The value by itself, one or two lines below the word.
_ALONE = pattern(
    r"[ \t]?[:：]?[ \t]{0,3}(?:\r?\n[ \t>*-]{0,8}){1,2}(?:`{3}\w{0,10}\r?\n)?"
    rf"{VALUE}(?=[ \t]{{0,8}}(?:[\r\n]|$))"
)
_ACCOUNT = pattern(
    r"(?:계정|접속|로그인|アカウント|账号|帐号|帳號)(?:[ \t]?(?:정보|情報))?"
    rf"[ \t]?(?:은|는|:|：|は|是)[ \t]{{0,3}}{USER_AND}"
)


def find_all(view: View) -> list[Span]:
    """The values that sentences in these languages give for their own words for password, token and key."""
    text = view.text
    spans: list[Span] = []
    refused: set[str] = set()  # behind many words, what had no value is not read again
    at = hits = 0
    while begin := _BEGINS.search(text, at):
        hits += 1
        around = text[begin.start() - 10 : begin.start() + 200] if hits > MANY else ""
        found = () if around and around in refused else _at_word(view, begin.start())
        if around and not found and len(refused) < 10_000:
            refused.add(around)
        spans += found
        at = found[0][1] if found else begin.end()
    return spans


def _at_word(view: View, at: int) -> tuple[Span, ...]:
    text = view.text
    account = _ACCOUNT.match(text, at)
    if account:
        return pair(account)
    word = _WORD.match(text, at)
    kind = _kind(text, word) if word else None
    joint = _JOINT.match(text, word.end()) if word and kind else None
    if not word or not kind:
        return ()
    spans = said(text, joint, kind) if joint else ()
    if not spans and _AND_USER.search(text, max(word.start() - 24, 0), word.start()):
        spans = pair(_PAIRED.match(text, word.end()))
    alone = None if spans else _ALONE.match(text, word.end())
    if alone:
        spans = said(text, alone, kind)
    return spans or tables.column(view, word.start(), word.end(), kind)


def _kind(text: str, word: re.Match[str]) -> str | None:
    before = text[max(word.start() - 8, 0) : word.start()]
    if word[1] or (word[4] and before.lower().endswith("contrase")):
        return names.PASSWORD
    return names.TOKEN if word[2] or (word[3] and _QUALIFIER.search(before)) else None


def joined(text: str, name: Name) -> tuple[Span, ...]:
    """The value that such a sentence gives for an English name: `password는 v`."""
    match = _JOINT.match(text, name.end)
    return said(text, match, name.kind) if match else ()
