"""What vectors and durable fact say about sentences: of all of them in a glance, of the best few exactly."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Mapping, Sequence
from math import cos
from random import Random

import pytest

from hipocampus.recall.index_file import PRIORS, STRIDE, open_in_memory, packed_prior
from hipocampus.recall.nearness import Measured, Near, may_encode
from hipocampus.recall.vectors import IN_KOREAN, NEURAL, STATIC, centred, planes, quantised

DIMENSIONS = NEURAL.dimensions


def direction(angle: float) -> list[float]:
    """A unit vector; the cosine of two of them is that of the angle between."""
    return [(2 / DIMENSIONS) ** 0.5 * cos(_TURN * at + angle) for at in range(DIMENSIONS)]


# Spreads points evenly over a circle, however many there are.
_TURN = 2.399963


@pytest.fixture
def base() -> Iterator[sqlite3.Connection]:
    """An index of nothing."""
    found = open_in_memory()
    yield found
    found.close()


def keep(base: sqlite3.Connection, parts: Mapping[str, bytes]) -> None:
    """Pack parts as a refresh does."""
    base.executemany("INSERT OR REPLACE INTO scan (name, value) VALUES (?, ?)", parts.items())


def hold(base: sqlite3.Connection, facts: Mapping[int, Sequence[float]]) -> None:
    """Sentences by their documents, with how much durable fact each holds."""
    numbers = [doc * STRIDE + at for doc, told in facts.items() for at in range(len(told))]
    priors = bytes(packed_prior(one) for told in facts.values() for one in told)
    keep(base, {"numbers": array("Q", numbers).tobytes(), "priors": priors})


def unit(at: int) -> list[float]:
    """The vector that has a 1 in one place."""
    return [float(at == place) for place in range(DIMENSIONS)]


def give_vectors(base: sqlite3.Connection, found: Sequence[Sequence[float]]) -> None:
    """A vector of the encoder for each sentence; prompts have nothing in common, and nothing is turned."""
    vectors = [quantised(one) for one in found]
    keep(base, {NEURAL.planes: planes(vectors), NEURAL.prompts: array("f", [0.0] * DIMENSIONS).tobytes()})
    keep(base, {NEURAL.turn: b"".join(array("f", unit(at)).tobytes() for at in range(DIMENSIONS))})
    rows = [(NEURAL.name, place, one) for place, one in enumerate(vectors)]
    base.executemany("INSERT OR REPLACE INTO packed VALUES (?, ?, ?)", rows)


def turn(base: sqlite3.Connection, *angles: float) -> None:
    """Give each sentence a vector that is so far away from the prompt's."""
    give_vectors(base, [direction(angle) for angle in angles])


def straight(_prompt: str) -> list[float]:
    """An encoder that takes every prompt for the same."""
    return [7.0 * value for value in direction(0.0)]


@pytest.mark.parametrize("fact", [1.0, 0.6, 0.0])
def test_without_vectors_durable_fact_decides(base: sqlite3.Connection, fact: float) -> None:
    """The five sentences of a document that hold most of it, and it counts as much as is wished."""
    hold(base, {1: [0.5, 2.0, -1.0, 1.0, 0.0, 1.5, -2.0], 2: [-1.0]})
    near = Near(base, "prompt", fact=fact)
    values = near.exact([1, 2])
    assert near.leading(10) == set()
    assert [at - STRIDE for _, at in values[1].values] == [1, 5, 3, 0, 4]
    assert [value for value, _ in values[1].values] == pytest.approx(
        [fact * told for told in (2.0, 1.5, 1.0, 0.5, 0.0)]
    )
    assert near.best(1) == pytest.approx(fact * 2.0)
    assert values[2].values == [(pytest.approx(-fact), 2 * STRIDE)]


def test_without_vectors_every_document_is_as_near(base: sqlite3.Connection) -> None:
    """As near as the best one usually is, so that words alone can tell; how outstanding it is nobody knows."""
    hold(base, {1: [2.0], 2: [-1.0]})
    near = Near(base, "prompt")
    assert len({one.nearness for one in near.exact([1, 2]).values()}) == 1
    assert near.outstanding(near.exact([1, 2]).values()) < -1


def test_the_sentence_in_the_direction_of_the_prompt_leads(base: sqlite3.Connection) -> None:
    """At a glance and exactly: its cosine times what the model is worth, and its durable fact."""
    hold(base, {1: [0.0, 0.0], 2: [2.0, 0.0], 3: [0.0]})
    turn(base, 1.4, 1.2, 0.0, 1.0, 0.9)
    near = Near(base, "prompt", straight)
    assert near.leading(1) == {2}
    assert max((1, 2, 3), key=near.best) == 2
    measured = near.exact([2])[2]
    assert measured.values == [(pytest.approx(NEURAL.worth + 2.0, abs=0.2), 2 * STRIDE)]
    assert measured.nearness == pytest.approx(NEURAL.worth, abs=0.2)


@pytest.mark.parametrize(("most", "docs"), [(1, {2}), (2, {1, 2}), (3, {1, 2}), (4, {1, 2, 3}), (99, {1, 2, 3})])
def test_more_sentences_bring_more_documents(base: sqlite3.Connection, most: int, docs: set[int]) -> None:
    """`most` are sentences, and several may be of one document."""
    hold(base, {1: [0.0, 0.0], 2: [0.0], 3: [0.0]})
    turn(base, 0.3, 0.6, 0.0, 1.4)
    assert Near(base, "prompt", straight).leading(most) == docs


def test_of_a_document_that_does_not_stand_out_the_best_sentence_is_measured(base: sqlite3.Connection) -> None:
    """So that none is without; of others all that stand out, best first."""
    hold(base, {1: [0.0, 0.0, 0.0], 2: [0.0, 0.0]})
    turn(base, 0.3, 0.0, 1.5, 1.5, 1.0)
    near = Near(base, "prompt", straight)
    near.leading(2)
    found = near.exact([1, 2])
    assert [at for _, at in found[1].values] == [STRIDE + 1, STRIDE]
    assert [at for _, at in found[2].values] == [2 * STRIDE + 1]


def test_durable_fact_outweighs_a_little_nearness(base: sqlite3.Connection) -> None:
    """It is added to what the vectors say."""
    hold(base, {1: [0.0], 2: [4.0]})
    turn(base, 0.0, 0.3)
    near = Near(base, "prompt", straight)
    assert near.leading(1) == {2}
    found = near.exact([1, 2])
    assert found[2].values[0][0] > found[1].values[0][0]
    assert found[2].nearness < found[1].nearness


def test_what_the_encoder_says_of_a_prompt_is_turned_as_sentences_were(base: sqlite3.Connection) -> None:
    """By the map that was packed with them; a prompt that would lie another way is none of the encoder's."""
    chance = Random(1)  # noqa: S311
    asked = [chance.choice((-0.05, 0.05)) for _ in range(DIMENSIONS)]
    hold(base, {1: [0.0], 2: [0.0]})
    give_vectors(base, [asked, asked[-7:] + asked[:-7]])
    assert Near(base, "prompt", lambda _: asked).leading(1) == {1}
    seven_on = [unit((at - 7) % DIMENSIONS) for at in range(DIMENSIONS)]
    keep(base, {NEURAL.turn: b"".join(array("f", one).tobytes() for one in seven_on)})
    assert Near(base, "prompt", lambda _: asked).leading(1) == {2}
    base.execute("DELETE FROM scan WHERE name = ?", (NEURAL.turn,))
    assert Near(base, "prompt", lambda _: asked).model is None


@pytest.mark.parametrize(("nearest", "outstanding"), [(0.8, 0.4), (0.64, 0.0), (0.4, -0.6), (1.0, 0.9)])
def test_how_far_a_memory_stands_out_is_told_from_usual_prompts(
    base: sqlite3.Connection, nearest: float, outstanding: float
) -> None:
    """Six tenths of the way from what those come to in the mean to what they come to at most is the border."""
    hold(base, {1: [0.0]})
    turn(base, 0.0)
    keep(base, {NEURAL.usual: array("f", [0.4, 0.8]).tobytes()})
    near = Near(base, "prompt", straight)
    assert near.outstanding([Measured([], nearest * NEURAL.worth)]) == pytest.approx(outstanding, abs=0.01)


def test_usual_prompts_that_are_all_alike_divide_by_nothing(base: sqlite3.Connection) -> None:
    """In a memory of a single sentence they may be."""
    hold(base, {1: [0.0]})
    turn(base, 0.0)
    keep(base, {NEURAL.usual: array("f", [0.4, 0.4]).tobytes()})
    near = Near(base, "prompt", straight)
    assert near.outstanding(near.exact([1]).values()) > 0
    assert near.outstanding([]) < 0


@pytest.mark.parametrize(("prompt", "doc"), [("seat map", 1), ("좌석 배치도", 2), ("seat map 좌석", 2), ("座席", 1)])
def test_a_korean_prompt_is_held_against_korean_ones(base: sqlite3.Connection, prompt: str, doc: int) -> None:
    """What those have in common is another thing: without it a prompt may be about something else."""
    common, asked = direction(0.0), direction(0.8)
    hold(base, {1: [0.0], 2: [0.0]})
    give_vectors(base, [asked, centred(asked, common)])
    keep(base, {NEURAL.prompts + IN_KOREAN: array("f", common).tobytes()})
    assert Near(base, prompt, lambda _: asked).leading(1) == {doc}


@pytest.mark.parametrize(("prompt", "beside"), [("sluice", STATIC.worth / 2), ("sluice 갑문", 0.0)])
@pytest.mark.parametrize("fact", [0.0, PRIORS[-1]])
def test_beside_an_encoder_the_table_of_words_counts_half(
    base: sqlite3.Connection, prompt: str, beside: float, fact: float
) -> None:
    """Of sentences that are as near by the encoder the one with the prompt's own words leads, at a glance and exactly,
    however much they are worth; not of a Korean prompt, whose words the table does not have.
    """
    hold(base, {1: [fact], 2: [fact]})
    turn(base, 0.0, 0.0)
    word = [1.0, -1.0] * (STATIC.dimensions // 2)
    other = [1.0, 1.0, -1.0, -1.0] * (STATIC.dimensions // 4)
    nothing = {NEURAL.prompts + IN_KOREAN: NEURAL.dimensions, STATIC.prompts: STATIC.dimensions}
    keep(base, {name: array("f", [0.0] * size).tobytes() for name, size in nothing.items()})
    base.execute("INSERT INTO token VALUES ('\u2581sluice', ?)", (array("h", map(int, word)).tobytes(),))
    vectors = [quantised(_unit(one)) for one in (other, word)]
    keep(base, {STATIC.planes: planes(vectors)})
    base.executemany("INSERT INTO packed VALUES (?, ?, ?)", [(STATIC.name, at, one) for at, one in enumerate(vectors)])
    near = Near(base, prompt, straight)
    assert near.best(2) - near.best(1) == pytest.approx(beside, abs=0.2)
    found = near.exact([1, 2])
    assert found[2].values[0][0] - found[1].values[0][0] == pytest.approx(beside, abs=0.1)
    assert found[1].nearness == found[2].nearness


def _unit(vector: list[float]) -> list[float]:
    return centred(vector, [0.0] * len(vector))


def test_an_encoder_that_has_no_answer_leaves_the_rest_as_it_is(base: sqlite3.Connection) -> None:
    """It may be too slow, or gone; what there is without it counts."""
    hold(base, {1: [1.0], 2: [2.0]})
    turn(base, 0.0, 1.0)
    near = Near(base, "prompt", lambda _: [])
    assert near.model is None
    assert near.exact([2])[2].values == [(pytest.approx(2.0), 2 * STRIDE)]


@pytest.mark.parametrize(("has_encoder", "has_vectors"), [(True, True), (True, False), (False, True), (False, False)])
def test_an_encoder_is_asked_where_both_are_there(
    base: sqlite3.Connection, has_encoder: bool, has_vectors: bool
) -> None:
    """It, and vectors of its own in the index."""
    hold(base, {1: [0.0]})
    if has_vectors:
        turn(base, 0.0)
    assert may_encode(base, straight if has_encoder else None) is (has_encoder and has_vectors)


def test_a_memory_without_sentences_is_near_to_nothing(base: sqlite3.Connection) -> None:
    """Whatever is asked of it."""
    near = Near(base, "prompt", straight)
    assert (near.leading(5), near.best(1)) == (set(), 0.0)
    assert near.exact([1])[1].values == []


@pytest.mark.parametrize("prior", [-6.4, -1.0, 0.0, 0.05, 2.35, 6.35, 99.0, -99.0])
def test_a_prior_survives_as_a_byte(prior: float) -> None:
    """To a twentieth, within what a byte can hold."""
    assert PRIORS[packed_prior(prior)] == pytest.approx(min(max(prior, -6.4), 6.35), abs=0.026)
