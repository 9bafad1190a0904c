"""Forms that are not secrets: references to one, placeholders, words and names."""

from __future__ import annotations

import re

from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.wordlike import is_wordy

_REFERENCE = pattern(
    r"--[a-z]|[$](?:[({]|[A-Za-z_]\w*(?:$|[/.:;,\[-]))|%[A-Za-z_]\w*%|\{\{[^{}]{0,200}\}\}$|\{%|#\{\w|%\(\w|<[^>]{0,80}>?$|[&*@][A-Za-z]\w*;?$|@\{"
    r"|!(?:Ref|Sub|vault|reference|ImportValue|GetAtt|secret|env)\b|[A-Za-z_][\w.]*\([^()]*\)$"
    r"|(?:arn|vault|ssm|op|secretsmanager|sops|ref\+\w+|env|file|keyring|keychain|keyvault|secret|gsm|awssm|doppler|infisical):(?!\d)"
    r"|ENC\[|(?:process|os|System|Deno|import\.meta|ENV|env|self|this|cls|args?|opts?|options|config|cfg|conf|settings|params?"
    r"|props|state|ctx|context|req|request|res|response|data|user|body|event|secrets|vars?|var|local|module|app|input|kwargs|flags?"
    r"|builder|client|session|payload|form|row|item|obj|result|credentials|creds|auth|account|values|Values)"
    r"(?:\?)?[.\[][A-Za-z_\"'(\[]",
)
_INSIDE = pattern(
    r"\$\{[\w.:-][^{}<>#]{0,200}\}|\$\{\w{1,60}$|\$\([^)]{1,200}\)|\{\{[\s\w.$-][^{}]{0,200}\}\}|#\{\w|%\(\w+\)s|<[A-Za-z][\w .-]{0,40}>|^[A-Za-z_:/. -]{0,40}%[sdvqr]$|^[\w:./ -]{0,40}\{[\w.!:]{0,40}\}[\w:./ -]{0,40}$"
    r"|\(\?[:=!<P]|\[\^|[\])][+*]|\\[sdwSDWbB](?![A-Za-z0-9])|[\])]\{\d|===|!==|&&|\|\||=!|%s.*%s"  # a pattern, code, a format
    r"|getenv|environ|secretKeyRef|valueFrom|[\"'] ?\+|\+ ?[\"']"
)
_PLACEHOLDER = pattern(
    r"x{4,}|\*{3,}|\.{3}|_{4,}|#{4,}|-{5,}|^\?{3,}|\?{6,}|(.)\1{7,}|change.?(?:me|it|this)|^your|[-_.]your[-_]|example|placeholder|dummy|redacted"
    r"|replace.?(?:me|with|this)|insert[-_ ]|(?:enter|put|add|paste|type|fill|use|set)[-_ ](?:your|the|in|an?|me|here)|not.?a?.?real"
    r"|todo|fixme|sample|foobar|foo[-_]bar|[-_ ]goes[-_ ]|[-_]here$|lorem|ipsum|masked|hidden|omitted|removed|truncated|unknown"
    r"|^-?anonymous\W?$|^(?:user|name|me|you)@|&lt;|^<|>$|^\[.*\]$|^n/?a$|^none$|^null$|^undefined$"
)
_SECRET_WORDS = frozenset(
    "password passwords passwd passphrase pass pwd secret secrets token tokens api key keys apikey credential credentials creds auth jwt bearer "
    "value string here my the some your an a any user username db database root admin new old super top very test testing "
    "mock fake invalid valid wrong bad good correct real access refresh client app service session private public shared "
    "random long strong secure safe default basic oauth id local dev prod production development staging mysql postgres redis "
    "mongo required optional field input text hash hashed encrypted plain not no is of in for to with and or from enter "
    "this that one two first second other another different same only just code name data base url path file env var let".split()
)
_LONGEST_WORD = max(map(len, _SECRET_WORDS))
_EXPRESSION = pattern(r"[A-Za-z_$][\w$]*(?:(?:\?\.|\.|->|::)[A-Za-z_$][\w$]*)+[;,]?|[A-Za-z_][\w.]*(?:\[[^\]]*\])+|not\b.*|!\w.*|[&*]\w+")
_FIRST_NAME = pattern(r"[A-Za-z_][A-Za-z0-9_]*(?=[.\[:?-])")
_COMMON = frozenset(
    "string strings password passwd secret secrets hidden masked redacted required optional undefined boolean number object array "
    "function example changeme changeit placeholder default postgres username private public protected disabled enabled "
    "nothing missing invalid incorrect correct wrong unknown generated random encrypted hashed plaintext plain unset token "
    "tokens credentials credential keyring keychain prompt interactive stdin inherit always never manual required true false "
    "nullable integer varchar binary base64 bearer basic digest nullptr typeof instanceof import export return async await "
    "option options argument arguments parameter parameters value values variable variables flag flags instead before after "
    "because should could would cannot mustnot please contrasena passwort passphrase existing environment reset "
    "onepassword reminder manager policy strength length rotation expired expires minimum maximum algorithm provider".split()
)
_VARIABLE = frozenset(
    "password passwd pass passw pwd pw passphrase token tokens key keys secret secrets value val values arg args param params str string "
    "text var field input inputs user username test tmp temp foo bar baz data obj object item items res result results line "
    "row name id idx index x y z s p a b c k v t n i cred creds credential credentials auth hash buf buffer out output ptr "
    "func fn type class node elem element list dict map num int part step level col column group match m r w h new_password "
    "old_password new_pass confirm_password api_key apikey access_token prev next first last left right".split()
)

def is_reference(value: str) -> bool:
    """Does the value name the place of the secret, `${TOKEN}` or `process.env.KEY`, rather than being it?"""
    bare = value.strip("'\"")
    return bool(_REFERENCE.match(bare) or _INSIDE.search(bare))


def is_placeholder(value: str) -> bool:
    """`xxxx`, `changeme`, `your_key_here`, `my-secret-token`: text that stands for a value."""
    return bool(_PLACEHOLDER.search(value.lower()) or _is_composed(value))


def _is_composed(value: str) -> bool:
    """`my-secret-token`, `mysecretpassword1`: nothing but words that name secrets, and at most one digit at the end."""
    if len(value) > 64:
        return False
    letters = value.rstrip("!?*:$@#%")
    letters = letters[:-1] if letters[-1:].isdigit() else letters
    reached = {0}
    letters = letters.lower()
    for end in range(1, len(letters) + 1):
        if any(end - size in reached and letters[end - size : end] in _SECRET_WORDS for size in range(1, _LONGEST_WORD + 1)) or (
            letters[end - 1] in "-_ .:/" and end - 1 in reached
        ):
            reached.add(end)
    return len(letters) in reached


def is_common(value: str) -> bool:
    """A word that documentation puts where a password stands."""
    return value.lower() in _COMMON


def is_variable(stem: str) -> bool:
    """Is `stem`, the letters before a number, what programmers call variables?"""
    return stem.lower().rstrip("_") in _VARIABLE


def is_expression(value: str) -> bool:
    """A dotted name, a subscript or a negation: code, not a literal."""
    if not _EXPRESSION.fullmatch(value):
        return False
    first = _FIRST_NAME.match(value)
    return len(value) < 16 or is_wordy(value) or (first is not None and len(first[0]) > 2 and is_wordy(first[0]))


def is_password_in_prose(value: str) -> bool:
    """In a sentence a digit is not enough when the rest is hyphenated words: `re-enter`, `2-step`, `e.g.`"""
    return not re.fullmatch(r"[A-Za-z]+(?:['’-][A-Za-z]+)+[.!?]?|\(.*|[A-Za-z]+[!?.,;:]+", value)


def is_sequence(value: str) -> bool:
    """Do at least half of the characters count up or down, as in `0123456789abcdef`?"""
    steps = sum(1 for a, b in zip(value, value[1:], strict=False) if abs(ord(a) - ord(b)) <= 1)
    return steps * 2 >= len(value) - 1


def is_wordy_name(value: str, hard: bool) -> bool:
    """`forgot-password`, `db_password`, `UserName.text`: joined words without a digit, not a password unless nothing else can stand there."""
    if hard:
        return False
    return bool(re.fullmatch(r"[A-Za-z]+(?:[-_./:][A-Za-z]+)*[-_./:]?", value)) and not value.isalpha()
