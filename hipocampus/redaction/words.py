"""Text that stands for a value or refers to one: references, placeholders, words of documentation."""

from __future__ import annotations

from hipocampus.core.native import lru_cache
from hipocampus.core.patterns import DOTALL, pattern
from hipocampus.redaction.patterns import digits_in, vocabulary
from hipocampus.redaction.wordlike import is_wordy

_OBJECTS = (
    r"process|os|System|Deno|import\.meta|ENV|env|self|this|cls|args?|opts?|options|config|cfg|conf|settings|params?|props|state"
    "|ctx|context|req|request|res|response|data|user|body|event|secrets|vars?|local|module|app|input|kwargs|flags?|builder|client"
    "|session|payload|form|row|item|obj|result|credentials|creds|auth|account|values|Values"
)
_SCHEMES = (
    r"arn|vault|ssm|op|secretsmanager|sops|ref\+\w+|env|file|keyring|keychain|keyvault|secret|gsm|awssm|doppler"
    r"|infisical"
)
# How a reference begins: a flag, a variable, a template, an element, a YAML tag, a call, a secret store, an attribute.
_REFERENCE = pattern(
    r"--[a-z]|-[a-z]+(?:-[a-z]+)*=|\*[A-Za-z*]+\*$"
    r"|@?[A-Za-z]{2,40}(?:,@?[A-Za-z]{2,40}){1,40}$|[$]{1,2}(?:[({]|[A-Za-z_]\w*(?:$|[/.:;,\[-]))|%[A-Za-z_]\w*%|\{\{[^{}]{0,200}\}\}$|\{%|#\{\w|%\(\w"
    r"|<[^>]{0,80}>?$|[&*@][A-Za-z_][\w.]*;?$|&[a-z]{2,8};"
    r"|\([\w$, ]{0,40}\)=?$|\w{1,3}(?:,\w{1,3}){1,5}(?:=!?\w{1,3})?$"
    r"|\*\.[A-Za-z]|@\{|!(?:Ref|Sub|vault|reference|ImportValue|GetAtt|secret|env)\b"
    rf"|[A-Za-z_][\w.]*\([^()]*\)$|(?:{_SCHEMES}):(?!\d)|ENC\[|(?:{_OBJECTS})\??[.\[][A-Za-z_\"'(\[]"
)
# What only a reference, a format, a regular expression or code has inside.
_INSIDE = pattern(
    r"\$\{[\w.:-][^{}<>#]{0,200}\}|\$\{\w{1,60}$|\$\([^)]{1,200}\)|\{\{[\s\w.$-][^{}]{0,200}\}\}|#\{\w"
    r"|%\(\w+\)s|%s.*%s|^[A-Za-z_:/. -]{0,40}%[sdvqr]$|^[\w:./ -]{0,40}\{[\w.!:+]{0,40}\}[\w:./ -]{0,40}$"
    r"|<[A-Za-z][\w .-]{0,40}>|\(\?[:=!<P]|\[\^|[\])][+*]|\\[sdwSDWbB](?![A-Za-z0-9])|\\%\(|[\])]\{\d"
    r"|===|!==|&&|\|\||getenv|environ|secretKeyRef|valueFrom|[\"'] ?\+|\+ ?[\"']"
)
_REFERRING = ("getenv", "environ", "secretKeyRef", "valueFrom")  # those of them that are one word
# Words that a made value has only by design; phrases that need something between their words; forms of a whole value.
_STANDS = vocabulary(
    "example placeholder dummy redacted todo fixme sample foobar lorem ipsum",
    "changeme changeit changethis replaceme replacewith replacethis notareal notreal",
)
# Words that people also make passwords of: these stand for a value only where they stand alone in it.
_ALONE = pattern(r"(?<![a-z0-9])(?:hidden|masked|omitted|removed|truncated|unknown)(?![a-z0-9])")
# All of those have as many letters in a row; what a machine made often has not.
_FOUR_LETTERS = pattern(r"[a-z]{4}")
_MARKS = ("***", "...", "____", "####", "-----", "??????", "&lt;")
_PHRASE = pattern(
    r"foo[-_]bar|change.?(?:me|it|this)|[-_.]your[-_]|replace.?(?:me|with|this)|insert[-_ ]|not.?(?:an?|my)?.?real"
    r"|(?:enter|put|add|paste|type|fill|use|set)[-_ ](?:your|the|in|an?|me|here)|[-_ ]goes[-_ ]"
)
_WHOLE = pattern(
    r"your(?:$|[^a-z]|pass|secret|token|key|api|user|own|name|domain|host|server|account|app|company|org|db|email|client|real)"
    r"|pk_(?:test|live)_|\?{3}|-?anonymous\W?$|(?:user|name|me|you)@|<|\[.*\]$|n/?a$|(?:none|null|undefined)$",
    DOTALL,
)
_ENDS = ("-here", "_here", ">")
_REPEATED = pattern(r"(.)\1{7}")
# Values of the examples in RFC 5849, 6749 and 6750, which documentation of OAuth repeats everywhere.
_PUBLISHED = vocabulary(
    "9djdj82h48djs9d2 kkk9d7dh3k39sjv7 0685bd9184jfhq22 ad180jjd733klru7 2yotnfzfejr1zcsicmwpaa tgzv3jokf0xg5qx2tlkwia",
    "mf_9.b5f-4.1jqm",
)
_SECRET_WORDS = vocabulary(
    "password passwords passwd passphrase pass pwd pw secret secrets token tokens api key keys apikey credential",
    "credentials creds auth jwt bearer value string here my the some your an a any user username db database root",
    "admin new old super top very test testing mock fake invalid valid wrong bad good correct real access refresh",
    "client app service session private public shared random long strong secure safe default basic oauth id local",
    "generated webdav",
    "dev prod production development staging mysql postgres redis mongo required optional field input text hash",
    "hashed encrypted plain not no is of in for to with and or from enter this that one two first second other",
    "another different same only just code name data base url path file env var let",
)
# Written together with a word for one, these make a password that people choose: `rootpass`.
_ACCOUNTS = ("root", "admin")
_COUNTING = "1234567890"
_LONGEST_WORD = max(map(len, _SECRET_WORDS))
_EXPRESSION = pattern(
    r"[A-Za-z_$][\w$]*(?:(?:\?\.|\.|->|::)[A-Za-z_$][\w$]*)+[;,]?|[A-Za-z_][\w.]*(?:\[[^\]]*\])+|not\b.*|!{1,2}\w.*|[&*]\w+|\w{1,20}\?\w{1,20}\.\w+"
)
_HYPHENATED = pattern(r"[A-Za-z]+(?:['’-][A-Za-z]+)+[.!?]?|\(.*|[A-Za-z]+[!?.,;:]+")
_JOINED_NAME = pattern(r"[A-Za-z]+(?:[-_./:|][A-Za-z]+)+[-_./:]?|[A-Za-z]+[-_./:]")
_FIRST_NAME = pattern(r"[A-Za-z_][A-Za-z0-9_]*(?=[.\[:?-])")
_COMMON = vocabulary(
    "string strings password passwd secret secrets hidden masked redacted required optional undefined boolean",
    "number object array function example changeme changeit placeholder default postgres username private public",
    "protected disabled enabled nothing missing invalid incorrect correct wrong unknown generated random",
    "encrypted hashed plaintext plain unset token tokens credentials credential keyring keychain prompt",
    "interactive stdin inherit always never manual required true false nullable integer varchar binary base64",
    "bearer basic digest nullptr typeof instanceof import export return async await option options argument",
    "arguments parameter parameters value values variable variables flag flags instead before after because",
    "should could would cannot mustnot please contrasena passwort passphrase existing environment reset",
    "onepassword reminder manager policy strength length rotation expired expires minimum maximum algorithm",
    "provider success successful failed failure",
)
_VARIABLE = vocabulary(
    "password passwd pass passw pwd pw passphrase token tokens key keys secret secrets value val values arg args",
    "param params str string text var field input inputs user username test tmp temp foo bar baz data obj object",
    "item items res result results line row name id idx index x y z s p a b c k v t n i cred creds credential",
    "credentials auth hash buf buffer out output ptr func fn type class node elem element list dict map num int",
    "part step level col column group match m r w h new_password old_password new_pass confirm_password api_key",
    "apikey access_token prev next first last left right",
)


def is_reference(value: str) -> bool:
    """Does the value name the place of the secret, `${TOKEN}` or `process.env.KEY`, rather than being it?"""
    bare = value.strip("'\"")
    if bare.isalnum():
        return any(map(bare.__contains__, _REFERRING))
    return bool(_REFERENCE.match(bare) or _INSIDE.search(bare))


@lru_cache(maxsize=2048)
def is_placeholder(value: str) -> bool:
    """`xxxx`, `changeme`, `your_key_here`, `my-secret-token`: text that stands for a value."""
    lower = value.lower()
    if (
        lower in _PUBLISHED
        or _WHOLE.match(lower)
        or lower.endswith(_ENDS)
        or (_FOUR_LETTERS.search(lower) and (any(map(lower.__contains__, _STANDS)) or _ALONE.search(lower)))
        or _is_repeated(lower)
    ):
        return True
    if not value.isalnum() and (any(map(lower.__contains__, _MARKS)) or _PHRASE.search(lower)):
        return True
    crossed = "xxxx" in value or "XXXX" in value  # of one case: both, and it may be chance
    return crossed or _is_composed(value)


def _is_repeated(value: str) -> bool:
    """Does one character stand eight times in a row?"""
    return len(value) - len(set(value)) >= 7 and bool(_REPEATED.search(value))


def _is_composed(value: str) -> bool:
    """`my-secret-token`, `mysecretpassword1`: nothing but words that name secrets, and at most one digit at the end."""
    if len(value) > 64:
        return False
    letters = value.rstrip("!?*:$@#%=")
    letters = letters[:-1] if letters[-1:].isdigit() else letters
    if digits_in(letters):
        return False
    joined = not letters.isalpha() or letters not in (letters.lower(), letters.upper())
    letters = letters.lower()
    if not joined and letters.startswith(_ACCOUNTS) and letters not in _SECRET_WORDS:
        return False
    reached = {0}
    for end in range(1, len(letters) + 1):
        joint = letters[end - 1] in "-_ .:/" and end - 1 in reached
        if joint or any(letters[start:end] in _SECRET_WORDS for start in reached if end - start <= _LONGEST_WORD):
            reached.add(end)
    return len(letters) in reached


def in_base64(value: str) -> str:
    """The text that `value` is in base64, or nothing if it is no printable one."""
    import binascii

    try:
        text = binascii.a2b_base64(value).decode("ascii")
    except ValueError:
        return ""
    return text if text.isprintable() else ""


def is_counted(stem: str, number: str) -> bool:
    """`password12`, `secret123`: one word of those above alone, or several, and a number that says nothing."""
    short = len(number) < 3 and stem.lower() in _SECRET_WORDS
    return short or (_COUNTING.startswith(number) and _is_composed(stem))


def is_common(value: str) -> bool:
    """A word that documentation puts where a password stands."""
    return value.lower() in _COMMON


def is_variable(stem: str, number: str) -> bool:
    """Is `stem`, the letters before a short or a counting number, what programmers call variables?"""
    return (len(number) < 4 or _COUNTING.startswith(number)) and stem.lower().rstrip("_") in _VARIABLE


def is_expression(value: str) -> bool:
    """A dotted name, a subscript or a negation: code, not a literal."""
    if not _EXPRESSION.fullmatch(value):
        return False
    first = _FIRST_NAME.match(value)
    return len(value) < 16 or is_wordy(value) or (first is not None and len(first[0]) > 2 and is_wordy(first[0]))


def is_hyphenated(value: str) -> bool:
    """`re-enter`, `user's`, `required!`: words of a sentence and its punctuation."""
    return bool(_HYPHENATED.fullmatch(value))


def is_joined_name(value: str) -> bool:
    """`forgot-password`, `db_password`, `UserName.text`: joined words without a digit."""
    return bool(_JOINED_NAME.fullmatch(value))


def is_sequence(value: str) -> bool:
    """Do at least half of the characters count up or down, as in `0123456789abcdef`? In long values four in five."""
    codes = value.encode(errors="replace")
    steps = sum(-2 < here - after < 2 for here, after in zip(codes, codes[1:]))  # noqa: B905, RUF007
    return steps * 5 >= 4 * len(value) - 4 if len(value) >= 32 else steps * 2 >= len(value) - 1
