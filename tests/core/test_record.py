"""Frozen records."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hipocampus.core.record import record


@record
class Point:
    """A place with a name."""

    x: int
    y: int = 0
    name: str = "here"

    @property
    def total(self) -> int:
        return self.x + self.y


@record
class Other:
    """A different class with the same values."""

    x: int
    y: int = 0
    name: str = "here"


def test_values_come_by_place_or_by_name_and_defaults_fill_in() -> None:
    """The constructor reads like a dataclass's."""
    assert Point(1, name="there") == Point(1, 0, "there")
    assert Point(1, 2).total == 3


@pytest.mark.parametrize(
    ("values", "named", "message"),
    [
        ((), {}, "argument 'x' is missing"),
        ((1, 2, "a", 4), {}, "takes 3 values, got 4"),
        ((1,), {"x": 2}, "'x'"),
        ((1,), {"z": 2}, "'z'"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(values: tuple[object, ...], named: dict[str, object], message: str) -> None:
    """Missing, surplus, repeated and unknown arguments are errors."""
    with pytest.raises(TypeError, match=message):
        Point(*values, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((1, 2, "a"), {}),
        ((1, 2), {"name": "a"}),
        ((1,), {"name": "a", "y": 2}),
        ((), {"name": "a", "y": 2, "x": 1}),
    ],
)
def test_every_way_of_giving_the_values_makes_the_same_record(
    values: tuple[object, ...], named: dict[str, object]
) -> None:
    """By place, by name in any order, and both."""
    assert Point(*values, **named) == Point(1, 2, "a")  # type: ignore[arg-type]


def test_a_name_without_a_default_is_asked_for_wherever_it_stands() -> None:
    """Defaults before it do not let it be left out."""

    @record
    class Late:
        first: int = 1
        second: int  # type: ignore[misc]
        third: int = 3

    with pytest.raises(TypeError, match="'second' is missing"):
        Late(5)  # type: ignore[call-arg]
    assert repr(Late(5, 6)).endswith("first=5, second=6, third=3)")


def test_a_record_cannot_change() -> None:
    """Not by assignment, not by deletion, not by a new attribute."""
    point = Point(1)
    for name in ("x", "fresh"):
        with pytest.raises(AttributeError, match="frozen"):
            setattr(point, name, 2)
    with pytest.raises(AttributeError, match="frozen"):
        del point.x  # type: ignore[misc]
    assert not hasattr(point, "__dict__")


def test_equal_values_of_one_class_are_equal_and_hash_alike() -> None:
    """Records serve as keys; another class with the same values is another thing."""
    assert Point(1) == Point(1)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2
    assert Point(1) != Other(1)


def test_a_record_matches_by_place_and_shows_its_values() -> None:
    """``match`` and a failing test are readable."""
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
    assert repr(Point(1)) == "Point(x=1, y=0, name='here')"
    assert Point.__doc__ == "A place with a name."


def test_it_is_made_without_dataclasses() -> None:
    """The reason it exists: a hook that uses records loads neither dataclasses nor inspect nor typing."""
    code = (
        "import sys; from hipocampus.core.record import record; "
        "print([name for name in ('dataclasses', 'inspect', 'typing') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
