"""Digests: reading summaries, and merging."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.digest import TITLES, Digest, Item, Section, merge, read_summary
from hipocampus.core.periods import Level
from hipocampus.core.topics import EntryType, Standing, Topic, TopicLine, topic_key

FIRST = date(2026, 3, 1)


def line(name: str, day: int, words: str = "", kind: EntryType = EntryType.PROJECT, weight: int = 50) -> TopicLine:
    """A topic line of that day of March."""
    when = FIRST + timedelta(days=day - 1)
    return TopicLine(Topic(name, kind), when, f"memory/{when}.md:3", f"{day:012x}", words, weight=weight)


def test_one_line_a_topic_with_the_newest_pointer() -> None:
    """Spellings of one topic are one; the newest entry decides, the oldest may add words."""
    newer = line("Rate limiting", 9, "token bucket", weight=40)
    older = line("rate-limiting", 2, "token bucket; 429", weight=70)
    (merged,) = merge([Digest((newer,)), Digest((older,))], 100, 5).topics
    assert (merged.pointer, merged.words, merged.weight) == (newer.pointer, "token bucket; 429", 70)


def test_what_the_newer_one_takes_back_leaves_the_line() -> None:
    """The line says what holds; what the older one says besides stays behind it."""
    newer = line("How to deploy", 9, "deploy daily with GitHub Actions instead of Jenkins")
    older = line("how to deploy", 2, "deploy with Jenkins every Thursday; ask Dana before a hotfix")
    for digests in ([Digest((newer,)), Digest((older,))], [Digest((older, newer))]):
        (merged,) = merge(digests, 200, 5).topics
        assert merged.words == f"{newer.words}; ask Dana before a hotfix"
    (merged,) = merge([Digest((line("How to deploy", 1, newer.words), older))], 200, 5).topics
    assert merged.words == f"{older.words}; {newer.words}"


def test_types_keep_topics_apart() -> None:
    """A project and a rule of one name are two topics."""
    found = merge([Digest((line("ci", 1), line("ci", 2, kind=EntryType.FEEDBACK)))], 100, 5).topics
    assert [topic.topic.type for topic in found] == [EntryType.FEEDBACK, EntryType.PROJECT]


def test_words_shrink_by_whole_statements() -> None:
    """The first statements stay; what a user said is not shortened."""
    long = "; ".join(f"statement number {number}" for number in range(20))
    project, rule = merge([Digest((line("a", 1, long), line("b", 1, long, EntryType.FEEDBACK)))], 60, 5).topics[::-1]
    assert project.words == "statement number 0; statement number 1; statement number 2"
    assert rule.words == long


def test_of_older_statements_the_most_telling_stay() -> None:
    """What was written last comes first, and then what holds most durable fact, not what is newest."""
    entries = [line("letters", 9, "documented in the manual"), line("letters", 5, "looked at again; kept as it is")]
    entries.append(line("letters", 2, "the lock is 4711 in Postgres 15 around send_letters()"))
    (merged,) = merge([Digest(tuple(entries))], 90, 5).topics
    assert merged.words == "documented in the manual; the lock is 4711 in Postgres 15 around send_letters()"


lines = st.builds(
    line,
    st.sampled_from(["a", "A", "b c", "b-c", "d"]),
    st.integers(1, 30),
    st.sampled_from(["", "x", "x; y", "z"]),
    st.sampled_from(EntryType),
    st.integers(1, 99),
)
digest_items = st.builds(
    Item,
    st.sampled_from(["a", "b"]),
    st.sampled_from(["x", "y"]),
    st.integers(1, 9).map(lambda day: date(2026, 3, day)),
    st.integers(0, 2),
    st.integers(0, 3),
)
digests = st.builds(
    Digest,
    st.lists(lines, max_size=6).map(tuple),
    st.dictionaries(st.sampled_from(Section), st.lists(digest_items, max_size=4).map(tuple)),
)


def test_of_equal_items_of_a_day_the_later_in_its_log_stays() -> None:
    """Whatever their names; points and days come first."""
    day = date(2026, 3, 10)
    items = tuple(Item(name, "x", day, 10, line) for line, name in enumerate("zyxwab", 1))
    heavy = Item("m", "x", day, 20, 1)
    kept = merge([Digest((), {Section.DECISIONS: (*items, heavy)})], 100, 3).items[Section.DECISIONS]
    assert [item.topic for item in kept] == ["a", "b", "m"]
    kept = merge([Digest((), {Section.DECISIONS: items[:4]})], 100, 2).items[Section.DECISIONS]
    assert [item.topic for item in kept] == ["w", "x"]


@given(st.lists(digests, max_size=4), st.randoms())
def test_the_order_of_digests_makes_no_difference(found: list[Digest], random: object) -> None:
    """Merging is a function of what is merged, and loses no topic."""
    merged = merge(found, 100, 5)
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert merge(shuffled, 100, 5) == merged
    keys = {(one.topic.type, topic_key(one.topic.name)) for digest in found for one in digest.topics}
    assert {(one.topic.type, topic_key(one.topic.name)) for one in merged.topics} == keys
    assert len(merged.topics) == len(keys)


@given(digests)
def test_a_summary_reads_back(digest: Digest) -> None:
    """What a level writes under its titles, the level above reads, whichever level it is."""
    for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY):
        text = ["## Topics", *map(str, digest.topics)]
        for section, title in TITLES[level].items():
            text += ["", f"## {title}", *map(str, digest.items.get(section, ()))]
        again = read_summary(text)
        assert again.topics == digest.topics
        assert again.items == {section: found for section, found in digest.items.items() if found}


def test_lines_of_others_are_items_too() -> None:
    """A line without topic or date, as an LLM writes it, is kept."""
    found = read_summary(
        ["## Key Decisions", "- use uv", "- ports: match by code (2026-03-10)", "", "## Weather", "- rain"]
    )
    assert found.items == {
        Section.DECISIONS: (Item("", "use uv"), Item("ports", "match by code", date(2026, 3, 10))),
    }


def test_what_is_passed_over_is_counted() -> None:
    """Beyond the limit topics are only counted by type, but no lasting one."""
    text = ["## Topics", *(str(line(f"t{day}", day)) for day in range(1, 6))]
    text += [str(line("rule", 7, "r", EntryType.FEEDBACK)), str(line("ref", 8, "", EntryType.REFERENCE))]
    found = read_summary(text, most=2)
    assert [topic.topic.name for topic in found.topics] == ["t1", "t2", "rule"]
    assert found.unread == {EntryType.PROJECT: 3, EntryType.REFERENCE: 1}


def test_the_open_standing_of_the_newest_entry_counts() -> None:
    """Work that was taken up again is open again."""
    done = TopicLine(Topic("a"), FIRST, "memory/2026-03-01.md:1", "aaaa", "", Standing.DONE)
    again = TopicLine(Topic("a"), FIRST + timedelta(days=1), "memory/2026-03-02.md:1", "bbbb", "", Standing.OPEN)
    assert merge([Digest((done, again))], 10, 1).topics[0].standing is Standing.OPEN
