"""What is asked for a node: the same instructions for all of a level, and its input as quoted notes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from hipocampus.compaction.chain import compact
from hipocampus.core.periods import Level
from hipocampus.core.tokens import utf16_units
from hipocampus.errors import UserError
from hipocampus.redaction import DEFAULT, redact
from hipocampus.store.config import Config, defaults
from hipocampus.store.layout import Layout
from hipocampus.summarize.prompts import FOR_A_SHELL, FOR_AN_API, Room, instructions, prompt_from, prompt_of, quoted
from hipocampus.summarize.queue import pending
from hipocampus.summarize.validate import titles_of

from .scripted import DAY, late, long_day, waiting


@pytest.fixture
def config() -> Config:
    """The settings without any file."""
    return defaults()


@pytest.mark.parametrize("level", list(Level))
def test_instructions_name_every_section_of_their_level(level: Level) -> None:
    """And are the same for every node of it, so that they can be cached."""
    text = instructions(level)
    assert [line[3:] for line in text.split("\n") if line.startswith("## ")] == titles_of(level)
    assert "addressed to nobody" in text


def test_the_input_is_what_the_level_below_says(layout: Layout, config: Config, now: datetime) -> None:
    """Every topic with its id, every entry, each line quoted, and how long the answer may be."""
    matter = waiting(layout, config, now)
    (one,) = [one for one in pending(layout, config, now) if one.period == DAY]
    asked = prompt_of(layout, config, one)
    assert asked.fixed == instructions(Level.DAILY)
    assert all(f"| - {line.topic} #{line.id}" in asked.matter for line in matter.digest.topics)
    assert all(quoted(part.text) in asked.matter for part in matter.parts)
    assert f"{matter.longest:,} characters" in asked.matter
    assert redact(asked.matter, DEFAULT).findings == ()


@pytest.mark.parametrize("room", [FOR_A_SHELL, FOR_AN_API])
@pytest.mark.parametrize("text", ["x " * 200_000, "검색 색인 " * 60_000, "short\n" * 40_000, "y" * 300_000])
def test_it_keeps_its_size(layout: Layout, config: Config, now: datetime, room: object, text: str) -> None:
    """However long one note is; what does not fit is said."""
    matter = waiting(layout, config, now)
    long = replace(matter, parts=(*matter.parts, replace(matter.parts[0], text=text)))
    asked = prompt_from(long, room)  # type: ignore[arg-type]
    assert utf16_units(asked.fixed + asked.matter) <= room.whole  # type: ignore[attr-defined]
    assert f"all of it: memory/{DAY}.md)" in asked.matter


def test_an_input_that_has_changed_is_another_question(layout: Layout, config: Config, now: datetime) -> None:
    """It says what to do."""
    waiting(layout, config, now)
    (one,) = [one for one in pending(layout, config, now) if one.period == DAY]
    late(layout, "## More [project]\n- outcome: later\n")
    with pytest.raises(UserError, match="hipocampus pending"):
        prompt_of(layout, config, one)


def test_a_day_that_fits_into_the_whole_is_shown_whole(layout: Layout, config: Config, now: datetime) -> None:
    """The notes have all the room that instructions and topics leave."""
    matter = waiting(layout, config, now)
    room = utf16_units(prompt_from(matter, FOR_AN_API).matter) + utf16_units(instructions(Level.DAILY))
    assert all(quoted(part.text) in prompt_from(matter, Room(8_000, room + 1)).matter for part in matter.parts)
    assert "left out" in prompt_from(matter, Room(8_000, room - 500)).matter


def test_a_week_shows_every_section_of_every_day(layout: Layout, config: Config, now: datetime) -> None:
    """However long its days are."""
    for day in ("2026-03-09", "2026-03-10", "2026-03-11"):
        long_day(layout, day, 120)
    compact(layout, config, now, force=True)
    (one,) = [one for one in pending(layout, config, now) if one.period == "2026-W11"]
    asked = prompt_of(layout, config, one, FOR_A_SHELL)
    shown = asked.matter.partition("Notes:\n")[2].split("\n")
    at = [number for number, line in enumerate(shown) if line.startswith("| ## ")]
    assert [shown[number][5:] for number in at] == titles_of(Level.DAILY) * 3
    assert all(shown[number + 1].startswith("| - ") for number in at)
    assert shown[-1].endswith("; all of it: hipocampus node show DAY)")
