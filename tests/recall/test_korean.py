"""Korean words without what grows onto them, and words that go together."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.index_terms import terms_of
from hipocampus.recall.korean import related, root_of
from hipocampus.recall.ranking import rank
from hipocampus.recall.search import Filters, search
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log, entries

HANGUL = st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("word", "root"),
    [
        ("출근하려면", "출근"),
        ("알람을", "알람"),
        ("부두에서는", "부두"),
        ("먹는데", "먹"),
        ("집은", "집"),
        ("휴가", "휴가"),
        ("종이", "종이"),
        ("고양이", "고양이"),
        ("이것", ""),
        ("하면", ""),
    ],
)
def test_a_word_loses_its_ending_and_no_more(word: str, root: str) -> None:
    """Particles and endings go, a noun that ends like one stays."""
    assert root_of(word) == root


@given(HANGUL)
def test_a_root_is_the_beginning_of_its_word(word: str) -> None:
    """Nothing is made up."""
    assert word.startswith(root_of(word))


@pytest.mark.parametrize(
    ("word", "other"), [("메뉴", "알레르기"), ("출근길", "지하철"), ("롤백", "배포"), ("집", "이사")]
)
def test_words_of_one_subject_go_together(word: str, other: str) -> None:
    """A prompt says one word, the entry another one."""
    assert any(other in group for group in related(word))


@pytest.mark.parametrize("word", ["", "갑판", "qux", "집합"])
def test_an_unknown_word_goes_with_nothing(word: str) -> None:
    """A word that only begins with a known syllable is another word."""
    assert related(word) == []


def test_what_a_prompt_is_about_finds_the_fact(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> None:
    """The entry shares no word with the question, and is found first; the others are about something else."""
    log(
        "2026-03-01",
        "".join(entries("메모: 나는 새우 알레르기가 있다", "노트: 갑판은 초록색이다", "쪽지: 선장은 부두에 산다")),
    )
    built()
    base = open_to_read(layout)
    question = "저녁 메뉴를 골라줘"
    assert search(layout, base, question, Filters())[0].pointer == "memory/2026-03-01.md:3"
    assert rank(base, question).bearing < 0
    base.close()


@given(HANGUL)
def test_any_korean_word_is_a_query_that_sqlite_takes(word: str) -> None:
    """Groups and single syllables are written so that the full-text search understands them."""
    import sqlite3

    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    for term in terms_of(f"{word} 메뉴 집은"):
        base.execute("SELECT * FROM t WHERE t MATCH ?", (term.phrase,)).fetchall()
