"""Newest, middle and oldest entries of a file, and the shortest change that brings it within its budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from hipocampus.budget.distil import Distil, Distilled, Shortened, distil, said_in_few_words, shorten
from hipocampus.budget.history import Block, Manner, head_of_block, read_block, render_block, rows_of
from hipocampus.budget.leaving import Place, earlier, leaving, lost, remnant_of, unique, unsaid, without
from hipocampus.budget.measure import lines_in, size_of
from hipocampus.budget.policy import Rule
from hipocampus.budget.sayings import units
from hipocampus.budget.splitting import Document, Piece, put_together, split

#: The oldest tier has at least as many whole entries as fit into this part of the file's lines.
OLDEST_PERCENT = 30


@dataclass(frozen=True, slots=True)
class Tiers:
    """The entries of a document, oldest first: `older` are those that may be changed, `oldest` of them are so many as
    the 30 % rule takes, whatever the budget.
    """

    older: tuple[Piece, ...]
    newest: tuple[Piece, ...]
    oldest: int


def tiers_of(document: Document, newest: int, lines: int) -> Tiers:
    """Divide the entries of a file that has so many lines."""
    border = max(len(document.pieces) - newest, 0)
    older = document.pieces[:border]
    taken = oldest = 0
    for piece in older:
        taken += lines_in(piece.text)
        if taken * 100 > lines * OLDEST_PERCENT:
            break
        oldest += 1
    return Tiers(older, document.pieces[border:], oldest)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A file before and after: sizes in the unit of its budget, what became of how many entries, and what was left out.

    `marker` is how its entries begin. `text` is None where the budget cannot be kept without touching the newest
    entries; the sizes after are then the smallest that could be reached.
    """

    rule: Rule
    marker: str
    entries: int
    distilled: int
    middle: int
    newest: int
    lines: tuple[int, int]
    sizes: tuple[int, int]
    dropped: tuple[str, ...]
    text: str | None


def compacted(text: str, rule: Rule, snapshot: str, today: date, distil_one: Distil = distil) -> Outcome:
    """Bring a text within its budget, `snapshot` being the name of the copy that will have it whole.

    The oldest entries go into the history block, as many as the 30 % rule says and then one after the other as long as
    the file is too large; those between lose chatter and repetition; the newest keep every byte. Where all older
    entries are in the block, its bullets leave it by rank, weight and age. `distil_one` says an entry in few words.
    """
    document = split(text, rule.marker)
    plan = _Plan(document, tiers_of(document, rule.newest, lines_in(text)), rule, snapshot, today, distil_one)
    count, made, dropped = plan.made()
    size = size_of(made, rule.unit)
    return Outcome(
        rule,
        document.marker,
        len(document.pieces),
        count,
        len(plan.tiers.older) - count,
        len(plan.tiers.newest),
        (lines_in(text), lines_in(made)),
        (size_of(text, rule.unit), size),
        tuple(dropped),
        made if size <= rule.budget else None,
    )


class _Plan:
    """One file on its way into its budget."""

    def __init__(
        self, document: Document, tiers: Tiers, rule: Rule, snapshot: str, today: date, distil_one: Distil
    ) -> None:
        self.tiers = tiers
        self._document = document
        self._rule = rule
        self._snapshot = snapshot
        self._today = today
        self._before: Block = read_block(document.history)
        self._earlier = earlier(self._before)
        self._manner = Manner(None if rule.marker else document.marker, document.is_newest_first)
        self._distil_one = distil_one
        self._said: list[Distilled] = []
        said = {unit.text.casefold() for piece in tiers.newest for unit in units(piece.rows)}
        self._shortened: list[Shortened] = [shorten(piece, said) for piece in reversed(tiers.older)][::-1]

    def _distilled(self, at: int) -> Distilled:
        """One of the older entries in few words. Nobody is asked for those that stay in the middle."""
        while len(self._said) <= at:
            self._said.append(said_in_few_words(self.tiers.older[len(self._said)], self._distil_one))
        return self._said[at]

    def made(self) -> tuple[int, str, list[str]]:
        """How many entries went into the block, the text, and what is left out of it."""
        for count in self._candidates():
            made = self._text(count, self._entries(count), 0)
            if size_of(made, self._rule.unit) <= self._rule.budget:
                return count, made, self._left_out(count, [])
        return self._without_bullets()

    def _candidates(self) -> Iterator[int]:
        """How many entries to distil, fewest first, where the sizes of the parts add up to the budget at most.

        The line ends between the parts are not counted here, so that the first few may still be too large.
        """
        unit = self._rule.unit
        fixed = [self._document.head, *(piece.text for piece in self.tiers.newest)]
        frame = render_block(self._frame(len(self.tiers.older), 0), [], self._manner, self._document.end)
        total = sum(size_of(part, unit) for part in (*fixed, frame))
        total += sum(size_of(one.text, unit) for one in self._shortened)
        said: set[str] = set()
        total += sum(self._size(entry, said) for entry in self._earlier)
        for count in range(len(self.tiers.older) + 1):
            if count:
                total -= size_of(self._shortened[count - 1].text, unit)
                total += self._size(self._distilled(count - 1), said)
            if count >= self.tiers.oldest and total <= self._rule.budget:
                yield count

    def _size(self, entry: Distilled, said: set[str]) -> int:
        """The room that an entry takes in the block, behind others that have `said` something."""
        left = unsaid(entry, said)
        rows = rows_of(remnant_of(left)) if left.bullets else []
        return sum(size_of(f"{row}{self._document.end}", self._rule.unit) for row in rows)

    def _entries(self, count: int) -> list[Distilled]:
        """The entries of the block, oldest first, nothing twice."""
        return unique([*self._earlier, *map(self._distilled, range(count))])

    def _without_bullets(self) -> tuple[int, str, list[str]]:
        """Everything older in the block, and of its bullets those that have room."""
        count = len(self.tiers.older)
        entries = self._entries(count)
        order = leaving(entries)
        least, most = 0, len(order)
        while least < most:  # fewer bullets take less room, but for a title that comes before another one
            middle = (least + most) // 2
            made, _ = self._without(count, entries, frozenset(order[:middle]))
            if size_of(made, self._rule.unit) <= self._rule.budget:
                most = middle
            else:
                least = middle + 1
        made, gone = self._without(count, entries, frozenset(order[:least]))
        return count, made, self._left_out(count, gone)

    def _without(self, count: int, entries: Sequence[Distilled], gone: frozenset[Place]) -> tuple[str, list[str]]:
        """The text without some bullets of its block, and what they said."""
        said = list(lost(entries, gone))
        return self._text(count, without(entries, gone), len(said)), said

    def _left_out(self, count: int, gone: list[str]) -> list[str]:
        parts = [self._distilled(at).dropped for at in range(count)]
        parts += [one.dropped for one in self._shortened[count:]]
        return [text for part in parts for text in part] + gone

    def _frame(self, count: int, more: int) -> list[str]:
        return head_of_block(self._before.count + count, self._before.more + more, self._today, self._snapshot)

    def _text(self, count: int, entries: Sequence[Distilled], more: int) -> str:
        document = self._document
        end = document.end
        has_block = count or document.history
        remnants = map(remnant_of, entries)
        block = render_block(self._frame(count, more), remnants, self._manner, end) if has_block else ""
        middle = [one.text for one in self._shortened[count:]]
        newest = [piece.text for piece in self.tiers.newest]
        if document.is_newest_first:
            parts = [document.head, *reversed(newest), *reversed(middle)]
            return put_together([*parts, _gap(parts, block, end), block], end)
        return put_together([document.head, _gap([document.head], block, end), block, *middle, *newest], end)


def _gap(before: Sequence[str], block: str, end: str) -> str:
    """A blank line before the block, where there is none and something to part it from."""
    text = next((part for part in reversed(before) if part), "")
    is_parted = not text or not text.removesuffix("\n").removesuffix("\r").rpartition("\n")[2].strip()
    return "" if is_parted or not block else end
