"""What was forgotten on purpose, as hashes: so that no late fold, no import and no second run brings it back.

``memory/.tombstones`` is only ever appended to. A line is a forgotten entry's id, its day, and the hashes of the texts
it was told in; ``-`` stands for the id of what was forgotten before it became an entry. The day is part of every hash,
so that the same few words said on another day are not lost.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hipocampus.core.neutral import neutralise
from hipocampus.redaction import Redacted
from hipocampus.store.files import WHOLE, append_text, read_text
from hipocampus.store.layout import Layout

NO_ENTRY = "-"
_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Tombstones:
    """The days of forgotten entries by their id, and the hashes of what they said."""

    days: Mapping[str, str]
    texts: frozenset[str]

    def covers(self, day: str, text: str) -> bool:
        """Whether `text` was forgotten on that day."""
        return text_hash(day, text) in self.texts


def tombstones_file(layout: Layout) -> str:
    """The file of what was forgotten in a home."""
    return os.path.join(layout.memory, ".tombstones")


def read_tombstones(layout: Layout) -> Tombstones:
    """What was forgotten. A line may hold an id alone."""
    text = read_text(tombstones_file(layout), limit=WHOLE) or ""
    lines = [words for line in text.split("\n") if (words := line.split())]
    days = {words[0]: words[1] if words[1:] else "" for words in lines if words[0] != NO_ENTRY}
    return Tombstones(days, frozenset(word for words in lines for word in words[2:]))


def bury(layout: Layout, graves: Iterable[tuple[str, str, Iterable[str]]]) -> None:
    """Add tombstones, each an id, a day and hashes of texts; on the disk on return. Call under the home's lock."""
    known = set((read_text(tombstones_file(layout), limit=WHOLE) or "").split("\n"))
    lines = dict.fromkeys(" ".join((name, day, *sorted(set(texts)))) for name, day, texts in graves)
    fresh = [line for line in lines if line not in known]
    if fresh:
        append_text(tombstones_file(layout), Redacted("".join(f"{line}\n" for line in fresh)))


def text_hash(day: str, text: str) -> str:
    """The identity of a text on a day; white space, case and Unicode composition do not count."""
    plain = unicodedata.normalize("NFC", "".join(neutralise(text).split())).casefold()
    return hashlib.sha256(f"{day}\0{plain}".encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
