"""What leaves a history block first, and what is left of an entry then."""

from __future__ import annotations

import pytest

from hipocampus.budget.distil import Bullet, Distilled
from hipocampus.budget.history import Block, Remnant
from hipocampus.budget.leaving import earlier, leaving, lost, remnant_of, unique, without
from hipocampus.budget.sayings import Rank

ENTRY = Distilled((Bullet("", Rank.DECISION, 9), Bullet("a", Rank.FACT), Bullet("b", Rank.HANDLE)), (), "never")


def bullets(*texts: str) -> tuple[Bullet, ...]:
    """Facts."""
    return tuple(Bullet(text, Rank.FACT) for text in texts)


@pytest.mark.parametrize(
    ("title", "gone", "left", "said"),
    [
        ("T", {0}, ("T", "b", "c"), ["a"]),
        ("T", {1}, ("T", "a", "c"), ["b"]),
        ("T", {0, 1}, ("T", "c"), ["a", "b"]),
        ("", {0}, ("a", "b", "c"), ["a"]),
        ("", {1}, ("", "a", "c"), ["b"]),
        ("T", {0, 1, 2}, (), ["a", "b", "c"]),
    ],
)
def test_what_is_left_has_its_title(title: str, gone: set[int], left: tuple[str, ...], said: list[str]) -> None:
    """Whichever bullets leave; where there is none the first bullet said what the entry is about."""
    entry = Distilled(bullets("a", "b", "c"), (), title)
    places = {(0, at) for at in gone}
    found = [remnant_of(one) for one in without([entry], places)]
    assert found == ([Remnant(left[0], left[1:])] if left else [])
    assert list(lost([entry], places)) == said


@pytest.mark.parametrize(
    ("gone", "left", "said"),
    [
        ({1}, [Remnant("never", ("b",))], ["a"]),
        ({0}, [Remnant("never", ("a", "b"))], []),
        ({1, 2}, [Remnant("never", ())], ["a", "b"]),
        ({0, 1, 2}, [], ["never", "a", "b"]),
    ],
)
def test_a_title_that_says_something(gone: set[int], left: list[Remnant], said: list[str]) -> None:
    """Outlasts what stands below it, and is lost with the last of it."""
    places = {(0, at) for at in gone}
    assert [remnant_of(one) for one in without([ENTRY], places)] == left
    assert list(lost([ENTRY], places)) == said


def test_the_order_of_leaving() -> None:
    """By rank, then by weight, then the oldest first, whatever stands above or beside it; what is lasting stays."""
    other = Distilled((Bullet("c", Rank.FACT, 5), Bullet("d", Rank.LASTING), Bullet("e", Rank.FACT)))
    assert leaving([ENTRY, other]) == [(0, 1), (1, 2), (1, 0), (0, 2), (0, 0)]


def test_nothing_is_said_twice() -> None:
    """But that the same happened to another thing is said of that one, too."""
    entries = [Distilled(bullets("a", "B"), (), title) for title in ("T", "t", "U")]
    assert [remnant_of(one) for one in unique(entries)] == [Remnant("T", ("a", "B")), Remnant("U", ("a",))]


@pytest.mark.parametrize(
    ("remnant", "ranks"),
    [
        (Remnant("2026-10-12 Deploy", ("it was slow all day",)), [Rank.FACT]),
        (Remnant("Decision log", ("it was slow all day",)), [Rank.DECISION, Rank.FACT]),
        (Remnant("", ("Answers [feedback]: short",)), [Rank.LASTING]),
        (Remnant("Answers [feedback]", ("short",)), [Rank.LASTING]),
        (Remnant("Editor [user]", ()), [Rank.LASTING]),
        (Remnant("T", ("asked [user] for it",)), [Rank.FACT]),
    ],
)
def test_what_was_left_before_has_its_ranks(remnant: Remnant, ranks: list[Rank]) -> None:
    """A title makes no fact below it worth more, and a mark in the midst of a text makes nothing lasting."""
    (entry,) = earlier(Block(1, 0, (remnant,)))
    assert [bullet.rank for bullet in entry.bullets] == ranks
    assert remnant_of(entry) == remnant


def test_a_date_adds_no_weight() -> None:
    """A statement is worth as much with a title before it as it was without."""
    first, second = earlier(
        Block(2, 0, (Remnant("2026-10-12 Courier API", ("it was slow",)), Remnant("", ("it was slow",))))
    )
    assert first.bullets == second.bullets
