"""What is asked for a node: the same instructions for all of a level, and its input as quoted notes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from hipocampus.core.periods import Level
from hipocampus.core.tokens import utf16_units
from hipocampus.errors import UserError
from hipocampus.redaction import DEFAULT, redact
from hipocampus.store.config import Config, defaults
from hipocampus.store.layout import Layout
from hipocampus.summarize.prompts import FOR_A_SHELL, FOR_AN_API, instructions, prompt_from, prompt_of, quoted
from hipocampus.summarize.queue import pending
from hipocampus.summarize.validate import titles_of

from .scripted import DAY, late, waiting


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
    limit = room.topics + room.notes  # type: ignore[attr-defined]
    assert utf16_units(asked.matter) < limit * 1.3
    assert "shortened: " in asked.matter


def test_an_input_that_has_changed_is_another_question(layout: Layout, config: Config, now: datetime) -> None:
    """It says what to do."""
    waiting(layout, config, now)
    (one,) = [one for one in pending(layout, config, now) if one.period == DAY]
    late(layout, "## More [project]\n- outcome: later\n")
    with pytest.raises(UserError, match="hipocampus pending"):
        prompt_of(layout, config, one)
