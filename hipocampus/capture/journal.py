"""The journal of a session: each prompt and turn as one line, written at once and before anything else can fail.

A journal is ``memory/.journal/<session>.jsonl``. Each line is a redacted JSON object that begins with its kind, so that
counting needs no parsing:

========== ==========================================================================================================
start      a session began or was resumed: at, day, host, source, branch, transcript; source ``import`` where it is read
           from the past, and then without day and transcript
prompt     the user's words: at, pid, text; from the transcript also uuid and via
past       a prompt that is older than the journal (a resumed or forked session brings its history along)
echo       the transcript's line of a prompt that stands here already: at, pid, uuid, via
wordless   a prompt without words to keep (a slash command): at, pid
turn       what came of a prompt: at, of (its pid or uuid), text, tools, files
checkpoint covers the prompts before it: at, id
noted      covers the one prompt that asked to remember something: at, text
fold       a boundary: what stands before it is being folded; at, id
folded     all before the last boundary is in the raw logs
reminded   the user's agent was told that a checkpoint is due
shown      recalled entries were shown with a prompt: keys
cleared    the host compressed the conversation: what was shown before is out of sight
read       the transcript was read on, and nothing in it was new
task, end  a to-do item was completed; the session ended
========== ==========================================================================================================

A line that ends a batch read from the transcript carries ``off`` and ``sum``: where to read on, and the fingerprint of
the file up to there. Of a host that hands its turns over ``off`` is the start of the last prompt it handed over.
"""

from __future__ import annotations

import os

from hipocampus.capture.branch import branch_of
from hipocampus.core.native import datetime, timedelta
from hipocampus.core.neutral import neutralise
from hipocampus.core.patterns import pattern
from hipocampus.core.record import record
from hipocampus.redaction import Redacted, scrub, scrub_json
from hipocampus.store.files import append_text, read_tail
from hipocampus.store.layout import is_safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hipocampus.hosts.events import Event
    from hipocampus.store.layout import Layout

PROMPT_LIMIT = 64 * 1024
MESSAGE_LIMIT = 16_000
SUFFIX = ".jsonl"

IDLE = timedelta(hours=6)
KEPT = timedelta(days=30)

# Enough to hold the turns of any stretch between two folds, and of the last record whatever it is.
_COUNT_WINDOW = 8 * 1024 * 1024
_TAIL_WINDOWS = (4 * 1024, 512 * 1024, 64 * 1024 * 1024)

_PROMPT = '\n{"k":"prompt",'
_CONTENT = (_PROMPT, '\n{"k":"past",', '\n{"k":"turn",')
_CHECKPOINT = '\n{"k":"checkpoint",'
_BOUNDARY = '\n{"k":"fold",'
_FOLDED = '\n{"k":"folded",'
_SHOWN = '\n{"k":"shown",'
_CLEARED = '\n{"k":"cleared",'
_REMINDED = '\n{"k":"reminded",'
_START = '\n{"k":"start",'
_END = '\n{"k":"end",'
_SENTENCES = pattern(r'"sentences":"([0-9a-f ]*)"')
_AT = pattern(r'"at":"([^"]{10,40})"')


@record
class Counts:
    """Prompts of a session since its last checkpoint or fold, and since the last reminder (or the beginning)."""

    uncovered: int
    since_reminder: int


def record_start(layout: Layout, event: Event, at: datetime) -> None:
    """Note that a session began or was resumed. After a compaction it merely goes on, and nothing is noted."""
    if not event.agent and event.source != "compact":
        append(layout, event.session, [_start(layout, event, at)])


def record_prompt(layout: Layout, event: Event, at: datetime) -> bool:
    """Journal the prompt; False where it holds no words of the user."""
    if event.agent or not (event.prompt or event.prompt_id):
        return False
    prompt: dict[str, object] = {"k": "prompt" if event.prompt else "wordless", "at": stamp(at), "pid": event.prompt_id}
    if event.prompt:
        prompt["text"] = shortened(neutralise(event.prompt), PROMPT_LIMIT)
    append(layout, event.session, [*opening(layout, event, at), prompt])
    return bool(event.prompt)


def record_turn(layout: Layout, event: Event, at: datetime) -> str:
    """Journal the turn that ended: last message, tools and files, and what only the transcript knows so far.

    Returns what was wrong with the transcript, for the user; empty where nothing was.
    """
    from hipocampus.capture.turns import journal_turn

    return "" if event.agent else journal_turn(layout, event, at)


def mark(layout: Layout, session: str, kind: str, at: datetime, **values: str) -> None:
    """Append a marker (checkpoint, noted, reminded, task, end) to a session's journal, where there is one."""
    if is_safe_name(session) and os.path.exists(layout.journal_file(session)):
        append(layout, session, [{"k": kind, "at": stamp(at), **values}])


def counts(layout: Layout, session: str) -> Counts:
    """How many prompts of the session no checkpoint and no fold covers yet."""
    text = "\n" + read_tail(layout.journal_file(session), _COUNT_WINDOW)
    covered = max(text.rfind(_CHECKPOINT), text.rfind(_BOUNDARY), 0)
    return Counts(text.count(_PROMPT, covered), text.count(_PROMPT, max(text.rfind(_REMINDED), 0)))


def shown_keys(layout: Layout, session: str) -> set[str]:
    """The keys of what recall showed in the session since its context was last compressed."""
    text = "\n" + read_tail(layout.journal_file(session), _COUNT_WINDOW)
    at = text.find(_SHOWN, max(text.rfind(_CLEARED), 0))
    keys: set[str] = set()
    while at >= 0:
        end = text.find("\n", at + 1)
        found = _SENTENCES.search(text, at, end if end >= 0 else len(text))
        keys.update(found[1].split() if found else ())
        at = text.find(_SHOWN, at + 1)
    return keys


def dead_sessions(layout: Layout, now: datetime, live: str) -> list[str]:
    """Sessions with something to fold that ended, or whose last record is over six hours old; never `live`."""
    return [one for one in sessions(layout) if one != live and _is_dead(_standing(layout.journal_file(one)), now)]


def is_live(layout: Layout, session: str, now: datetime) -> bool:
    """Whether a session that has a journal still writes it, as far as can be told."""
    path = layout.journal_file(session)
    standing = _standing(path) if os.path.exists(path) else None
    return standing is not None and not standing.ended and standing.at is not None and abs(now - standing.at) <= IDLE


def is_pending(layout: Layout, session: str) -> bool:
    """Whether a session has something that no fold has taken yet."""
    path = layout.journal_file(session)
    return os.path.exists(path) and _standing(path).pending


def prune(layout: Layout, now: datetime) -> list[str]:
    """Delete journals that are wholly folded and have been still for 30 days; returns their sessions."""
    pruned = []
    for session in sessions(layout):
        path = layout.journal_file(session)
        standing = _standing(path)
        if not standing.pending and standing.at is not None and now - standing.at > KEPT:
            os.unlink(path)
            pruned.append(session)
    return pruned


def sessions(layout: Layout) -> list[str]:
    """The sessions that have a journal."""
    try:
        names = os.listdir(layout.journal)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX) and is_safe_name(name))


def opening(layout: Layout, event: Event, at: datetime) -> list[Mapping[str, object]]:
    """The start record of a session that the hooks never saw start (a fork, a plugin that came later), or nothing."""
    return [] if os.path.exists(layout.journal_file(event.session)) else [_start(layout, event, at)]


def append(layout: Layout, session: str, records: Sequence[Mapping[str, object]], *, sync: bool = False) -> None:
    """Add records to a journal in one write; with `sync` the whole journal is on the disk on return."""
    if records:
        lines = "".join(f"{scrub_json(dict(one))}\n" for one in records)
        append_text(layout.journal_file(session), Redacted(lines), sync=sync)


def shortened(text: str, limit: int) -> str:
    """Of a long text head and tail with a note between them, redacted first: half a secret would not be recognised."""
    if len(text) <= limit:
        return text
    clean = scrub(text)
    head, tail = clean[: limit * 3 // 4].rstrip(), clean[-(limit // 4) :].lstrip()
    return f"{head}\n[… {len(clean) - len(head) - len(tail)} characters left out …]\n{tail}"


def stamp(at: datetime) -> str:
    """A moment as journals and provenance write it: ISO, to the second, with its offset."""
    return at.isoformat(timespec="seconds")


def moment(text: object) -> datetime | None:
    """The moment that a stamp or a host's time names; None without an offset or where it is none."""
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None else None


def _start(layout: Layout, event: Event, at: datetime) -> dict[str, object]:
    return {
        "k": "start",
        "at": stamp(at),
        "day": at.date().isoformat(),
        "host": event.host,
        "source": event.source,
        "branch": branch_of(layout.project),
        "transcript": event.transcript,
    }


@record
class _Standing:
    at: datetime | None
    ended: bool
    pending: bool


def _standing(path: str) -> _Standing:
    """How a journal stands, from as little of its end as can tell."""
    text, size = "\n", os.path.getsize(path)
    for window in _TAIL_WINDOWS:
        text = "\n" + read_tail(path, window)
        if size <= window or _BOUNDARY in text or any(mark in text for mark in _CONTENT):
            break
    return _judged(text)


def _judged(text: str) -> _Standing:
    content = max(map(text.rfind, _CONTENT))
    boundary, folded = text.rfind(_BOUNDARY), text.rfind(_FOLDED)
    ended = text.rfind(_END) > max(content, text.rfind(_START))
    return _Standing(_last_at(text), ended, content > boundary or boundary > folded)


def _last_at(text: str) -> datetime | None:
    for line in _from_the_end(text):
        match = _AT.search(line)
        if match is not None:
            return moment(match[1])
    return None


def _from_the_end(text: str) -> Iterator[str]:
    end = len(text)
    while end > 0:
        start = text.rfind("\n", 0, end)
        yield text[start + 1 : end]
        end = start


def _is_dead(standing: _Standing, now: datetime) -> bool:
    # Far in the future is as dead as far in the past: a clock was wrong.
    is_still = standing.at is None or abs(now - standing.at) > IDLE
    return standing.pending and (standing.ended or is_still)
