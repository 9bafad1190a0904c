"""A memory whose days are too long to stand word for word, and a summariser that has read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from hipocampus.compaction.bodies import SECTIONS, title_of
from hipocampus.compaction.chain import compact
from hipocampus.compaction.digest import LASTING, TOPICS
from hipocampus.compaction.outline import HISTORY, PATTERNS
from hipocampus.core.periods import Level
from hipocampus.core.topics import TopicLine
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout
from hipocampus.summarize.matter import Matter
from hipocampus.summarize.put import Put, put
from hipocampus.summarize.queue import matter_at, pending
from hipocampus.summarize.validate import titles_of

DAY = "2026-03-10"
RULE = "use bun and never npm, whatever the lock file says"


def entry(number: int, day: str = DAY) -> str:
    """A project entry of its own topic, in eight lines."""
    return (
        f"## queue part {number} of {day} [project]\n"
        f"- request: look at part {number}\n"
        f"- decisions: token bucket {number}, since bursts are legitimate\n"
        f"- outcome: middleware in src/part_{number}.py answers 429\n"
        f"- lesson: jitter keeps retries {number} apart\n"
        f"- open: metrics for part {number}\n\n"
    )


LASTING_ENTRIES = (
    f"## Package manager [feedback]\n- rule: {RULE}\n- why: the images have no node\n\n",
    "## Where they work [user]\n- fact: nights in Seoul, on a train with no network\n\n",
)


def log(layout: Layout, day: str, entries: Sequence[str]) -> None:
    """Write a day's raw log as a person does."""
    Path(layout.raw(day)).write_text(f"# {day}\n\n" + "".join(entries), encoding="utf-8")


def long_day(layout: Layout, day: str = DAY, count: int = 40) -> None:
    """A day with more lines than stand word for word."""
    log(layout, day, [*LASTING_ENTRIES, *(entry(number, day) for number in range(count))])


def late(layout: Layout, text: str, day: str = DAY) -> None:
    """Append to a day's log."""
    with open(layout.raw(day), "a", encoding="utf-8") as raw:
        raw.write(text)


def good(matter: Matter) -> str:
    """A summary that names every topic, in fewer words."""
    if matter.level is Level.ROOT:
        finished = [line for line in matter.digest.topics if line.standing][:20]
        lines = [f"- {line.day.isoformat()[:7]}: {line.topic.name}: {line.words[:80]}" for line in finished]
        return "\n".join([f"## {PATTERNS}", *lines[:4], "", f"## {HISTORY}", *lines])
    parts = []
    for title, name in zip(titles_of(matter.level), (TOPICS, *SECTIONS), strict=True):
        lines = list(map(topic, matter.digest.topics)) if name == TOPICS else []
        lines += map(str, matter.digest.items.get(name, ())[:9])  # type: ignore[call-overload]
        parts.append("\n".join([f"## {title}", *lines]))
    return "\n\n".join(parts)


def topic(line: TopicLine) -> str:
    """A line for a topic as the instructions ask for it."""
    words = "" if line.topic.type in LASTING else line.words.partition("; ")[0]
    return f"- {line.topic} #{line.id} — {words}" if words else f"- {line.topic} #{line.id}"


def without(answer: str, *needles: str) -> str:
    """An answer without the lines that hold one of these."""
    return "\n".join(line for line in answer.split("\n") if not any(needle in line for needle in needles))


def bare(matter: Matter) -> str:
    """An answer that names topics and says nothing of them."""
    digest = replace(matter.digest, items={}, topics=tuple(replace(line, words="") for line in matter.digest.topics))
    return good(replace(matter, digest=digest))


def headings(level: Level) -> list[str]:
    """The lines that begin the sections of a level."""
    return [f"## {title_of(level, name)}" for name in (TOPICS, *SECTIONS)]


def summarise(layout: Layout, config: Config, now: datetime, most: int = 1_000) -> list[Put]:
    """Put in summaries until nothing is next, each level after the one below."""
    done: list[Put] = []
    while len(done) < most and (ready := [one for one in pending(layout, config, now) if one.is_next]):
        matter = matter_at(layout, config, ready[0])
        assert matter is not None
        done.append(put(layout, config, ready[0].period, good(matter), now, "script", of=ready[0].of))
        assert done[-1].accepted, done[-1]
    return done


def waiting(layout: Layout, config: Config, now: datetime, day: str = DAY) -> Matter:
    """A home with one long day, compacted; what its summary is made from."""
    long_day(layout, day)
    compact(layout, config, now, force=True)
    (one,) = [one for one in pending(layout, config, now) if one.period == day]
    matter = matter_at(layout, config, one)
    assert matter is not None
    return matter
