"""What is to be forgotten, as far as other texts can be told to repeat it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hipocampus.core.entries import Entry, composed

# A shorter text says too little: it repeats what is forgotten only where it is the whole of it.
_TELLING = 12
# What an entry shares with others as a matter of course.
_COMMON = ("files", "references", "status")


def folded(text: str) -> str:
    """`text` as it is compared: white space, case and Unicode composition do not count."""
    return composed(text).casefold()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Folded texts: `match` is what was asked for (or empty), `needles` are what no text may hold, `short` what none
    may consist of, `whole` the bodies of entries, of which a longer text may not be a part.
    """

    match: str = ""
    needles: tuple[str, ...] = ()
    short: frozenset[str] = frozenset()
    whole: tuple[str, ...] = ()

    def is_in(self, text: str) -> bool:
        """Whether `text` holds something that is to be forgotten."""
        plain = folded(text)
        return any(needle in plain for needle in self.needles)

    def is_asked_for(self, entry: Entry) -> bool:
        """Whether an entry holds the text that was asked for."""
        return bool(self.match) and self.match in folded(f"{entry.topic.name}\n{entry.body}")

    def is_told_by(self, text: str) -> bool:
        """Whether a message tells what is to be forgotten: it holds a part of it, or is a part of it."""
        plain = folded(text)
        is_part = len(plain) >= _TELLING and any(plain in body for body in self.whole)
        return is_part or plain in self.short or any(needle in plain for needle in self.needles)


def wanted(match: str, entries: Iterable[Entry]) -> Wanted:
    """Everything that says what `entries` say, or holds `match` (empty: only what the entries say)."""
    entries = list(entries)
    texts = [text for entry in entries for text in told_in(entry)]
    lines = [line for text in texts for line in (text, *text.split("\n"))]
    plain = [folded(line) for line in lines if line.strip()]
    asked = folded(match)
    needles = [asked] if asked else []
    needles += [line for line in plain if len(line) >= _TELLING]
    short = frozenset(line for line in plain if len(line) < _TELLING)
    whole = tuple(folded("\n".join(told_in(entry))) for entry in entries)
    return Wanted(asked, tuple(dict.fromkeys(needles)), short, whole)


def told_in(entry: Entry) -> list[str]:
    """What an entry says, field by field; the whole body where it has none."""
    said = [text for name, text in entry.fields if name not in _COMMON and text]
    return said if entry.fields else [entry.body]
