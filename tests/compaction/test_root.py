"""ROOT: sections, budgets, and what goes first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from hipocampus.compaction.digest import Digest, Item, Section
from hipocampus.compaction.outline import ACTIVE, HISTORY, INDEX, PATTERNS, TITLES
from hipocampus.compaction.room import Size, root_size
from hipocampus.compaction.root import build_root
from hipocampus.core.nodes import Node, read_sections, render_node
from hipocampus.core.topics import EntryType, Standing, Topic, TopicLine
from hipocampus.redaction import scrub

TODAY = date(2026, 3, 15)
MONTH = ("memory/monthly/2026-03.md",)


def line(
    name: str, age: int = 2, kind: str = "project", words: str = "", standing: str = "", weight: int = 50
) -> TopicLine:
    """A topic of so many days ago."""
    day = TODAY - timedelta(days=age)
    where = f"memory/{day}.md:{len(name)}"
    return TopicLine(Topic(name, EntryType(kind)), day, where, "abcd", words, Standing(standing), weight)


def root(
    lines: Sequence[TopicLine], tokens: int = 3000, gone: frozenset[str] = frozenset(), **sections: tuple[Item, ...]
) -> Node:
    """The ROOT of one month that holds these topics."""
    items = {Section(name): found for name, found in sections.items()}
    return build_root([Digest(tuple(lines), items)], MONTH, "0" * 16, TODAY, root_size(tokens, imported=False), gone)


def sections_of(node: Node) -> dict[str, tuple[str, ...]]:
    """Its sections."""
    return read_sections(node.body)


@pytest.mark.parametrize(("age", "month"), [(13, "2026-03"), (14, "2026-02")])
def test_history_names_the_month_whose_node_holds_a_topic(age: int, month: str) -> None:
    """So that it can be opened: the first of March stands with its week, in February."""
    (found,) = sections_of(root([line("old move", age, standing="outcome")]))[HISTORY]
    assert found.startswith(f"- {month}: old move")


def test_a_small_memory_is_shown_whole() -> None:
    """Every section, every topic with age, type and pointer; its words once, as they were written."""
    lesson = Item("pool", "imports keep a connection", TODAY)
    lines = [
        line("rate limiting", 2, words="token bucket; 429"),
        line("old move", 40, words="moved to src/", standing="outcome"),
        line("keep it short", 60, "feedback", "rule: three sentences"),
        line("port feed", 45, "reference", "JSON v2"),
    ]
    found = sections_of(root(lines, lessons=(lesson,)))
    assert tuple(found) == TITLES
    assert found[ACTIVE] == ("- 2026-03-13: rate limiting: token bucket; 429",)
    assert found[PATTERNS] == ("- pool: imports keep a connection (2026-03-15)",)
    assert found[HISTORY] == ("- 2026-02: old move: moved to src/",)
    assert found[INDEX] == (
        f"- keep it short [feedback, 60d]: three sentences → {lines[2].pointer}",
        f"- rate limiting [project, 2d] → {lines[0].pointer}",
        f"- port feed [reference, 45d, ?]: JSON v2 → {lines[3].pointer}",
        f"- old move [project, 40d] → {lines[1].pointer}",
    )


OVER = "invoices are in Postgres 15"
INSTEAD = "invoices moved from Postgres to MySQL"


def test_what_a_later_topic_contradicts_is_no_active_context() -> None:
    """However new, it stands with what is over, and both places say so."""
    lines = [line("invoice store", 2, words=OVER), line("database move", 1, words=INSTEAD)]
    found = sections_of(root(lines))
    assert found[ACTIVE] == (f"- 2026-03-14: database move: {INSTEAD}",)
    assert found[HISTORY] == (f"- 2026-03: invoice store: {OVER} (contradicted)",)
    assert found[INDEX][1] == f"- invoice store [project, 2d, contradicted] → {lines[0].pointer}"


@pytest.mark.parametrize("others", [0, 30, 300])
def test_a_contradicted_topic_says_so_wherever_it_stands(others: int) -> None:
    """Also where the room is short: nowhere without the word, and never before what holds."""
    lines = [line("invoice store", 2, words=OVER), line("database move", 1, words=INSTEAD)]
    lines += [line(f"part {at} of the quay", 3 + at, words=f"gate {at} opens at {at} o'clock") for at in range(others)]
    text = root(lines).body
    named = [item for row in text.split("\n") for item in row.split(" | ") if "invoice store" in item]
    assert all("contradicted" in item for item in named)
    assert "database move" in text


def test_frontmatter_names_the_months() -> None:
    """By path, or by year where they are many, or all at once where there is no room."""
    months = [f"memory/monthly/20{year}-{month:02d}.md" for year in (24, 25, 26) for month in range(1, 13)]
    forms = {}
    for count, tokens in ((3, 3000), (36, 3000), (36, 300)):
        node = build_root([], months[:count], "0" * 16, TODAY, root_size(tokens, imported=False), frozenset())
        forms[count, tokens] = node.source_files
    assert forms[3, 3000] == tuple(months[:3])
    assert forms[36, 3000] == ("memory/monthly/2024-*.md", "memory/monthly/2025-*.md", "memory/monthly/2026-*.md")
    assert forms[36, 300] == ("memory/monthly/*.md",)


def everything() -> list[TopicLine]:
    """Topics of every kind."""
    words = "token bucket; middleware; Retry-After"
    return [
        *(line(f"rule {number}", 50, "feedback", f"rule: number {number}") for number in range(6)),
        *(line(f"active {number}", 9, words=words, weight=40 + number) for number in range(12)),
        *(line(f"done {number}", 20 + number, words=words, standing="done") for number in range(12)),
        *(line(f"page {number}", 20, "reference", words) for number in range(6)),
    ]


def kinds(found: dict[str, tuple[str, ...]]) -> dict[str, int]:
    """How many topics of a kind the index lists, and the size of the other sections."""
    counts = {
        kind: sum(one.startswith(f"- {kind} ") for one in found.get(INDEX, ()))
        for kind in ("rule", "active", "done", "page")
    }
    return counts | {"history": sum(map(len, found.get(HISTORY, ()))), "patterns": len(found.get(PATTERNS, ()))}


def test_what_shrinks_first() -> None:
    """Historical Summary, then Recent Patterns, then finished work, then what is open; rules last of all."""
    lessons = tuple(Item("lesson", f"number {number}", TODAY) for number in range(5))
    seen = [kinds(sections_of(root(everything(), tokens, lessons=lessons))) for tokens in range(3000, 150, -50)]
    assert seen[0] == {"rule": 6, "active": 12, "done": 12, "page": 6, "patterns": 5, "history": seen[0]["history"]}
    for found in seen:
        if found["history"]:
            assert found["patterns"] == 5, found
        if found["patterns"]:
            assert found["done"] == 12, found
        if found["done"]:
            assert found["page"] == 6, found
        if found["page"] or found["done"]:
            assert found["rule"] == 6, found
    assert any(not found["history"] and found["patterns"] for found in seen)
    assert any(not found["done"] and found["rule"] == 6 for found in seen)


@pytest.mark.parametrize("tokens", [100, 130, 180, 250, 400, 700, 1500, 3000, 20_000])
@pytest.mark.parametrize("wide", [False, True])
def test_the_budget_holds(tokens: int, wide: bool) -> None:
    """Whatever the topics are made of, in tokens and in units."""
    lines = everything() * 1
    if wide:
        lines = [line(f"주제 {number} " + "가나다" * 40, number, words="속도 제한 " * 90) for number in range(80)]
    node = root(lines, tokens)
    assert root_size(tokens, imported=False).holds(render_node(node))


@pytest.mark.parametrize("name", ["topic", "주제", "トピック", "🧠"])
def test_the_budget_of_codex_holds_in_bytes(name: str) -> None:
    """With Codex among the hosts ROOT is no larger than its hook shows, in any script, and is well filled."""
    lines = [line(f"{name} {number}", number % 30, words=f"{name}{number} " * 12) for number in range(900)]
    size = root_size(30_000, imported=True, hosts={"codex"})
    node = build_root([Digest(tuple(lines))], MONTH, "0" * 16, TODAY, size, frozenset())
    text = render_node(node)
    assert size.octets * 0.6 < len(text.encode()) <= size.octets


def test_what_has_no_place_is_counted() -> None:
    """By type, with the command that shows it; nothing is said where nothing is missing."""
    found = sections_of(root(everything(), 600))
    listed = "\n".join(found[ACTIVE] + found[INDEX] + found.get(HISTORY, ()))
    for kind, name in (("project", "done"), ("reference", "page")):
        missing = sum(f"{name} {number}" not in listed for number in range(12 if name == "done" else 6))
        if missing:
            assert re.search(rf"- \+\d+ more: `hipocampus list --type {kind}`", listed)
    assert "more:" not in root(everything(), 20_000).body


def test_near_duplicates_share_a_place() -> None:
    """Where room is short, two topics that say the same take one place, and only what is left over goes to repeats."""
    words = "Spring Sprint Triathlon with a 20K ride"
    lines = [line(f"topic {number}", 5, words=words, weight=90) for number in range(40)]
    others = [line(f"other {number}", 9, words=f"{number} kayaks{number} rented{number}") for number in range(40)]
    found = sections_of(root([*lines, *others], 400))
    assert " ".join(found[ACTIVE]).count("Triathlon") == 1
    assert " ".join(found[INDEX]).count("Triathlon") == 0
    assert " ".join(found[INDEX]).count("kayaks") > 1


def test_older_work_shares_a_line_a_day() -> None:
    """Where room is short, the index names a log once and each heading in it; Active Context keeps to a week."""
    lines = [line("x" * (3 + number), 9 + number % 2, words=f"word{number}", weight=90) for number in range(60)]
    found = sections_of(root(lines, 500))
    day = TODAY - timedelta(days=9)
    (shared,) = [text for text in found[INDEX] if text.startswith(f"- memory/{day}.md [project, 9d]: ")]
    assert found[ACTIVE] == ()
    assert re.search(r": xxx \(:3\): word0(?: \||$)", shared)


def test_a_pointer_of_a_lost_log_leads_to_the_node() -> None:
    """Where the raw log is gone, its daily node still is there."""
    kept = line("rate limiting", 2)
    (shown,) = sections_of(root([kept], gone=frozenset({kept.day.isoformat()})))[INDEX]
    assert shown.endswith(f"→ memory/daily/{kept.day}.md:1")


def test_a_remark_named_by_its_beginning_is_said_once() -> None:
    """The index does not repeat it as name and as words."""
    (shown,) = sections_of(root([line("always use pnpm in…", 3, "feedback", "always use pnpm in web/")]))[INDEX]
    assert shown.count("pnpm") == 1


def test_a_sentence_as_a_name_is_said_as_a_whole() -> None:
    """As it was written while there is room, then in keywords, and never with its end cut off; nor twice."""
    name = "The ferry feed is shipped every Thursday at 15:00 via quayctl"
    fact = line(name, 3, words="ferry feed shipped every Thursday 15:00 via quayctl")
    (shown,) = sections_of(root([line(name, 3)]))[INDEX]
    assert shown.startswith(f"- {name} [project, 3d] → ")
    many = [line(f"part {at} of the quay", 3 + at, words=f"gate {at} opens at {at} o'clock") for at in range(120)]
    for tokens, one in ((3000, line(name, 1)), (3000, replace(fact, day=TODAY)), (9000, replace(fact, day=TODAY))):
        text = root([one, *many], tokens).body
        assert "quayctl" in text
        assert "15:00" in text
        assert text.count("Thursday") <= 2


def test_a_long_name_keeps_its_words_where_little_is_said_of_it() -> None:
    """In little room the words of an entry come first; where there are hardly any, the name says what it is."""
    name = "Close idle connections of the harbour gateway before the nightly tide update"
    many = [line(f"part {at} of the quay", 3 + at, words=f"gate {at} opens at {at} o'clock") for at in range(120)]
    told = {
        words: root([line(name, 1, words=words), *many]).body
        for words in ("done", "pool of 12, closed after 90 seconds")
    }
    assert "connections" in told["done"]
    assert "harbour" in told["done"]
    assert "pool 12 closed" in told["pool of 12, closed after 90 seconds"]
    assert "harbour" not in told["pool of 12, closed after 90 seconds"]


def test_nothing_remembered_is_an_empty_index() -> None:
    """A month without topics has the headings only."""
    assert not any(sections_of(root([])).values())


def test_only_an_imported_root_is_larger_than_a_hook_shows() -> None:
    """With a large budget the units of a hook still count, unless the host reads the file itself."""
    lines = [line(f"topic {number}", 9, words=f"says number {number} of many " * 3) for number in range(900)]
    month = [Digest(tuple(lines))]
    injected = build_root(month, MONTH, "0" * 16, TODAY, root_size(30_000, imported=False), frozenset())
    imported = build_root(month, MONTH, "0" * 16, TODAY, root_size(30_000, imported=True), frozenset())
    assert Size(30_000, 8_300).holds(render_node(injected))
    assert len(imported.body) > 20_000


def test_a_withheld_secret_leaves_the_pointer() -> None:
    """A name that held a secret still leads to its entry after the redactor has seen the page."""
    held = line("The db password: [REDACTED:password] for user admin", 2)
    body = root([held]).body
    assert f"[project, 2d] → {held.pointer}" in scrub(body)
