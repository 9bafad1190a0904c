"""Topics, their types and the lines that carry them upwards."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hipocampus.core.topics import EntryType, Standing, Topic, TopicLine, parse_topic, parse_topic_line, topic_key

NAMES = st.text(max_size=60).map(lambda text: " ".join(text.split()))
TOPICS = st.builds(Topic, NAMES, st.sampled_from(EntryType))
LINES = st.builds(
    TopicLine,
    topic=TOPICS,
    day=st.dates(date(1000, 1, 1), date(9998, 12, 31)),
    pointer=st.from_regex(r"memory/\d{4}-\d{2}-\d{2}\.md:[1-9]\d{0,4}", fullmatch=True),
    id=st.from_regex(r"[0-9a-f]{4,12}", fullmatch=True),
    words=NAMES,
    standing=st.sampled_from(Standing),
    weight=st.integers(0, 99),
)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("rate limiting [project]", "rate limiting", EntryType.PROJECT),
        ("terse answers [feedback]", "terse answers", EntryType.FEEDBACK),
        ("rate limiting [project, 2d]", "rate limiting", EntryType.PROJECT),
        ("vendor docs [reference, 45d, ?]", "vendor docs", EntryType.REFERENCE),
        ("vendor docs [?]", "vendor docs", EntryType.PROJECT),
        ("deploys", "deploys", EntryType.PROJECT),
        ("deploys [chat]", "deploys", EntryType.PROJECT),
        ("[BUG-12] login [user]", "[BUG-12] login", EntryType.USER),
        ("login [BUG-12]", "login [BUG-12]", EntryType.PROJECT),
        ("a [user] b [1]", "a b [1]", EntryType.USER),
        ("spaced   out\t[ Feedback ]", "spaced out", EntryType.FEEDBACK),
        ("속도 제한 [project]", "속도 제한", EntryType.PROJECT),
        ("[user]", "", EntryType.USER),
        ("", "", EntryType.PROJECT),
    ],
)
def test_a_topic_is_read_with_its_type(text: str, name: str, kind: EntryType) -> None:
    """Our tags count wherever they stand, those of other programs are dropped, other brackets belong to the name."""
    assert parse_topic(text) == Topic(name, kind)


@given(TOPICS)
def test_a_topic_reads_back_as_it_was_written(topic: Topic) -> None:
    """Whatever the name holds, its written form means the same topic."""
    assert parse_topic(str(topic)) == topic


@given(st.text())
def test_a_topic_is_written_on_one_line(name: str) -> None:
    """A name cannot start a line of its own."""
    assert "\n" not in str(Topic(name))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rate Limiting", "rate-limiting"),
        ("rate_limiting", "RATE  LIMITING."),
        ("Ｒａｔｅ limits", "rate limits"),
        ("caf\u00e9", "cafe\u0301"),
        ("속도 제한", "속도 제한"),
        ("Straße", "STRASSE"),
    ],
)
def test_spellings_of_one_topic_share_a_key(one: str, other: str) -> None:
    """Case, width, composition and punctuation do not make two topics."""
    assert topic_key(one) == topic_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C", "C++"), ("C++", "C#"), ("???", "!!!"), ("v1", "v2"), ("속도", "제한")]
)
def test_different_topics_keep_different_keys(one: str, other: str) -> None:
    """What tells two topics apart is not punctuation."""
    assert topic_key(one) != topic_key(other)


@given(st.text())
@example("\u0345")
@example("ǰ\u0323")
def test_a_key_is_its_own_key(name: str) -> None:
    """Keys can be compared with keys made at another level."""
    assert topic_key(topic_key(name)) == topic_key(name)


@given(LINES)
def test_a_topic_line_reads_back_as_it_was_written(line: TopicLine) -> None:
    """The level above sees what the level below knew."""
    assert parse_topic_line(str(line)) == line


@pytest.mark.parametrize("place", ["name", "words"])
def test_no_content_can_forge_a_pointer(place: str) -> None:
    """A name or text that looks like a topic line leaves day, pointer and id as they were."""
    forged = "x [user, done] 2001-01-01 memory/evil.md:1 #deadbeef — y"
    name, words = (forged, "") if place == "name" else ("real", forged)
    line = TopicLine(Topic(name, EntryType.PROJECT), date(2026, 3, 15), "memory/2026-03-15.md:42", "3f9c0a1b", words)
    found = parse_topic_line(str(line))
    assert found is not None
    assert (found.day, found.pointer, found.id) == (line.day, line.pointer, line.id)
    assert (found.topic.type, found.words) == (EntryType.PROJECT, words)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "- rate limiting",
        "- rate limiting [project]",
        "- rate limiting [idea] 2026-03-15 memory/2026-03-15.md:42 #3f9c0a1b",
        "- rate limiting [project] 2026-02-30 memory/2026-02-30.md:42 #3f9c0a1b",
        "- rate limiting [project] 2026-03-15 memory/2026-03-15.md:42 #xyz",
        "- rate limiting [project] 2026-03-15 memory/2026-03-15.md:42 #3f9c0a1b\n",
        "* rate limiting [project] 2026-03-15 memory/2026-03-15.md:42 #3f9c0a1b",
    ],
)
def test_any_other_line_is_not_a_topic_line(line: str) -> None:
    """A person's bullet is left to whoever reads bullets."""
    assert parse_topic_line(line) is None


@pytest.mark.parametrize(
    "text", [" " * 1_000_000, "[" * 1_000_000, "[project" * 125_000, "[project]" * 111_000, "a\t" * 500_000]
)
def test_a_hostile_heading_of_a_megabyte_is_read(text: str) -> None:
    """No pattern goes over the whole line for each of its places (that would take hours)."""
    assert len(parse_topic(text).name) <= len(text)
    assert parse_topic_line(f"- {text}") is None
