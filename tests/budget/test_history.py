"""The history block as text, and read again."""

from __future__ import annotations

import pytest

from hipocampus.budget.history import Remnant, read_block, rows_of


@pytest.mark.parametrize(
    ("remnant", "rows"),
    [
        (Remnant("", ("a: b",)), ["- a: b"]),
        (Remnant("T", ()), ["- **T**"]),
        (Remnant("Fix: the login", ("a: b", "c")), ["- **Fix: the login**: a: b", "  - c"]),
        (Remnant("", ("**a** and **b**: c", "**d**: e")), ["- **a** and **b**: c", "  - **d**: e"]),
    ],
)
def test_a_remnant_is_read_as_it_was_written(remnant: Remnant, rows: list[str]) -> None:
    """Which of its words are the title, and what stands below it."""
    assert rows_of(remnant) == rows
    assert read_block(rows).remnants == (remnant,)


def test_asterisks_of_a_title_do_not_end_it() -> None:
    """They are left out of it."""
    assert rows_of(Remnant("**bold** and *slanted*", ("a",))) == ["- **bold and *slanted**: a"]


@pytest.mark.parametrize(
    ("rows", "remnants"),
    [
        (["- a", "- b"], (Remnant("", ("a",)), Remnant("", ("b",)))),
        (
            ["- a", "  wrapped", "    - deeper", "", "loose"],
            (Remnant("", ("a wrapped", "deeper")), Remnant("", ("loose",))),
        ),
        (["  - first", "- "], (Remnant("", ("- first",)),)),
        (["- **T**", "  wrapped"], (Remnant("T", ("wrapped",)),)),
    ],
)
def test_what_a_person_wrote_is_read_too(rows: list[str], remnants: tuple[Remnant, ...]) -> None:
    """However they set it; a blank bullet is none."""
    assert read_block(rows).remnants == remnants
