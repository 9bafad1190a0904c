"""Notes in a limited room: which lines stay, and how those that do not are counted."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.tokens import utf16_units
from hipocampus.summarize.matter import Part
from hipocampus.summarize.prompts import quoted
from hipocampus.summarize.shortening import shortened

WHERE = "memory/2026-03-10.md"
LEFT_OUT = re.compile(r"\((?:(?P<missing>[\d,]+) lines? left out)?(?: and )?(?:(?P<cut>[\d,]+) lines? cut short)?; all")


def entry(number: int, request: int = 120, **fields: str) -> Part:
    """An entry with a request of so many characters, and what was decided, done and learnt."""
    said = {
        "request": "r" * request,
        "analysis": "looked at it, " * 6 + "and again",
        "decisions": f"token bucket {number}, since bursts are legitimate",
        "outcome": f"src/part_{number}.py answers 429",
        "lesson": f"jitter keeps retries {number} apart",
        **fields,
    }
    return Part(
        f"part {number} [project] #{number:016x}", "\n".join(f"- {name}: {text}" for name, text in said.items())
    )


def cost(text: str) -> int:
    """UTF-16 units of it in a question."""
    return utf16_units(quoted(text))


def whole(parts: list[Part]) -> str:
    """All that they say."""
    return "\n".join(f"{part.head}\n{part.text}" for part in parts)


def test_notes_that_fit_are_whole() -> None:
    """To the last unit."""
    parts = [entry(number) for number in range(9)]
    assert shortened(parts, cost(whole(parts)) + 1, WHERE) == whole(parts)


@pytest.mark.parametrize("share", [0.65, 0.75, 0.9])
def test_requests_go_before_anything_that_was_decided_or_done(share: float) -> None:
    """Of 60 entries that do not fit every decision and outcome stays whole."""
    parts = [entry(number) for number in range(60)]
    text = shortened(parts, int(cost(whole(parts)) * share), WHERE)
    for part in parts:
        assert [line for line in part.text.split("\n")[2:4] if line not in text] == []
        assert part.head in text


def test_lessons_go_before_decisions_and_after_requests() -> None:
    """What was learnt can be told from what was decided."""
    parts = [entry(number) for number in range(60)]
    text = shortened(parts, 10_200, WHERE)
    assert "- request:" not in text
    assert text.count("- decisions: ") == text.count("- outcome: ") == 60
    assert 0 < len(re.findall(r"^- lesson: .* apart$", text, re.MULTILINE)) < 60


def test_a_long_decision_is_cut_and_the_others_stay() -> None:
    """No entry takes the room of the others."""
    parts = [entry(number) for number in range(20)]
    parts[3] = entry(3, decisions="x" * 50_000)
    text = shortened(parts, 6_000, WHERE)
    assert "xxx…" in text
    assert all(f"token bucket {number}," in text for number in range(20) if number != 3)


def test_the_users_words_stay_as_long_as_decisions() -> None:
    """Whatever field they are in."""
    rule = Part("terse [feedback] #1", "- request: answer in three sentences\n- note: always", lasting=True)
    text = shortened([*(entry(number) for number in range(60)), rule], 12_000, WHERE)
    assert rule.text in text


def node(day: int) -> Part:
    """The summary of a day: many topics, some of everything else."""
    topics = "\n".join(f"- topic {at} [project] — {'words ' * 20}" for at in range(60))
    others = "\n\n".join(
        f"## {title}\n" + "\n".join(f"- topic {at}: {title} of {day} {'more ' * 12}" for at in range(12))
        for title in ("Key Decisions", "Tasks Completed", "Lessons Learned", "Open Items")
    )
    return Part(f"daily 2026-03-{day:02}", f"## Topics\n{topics}\n\n{others}")


def test_every_section_of_every_summary_has_its_share() -> None:
    """The same for each; what is over goes to decisions."""
    text = shortened([node(day) for day in range(1, 8)], 14_000, "hipocampus node show DAY")
    for day in range(1, 8):
        shown = [text.count(f"{title} of {day} ") for title in ("Key Decisions", "Tasks Completed", "Lessons Learned")]
        assert min(shown) > 0
        assert shown[0] == max(shown)
    assert text.count(" [project] — ") >= 7


FIELDS = ("decisions", "outcome", "request", "note", "lesson", "plain words")
LINES = st.tuples(st.sampled_from(FIELDS), st.text("ab 한😀", max_size=300)).map(lambda pair: f"- {pair[0]}: {pair[1]}")
TEXTS = st.lists(st.one_of(LINES, st.just(""), st.just("## Topics"), st.just("## x [user]")), max_size=12)


@given(texts=st.lists(TEXTS, max_size=12), room=st.integers(300, 4_000))
def test_what_does_not_fit_is_counted_exactly(texts: list[list[str]], room: int) -> None:
    """Lines that are missing, and lines that are cut; every other line is there, in its order; the room is kept."""
    parts = [Part(f"entry {at}", "\n".join(lines)) for at, lines in enumerate(texts)]
    lines = [line for line in whole(parts).split("\n") if line.strip()]
    text = shortened(parts, room, WHERE)
    shown = [line for line in text.split("\n") if line.strip()]
    assert cost(text) <= room
    if shown == lines:
        return
    found = LEFT_OUT.match(shown.pop())
    assert found is not None
    assert len(lines) - len(shown) == int((found["missing"] or "0").replace(",", ""))
    rest, cuts = iter(lines), 0
    for line in shown:
        is_cut = line.endswith("…")
        cuts += is_cut
        assert any(line == one or (is_cut and one.startswith(line[:-1])) for one in rest)
    assert cuts == int((found["cut"] or "0").replace(",", ""))
