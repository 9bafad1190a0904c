"""Where each value of a JSON text stands.

Reads JSON, with comments and trailing commas too, and the keys and strings of JSON5.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Key = str | int


class JsonTextError(ValueError):
    """The text is not JSON, or not of the shape that was asked for; says where, without a full stop."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value in the text, from `start` to `end`. `plain` is what it means; `parts` are its members or items."""

    start: int
    end: int
    plain: object
    parts: tuple[Part, ...] = ()

    def part(self, key: Key) -> Part | None:
        """The member or item with that key; JsonTextError where it is there twice."""
        found = [part for part in self.parts if part.key == key]
        if len(found) > 1:
            raise JsonTextError(f"names {key!r} twice")
        return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object or an item of an array. `start` is where its key begins, for an item its value."""

    key: Key
    start: int
    value: Value


def parse(text: str) -> Value:
    """The value that the whole text is; JsonTextError where it is none. A byte-order mark may stand before it."""
    reader = Reader(" " + text[1:] if text.startswith("\ufeff") else text, 0)
    try:
        value = reader.value()
    except RecursionError as error:
        raise JsonTextError("is nested too deeply") from error
    reader.skip()
    if reader.at != len(text):
        raise reader.error("more text than one value")
    return value


def at(root: Value, path: Sequence[Key]) -> Value | None:
    """The value at the end of `path`, or None."""
    value = root
    for key in path:
        part = value.part(key)
        if part is None:
            return None
        value = part.value
    return value


SPACE = " \t\n\r"
_TRIVIA = re.compile(r"[ \t\n\r]+|//[^\n]*?(?=\r?\n|\Z)|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"' + r"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_WORD = re.compile(r"[^\s,:\[\]{}\"'/]+")
_NUMBER = re.compile(r"[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:[0-9]+\.?|[0-9]*\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")


class Reader:
    """A place in the text that moves over one value after another."""

    __slots__ = ("at", "text")

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def error(self, what: str) -> JsonTextError:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        return JsonTextError(f"is not JSON at line {line}, column {column}: {what}")

    def skip(self) -> None:
        """Move over white space and comments."""
        while match := _TRIVIA.match(self.text, self.at):
            self.at = match.end()

    def skip_comments(self) -> str:
        """Move to the end of the last comment that follows, if any does; that comment."""
        last, place = "", self.at
        while match := _TRIVIA.match(self.text, place):
            place = match.end()
            if match[0].startswith("/"):
                last, self.at = match[0], place
        return last

    def takes(self, token: str) -> bool:
        """Move over `token`, if it comes next."""
        found = self.text.startswith(token, self.at)
        self.at += len(token) if found else 0
        return found

    def value(self) -> Value:
        self.skip()
        start = self.at
        match self.text[start : start + 1]:
            case "{":
                return self._container("}", self._member)
            case "[":
                return self._container("]", self._item)
            case _:
                plain = self._scalar()
                return Value(start, self.at, plain)

    def _container(self, closing: str, read: Callable[[int], Part]) -> Value:
        start = self.at
        self.at += 1
        parts: list[Part] = []
        while True:
            self.skip()
            if self.takes(closing):
                break
            parts.append(read(len(parts)))
            self.skip()
            if not self.takes(",") and not self.text.startswith(closing, self.at):
                raise self.error(f"',' or '{closing}' expected")
        values = [(part.key, part.value.plain) for part in parts]
        plain: object = dict(values) if closing == "}" else [value for _, value in values]
        return Value(start, self.at, plain, tuple(parts))

    def _item(self, index: int) -> Part:
        value = self.value()
        return Part(index, value.start, value)

    def _member(self, _index: int) -> Part:
        start = self.at
        if self.text[start : start + 1] in ('"', "'"):
            key = str(self._scalar())
        else:
            match = _WORD.match(self.text, start)
            if match is None:
                raise self.error("a key expected")
            key, self.at = match[0], match.end()
        self.skip()
        if not self.takes(":"):
            raise self.error("':' expected")
        return Part(key, start, self.value())

    def _scalar(self) -> object:
        match = _STRING.match(self.text, self.at) or _WORD.match(self.text, self.at)
        if match is None:
            raise self.error("a value expected")
        try:
            plain = _meaning(match[0])
        except ValueError:
            raise self.error("a value expected") from None
        self.at = match.end()
        return plain


def _meaning(word: str) -> object:
    """What a word or string means; a number as only JSON5 writes it stays text."""
    if word.startswith("'"):
        return json.loads('"' + word[1:-1].replace("\\'", "'").replace('"', '\\"') + '"')
    try:
        return json.loads(word)
    except ValueError:
        if _NUMBER.fullmatch(word):
            return word
        raise
