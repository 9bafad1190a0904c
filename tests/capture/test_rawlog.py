"""The raw log is only ever appended to, and holds each entry once."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.capture.rawlog import append_entries
from hipocampus.core.entries import Entry, Provenance, entry_id, parse_log
from hipocampus.core.topics import EntryType, Topic
from hipocampus.store.layout import Layout
from hipocampus.store.state import read_state
from hipocampus.store.tombstones import bury, text_hash

DAY = "2026-03-15"


def entry(name: str, body: str = "- outcome: done", kind: EntryType = EntryType.PROJECT) -> Entry:
    """An entry as a caller hands it over, without id."""
    return Entry(Topic(name, kind), body, Provenance(session="5c18", source="agent", branch="main"))


def log(layout: Layout) -> Path:
    """The raw log of the day."""
    return Path(layout.raw(DAY))


def test_the_form_on_disk(layout: Layout, now: datetime) -> None:
    """A title, then each entry with a complete provenance; the place that is handed back is where it stands."""
    one, two = append_entries(layout, DAY, [entry("rate limiting"), entry("caching", "- outcome: a\n  b")], now)
    rest = "at=2026-03-15T10:22:03+09:00 session=5c18 source=agent branch=main -->"
    assert log(layout).read_text() == (
        "# 2026-03-15\n\n## rate limiting [project]\n"
        f"<!-- hipocampus: id={one.entry.provenance.id} {rest}\n"
        "- outcome: done\n\n## caching [project]\n"
        f"<!-- hipocampus: id={two.entry.provenance.id} {rest}\n"
        "- outcome: a\n  b\n"
    )
    assert (one.line, two.line, one.duplicate, two.duplicate) == (3, 7, False, False)


def test_what_is_handed_back_is_what_is_read_back(layout: Layout, now: datetime) -> None:
    """The entry with its id and line is the one that a reader of the file finds."""
    stored = append_entries(layout, DAY, [entry("one"), entry("two", "- rule: x", EntryType.FEEDBACK)], now)
    assert [one.entry for one in stored] == parse_log(log(layout).read_text())


def test_the_same_entry_twice_is_stored_once(layout: Layout, now: datetime) -> None:
    """In one call or in two, an exact repeat of the day changes no byte and says where the first one stands."""
    first, second = append_entries(layout, DAY, [entry("one"), entry("one")], now)
    before = log(layout).read_bytes()
    (third,) = append_entries(layout, DAY, [entry("One", "-  outcome:  done")], now)
    assert (first.line, second.line, third.line, third.duplicate) == (3, 3, 3, True)
    assert log(layout).read_bytes() == before


def test_another_day_or_type_is_another_entry(layout: Layout, now: datetime) -> None:
    """Identity is day, type, topic and content."""
    append_entries(layout, DAY, [entry("one")], now)
    (other_type,) = append_entries(layout, DAY, [entry("one", kind=EntryType.USER)], now)
    (other_day,) = append_entries(layout, "2026-03-16", [entry("one")], now)
    assert not other_type.duplicate
    assert not other_day.duplicate


def test_an_entry_without_provenance_counts_too(layout: Layout, now: datetime) -> None:
    """What a person, or the original hipocampus, wrote by hand is not stored again."""
    log(layout).write_text("## one\n- outcome: done\n")
    (stored,) = append_entries(layout, DAY, [entry("one")], now)
    assert (stored.duplicate, stored.line) == (True, 1)


def test_an_entry_edited_by_hand_keeps_its_place(layout: Layout, now: datetime) -> None:
    """A correction in the file is not undone by storing the old wording again."""
    append_entries(layout, DAY, [entry("one")], now)
    log(layout).write_text(log(layout).read_text().replace("done", "done, and verified"))
    (stored,) = append_entries(layout, DAY, [entry("one")], now)
    assert stored.duplicate


def test_what_was_forgotten_stays_forgotten(layout: Layout, now: datetime) -> None:
    """A tombstone keeps an entry out, whoever tells it again."""
    gone = entry_id(DAY, Topic("one"), "- outcome: done")
    bury(layout, [(gone, DAY, [])])
    (stored,) = append_entries(layout, DAY, [entry("one")], now)
    assert (stored.duplicate, stored.line) == (True, 0)
    assert not log(layout).exists()


def retold(*said: str, source: str = "fold") -> Entry:
    """An entry from a conversation: requests, and files."""
    body = "".join(f"- request: {text}\n" for text in said) + "- files: a.py"
    return Entry(Topic("one"), body, Provenance(source=source))


@pytest.mark.parametrize("source", ["fold", "import"])
def test_a_conversation_told_again_leaves_out_what_was_forgotten(layout: Layout, now: datetime, source: str) -> None:
    """However its turns are grouped this time; and an entry that said nothing else is not stored."""
    bury(layout, [("-", DAY, [text_hash(DAY, "The Door Code"), text_hash(DAY, "one")])])
    mixed, gone = append_entries(
        layout, DAY, [retold("the  door code", "paint it", source=source), retold("the door code", source=source)], now
    )
    assert mixed.entry.body == "- request: paint it\n- files: a.py"
    assert mixed.entry.topic.name != "one"
    assert (gone.duplicate, gone.line) == (True, 0)
    assert "door code" not in log(layout).read_text()


@pytest.mark.parametrize(("day", "source"), [("2026-03-16", "fold"), (DAY, "agent"), (DAY, "user")])
def test_what_is_said_anew_is_kept(layout: Layout, now: datetime, day: str, source: str) -> None:
    """The same words on another day, or written on purpose, are new words."""
    bury(layout, [("-", DAY, [text_hash(DAY, "the door code")])])
    (stored,) = append_entries(layout, day, [retold("the door code", source=source)], now)
    assert "the door code" in stored.entry.body


def test_existing_text_is_left_alone(layout: Layout, now: datetime) -> None:
    """What stands in the file stays to the byte, also a last line without its end."""
    log(layout).write_bytes("notes by hand, 한국어\r\n## mine [user]\n- fact: x".encode())
    before = log(layout).read_bytes()
    append_entries(layout, DAY, [entry("one")], now)
    assert log(layout).read_bytes().startswith(before + b"\n\n## one [project]\n")


@pytest.mark.parametrize("cut", range(0, 380, 7))
def test_a_torn_append_is_done_again(layout: Layout, now: datetime, cut: int) -> None:
    """A batch that a crash cut off anywhere is whole after it is appended again; what stood whole is not repeated."""
    batch = [entry("one", "- outcome: first"), entry("two", "- outcome: second"), entry("three", "- outcome: third")]
    append_entries(layout, DAY, batch, now)
    whole = log(layout).read_bytes()
    log(layout).write_bytes(whole[:cut])
    append_entries(layout, DAY, batch, now)
    entries = [one for one in parse_log(log(layout).read_text()) if one.provenance.id]
    whole_ones = [one for one in entries if entry_id(DAY, one.topic, one.body) == one.provenance.id]
    assert [str(one.topic) for one in whole_ones] == ["one [project]", "two [project]", "three [project]"]
    assert log(layout).read_bytes().startswith(whole[:cut])


def test_the_counters_rise(layout: Layout, now: datetime) -> None:
    """Lines and checkpoints count when something was written, and only then."""
    append_entries(layout, DAY, [entry("one")], now, checkpoints=1)
    append_entries(layout, DAY, [entry("one")], now, checkpoints=1)
    state = read_state(layout, now)
    assert (state.raw_lines, state.checkpoints) == (len(log(layout).read_text().splitlines()), 1)


def test_a_body_cannot_begin_another_entry(layout: Layout, now: datetime) -> None:
    """A heading or a provenance comment inside a body stays text of that entry."""
    body = "notes\n## not a topic [user]\n<!-- hipocampus: id=000000000000 -->\n- fact: x"
    append_entries(layout, DAY, [entry("one", body)], now)
    assert [one.topic.name for one in parse_log(log(layout).read_text())] == ["one"]


def test_secrets_do_not_reach_the_raw_log(layout: Layout, now: datetime) -> None:
    """Topic, body and branch are redacted; the id is that of what is stored, so that a repeat is known."""
    secret = "gh" + "p_" + "A1b2C3d4" * 5
    given = Entry(Topic(f"token {secret}"), f"- outcome: used {secret}", Provenance(branch=f"b-{secret}"))
    (first,) = append_entries(layout, DAY, [given], now)
    (second,) = append_entries(layout, DAY, [given], now)
    assert secret not in log(layout).read_text()
    assert second.duplicate
    assert parse_log(log(layout).read_text()) == [first.entry]


_TEXT = st.text(max_size=60)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(name=_TEXT, body=_TEXT, kind=st.sampled_from(EntryType))
def test_any_text_is_one_entry_and_read_back(
    layout: Layout, now: datetime, name: str, body: str, kind: EntryType
) -> None:
    """Whatever a topic and a body hold, the file gains one entry with the id it was given, and a repeat none."""
    day = "2026-04-01"
    before = parse_log(log_text(layout, day))
    (stored,) = append_entries(layout, day, [Entry(Topic(name, kind), body)], now)
    after = parse_log(log_text(layout, day))
    assert len(after) == len(before) + (not stored.duplicate)
    (again,) = append_entries(layout, day, [Entry(Topic(name, kind), body)], now)
    assert (again.duplicate, again.line) == (True, stored.line)
    assert next(one for one in after if one.line == stored.line).provenance.id == stored.entry.provenance.id


def log_text(layout: Layout, day: str) -> str:
    """A raw log, or nothing."""
    path = Path(layout.raw(day))
    return path.read_text(encoding="utf-8") if path.exists() else ""
