"""The state of a memory in numbers, gathered for ``hipocampus status``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from hipocampus import __version__
from hipocampus.commands.inventory import Shelf, shelves
from hipocampus.compaction.chain import REASON
from hipocampus.compaction.edited import edited_logs
from hipocampus.compaction.triggers import Trigger, due
from hipocampus.core.tokens import estimate_tokens
from hipocampus.core.zone import moment_of
from hipocampus.recall.meaning import meaning
from hipocampus.store.config import Config
from hipocampus.store.files import read_log, read_log_without_home, read_text
from hipocampus.store.home import Home
from hipocampus.store.state import State, read_state
from hipocampus.summarize.queue import pending

DAYS = 30


@dataclass(frozen=True, slots=True)
class Compaction:
    """The last cycle: when it started and finished (ISO, "" where unknown) and which triggers fired."""

    started: str
    finished: str
    why: str


@dataclass(frozen=True, slots=True)
class Injection:
    """What one hook put into sessions: how often, UTF-16 units and estimated tokens in all."""

    hook: str
    times: int
    characters: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Failing:
    """Failures of hooks: how many, since when (ISO), and the last one in words."""

    count: int
    since: str
    last: str


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that `status` says. `platform` is the first of the `hosts`; `pending` are home-relative nodes
    that wait for a summary; `search` says in words what search goes by."""

    version: str
    home: str
    project: str
    id: str
    trusted: bool
    platform: str
    hosts: tuple[str, ...]
    files: tuple[Shelf, ...]
    root_tokens: int
    root_limit: int
    pending: tuple[str, ...]
    search: str
    triggers: tuple[Trigger, ...]
    last_compaction: Compaction
    days: int
    injected: tuple[Injection, ...]
    failures: Failing


def gather(home: Home, config: Config, env: Mapping[str, str], now: datetime) -> Report:
    """The report on `home` at `now`. Reads only."""
    layout = home.layout
    state = read_state(layout, now)
    events = [event for event in read_log(layout) if _is_recent(event, now)]
    # What hooks could only note outside may be of this home.
    outside = [event for event in read_log_without_home(env) if _is_recent(event, now)]
    searched = meaning(layout, config)
    return Report(
        version=__version__,
        home=layout.root,
        project=layout.project,
        id=home.id,
        trusted=home.trusted,
        platform=config.platform,
        hosts=tuple(dict.fromkeys((config.platform, *config.hosts))),
        files=tuple(shelves(layout)),
        root_tokens=estimate_tokens(read_text(layout.root_md) or ""),
        root_limit=config.root_max_tokens,
        pending=tuple(one.file for one in pending(layout, config, now)),
        search="; ".join(filter(None, (searched.said, searched.lacking))),
        triggers=due(state, config, now, edited_logs(layout, state)),
        last_compaction=_last(state),
        days=DAYS,
        injected=tuple(_injected(events)),
        failures=_failing([*events, *outside]),
    )


def _is_recent(event: Mapping[str, object], now: datetime) -> bool:
    at = moment_of(event.get("at"))
    return at is not None and at >= now - timedelta(days=DAYS)


def _last(state: State) -> Compaction:
    why = state.values.get(REASON)
    return Compaction(_iso(state.started), _iso(state.finished), why if isinstance(why, str) else "")


def _iso(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""


def _injected(events: Iterable[Mapping[str, object]]) -> Iterable[Injection]:
    sums: dict[str, tuple[int, int, int]] = {}
    for event in events:
        if event.get("kind") == "injected":
            times, characters, tokens = sums.get(name := str(event.get("entry", "")), (0, 0, 0))
            sums[name] = (times + 1, characters + _number(event, "chars"), tokens + _number(event, "estimate"))
    return (Injection(hook, *numbers) for hook, numbers in sorted(sums.items()))


def _number(event: Mapping[str, object], name: str) -> int:
    value = event.get(name)
    return value if isinstance(value, int) else 0


def _failing(events: Iterable[Mapping[str, object]]) -> Failing:
    failed = sorted((event for event in events if event.get("kind") == "failure"), key=lambda one: str(one["at"]))
    if not failed:
        return Failing(0, "", "")
    last = failed[-1]
    return Failing(len(failed), str(failed[0]["at"]), f"{last.get('where', '')}: {last.get('error', '')}")
