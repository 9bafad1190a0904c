"""``hipocampus remember``: keep one sentence as it was said."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.capture.checkpoint import remembered
from hipocampus.commands.caller import Caller
from hipocampus.commands.checkpoint import keep, sentence
from hipocampus.commands.output import say
from hipocampus.commands.place import open_home


def remember(caller: Caller, *, text: Sequence[str], entry_type: str | None = None, home: str = "") -> int:
    """Store the words (several arguments are joined by a space) and show the type they were taken for."""
    layout = open_home(caller, home, writing=True).layout
    stored = keep(caller, layout, remembered(" ".join(text), entry_type or ""))
    say(sentence(layout, stored))
    if not entry_type and not stored.duplicate:
        say(f"Taken for {stored.entry.topic.type}; if that is wrong, say it again with --type.")
    return 0
