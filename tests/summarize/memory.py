"""A memory with more than fits into a verbatim node, and whoever sums it up, well or badly."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

from hipocampus.store.layout import Layout

TOPICS = ("rate limiting", "import of timetables", "flaky test", "release", "search index", "retry policy")
FEEDBACK = "answer in three sentences, and always use bun"


def day_of_work(day: date, entries: int = 24) -> str:
    """A raw log of a day above the threshold of 200 lines: decisions, outcomes, open ends, and one word of the user."""
    said = [f"## terse answers [feedback]\n<!-- hipocampus: id=fb{day:%y%m%d}0001 -->\n- rule: {FEEDBACK}\n"]
    for number in range(entries):
        topic = TOPICS[number % len(TOPICS)]
        said.append(
            f"## {topic} step {number} [project]\n"
            f"<!-- hipocampus: id={number:04x}{day:%y%m%d}aa -->\n"
            f"- request: look at {topic} in src/part{number}.py\n"
            f"- decisions: chose a token bucket over a leaky bucket for step {number}, bursts are legitimate traffic\n"
            f"- outcome: src/part{number}.py handles {topic} with {number + 3} retries\n"
            f"- lesson: {topic} needs a timeout of {number + 10} seconds, else the worker hangs\n"
            f"- status: open\n- open: measure {topic} under load in step {number}\n\n"
        )
    return "\n".join(said)


def remember(layout: Layout, first: date, days: int = 1, entries: int = 24) -> None:
    """Write the raw logs of so many days."""
    for at in range(days):
        day = first + timedelta(days=at)
        Path(layout.raw(day.isoformat())).write_text(day_of_work(day, entries), encoding="utf-8")


_TOPIC = re.compile(r"^\| - (?P<name>.+) \[(?P<type>\w+)\] #(?P<id>\w+)", re.MULTILINE)
_HEADING = re.compile(r"^## .+$", re.MULTILINE)


def summed_up(fixed: str, matter: str) -> str:
    """What a good model answers: every topic, and for each other section a line that the notes bear out."""
    topics = [match.groupdict() for match in _TOPIC.finditer(matter)]
    lines = [f"- {one['name']} [{one['type']}] #{one['id']} — {one['name']}, token bucket" for one in topics]
    parts = ["## Topics", *lines]
    for heading in _HEADING.findall(fixed):
        if heading != "## Topics":
            parts += [heading, f"- {topics[0]['name']}: token bucket, bursts legitimate, worker timeout"]
    return "\n".join(parts) + "\n"
