"""What stays of an entry without an LLM: its bullets in the history block, or its text lightly shortened."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from hipocampus.budget.sayings import Rank, Unit, handles_in, rank_of, units
from hipocampus.budget.splitting import Piece, fence_after
from hipocampus.compaction.density import core_of, dense
from hipocampus.compaction.statements import sentences, weigh
from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut, utf8_bytes
from hipocampus.redaction import redact


@dataclass(frozen=True, slots=True)
class Bullet:
    """One line of the history block. `weight` is how much durable fact it holds, among those of its rank."""

    text: str
    rank: Rank
    weight: int = 0


@dataclass(frozen=True, slots=True)
class Distilled:
    """The bullets of one entry, and what it says that they leave out, a line each."""

    bullets: tuple[Bullet, ...]
    dropped: tuple[str, ...] = ()


#: Whoever can say an entry in fewer words: ``distil`` below, or an LLM. What it says is checked by ``objections``.
Distil = Callable[[Piece], Distilled]

_FACT_WIDTH = 115
# Of a shorter sentence too little is left to say anything.
_SHORTEST_FACT = 12
_TITLE_WIDTH = 60
# Whatever stays word for word stays so far: what is longer is a pasted text, which the snapshot has.
LONGEST = 1_500


def distil(piece: Piece) -> Distilled:
    """The dense bullets of an entry. Decisions, corrections, paths, commands and settings keep their words, and so does
    an entry about the user; other facts keep their keywords. Its title stands before the first of them.
    """
    if piece.is_lasting:
        return Distilled((Bullet(whole(piece), Rank.LASTING),))
    bullets: list[Bullet] = []
    dropped: list[str] = []
    for unit in _units_of(piece):
        found = [bullet for bullet in _bullets(unit) if bullet.text]
        bullets += found
        if not found:
            dropped.append(one_line(unit.text))
    if piece.heading:
        rank = max(rank_of(piece.title), Rank.FACT)
        title = cut(one_line(piece.title), _TITLE_WIDTH if rank is Rank.FACT else LONGEST)
        first = bullets[:1] or [Bullet("", rank)]
        said = f"{title}: {first[0].text}" if first[0].text else title
        bullets[:1] = [Bullet(said, max(rank, first[0].rank), first[0].weight)]
    return Distilled(tuple(bullets), tuple(dropped))


# First a file is shortened from its newest entry on, then what is oldest is distilled: the last ones come first again.
@lru_cache(maxsize=1 << 15)
def _units_of(piece: Piece) -> tuple[Unit, ...]:
    """What an entry says below its title."""
    return tuple(units(piece.rows[piece.heading :]))


_ITEM = re.compile(r"^\s*[-*+] ")


def whole(piece: Piece) -> str:
    """An entry word for word on one line."""
    rows = piece.rows[max(piece.heading, 1) :]
    said = "; ".join(text for row in rows if (text := one_line(_ITEM.sub("", row))))
    return ": ".join(part for part in (one_line(piece.title), said) if part)


def said_in_few_words(piece: Piece, distil_one: Distil) -> Distilled:
    """What `distil_one` says of an entry, with the paths, commands and settings that it left out, or else what
    ``distil`` says, where there is something against that.
    """
    if distil_one is distil:
        return distil(piece)
    said, plain = distil_one(piece), distil(piece)
    texts = "\n".join(bullet.text for bullet in said.bullets).casefold()
    left_out = tuple(one for one in plain.bullets if any(handle not in texts for handle in handles_in(one.text)))
    whole_said = Distilled((*said.bullets, *left_out), said.dropped)
    return whole_said if said.bullets and is_acceptable(piece, whole_said) else plain


def is_acceptable(piece: Piece, said: Distilled) -> bool:
    """Whether bullets may stand for an entry: one about the user is there word for word, nothing is a secret, each is
    one line, and there are not more words than before.
    """
    texts = [bullet.text for bullet in said.bullets]
    is_kept = not piece.is_lasting or whole(piece) in texts
    is_short = sum(map(len, texts)) <= max(len(piece.text), len(whole(piece)))
    together = "\n".join(texts)
    return is_kept and is_short and all(one_line(text) == text for text in texts) and redact(together).text == together


def _bullets(unit: Unit) -> list[Bullet]:
    if unit.rank in (Rank.CHATTER, Rank.CODE):
        return []
    if unit.rank > Rank.FACT:
        text = cut(one_line(unit.text), LONGEST)
        return [Bullet(text, unit.rank, weigh(text).points)]
    said = map(weigh, sentences(unit.text) or [unit.text[:LONGEST]])
    texts = ((dense(core_of(one_line(one.text)), _FACT_WIDTH), one.points) for one in said)
    return [Bullet(text, Rank.FACT, points) for text, points in texts if utf8_bytes(text) >= _SHORTEST_FACT]


@dataclass(frozen=True, slots=True)
class Shortened:
    """An entry of the middle: its text with line ends, and what was left out of it."""

    text: str
    dropped: tuple[str, ...] = ()


# A shorter line that stands elsewhere too ("outcome: done") says something about its own entry.
_REPEATED = 40


def shorten(piece: Piece, said: set[str]) -> Shortened:
    """An entry without chatter, without what a newer one says in the same words (`said`, which grows), without white
    space at the ends of lines, and with one blank line where there were more. One about the user keeps every byte.
    """
    if piece.is_lasting:
        return Shortened(piece.text)
    rows = piece.rows
    gone: dict[int, str] = {}
    for unit in _units_of(piece):
        key = unit.text.casefold()
        if unit.rank is Rank.CHATTER or (len(key) >= _REPEATED and key in said and unit.rank is not Rank.CODE):
            start, stop = (at + piece.heading for at in unit.lines)
            gone |= {at: one_line(unit.text) if at == start else "" for at in range(start, stop)}
        said.add(key)
    fence = ""
    kept: list[str] = []
    for at, row in enumerate(rows):
        was_open, fence = fence, fence_after(fence, row)
        if was_open or fence:
            kept.append(row)
        elif at not in gone and (row.strip() or (kept and kept[-1].strip())):
            kept.append(row.rstrip())
    end = "\r\n" if "\r\n" in piece.text else "\n"
    return Shortened("".join(row + end for row in kept), tuple(text for text in gone.values() if text))
