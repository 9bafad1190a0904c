"""Words: how the index takes them in, and what of a prompt is looked up."""

from __future__ import annotations

import pytest

from hipocampus.recall.index_terms import MOST_TERMS, in_other_script, indexed, terms_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words", "plain words"),
        ("배포는 화요일", " 배포 포는   화요 요일 "),
        ("buildIndex", "build Index\nbuildIndex"),
        ("HTTPServer is up", "HTTP Server is up"),
    ],
)
def test_words_are_taken_apart_where_sqlite_would_not(text: str, expected: str) -> None:
    """Hangul becomes pairs, names from code also their parts."""
    assert indexed(text) == expected


def phrases(prompt: str) -> set[str]:
    """The phrases that a prompt is looked up by."""
    return {term.phrase.strip('"') for term in terms_of(prompt)}


def test_a_path_is_looked_up_whole_and_in_parts() -> None:
    """A file that a prompt names is evidence of its own."""
    assert {"src limits py", "limits"} <= phrases("Why does src/limits.py answer 429?")
    assert next(term for term in terms_of("see src/limits.py") if term.is_name).weight == 1.0


@pytest.mark.parametrize("name", ["SeatMapCache", "seatMapCache", "seat_map_cache", "src/seat_map.py", "--seat-map"])
def test_a_name_from_code_is_evidence(name: str) -> None:
    """Files, options and identifiers are in no prompt by chance, however they are spelled."""
    assert any(term.is_name for term in terms_of(f"What is {name} for?"))


@pytest.mark.parametrize("name", ["YouTube", "GitHub", "Redis"])
def test_a_product_is_no_name_from_code(name: str) -> None:
    """Anybody's prompt has it, whether a memory knows it or not."""
    assert not any(term.is_name for term in terms_of(f"What is {name} for?"))


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Ask Mirela, then Oriol's team (Vesna) and BlueLine.", {"mirela", "oriol", "vesna", "blueline"}),
        ("Refactor the parser. Rename it in Kubernetes, on Monday, for Redis.", set()),
        ("Fix src/Mirela.py and NordPost.send", set()),
    ],
)
def test_what_somebody_or_something_rare_is_called_is_a_proper_name(prompt: str, names: set[str]) -> None:
    """With a capital where no sentence begins, or with another within; not what anybody's prompt has, and no code."""
    assert {term.phrase.strip('"') for term in terms_of(prompt) if term.is_proper} == names


@pytest.mark.parametrize("prompt", ["", "the and of to", "1 2 42", "!!! ??? ***"])
def test_small_words_and_small_numbers_are_not_looked_up(prompt: str) -> None:
    """What is in every text says nothing."""
    assert all(term.weight < 0.7 for term in terms_of(prompt))


@pytest.mark.parametrize("prompt", ['"quoted" AND OR NOT', "a*b NEAR(x)", "emoji 🎉 ok", "col:umn ^x -y", "x" * 10_000])
def test_any_text_gives_phrases_that_sqlite_takes(prompt: str) -> None:
    """Nothing in a prompt is an operator."""
    import sqlite3

    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    for term in terms_of(prompt):
        base.execute("SELECT * FROM t WHERE t MATCH ?", (term.phrase,)).fetchall()


@pytest.mark.parametrize("run", ["x", "xY", "a1", "A", "./", "_", "x()", "가", "x-"])
def test_each_place_of_a_long_word_is_looked_at_once(run: str) -> None:
    """A blob of any kind is read in the time that a text of its length takes: looked at again and again it would take
    hours."""
    assert len(terms_of(run * 300_000)) <= MOST_TERMS
    assert indexed(run * 300_000)


def test_a_long_prompt_has_few_terms() -> None:
    """The cost of a prompt is bounded, and names from code come first."""
    words = " ".join(f"word{number}{'abcdefghij'[number % 10]}" for number in range(900))
    assert len(terms_of(words)) == MOST_TERMS
    assert terms_of(f"{words} src/limits.py")[0].weight == 1.0


@pytest.mark.parametrize(
    ("prompt", "spelling"),
    [("back up the tables", '"backup"'), ("the backup fails", '"back up"'), ("why log in twice", '"login"')],
)
def test_a_verb_and_what_grows_onto_it_are_one_word_or_two(prompt: str, spelling: str) -> None:
    """As a noun it is written together; that the other spelling is missing says nothing."""
    (term,) = (term for term in terms_of(prompt) if term.phrase == spelling)
    assert term.is_maybe


@pytest.mark.parametrize("prompt", ["go up", "가 up", "up in out", "cup"])
def test_what_is_no_such_verb_has_no_other_spelling(prompt: str) -> None:
    """Too short, or in another script."""
    assert not [term for term in terms_of(prompt) if term.is_echo]


def test_an_english_word_for_a_korean_one_tells_by_its_rarity() -> None:
    """A common one tells less; in the same language it is another word and not a translation."""
    weights = {term.phrase: term.weight for term in terms_of("백업 오류") if term.is_echo}
    assert weights['"backup"'] > weights['"error"']
    assert list(in_other_script("백업 방법")) == ["backup"]
    assert list(in_other_script("how do I cache it")) == []
