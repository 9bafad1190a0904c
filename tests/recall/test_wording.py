"""What the words of a prompt say about documents and about the memory as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.index_terms import terms_of
from hipocampus.recall.wording import Words
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log, entries

LOGGED = (
    "Seat map cache: Redis keeps it for ten minutes",
    "Vessel swap: the vessel of a sailing, the next vessel, the reserve vessel and the chartered vessel change places",
    "Boarding: after a vessel had to be swapped in a hurry on a stormy evening at the northern quay and all passengers "
    "were called again by hand, the list of names was read out and the seat map was printed on paper for the crew",
    "Reviews: Mirela reads them on Tuesdays",
)


@pytest.fixture
def words(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> Iterator[Callable[[str], Words]]:
    """What the words of a prompt say in a memory of five entries."""
    for number, entry in enumerate(entries(*LOGGED), 1):
        log(f"2026-03-{number:02d}", entry)
    log("2026-03-05", "## quay: paint the bollards [project]\n- outcome: white, for the passengers\n")
    built()
    base = open_to_read(layout)

    def said(prompt: str, presence: float = 1.0, **others: float) -> Words:
        facts = dict(base.execute("SELECT name, value FROM meta WHERE name IN ('documents', 'characters')")) | others
        found = Words(base, terms_of(prompt), facts, presence=presence)
        found.look_for_topics(base, prompt)
        found.look_for_places(base)
        return found

    yield said
    base.close()


def test_that_all_words_are_there_outweighs_one_that_is_there_often(words: Callable[..., Words]) -> None:
    """A long entry with every word of the prompt comes before a short one that repeats one of them."""
    prompt = "The crew wants the passengers of the stormy vessel on paper"
    assert words(prompt).best(3)[0] == 3
    assert (
        words(prompt).points[2] - words(prompt, 0.0).points[2] < words(prompt).points[3] - words(prompt, 0.0).points[3]
    )


def test_a_prompt_that_names_an_entry_is_evidence(words: Callable[..., Words]) -> None:
    """All words of a topic say more than some of them, and those more than none."""
    whole, part, nothing = (
        words(prompt).evidence({})[6]
        for prompt in ("Is the seat map cache stale?", "Draw a map of the quay", "How do I squash commits?")
    )
    assert whole > part > nothing == 0


def test_a_prompt_that_names_a_part_of_the_project_is_evidence(words: Callable[..., Words]) -> None:
    """A subsystem that topics begin with is one; a word that entries only use is none."""
    placed, used = (words(prompt).evidence({})[7] for prompt in ("Which quay is it?", "Where do passengers wait?"))
    assert placed > used == 0


def test_a_prompt_that_calls_somebody_by_name_is_evidence(words: Callable[..., Words]) -> None:
    """Where the memory knows the name."""
    known, unknown, plain = (
        words(f"Ask {name} for the list").evidence({})[8] for name in ("Mirela", "Oriol", "somebody")
    )
    assert known > unknown == plain == 0


def test_the_more_words_of_a_prompt_a_memory_knows_the_more_it_meets_by_chance(words: Callable[..., Words]) -> None:
    """What it does not know it cannot have met."""
    short, long, strange = (
        words(prompt).evidence({})[9]
        for prompt in (
            "Is the map stale?",
            "Is the map stale, and was the refund posted twice?",
            "Is the map stale, and did the gardener leave his ladder in the orchard?",
        )
    )
    assert long > short == strange > 0


def test_the_larger_a_memory_is_the_more_a_prompt_meets_by_chance(words: Callable[..., Words]) -> None:
    """The same words are met somewhere."""
    few, many = (words("Is the map stale?", documents=count).evidence({})[9] for count in (5, 500))
    assert many > few
