"""What a history block says entry by entry, and which of its bullets leave it first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from hipocampus.budget.distil import TITLE_WIDTH, Bullet, Distilled, under
from hipocampus.budget.history import Block, Remnant
from hipocampus.budget.sayings import Rank, rank_of
from hipocampus.budget.splitting import is_lasting
from hipocampus.compaction.statements import weigh
from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut

#: Where a bullet stands: which entry, and which of its bullets.
Place = tuple[int, int]


def earlier(block: Block) -> list[Distilled]:
    """What an earlier compaction left of each entry; one about the user is known by its mark."""
    return [_read(remnant) for remnant in block.remnants]


def _read(remnant: Remnant) -> Distilled:
    title, lines = one_line(remnant.title), [one_line(line) for line in remnant.lines]
    if is_lasting(title or lines[0]):
        return Distilled(tuple(Bullet(line, Rank.LASTING) for line in lines or [""]), (), title)
    return under(title, [Bullet(line, max(rank_of(line), Rank.FACT), weigh(line).points) for line in lines])


def remnant_of(entry: Distilled) -> Remnant:
    """What a block says of an entry."""
    return Remnant(entry.title, tuple(bullet.text for bullet in entry.bullets if bullet.text))


def unique(entries: Iterable[Distilled]) -> list[Distilled]:
    """The entries without what an earlier one says, oldest first."""
    said: set[str] = set()
    return [left for entry in entries if (left := unsaid(entry, said)).bullets]


def unsaid(entry: Distilled, said: set[str]) -> Distilled:
    """An entry without what was `said`, which grows. The same words below another title tell of another thing."""
    kept: list[Bullet] = []
    for bullet in entry.bullets:
        text = bullet.text.casefold()
        titled = f"{entry.title.casefold()}\n{text}"
        if (titled if entry.title and not kept else text) not in said:
            kept.append(bullet)
        said |= {text, titled}
    return _left(entry, kept)


def _left(entry: Distilled, bullets: Sequence[Bullet]) -> Distilled:
    """An entry with these of its bullets. Where it has no title and its first one is gone, that said what about."""
    title = entry.title
    if not title and bullets and bullets[0] is not entry.bullets[0]:
        title = cut(entry.bullets[0].text, TITLE_WIDTH)
    return replace(entry, bullets=tuple(bullets), title=title)


def leaving(entries: Sequence[Distilled]) -> list[Place]:
    """The bullets that may leave, in the order in which they do: by rank, by weight, the oldest first."""
    ranked = [
        (bullet.rank, bullet.weight, (number, at))
        for number, entry in enumerate(entries)
        for at, bullet in enumerate(entry.bullets)
        if bullet.rank is not Rank.LASTING
    ]
    return [place for _, _, place in sorted(ranked)]


def without(entries: Sequence[Distilled], gone: Collection[Place]) -> list[Distilled]:
    """What is left of the entries."""
    kept = [
        _left(entry, [bullet for at, bullet in enumerate(entry.bullets) if (number, at) not in gone])
        for number, entry in enumerate(entries)
    ]
    return [entry for entry in kept if entry.bullets]


def lost(entries: Sequence[Distilled], gone: Collection[Place]) -> Iterator[str]:
    """What is not said any more; a title is said as long as there is anything below it."""
    for number, entry in enumerate(entries):
        is_gone = [(number, at) in gone for at in range(len(entry.bullets))]
        texts = (bullet.text or entry.title * all(is_gone) for bullet in entry.bullets)
        yield from (text for text, has_left in zip(texts, is_gone, strict=True) if text and has_left)
