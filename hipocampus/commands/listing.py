"""``hipocampus list``: entries, newest first."""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import islice

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import line_width, say, say_json
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import neutralise, one_line
from hipocampus.core.periods import parse_period
from hipocampus.core.tokens import cut
from hipocampus.core.topics import EntryType
from hipocampus.errors import UserError
from hipocampus.recall.browse import Located, newest_first
from hipocampus.redaction import scrub


def list_entries(
    caller: Caller, *, entry_type: str | None = None, since: str = "", limit: int = 50, as_json: bool, home: str = ""
) -> int:
    """Print at most `limit` entries (0: all) and how many more there are."""
    layout = open_home(caller, home).layout
    kind = EntryType(entry_type) if entry_type else None
    entries = newest_first(layout, first_day(since, caller.now.date()), kind)
    shown = list(islice(entries, limit or None))
    if as_json:
        say_json([_as_object(located) for located in shown])
        return 0
    for located in shown:
        say(cut(_as_line(located), line_width()))
    more = sum(1 for _ in entries)
    if more:
        say(f"+{more} more: --limit 0 lists all")
    elif not shown:
        say("No entries yet." if not (since or kind) else "No such entries.")
    return 0


_AGE = re.compile(r"(\d{1,4})([dw])", re.ASCII)


def first_day(text: str, today: date) -> date | None:
    """The first day that ``--since`` means; None for an empty text. Raises UserError where it means none."""
    if not text:
        return None
    period = parse_period(text)
    if period is not None:
        return period.first
    age = _AGE.fullmatch(text)
    if age is None:
        raise UserError(f"--since {text}: not a date, a period or an age; use 2026-03-15, 2026-W11, 2026-03, 7d or 2w.")
    return today - timedelta(days=int(age[1]) * (7 if age[2] == "w" else 1))


def _as_line(located: Located) -> str:
    return f"{located.day}  {located.id[:8]}  " + one_line(scrub(_in_one(located)))


def _in_one(located: Located) -> str:
    """Topic, type and gist; a topic that is how the gist begins is said once."""
    topic, gist = located.entry.topic, _gist(located)
    name, said = _words(topic.name), _words(gist)
    if not said:
        return str(topic)
    return f"{gist} [{topic.type}]" if name and said[: len(name)] == name else f"{topic}: {gist}"


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _gist(located: Located) -> str:
    """What an entry says in the fewest words: its rule, decision or outcome, else how it begins."""
    for name in ("rule", "decisions", "outcome", "fact", "reference", "request"):
        text = located.entry.field(name)
        if text:
            return text
    return located.entry.body[:500].removeprefix("- ")


def _as_object(located: Located) -> dict[str, str]:
    entry = located.entry
    return {
        "day": located.day,
        "id": located.id,
        "topic": one_line(scrub(entry.topic.name)),
        "type": entry.topic.type.value,
        "at": entry.provenance.at,
        "session": entry.provenance.session,
        "source": entry.provenance.source,
        "pointer": located.pointer,
        "body": neutralise(scrub(entry.body)),
    }
