"""Lines of a block: the documents of the index that they are about, and what a line costs."""

from __future__ import annotations

from hipocampus.core.native import lru_cache
from hipocampus.core.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence

    from hipocampus.recall.ranking import Found

# Hangul, Chinese and Japanese characters and what lies beyond cost about so many tokens each; four others one, and four
# dashes, arrows and other marks, which lie between them.
_CJK, _FOREIGN = "\u1100", 1.3
_MARKS, _BEHIND_MARKS = "\u2000", "\u2c00"


LEAST = 15
"""The fewest tokens that a line takes: where there is no room for so many, nothing shorter is looked for."""

SHORT_WIDTH = 24
"""The characters of a line that names a document in little room."""


def cost(line: str) -> int:
    """Tokens of a line with its end, at four characters each."""
    return int(length(line) + 0.25 + 0.99)


def length(text: str) -> float:
    """Tokens of a part of a line."""
    foreign = 0 if text.isascii() else sum(map(_is_foreign, text))
    return (len(text) - foreign) / 4 + foreign * _FOREIGN


def _is_foreign(char: str) -> bool:
    return char >= _CJK and not _MARKS <= char < _BEHIND_MARKS


@lru_cache(maxsize=1024)
def stems(text: str) -> frozenset[str]:
    """The words of a text without punctuation, of each the first letters: enough to see that two forms are one word."""
    return _stems(_plain(text))


def _stems(plain: str) -> frozenset[str]:
    return frozenset([word.rstrip("s")[:_STEM] for word in plain.split()])


def _plain(text: str) -> str:
    text = text.lower()
    for mark in _PUNCTUATION:
        text = text.replace(mark, "")
    return text


_STEM = 6
_PUNCTUATION = ".,;:?!()[]`\"'"


# A key is what a text comes to modulo this prime: any hash of the library would be one more module to load.
_PRIME = 2**61 - 1


@record
class Document:
    """What a line says of a document: its day, where it stands, its name in few words, in fewer and in one or two."""

    day: str
    source: str
    number: int
    label: str
    short: str
    handle: str
    entry: str

    @property
    def place(self) -> tuple[str, str, int]:
        """Sorts by when it was written: by day, and on a day by where it stands."""
        return self.day, self.source, self.number

    def key(self, words: str) -> str:
        """What a sentence of this document is remembered by, once it was shown."""
        said = f"{self.entry or self.source} {words}"
        return f"{int.from_bytes(said.encode(), 'big') % _PRIME:x}"

    def line(self, text: str) -> str:
        """Text and pointer, and the day in front where the pointer does not name it."""
        dated = "" if self.day in self.source else f"{self.day} "
        return f"{dated}{text} → {self.source}:{self.number}"


def text_of(name: str, told: Sequence[str], width: int | None = None) -> str:
    """Name and words (within a width); the words alone where they say the name as well."""
    words = "; ".join(told)
    if not words or stems(words) <= stems(name):
        text = name
    else:
        text = words if stems(name) <= stems(words) else f"{name}: {words}"
    if width is not None and len(text) > width:
        whole = _without_leaning(text[: width + 1].rpartition(" ")[0]).rstrip(" :;,")
        # Half a long name says more than none of it, but half a path must not look like a whole one.
        text = whole if len(whole) * 2 >= width else f"{text[: width - 1].rstrip()}…"
        # The first word of what is said would only puzzle.
        text = name if text.startswith(f"{name}: ") and text[len(name) + 2 :].isalpha() else text
    return text


# They say something with the word behind them, and the opposite without it.
_LEANING = frozenset((
    *("no", "not", "never", "without", "nor", "cannot", "instead", "of", "rather", "than"),
    *("over", "from", "to", "on", "up"),
))  # fmt: skip


def _without_leaning(text: str) -> str:
    """A text that was cut, without words at its end that belong to the next."""
    while (words := text.rpartition(" "))[2].lower() in _LEANING:
        text = words[0]
    return text


def documents(base: sqlite3.Connection, found: Sequence[Found]) -> dict[int, Document]:
    """The documents that were found, by number; turns that are not folded yet have no line."""
    marks = ",".join("?" * len(found))
    rows = base.execute(
        f"SELECT id, day, source, line, label, short, handle, entry FROM doc WHERE kind != 'turn' AND id IN ({marks})",  # noqa: S608
        [one.doc for one in found],
    )
    return {number: Document(*rest) for number, *rest in rows}


@record
class Said:
    """A sentence in few words, those of them that tell something (some held together), and the fewest."""

    words: str
    telling: str
    gist: str


def sentences(base: sqlite3.Connection, wanted: Collection[int]) -> dict[int, Said]:
    """Sentences by number."""
    marks = ",".join("?" * len(wanted))
    rows = base.execute(f"SELECT id, said, telling, gist FROM sentence WHERE id IN ({marks})", list(wanted))  # noqa: S608
    return {number: Said(*rest) for number, *rest in rows}


# A no-break space stands between words of which none may be left out.
HELD = "\u00a0"


def unsaid(telling: str, prompt: frozenset[str]) -> str:
    """The telling words of a sentence without those of the prompt, given by their stems, which its reader has before
    him: as long as half of them are left; names and numbers stay, and what is held together.
    """
    words = telling.split(" ")
    left = [word for word in words if not (word.isalpha() and word == word.lower() and _stems(word) <= prompt)]
    return " ".join(left if len(left) * 2 >= len(words) else words).replace(HELD, " ")


def root_items(root: str) -> list[str]:
    """The items of ROOT's lists, several of which may stand in a line."""
    return [item for line in root.split("\n") if line.startswith("- ") for item in line[2:].split(" | ")]


class Told:
    """What ROOT says, item by item."""

    def __init__(self, root: str) -> None:
        self._where: dict[str, list[int]] = {}
        for number, item in enumerate(root_items(_plain(root))):
            for word in _stems(item):
                self._where.setdefault(word, []).append(number)

    def already(self, words: frozenset[str]) -> bool:
        """Whether one item has three quarters of these words."""
        counts: dict[int, int] = {}
        for word in words:
            for number in self._where.get(word, ()):
                counts[number] = counts.get(number, 0) + 1
        return bool(counts) and max(counts.values()) * 4 >= len(words) * 3
