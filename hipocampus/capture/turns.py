"""From the transcript into the journal: what a turn did, and prompts and replies that no hook was told of."""

from __future__ import annotations

from datetime import timedelta

from hipocampus.capture.journal import (
    MESSAGE_LIMIT,
    PROMPT_LIMIT,
    append,
    moment,
    opening,
    shortened,
    stamp,
)
from hipocampus.capture.known import Known, Record, known_of
from hipocampus.capture.ledger import squashed
from hipocampus.core.neutral import neutralise
from hipocampus.hosts.events import MISSED
from hipocampus.hosts.readers import reader_of
from hipocampus.hosts.transcript import Part, Prompt, Reply, Tool, fingerprint
from hipocampus.redaction import scrub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from hipocampus.hosts.events import Event
    from hipocampus.store.layout import Layout

TURN_LIMIT = 16 * 1024 * 1024
"""Bytes of transcript that one Stop reads at most; the next one, or the fold, goes on from there."""
_FOLD_LIMIT = 1024 * 1024 * 1024
_MOST_FILES = 200

# A prompt's line is stamped a moment before the hook that journals it runs.
_SLACK = timedelta(seconds=5)


def journal_turn(layout: Layout, event: Event, at: datetime, limit: int = TURN_LIMIT) -> str:
    """Journal the turn that `event` ends, with all that the transcript holds, or the host hands over, since the last
    time. Returns what was wrong with the transcript, if anything was."""
    known = known_of(layout, event.session)
    if event.items:
        part = _handed_over(event, known)
    else:
        part, known = _read(layout, event.session, event.host, event.transcript, known, limit)
    *before, current = _groups(part, known)
    if not part.complete:
        # A long history is being caught up with; its last group is not the turn that ended now.
        before, current = [*before, current], Group()
    news = _News(known, at, part.restarted)
    for group in before:
        news.add_group(group)
    news.add_prompts(current)
    of = event.prompt_id or _id(current.prompt)
    text = event.message or ("" if news.is_known(current.reply) else current.reply)
    news.add_turn(of, text, current, stamp(at), via="stop")
    append(layout, event.session, [*opening(layout, event, at), *news.up_to(part.offset, event.transcript)])
    return part.problem


def catch_up(layout: Layout, session: str, at: datetime, transcript: str, *, finished: bool) -> None:
    """Journal what the transcript holds since the last time: turns that never had a Stop (Escape, an error, a kill).

    Unless the session is `finished` its last turn may still run and is left for its Stop. Without `transcript` the path
    in the journal is used.
    """
    known = known_of(layout, session)
    path = transcript or known.transcript
    part, known = _read(layout, session, known.host, path, known, _FOLD_LIMIT)
    journal_part(layout, session, at, part, known, path, finished=finished)


def journal_part(
    layout: Layout,
    session: str,
    at: datetime,
    part: Part,
    known: Known,
    path: str,
    *,
    finished: bool,
    note: bool = False,
) -> None:
    """Journal what was read from the transcript at `path`; unless `finished` without the turn that it ends in.

    With `note` where to read on is noted even if nothing was new.
    """
    groups, offset = _groups(part, known), part.offset
    if not finished:
        *groups, running = groups
        _leave_to(running, groups)
        offset = running.prompt.start if running.prompt is not None else known.offset
    news = _News(known, at, part.restarted)
    for group in groups:
        news.add_group(group)
    if news.records or note:
        append(layout, session, news.up_to(offset, path))


def _read(layout: Layout, session: str, host: str, path: str, known: Known, limit: int) -> tuple[Part, Known]:
    """What is new in the transcript, and what is known of as much of the journal as that must be compared with."""
    reader = reader_of(host)
    part = reader(path, known.offset, limit, known.mark) if reader is not None and path else Part(offset=known.offset)
    if part.restarted and not known.whole:
        known = known_of(layout, session, whole=True)
    return part, known


def _handed_over(event: Event, known: Known) -> Part:
    """What is new among the items of an event, in place of a transcript.

    The place to read on is the start of the last prompt that was handed over: its turn may come again, and longer.
    Where the event ends no turn (the host hands over what it could not before) the last one is as old as the others.
    """
    starts = [item.start if isinstance(item, Prompt) else -1 for item in event.items]
    first = next((index for index, start in enumerate(starts) if start >= known.offset), len(starts))
    return Part(event.items[first:], max(known.offset, *starts), complete=event.source != MISSED)


class Group:
    """A prompt and what followed it. Without a prompt: the rest of a turn that was read before."""

    __slots__ = ("at", "files", "prompt", "queued", "reply", "tools")

    def __init__(self, prompt: Prompt | None = None) -> None:
        self.prompt = prompt
        self.queued: list[Prompt] = []
        self.reply = ""
        self.at = ""
        self.tools: list[str] = []
        self.files: list[str] = []


def _groups(part: Part, known: Known) -> list[Group]:
    """The items by prompt, at least one group. Words that came during a turn belong to that turn.

    A reply at the very beginning of a file, without its prompt, is the end of something that was cut away.
    """
    groups = [Group()]
    for item in part.items:
        group = groups[-1]
        match item:
            case Prompt(via="file"):
                groups.append(Group(item))
            case Prompt():
                group.queued.append(item)
            case Reply():
                group.reply, group.at = item.text, item.at
            case Tool():
                group.tools += [item.name] if item.name not in group.tools else []
                group.files += [item.file] if item.file and item.file not in group.files else []
    if part.restarted or not known.offset:
        groups[0].reply, groups[0].tools, groups[0].files = "", [], []
    return groups


def _leave_to(running: Group, before: list[Group]) -> None:
    """Take out of the turn before what was only queued there: the words that began the one that is still running."""
    if before and running.prompt is not None:
        words = squashed(running.prompt.text)
        before[-1].queued = [prompt for prompt in before[-1].queued if squashed(prompt.text) != words]


class _News:
    """The records that a journal does not hold yet.

    `again`: a transcript that was rewritten is read from its beginning. Its prompts may be missing, so what was said
    and done once before is not told again, whichever prompt it seems to belong to.
    """

    def __init__(self, known: Known, at: datetime, again: bool) -> None:
        self.records: list[Record] = []
        self._known = known
        self._running = known.running
        self._turns = set(known.turns)
        self._deeds = set(known.deeds)
        self._old_texts = {text for _, text in known.turns} if again else frozenset()
        self._old_deeds = {deed for _, deed in known.deeds} if again else frozenset()
        self._at = at

    def add_group(self, group: Group) -> None:
        self.add_prompts(group)
        group.tools = [tool for tool in group.tools if tool not in self._old_deeds]
        group.files = [file for file in group.files if file not in self._old_deeds]
        is_old = squashed(_kept(group.reply)) in self._old_texts
        self.add_turn(self._running, "" if is_old else group.reply, group, group.at, via="file")

    def add_prompts(self, group: Group) -> None:
        for prompt in ([group.prompt] if group.prompt is not None else []) + group.queued:
            if prompt.text or group.reply or group.tools:
                self._add_prompt(prompt)
        if group.prompt is not None:
            self._running = _id(group.prompt)

    def is_known(self, reply: str) -> bool:
        """Whether a reply is the last message of a recorded turn, which reached the file after its Stop."""
        return (self._running, squashed(_kept(reply))) in self._turns

    def add_turn(self, of: str, text: str, group: Group, at: str, via: str) -> None:
        """A turn that is recorded already comes again only with what is new about it: tools and files."""
        kept = _kept(text)
        key, deeds = (of, squashed(kept)), {(of, deed) for deed in [*group.tools, *group.files]}
        is_new = bool(kept) and key not in self._turns
        if is_new or deeds - self._deeds:
            self._turns.add(key)
            self._deeds |= deeds
            turn: Record = {"k": "turn", "at": self._time(at), "of": of, "via": via, "text": kept if is_new else ""}
            self.records.append(turn | {"tools": group.tools, "files": group.files[:_MOST_FILES]})
            self._running = of

    def up_to(self, offset: int, path: str) -> list[Record]:
        """The records; the last one says where to read on, and whose turn was running there."""
        if not self.records and offset != self._known.offset:
            self.records.append({"k": "read", "at": stamp(self._at)})
        if self.records:
            self.records[-1] |= {"of": self._running, "off": offset, "sum": fingerprint(path, offset)}
        return self.records

    def _add_prompt(self, prompt: Prompt) -> None:
        told: Record = {"k": "prompt", "at": self._time(prompt.at), "pid": prompt.prompt_id, "uuid": prompt.uuid}
        told |= {"via": prompt.via, "text": scrub(shortened(neutralise(prompt.text), PROMPT_LIMIT))}
        ledger = self._known.ledger
        found = ledger.find(told)
        if found is None:
            told["k"] = "past" if self._is_past(prompt) else "prompt" if prompt.text else "wordless"
        elif ledger.holds(found, told):
            return
        else:
            told["k"] = "echo"
            if prompt.prompt_id and ledger.of(prompt.prompt_id) == found and ledger.told[found].text:
                del told["text"]
        ledger.place(told)
        self.records.append(told)

    def _is_past(self, prompt: Prompt) -> bool:
        at, began = moment(prompt.at), self._known.began
        return at is not None and began is not None and at < began - _SLACK

    def _time(self, text: str) -> str:
        at = moment(text)
        # The host's own moment, kept to the millisecond, is part of how a prompt without an id is known again.
        return stamp(self._at) if at is None else at.astimezone(self._at.tzinfo).isoformat(timespec="milliseconds")


def _kept(text: str) -> str:
    return scrub(shortened(neutralise(text), MESSAGE_LIMIT))


def _id(prompt: Prompt | None) -> str:
    return (prompt.prompt_id or prompt.uuid) if prompt is not None else ""
