"""Make a home with a long history out of recorded conversations.

    python bench/history.py SESSIONS HOME [--repeat 1] [--user-only]

SESSIONS is a folder of ``YYYY-MM-DD.md`` files in the form of MemAware's ``data/sessions`` (``## Session ID``, then
``User:`` and ``Assistant:`` turns). Every conversation becomes an entry of its day. With ``--repeat N`` the same days
follow each other N times, each copy on the dates after the one before: 12 makes three years of 91 days. With
``--user-only`` the entries are lists of what the user said.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from conversations import Conversation, parsed
from homes import write_home

_TOPIC_WORDS = 9


def make_home(sessions: Path, home: Path, repeat: int = 1, user_only: bool = False) -> int:
    """Write the raw logs of a home; how many entries they have."""
    days = {date.fromisoformat(path.stem): path for path in sorted(sessions.glob("????-??-??.md"))}
    first, last = min(days), max(days)
    count, logs = 0, {}
    for copy in range(repeat):
        shift = ((last - first) + timedelta(days=1)) * copy
        for day, path in days.items():
            entries = list(entries_of(path.read_text(encoding="utf-8"), user_only))
            count += len(entries)
            logs[str(day + shift)] = f"# {day + shift}\n\n" + "\n".join(entries)
    write_home(home, logs)
    return count


def entries_of(text: str, user_only: bool) -> Iterator[str]:
    """The conversations of a day as entries of a raw log."""
    for one in parsed(text, ""):
        if one.turns:
            yield "\n\n".join([f"## {topic_of(one)} [chat]", *(turn(*each, user_only) for each in one.turns)]) + "\n"


def topic_of(one: Conversation) -> str:
    """The first words that the user said."""
    said = [*one.said, one.turns[0][1]][0]
    return " ".join(said.split()[:_TOPIC_WORDS]).strip("#*`>-[]() ") or "conversation"


def turn(who: str, said: str, user_only: bool) -> str:
    """One turn as Markdown; a heading inside it is no heading of the log."""
    text = "\n".join("\\" + line if line.startswith("#") else line for line in said.split("\n"))
    if user_only:
        return f"- {text}" if who == "User" else ""
    return f"**{who}:** {text}"


def main(arguments: list[str]) -> int:
    """Make the home that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--user-only", action="store_true")
    options = parser.parse_args(arguments)
    count = make_home(options.sessions, options.home, options.repeat, options.user_only)
    print(f"{count} entries in {options.home}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
