"""Sessions of the past: transcripts in the user's own Claude Code directory, that no hook was told of."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from hipocampus.capture.backfill import Backfill, Outcome
from hipocampus.core.entries import Entry, parse_log
from hipocampus.hosts.past import past_sessions
from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation, raw_texts

LONG_AGO = 1_600_000_000


def transcripts_of(env: Mapping[str, str], folder: str) -> Path:
    """Where Claude Code keeps the transcripts of sessions that began in `folder`."""
    path = Path(env["HOME"], ".claude", "projects", re.sub("[^A-Za-z0-9]", "-", folder))
    path.mkdir(parents=True, exist_ok=True)
    return path


class PastTalk(Conversation):
    """A session that happened in `cwd` (the project, unless said otherwise) and is over."""

    def __init__(
        self, layout: Layout, env: Mapping[str, str], at: str, session: str = "5c18a6f2-0000-4000-8000-1", cwd: str = ""
    ) -> None:
        self.cwd = cwd or layout.project
        super().__init__(layout, transcripts_of(env, self.cwd), datetime.fromisoformat(at), session)

    def say(self, words: str, answer: str, edits: tuple[str, ...] = ()) -> None:
        """One exchange, as only the transcript tells it."""
        self.ask(words, hook=False)
        self.answer(answer, stop=False, edits=edits)

    def write(self, line: dict[str, object]) -> None:
        super().write({"cwd": self.cwd, "sessionId": self.session, "gitBranch": "main", **line})
        os.utime(self.transcript, (LONG_AGO, LONG_AGO))


def bring_in(
    layout: Layout, env: Mapping[str, str], now: datetime, since: str = "", live: str = "", only: Iterable[str] = ()
) -> list[Outcome]:
    """Import the sessions of Claude Code, or only some of them in that order."""
    found = {past.session: past for past in past_sessions("claude-code", env, layout.project)}
    backfill = Backfill(layout, now, since, live)
    outcomes = [backfill.take(found[session]) for session in (only or sorted(found))]
    backfill.save()
    return outcomes


def entries(layout: Layout) -> list[Entry]:
    """All entries of the raw logs."""
    return [entry for text in raw_texts(layout).values() for entry in parse_log(text)]


def told(layout: Layout, name: str = "request") -> list[str]:
    """What all entries say in fields of that name."""
    return [text for entry in entries(layout) for field, text in entry.fields if field == name]
