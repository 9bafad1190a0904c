"""The verdict on a value: could this be the secret itself, or is it a reference, a placeholder, a type or a word?

Lengths are in characters. `syntax` says how sure the surroundings are that a literal value stands here: HARD (an
environment line, SQL, a URL, a command-line flag), QUOTED (a string literal), RAW (unquoted, config or code) or PROSE.
"""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction import names, words
from hipocampus.redaction.forms import is_known_form
from hipocampus.redaction.patterns import digits_in
from hipocampus.redaction.shapes import UUID
from hipocampus.redaction.wordlike import is_wordy

HARD, QUOTED, RAW, PROSE = "hard", "quoted", "raw", "prose"
LONGEST = 8192

_STRONG = pattern(r"[!@#$%^&*+=?~|]")
_JOINED_BY = pattern(r"[!@$%^&*+=?~|]")
_QUADS = pattern(r"[a-z]{4}(?:[- ][a-z]{4}){3}")
_PRINTABLE = pattern(r"[!-~]+")
# What an expression has and a password hardly: brackets, operators, an assignment, an attribute of something.
_CODE = pattern(r"[(\[{]|\)$|->|=>|::|^[\w.]+\.$|^[A-Za-z_$][\w.$]*(?:[=<>][^=]|!=)|\w\.\w+[=+]")
# The name of a model, the beginning of a value that more is joined to.
_NO_TOKEN = pattern(r"[a-z]{3,20}/[a-z]{3,20}-[a-z0-9.-]{1,40}|[a-z0-9]{1,11}=")
_IDENTIFIER = pattern(r"[A-Za-z_$][A-Za-z_]*?([0-9]*)")

# The shortest of each kind, ten for those that are not here: what is shorter need not be read.
_LEAST = {names.PASSWORD: 6, names.CREDENTIALS: 6, names.SECRET: 8, names.PRIVATE_KEY: 8}
MANY = 2048
_judged: dict[tuple[str, str, str], bool] = {}
# How many values this text had, and the shapes of those that were secrets behind the first MANY of them.
_had = [0]
_shapes: set[tuple[str, bytes, str]] = set()
_SHAPE = bytes.maketrans(
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", b"0" * 10 + b"A" * 26 + b"a" * 26
)


def begin_text() -> None:
    """What other texts held counts for nothing in the next one."""
    _had[0] = 0
    _shapes.clear()


def is_secret(kind: str, value: str, syntax: str) -> bool:
    """Is `value` a secret of this kind, standing in this syntax?

    In a text with thousands of values, one that is written like a secret before it (letters for letters, digits for
    digits) is taken for one unread.
    """
    _had[0] += 1
    if len(value) < _LEAST.get(kind, 10):
        return False
    if syntax in (RAW, PROSE) and ("[" in value or "(" in value or "{" in value):
        return False  # a subscript, a call, a literal of another kind
    shape = None
    if _had[0] > MANY and "[REDACTED" not in value:
        shape = (kind, value.encode(errors="replace").translate(_SHAPE), syntax)
        if shape in _shapes:
            return True
    key = (kind, value, syntax)
    verdict = _judged.get(key)
    if verdict is None:
        if len(_judged) > MANY:
            _judged.clear()
        verdict = _judged[key] = _is_secret(kind, value, syntax)
    if verdict and shape:
        _shapes.add(shape)
    return verdict


def _is_secret(kind: str, value: str, syntax: str) -> bool:
    if len(value) > LONGEST or "[REDACTED" in value or not value.isascii():
        return False
    if words.is_reference(value) or words.is_placeholder(value):
        return False
    match kind:
        case names.PASSWORD:
            return is_password(value, syntax)
        case names.SECRET | names.PRIVATE_KEY:
            sure = is_strong(value) or (syntax == HARD and is_mixed(value))
            return is_token(value, syntax) or (len(value) >= 8 and sure and is_password(value, syntax))
        case names.CREDENTIALS:
            if names.classify(value.partition("$")[0]):
                return False  # OAuthCredential$1
            return is_token(value, RAW) or (is_strong(value) and is_password(value, syntax))
        case _:
            return is_token(value, syntax)


def is_strong(value: str) -> bool:
    """Letters and digits, and either a symbol or both cases: what a password rule asks for."""
    if value.lower() == value.upper() or not digits_in(value):
        return False
    both_cases = value not in (value.lower(), value.upper())
    return bool(_STRONG.search(value.rstrip("!?"))) or (both_cases and not is_wordy(value))


def is_password(value: str, syntax: str) -> bool:
    """A password people choose: six characters with a digit or a symbol; plain words where only a value can stand."""
    if _QUADS.fullmatch(value):
        return not is_wordy(value.replace(" ", "").replace("-", ""))
    if len(value) < 6 or not _PRINTABLE.fullmatch(value):
        return False
    if value[-1] == "=" and value[:-1].isalpha() and is_wordy(value):
        return False  # the next name, without its value
    if value.isdigit():
        return syntax in (HARD, QUOTED) and not words.is_sequence(value)
    if is_known_form(value) or (syntax != HARD and words.is_joined_name(value)):
        return False
    if value.isalpha():
        return not words.is_common(value) if syntax == HARD else is_token(value, syntax)
    if not (digits_in(value) or _JOINED_BY.search(value.rstrip("!?"))):
        return syntax == HARD
    return syntax in (HARD, QUOTED) or _survives_code(value, syntax)


def _survives_code(value: str, syntax: str) -> bool:
    """Unquoted, so perhaps an expression: not a call, not a dotted name, not `value2`."""
    if (
        (_CODE.search(value) and not _is_chance(value))
        or words.is_expression(value)
        or (value.isidentifier() and is_name(value))
    ):
        return False
    identifier = _IDENTIFIER.fullmatch(value)
    if identifier and (not identifier[1] or words.is_variable(value[: len(value) - len(identifier[1])], identifier[1])):
        return False
    return syntax == RAW or not words.is_hyphenated(value)


def is_name(value: str) -> bool:
    """`newPassword2`, `PasswordType2`, `user_token_12`: what code calls such values; `mySecret99` is none."""
    stem = value.rstrip("0123456789")
    number = value[len(stem) :]
    if not names.classify(value):
        return len(number) < 2 and names.is_type(stem)
    if len(number) < 2 or "_" in value:
        return not digits_in(stem) or not value.islower()
    return words.is_counted(stem, number)


def _is_chance(value: str) -> bool:
    """Is an operator in the value there by chance?"""
    return (
        len(value) >= 12
        and is_mixed(value)
        and value.isascii()
        and not any(map(value.__contains__, "()[]{}<>.:,'\""))
        and not is_wordy(value)
    )


def is_token(value: str, syntax: str) -> bool:
    """What a machine made: long, mixed, without the shape of words, paths, versions, dates or digests."""
    sure = syntax in (HARD, QUOTED)
    least = 10 if sure and is_mixed(value) else 12 if sure or is_mixed(value) else 16
    if len(value) < least or not _PRINTABLE.fullmatch(value):
        return False
    if len(value) == 36 and UUID.fullmatch(value):
        return len(set(value)) >= 8
    if is_known_form(value) or words.is_sequence(value) or is_wordy(value) or _NO_TOKEN.fullmatch(value):
        return False
    if syntax in (RAW, PROSE) and (_CODE.search(value) or words.is_expression(value) or _is_name(value)):
        return False
    return is_random(value)


def _is_name(value: str) -> bool:
    """`buildOAuthApiKey`: the name of a secret is not the secret."""
    return value.isalpha() and names.classify(value) is not None


def is_mixed(value: str) -> bool:
    """Two digits and both cases: enough for a shorter token."""
    return digits_in(value) >= 2 and value not in (value.lower(), value.upper())


def is_random(value: str) -> bool:
    """Letters with digits or symbols, or sixteen letters and more, and enough of them different."""
    if len(set(value)) < (6 if len(value) < 16 else 8) or value.lower() == value.upper():
        return False
    if digits_in(value) or _STRONG.search(value):
        return True
    return len(value) >= 16
