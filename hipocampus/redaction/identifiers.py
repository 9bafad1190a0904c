"""The identifier around a place in the text: where it begins and ends, and what kind of value it promises."""

from __future__ import annotations

from hipocampus.redaction import names
from hipocampus.redaction.patterns import pattern

_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
_REST = pattern(r"[A-Za-z0-9_.-]{0,64}")
_WORD_BEFORE = pattern(r"([A-Za-z][A-Za-z0-9]{0,30})[ _/-]{1,2}$")
# What can stand after a name that has a value beside it; Korean particles, Japanese and Chinese copulas among them.
_FOLLOWS = frozenset("=:\"'`\\ \t)]*_<>|,({[?!+-&~.：＝→’}\r\n은는이가을를도はがを是为為の값") | {""}

_known: dict[tuple[str, str], str | None] = {}


class Name:
    """An identifier with a secret beside it: its place, the kind of the value, its text."""

    __slots__ = ("end", "kind", "start", "text")

    def __init__(self, start: int, end: int, kind: str, text: str) -> None:
        self.start, self.end, self.kind, self.text = start, end, kind, text

    def before(self, text: str) -> str:
        """The character in front of the name; a line break at the start of the text."""
        return text[self.start - 1] if self.start else "\n"


def name_at(text: str, at: int) -> Name | None:
    """The name that the word at `at` is a part of, if a value can follow it and it promises a secret."""
    match = _REST.match(text, at)
    end = match.end() if match else at
    while end > at and text[end - 1] in ".-":
        end -= 1
    if text[end : end + 1] not in _FOLLOWS:
        return None
    start = _start(text, at)
    word = text[start:end]
    if _is_part_of_name(text, start):
        return None
    if word == "key" and start and text[start - 1] in "?&":
        return Name(start, end, names.API_KEY, word)
    kind = _kind(word, "" if "-" in word or "_" in word or len(word) > 11 else _word_before(text, start))
    return Name(start, end, kind, word) if kind else None


def _start(text: str, at: int) -> int:
    chunk = text[max(at - 48, 0) : at]
    start = at - len(chunk) + len(chunk.rstrip(_CHARS))
    escaped = start < at and text[start - 1 : start] == "\\" and text[start] in "nrt"
    return start + escaped


def _word_before(text: str, start: int) -> str:
    if text[start - 1 : start] not in (" ", "_", "/", "-"):
        return ""
    match = _WORD_BEFORE.search(text, max(start - 33, 0), start)
    return match[1] if match else ""


def _is_part_of_name(text: str, start: int) -> bool:
    """`AWS::IAM::AccessKey`, `arn:aws:secretsmanager:…:secret:name`, and the user in a URL."""
    if text[start - 1 : start] == ":":
        around = text[max(start - 80, 0) : start]
        return "AWS::" in around or "arn:" in around
    return text[start - 3 : start] == "://"


def _kind(word: str, before: str) -> str | None:
    key = (word, before)
    if key not in _known:
        if len(_known) > 32_768:
            _known.clear()
        _known[key] = names.classify(word, before)
    return _known[key]
