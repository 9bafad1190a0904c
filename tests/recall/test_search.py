"""Search: what is found, in which order, folded, filtered and marked; the command is tested in tests/commands."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.core.topics import EntryType
from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.ranking import Found, Ranking
from hipocampus.recall.search import Filters, candidates, hits_of, search
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log, entries

LOG = {
    "2026-03-01": "## Quince press [project]\n- request: oil the quince press?\n- outcome: done with linseed oil\n"
    "- files: tools/press.py\n",
    "2026-03-05": "## Quince jelly [feedback]\n- rule: no pectin in quince jelly\n\n## Ferry [user]\n"
    "- fact: Ada is seasick\n",
}


@pytest.fixture
def base(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> Iterator[sqlite3.Connection]:
    """The index of a small memory with a note and a turn that waits."""
    for day, text in LOG.items():
        log(day, text)
    Path(layout.knowledge).mkdir()
    Path(layout.knowledge, "fruit.md").write_text("# Fruit\n\n## Quince\nA quince is no pear.\n", "utf-8")
    Path(layout.journal).mkdir()
    turn = '{"k":"prompt","at":"2026-03-07T10:00:00+09:00","pid":"1","text":"is the quince ripe?"}\n'
    Path(layout.journal_file("s1")).write_text(turn, encoding="utf-8")
    built()
    with closing(open_to_read(layout)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(until=date(2026, 3, 7), tier="journal"), {"memory/.journal/s1.jsonl:1"}),
        (Filters(tier="log"), {"memory/2026-03-01.md:3", "memory/2026-03-05.md:3"}),
        (Filters(tier="journal"), {"memory/.journal/s1.jsonl:1"}),
        (Filters(tier="plans"), set()),
        (Filters(kind=EntryType.FEEDBACK), {"memory/2026-03-05.md:3"}),
        (Filters(since=date(2026, 3, 5), until=date(2026, 3, 5)), {"memory/2026-03-05.md:3"}),
        (Filters(until=date(2026, 3, 4), tier="log"), {"memory/2026-03-01.md:3"}),
        (Filters(kind=EntryType.FEEDBACK, tier="knowledge"), set()),
    ],
)  # fmt: skip
def test_filters_narrow_what_is_found(
    layout: Layout, base: sqlite3.Connection, filters: Filters, expected: set[str]
) -> None:
    """By type, by days, which count themselves, and by tier; all together."""
    assert {hit.pointer for hit in search(layout, base, "quince", filters)} == expected


def test_the_limit_counts_what_is_shown(layout: Layout, base: sqlite3.Connection) -> None:
    """And zero is none; how many more there are is known."""
    assert len(search(layout, base, "quince", Filters(), 2)) == 2
    for limit, more in ((2, 2), (4, 0), (9, 0), (0, 0)):
        assert hits_of(layout, base, "quince", candidates(base, "quince"), Filters(), limit).more == more
    assert len(search(layout, base, "quince", Filters(), 0)) == 4


def test_a_hit_says_what_the_entry_says(layout: Layout, base: sqlite3.Connection) -> None:
    """Day, tier, type, topic, pointer and id; a question with its answer, a file with what is said of it."""
    (hit,) = search(layout, base, "oil press", Filters())
    assert (hit.day, hit.tier, hit.type, hit.topic) == ("2026-03-01", "log", "project", "Quince press")
    assert hit.excerpt == "request: oil the quince press? → done with linseed oil"
    assert len(hit.id) == 12
    assert (
        search(layout, base, "tools/press.py", Filters())[0].excerpt == "files: tools/press.py → done with linseed oil"
    )


@pytest.mark.parametrize(("first", "said"), [("straw", "straw; two racks"), ("straw.", "straw. two racks")])
def test_what_answers_in_two_fields_is_told_apart(
    layout: Layout, log: Log, built: Callable[[], Refreshed], first: str, said: str
) -> None:
    """Where there is room for both; a full stop is enough."""
    log("2026-03-01", f"## Cellar [project]\n- request: store fruit\n- decisions: {first}\n- outcome: two racks\n")
    built()
    with closing(open_to_read(layout)) as base:
        (hit,) = search(layout, base, "store fruit", Filters())
    assert hit.excerpt == f"request: store fruit → {said}"


@pytest.mark.parametrize(("asked", "came"), [("jam label", "label is square"), ("quince price", "price is nine")])
def test_an_answer_is_that_of_its_question(
    layout: Layout, log: Log, built: Callable[[], Refreshed], asked: str, came: str
) -> None:
    """In an entry in which several things were asked, as of an import."""
    fields = "- request: draw the jam label\n- outcome: label is square\n- request: set the quince price\n"
    log("2026-03-01", f"## Shop [project]\n{fields}- outcome: price is nine\n")
    built()
    with closing(open_to_read(layout)) as base:
        (hit,) = search(layout, base, asked, Filters())
    assert hit.excerpt.endswith(f" → {came}")


@pytest.mark.parametrize(("query", "line"), [("fruit in barrels", "the barrel"), ("barrels of fruit", "the barrel")])
def test_a_hit_shows_the_line_with_the_rarest_words(
    layout: Layout, log: Log, built: Callable[[], Refreshed], query: str, line: str
) -> None:
    """In whatever form they stand there; how many words a line has in common with the query does not count."""
    log("2026-03-01", "## Cellar [project]\n- outcome: fruit is stored below\n- decisions: the barrel stands alone\n")
    built()
    with closing(open_to_read(layout)) as base:
        assert line in search(layout, base, query, Filters())[0].excerpt


def test_an_excerpt_shows_what_is_written_now(layout: Layout, base: sqlite3.Connection, log: Log) -> None:
    """Redacted, in one line, without control characters, and short."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    log("2026-03-05", f"## Quince jelly [feedback]\n- rule: quince \x1b[31m{secret} {'and so on ' * 90}\n")
    (hit,) = hits_of(layout, base, "pectin", candidates(base, "pectin"), Filters(), 10).shown
    assert secret not in hit.excerpt
    assert "\x1b" not in hit.excerpt
    assert len(hit.excerpt) <= 200


def test_what_says_the_same_is_folded_into_the_best(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> None:
    """Four fifths of the words are the same; the others are counted, also beyond the limit."""
    for day in range(1, 6):
        log(f"2026-02-0{day}", f"## Medlar [project]\n- outcome: the medlar tree behind the house was pruned {day}\n")
    log("2026-02-09", "## Medlar jam [project]\n- outcome: boiled for an hour\n")
    built()
    with closing(open_to_read(layout)) as base:
        found = search(layout, base, "medlar", Filters())
        assert sorted(hit.similar for hit in found) == [0, 4]
        assert [hit.similar for hit in search(layout, base, "medlar pruned", Filters(), 1)] == [4]


def test_entries_that_differ_in_what_was_decided_are_two(
    layout: Layout, log: Log, built: Callable[[], Refreshed]
) -> None:
    """Though the line that is shown of both is the same."""
    for day, decided in ((1, "thirty a minute for everybody"), (5, "one hundred, the first limit was too low")):
        log(f"2026-02-0{day}", f"## Press limits [project]\n- decisions: {decided}\n- outcome: tools/limits.py\n")
    built()
    with closing(open_to_read(layout)) as base:
        assert [hit.similar for hit in search(layout, base, "tools/limits.py", Filters())] == [0, 0]


def test_what_came_later_is_marked_on_entries_alone(layout: Layout, base: sqlite3.Connection, log: Log, built) -> None:
    """A topic that was taken up again, and a decision that was taken back."""
    log(
        "2026-03-08",
        "## Quince press [project]\n- outcome: sold\n\n## Kitchen [feedback]\n"
        "- rule: pectin instead of no pectin in quince jelly\n",
    )
    built()
    found = {hit.pointer: hit for hit in search(layout, base, "quince", Filters(), 0)}
    assert found["memory/2026-03-01.md:3"].newer == "memory/2026-03-08.md:3"
    assert found["memory/2026-03-05.md:3"].contradicted == "memory/2026-03-08.md:6"
    assert (found["knowledge/fruit.md:3"].newer, found["knowledge/fruit.md:3"].contradicted) == ("", "")
    assert found["memory/2026-03-08.md:3"].newer == ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(
    query=st.text(max_size=60)
    | st.sampled_from(['"', "NEAR(", "a AND", "topic:", "*", "^x", "{x}", "-", "\x00"]).map(lambda x: x * 3)
)
def test_any_text_is_a_query(layout: Layout, base: sqlite3.Connection, query: str) -> None:
    """None is an error of the database, and what is found stands in the memory."""
    for hit in search(layout, base, query, Filters()):
        assert hit.score > 0


@pytest.mark.parametrize("query", ["x" * 10_240, "quince " * 1_500, "가나다라 " * 2_500, "🍐" * 3_000, "a b " * 2_560])
def test_ten_kilobytes_are_a_query(layout: Layout, base: sqlite3.Connection, query: str) -> None:
    """Long words, many words, other scripts."""
    found = search(layout, base, query, Filters())
    assert bool(found) == ("quince" in query)


def test_nothing_relevant_is_nothing(layout: Layout, base: sqlite3.Connection) -> None:
    """Not the least bad."""
    assert search(layout, base, "xylophone quartet in the park", Filters()) == []
    assert candidates(base, "xylophone quartet in the park", words_only=True) == {}


def test_where_an_encoder_has_read_its_order_holds(
    layout: Layout, log: Log, built: Callable[[], Refreshed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It weighs the words, too; what it did not look at comes behind, and what nothing speaks for stays away."""
    log("2026-03-01", "".join(entries("Tar: tar on the deck", "Rope: rope and tar", "Deck: tar again", "Sail: wind")))
    built()
    with closing(open_to_read(layout)) as base:
        ranking = Ranking((Found(4, -1.0, ()), Found(2, -2.0, ()), Found(1, -3.0, ())), -9.0, (), True)
        monkeypatch.setattr("hipocampus.recall.search.rank", lambda *_, **__: ranking)
        monkeypatch.setattr("hipocampus.recall.search.may_encode", lambda *_: True)
        assert [hit.topic for hit in search(layout, base, "tar", Filters())] == ["Rope", "Tar", "Deck"]


def test_what_bears_on_a_question_fills_the_list(
    layout: Layout, log: Log, built: Callable[[], Refreshed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing holds its words, as many as a list has, and none that comes far behind the best."""
    log("2026-03-01", "".join(entries(*(f"Quay {number}: bollard {number} is painted" for number in range(14)))))
    built()
    with closing(open_to_read(layout)) as base:
        near = tuple(Found(doc, 10.0 - doc / 10, ()) for doc in range(1, 13))
        for found, shown in ((near, 10), ((*near[:7], Found(13, 2.0, ())), 7)):
            monkeypatch.setattr("hipocampus.recall.search.rank", lambda *_, f=found, **__: Ranking(f, 1.0, (), True))
            assert len(search(layout, base, "halyard", Filters())) == shown


def test_a_question_that_was_asked_before_hides_no_answer(
    layout: Layout, log: Log, built: Callable[[], Refreshed]
) -> None:
    """What the prompt's hook noted holds all its words; what was stored is found as without it, and comes first."""
    log(
        "2026-03-09",
        "## Ahmed keeps halal [user]\n- fact: no pork for Ahmed\n\n## Ferry [user]\n- fact: Ada is seasick\n",
    )
    question = "May we serve pork?"
    Path(layout.journal).mkdir()
    Path(layout.journal_file("s1")).write_text(
        f'{{"k":"prompt","at":"2026-03-10T10:00:00+09:00","pid":"1","text":"{question}"}}\n', "utf-8"
    )
    built()
    with closing(open_to_read(layout)) as base:
        hits = search(layout, base, question, Filters())
    assert [hit.tier for hit in hits] == ["log", "journal"]
    assert [hit.excerpt for hit in hits] == ["fact: no pork for Ahmed", question]
