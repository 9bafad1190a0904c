"""Entries of a raw log."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core import entries
from hipocampus.core.entries import (
    Entry,
    Provenance,
    contained,
    entry_id,
    parse_log,
    render_entry,
    render_fields,
)
from hipocampus.core.topics import EntryType, Topic

# Text out of what gives a Markdown reader trouble.
MARKDOWN = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "## heading [user]", "## ", "##x", "# title", "### deep", "```", "```python", "````", "~~~", "```a```",
                "    ```", "<!-- hipocampus: id=1 -->", "- rule: x", "- why:", "* a: b", "  more", "", "   ", "text",
                "\r", "a\r", "\ufeff", "\u2028", "\x0c", "한국어", "---",
            ]
        ),
        st.text(max_size=12),
    ),
    max_size=14,
).map("\n".join)  # fmt: skip
TOKENS = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x3000, exclude_categories=["Cc", "Zs", "Zl", "Zp", "Cs"])
)
TOPICS = st.builds(Topic, st.text(max_size=30).map(lambda text: " ".join(text.split())), st.sampled_from(EntryType))
PROVENANCES = st.builds(Provenance, *[TOKENS.map(lambda text: text.replace("-->", ""))] * 6)
ENTRIES = st.builds(Entry, TOPICS, MARKDOWN, PROVENANCES)

LOG = """# 2026-03-15

## Rate limiting [project]
<!-- hipocampus: id=3f9c0a1b7d42 at=2026-03-15T10:22:03+09:00 session=5c18 source=agent branch=main -->
- request: choose a rate limiting strategy
  for the public API
- decisions: token bucket
- outcome: middleware in src/limits.py

## terse answers [feedback]
- rule: answer in two lines
- why: they read on a phone

And a closing word.
"""


def test_a_log_is_read_entry_by_entry() -> None:
    """Topic, type, provenance, fields and line of each entry are known."""
    first, second = parse_log(LOG)
    assert first.topic == Topic("Rate limiting", EntryType.PROJECT)
    assert first.provenance == Provenance("3f9c0a1b7d42", "2026-03-15T10:22:03+09:00", "5c18", "agent", "main")
    assert first.line == 3
    assert first.fields == (
        ("request", "choose a rate limiting strategy\nfor the public API"),
        ("decisions", "token bucket"),
        ("outcome", "middleware in src/limits.py"),
    )
    assert second.topic == Topic("terse answers", EntryType.FEEDBACK)
    assert (second.line, second.provenance) == (10, Provenance())
    assert (second.field("why"), second.field("nothing")) == ("they read on a phone", "")
    assert second.body.endswith("And a closing word.")


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("", []),
        ("# only a title\n", []),
        ("\ufeff## a\n", ["a"]),
        ("## a\r\nbody\r\n## b\r\n", ["a", "b"]),
        ("words first\n## a\n", ["Notes", "a"]),
        ("# title\n\nwords\n# not a title\n## a\n", ["Notes", "a"]),
        ("## Session — 2026-01-02\ntext\n", ["Session — 2026-01-02"]),
        ("## a\n```\n## not\n```\n## b\n", ["a", "b"]),
        ("## a\n~~~\n## not\n```\n## not\n~~~\n## b\n", ["a", "b"]),
        ("## a\n````\n```\n## not\n````\n## b\n", ["a", "b"]),
        ("## a\n```never closed\n## b\n", ["a", "b"]),
        ("## a\n```one line``` is code\n## b\n", ["a", "b"]),
        ("## a\n```\n## b\n<!-- hipocampus: id=1 -->\n```\n## c\n", ["a", "b", "c"]),
        ("## a\n```\n## b\n## c\n<!-- hipocampus: id=1 -->\n", ["a", "b", "c"]),
        ("##a\n### b\n ## c\n", ["Notes"]),
    ],
)
def test_headings_are_found_where_a_reader_sees_them(text: str, topics: list[str]) -> None:
    """Code fences hide headings, but neither a fence that never closes nor another program's format hides an entry."""
    assert [entry.topic.name for entry in parse_log(text)] == topics


def test_a_preamble_keeps_what_a_person_wrote() -> None:
    """Only the title at the top is not content."""
    (notes,) = parse_log("\n# 2026-03-15\n\nremember the demo\n```sh\n# a comment\n```\n")
    assert notes.body == "remember the demo\n```sh\n# a comment\n```"


@given(ENTRIES)
def test_an_entry_reads_back_as_it_was_written(entry: Entry) -> None:
    """Whatever the content, what is written is one entry with the same topic, provenance and body."""
    expected = replace(entry, body=contained(entry.body), line=1)
    assert parse_log(render_entry(entry)) == [expected]


@given(st.lists(ENTRIES, max_size=5))
def test_entries_stay_apart_in_a_log(written: list[Entry]) -> None:
    """No content ends its own entry, swallows the next one or becomes an entry of its own."""
    found = parse_log("\n".join(render_entry(entry) for entry in written))
    assert [replace(entry, line=0) for entry in found] == [
        replace(entry, body=contained(entry.body)) for entry in written
    ]


@given(MARKDOWN)
def test_containing_changes_nothing_twice_and_loses_nothing(body: str) -> None:
    """A body that is already contained stays as it is, and every word of it is kept."""
    once = contained(body)
    assert contained(once) == once
    assert once.split()[: len(body.split())] == body.split()


@given(MARKDOWN)
def test_what_was_read_is_written_as_it_was(text: str) -> None:
    """An entry taken from a log goes into a node unchanged; only an open fence is closed."""
    for entry in parse_log(text):
        assert contained(entry.body).lstrip(" ").startswith(entry.body.lstrip(" "))


@given(st.text())
def test_any_text_is_a_log(text: str) -> None:
    """Nothing a file may hold is an exception, and no visible line is out of reach but a title."""
    found = parse_log(text)
    shown = "\n".join(render_entry(entry) for entry in found)
    assert len(found) <= text.count("\n") + 1
    if "#" not in text and "hipocampus" not in text:
        assert set(text.replace("\ufeff", "").split()) <= set(shown.replace("\ufeff", "").split())


@given(
    st.lists(
        st.tuples(
            st.from_regex(r"[a-z][a-z -]{0,20}[a-z]", fullmatch=True), MARKDOWN.map(lambda text: text.replace("\r", ""))
        ),
        max_size=5,
    )
)
def test_fields_read_back_as_they_were_written(pairs: list[tuple[str, str]]) -> None:
    """Field texts of several lines, with headings and fences in them, survive."""
    (entry,) = parse_log(render_entry(Entry(Topic("t"), render_fields(pairs))))
    assert list(entry.fields) == [(name, text.strip()) for name, text in pairs]


@given(MARKDOWN)
def test_the_identity_does_not_hang_on_layout(body: str) -> None:
    """White space, composition and the spelling of the topic make no second entry; day, type and words do."""
    topic = Topic("Café limits")
    identity = entry_id("2026-03-15", topic, body)
    assert identity == entry_id("2026-03-15", Topic("cafe\u0301-limits"), "\n ".join(body.split()) + "\n")
    assert identity != entry_id("2026-03-16", topic, body)
    assert identity != entry_id("2026-03-15", Topic(topic.name, EntryType.USER), body)
    assert identity != entry_id("2026-03-15", topic, body + " more")
    assert len(identity) == 12


def test_the_identity_is_the_same_on_every_machine() -> None:
    """Logs written today are recognised by every later version."""
    assert entry_id("2026-03-15", Topic("Rate limiting"), "- rule: a\n- why: b") == "1c03fd2a1b9d"


@pytest.mark.parametrize(
    "text",
    [
        "## a\n" * 200_000,
        "```\n" * 250_000,
        "## " + " " * 1_000_000,
        "## a\n<!-- hipocampus: " + "a=b " * 250_000 + "-->",
        "<!-- hipocampus: " * 60_000,
        "## a\n- " + "x" * 1_000_000,
        "- x: y\n" * 140_000,
        "## a\n```\n" + "## b\n" * 200_000 + "```",
    ],
)
def test_a_hostile_megabyte_is_read_in_one_pass(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is looked at a bounded number of times, whatever the lines are."""
    looks = 0
    fence_after = entries.fence_after

    def counted(fence: str, line: str) -> str:
        nonlocal looks
        looks += 1
        return fence_after(fence, line)

    monkeypatch.setattr(entries, "fence_after", counted)
    for entry in parse_log(text):
        assert entry.fields is not None
        contained(entry.body)
    assert looks <= 3 * (text.count("\n") + 1)
