"""What stays of an entry without an LLM: its bullets in the history block, or its text lightly shortened."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
    """The bullets of one entry, what it says that they leave out, a line each, and its title ("" where it has none).

    A bullet without a text says that the title is worth as much by itself.
    """

    bullets: tuple[Bullet, ...]
    dropped: tuple[str, ...] = ()
    title: str = ""


#: Whoever can say an entry in fewer words: ``distil`` below, or an LLM. What it says is checked by ``objections``.
Distil = Callable[[Piece], Distilled]

_FACT_WIDTH = 115
# Of a shorter sentence too little is left to say anything.
_SHORTEST_FACT = 12
#: A title that is no more than that is cut there.
TITLE_WIDTH = 60
# Whatever stays word for word stays so far: what is longer is a pasted text, which the snapshot has.
LONGEST = 1_500


def distil(piece: Piece) -> Distilled:
    """The dense bullets of an entry. Decisions, corrections, paths, commands and settings keep their words, and so does
    an entry about the user; other facts keep their keywords.
    """
    if piece.is_lasting:
        return Distilled((Bullet(whole(piece), Rank.LASTING),))
    units = _units_of(piece)
    if piece.heading:
        title = one_line(piece.title)
        is_fact = rank_of(title) <= Rank.FACT
        return _told(cut(title, TITLE_WIDTH if is_fact else LONGEST), units)
    if _begins_with_a_title(units):
        below = _told(units[0].text, units[1:])
        if any(bullet.text for bullet in below.bullets):
            return below
    return _told("", units)


def _begins_with_a_title(units: Sequence[Unit]) -> bool:
    """Whether the first unit of an entry without a heading is a short line that says what the others are about."""
    return bool(units) and units[0].rank is Rank.FACT and units[0].lines == (0, 1) and len(units[0].text) <= TITLE_WIDTH


def _told(title: str, units: Sequence[Unit]) -> Distilled:
    bullets: list[Bullet] = []
    dropped: list[str] = []
    for unit in units:
        found = [bullet for bullet in _bullets(unit) if bullet.text]
        bullets += found
        if not found:
            dropped.append(one_line(unit.text))
    return under(title, bullets, dropped)


def under(title: str, bullets: Sequence[Bullet], dropped: Sequence[str] = ()) -> Distilled:
    """Bullets below the title of their entry; where that is worth more than all of them, it may outlast them."""
    rank = max(rank_of(title), Rank.FACT)
    is_more = title and all(bullet.rank < rank for bullet in bullets)
    own = [Bullet("", rank, weigh(title).points)] if is_more else []
    return Distilled((*own, *bullets), tuple(dropped), title)


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
    whole_said = replace(said, bullets=(*said.bullets, *left_out))
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
