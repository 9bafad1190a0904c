"""What is written below a pointer."""

from __future__ import annotations

import pytest

from hipocampus.recall.excerpts import Excerpt, Excerpts
from hipocampus.recall.index_terms import terms_of
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log


@pytest.fixture
def pressed(layout: Layout, log: Log) -> Layout:
    """A home with one entry, under a name that no list has room for."""
    log("2026-03-01", f"## The quince press {'of the old cellar ' * 9}[project]\n- outcome: oil the quince press\n")
    return layout


def test_an_entry_has_the_whole_name_of_its_topic(pressed: Layout) -> None:
    """As it is stored, without its type."""
    found = Excerpts(pressed, terms_of("quince")).at("memory/2026-03-01.md:3")
    line = "outcome: oil the quince press"
    assert found == Excerpt(f"The quince press {'of the old cellar ' * 9}".strip(), line, f"- {line}")


@pytest.mark.parametrize(
    "pointer", ["", "memory/2026-03-01.md", "memory/2026-03-09.md:1", "memory:1", "x:y", "memory/2026-03-01.md:99"]
)
def test_of_nothing_it_is_empty(pressed: Layout, pointer: str) -> None:
    """The file is gone, a directory, or shorter by now."""
    assert Excerpts(pressed, terms_of("quince")).at(pointer) == Excerpt()
