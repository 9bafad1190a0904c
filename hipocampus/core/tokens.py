"""Sizes of text: a conservative token estimate, UTF-16 units, and cuts that keep whole characters."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Za-z]+")


def estimate_tokens(text: str) -> int:
    """How many tokens a model is charged for `text`, at most; see docs for how it was calibrated."""
    if text.isascii():
        return (len(text) + 2) // 3
    wide = sum(1 for char in text if ord(char) > 0x2E80)
    rest = sum(1 for char in text if 0x7F < ord(char) <= 0x2E80)
    return (len(text) - wide - rest + 2) // 3 + rest + (wide * 6 + 4) // 5


def utf16_units(text: str) -> int:
    """Length as hosts written in JavaScript count it."""
    return len(text) if text.isascii() else len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def cut(text: str, length: int) -> str:
    """At most `length` characters, ending in ``…`` where something was left out, at a word's end if one is near."""
    if len(text) <= length:
        return text
    head = text[: max(length - 1, 0)]
    space = head.rfind(" ", max(len(head) - 20, 0))
    return (head[:space] if space > 0 else head).rstrip() + "…"
