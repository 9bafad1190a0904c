"""The identifier around a place in the text: where it begins and ends, and what kind of value it promises."""

from __future__ import annotations

from hipocampus.core.native import lru_cache
from hipocampus.core.patterns import pattern
from hipocampus.redaction import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_CHARS = _LETTERS + _DIGITS + "_-."
_REST = pattern(r"[A-Za-z0-9_.-]{0,64}")
_LONG_NUMBER = pattern(r"[0-9]{4,}")
_JOINTS = " _/-"
# What can stand after a name that has a value beside it; Korean particles, Japanese and Chinese copulas among them.
_FOLLOWS = frozenset("=:\"'`\\ \t)]*_<>|,({[?!+-&~.：＝→’}\r\n은는이가을를도はがを是为為の값") | {""}


_of_shape = lru_cache(maxsize=32_768)(names.classify)


@lru_cache(maxsize=32_768)
def _classify(word: str, before: str) -> str | None:
    """As ``names.classify`` does: it knows no word with a long number in it, so that all of these are one."""
    return _of_shape(_LONG_NUMBER.sub("0000", word), before)


class Name:
    """An identifier with a secret beside it: its place, the kind of the value, its text."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, start: int, end: int, kind: str, text: str) -> None:
        self.start, self.end, self.kind, self.text = start, end, kind, text

    def before(self, text: str) -> str:
        """The character in front of the name; a line break at the start of the text."""
        return text[self.start - 1] if self.start else "\n"


def name_at(text: str, at: int, looked_at: Container[int] = ()) -> Name | None:
    """The name that the word at `at` is a part of, if a value can follow it and it promises a secret.

    None, too, for a name that begins at one of the places in `looked_at`.
    """
    start = _start(text, at) if text[at - 1 : at] in _CHARS else at
    if start in looked_at:
        return None
    match = _REST.match(text, at)
    end = match.end() if match else at
    while end > at and text[end - 1] in ".-":
        end -= 1
    if text[end : end + 1] not in _FOLLOWS:
        return None
    before = text[start - 1 : start]
    if before in ":/" and _is_part_of_name(text, start):
        return None
    word = text[start:end]
    if word == "key" and before and before in "?&":
        return Name(start, end, names.API_KEY, word)
    alone = before not in _JOINTS or len(word) > 11 or word in names.PLAIN or "-" in word or "_" in word
    kind = _classify(word, "" if alone else _word_before(text, start))
    return Name(start, end, kind, word) if kind else None


def _start(text: str, at: int) -> int:
    chunk = text[at - 48 if at > 48 else 0 : at]
    start = at - len(chunk) + len(chunk.rstrip(_CHARS))
    escaped = start < at and text[start - 1 : start] == "\\" and text[start] in "nrt"
    return start + escaped


def _word_before(text: str, start: int) -> str:
    """The word, of at most 31 letters and digits, that one or two joints part from the name."""
    chunk = text[start - 33 if start > 33 else 0 : start]
    joined = chunk.rstrip(_JOINTS)
    if len(chunk) - len(joined) > 2 or not joined[-1:].isalnum():
        return ""
    word = joined[len(joined.rstrip(_LETTERS + _DIGITS)) :]
    return word[-31:].lstrip(_DIGITS)


def _is_part_of_name(text: str, start: int) -> bool:
    """`AWS::IAM::AccessKey`, `arn:aws:secretsmanager:…:secret:name`, and the user in a URL."""
    if text[start - 1 : start] == ":":
        around = text[max(start - 80, 0) : start]
        return "AWS::" in around or "arn:" in around
    return text[start - 3 : start] == "://"
