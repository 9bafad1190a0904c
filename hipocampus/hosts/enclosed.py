"""Blocks between two tags that a host, an editor or this program puts beside the words of a user."""

from __future__ import annotations

from bisect import bisect_left

from hipocampus.core.patterns import pattern

_ATTRIBUTES = 400


class Enclosed:
    """The blocks with tags of certain names (a regular expression).

    The work grows with the length of a text and not with its square: pasted text may hold any number of opening tags.
    """

    def __init__(self, names: str) -> None:
        self._opening = pattern(rf"<({names})\b[^>]{{0,{_ATTRIBUTES}}}>")
        self._closing = pattern(rf"</({names})>")

    def cut_from(self, text: str) -> str:
        """`text` without each block, from its opening tag to the next closing one; a tag without a partner stays."""
        if "</" not in text:
            return text
        starts: dict[str, list[int]] = {}
        ends: dict[str, list[int]] = {}
        for closing in self._closing.finditer(text):
            starts.setdefault(closing[1], []).append(closing.start())
            ends.setdefault(closing[1], []).append(closing.end())
        kept, position = [], 0
        for opening in self._opening.finditer(text):
            name = opening[1]
            index = bisect_left(starts.get(name, ()), opening.end())
            if opening.start() >= position and index < len(starts.get(name, ())):
                kept.append(text[position : opening.start()])
                position = ends[name][index]
        return "".join([*kept, text[position:]])
