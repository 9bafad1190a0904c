"""Folding, compacting and indexing on behalf of a hook: what must run in it, and what may go on without it."""

from __future__ import annotations

import gc
import os

from hipocampus.dag.memory_file import may_have_grown
from hipocampus.hooks.background import in_background
from hipocampus.hooks.packages import have_packages
from hipocampus.recall.index_file import UnusableError, looks_usable
from hipocampus.store.locks import LockTimeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.capture.folding import FoldReport
    from hipocampus.hooks.call import Call
    from hipocampus.store.config import Config
    from hipocampus.store.layout import Layout

SESSION_START_WAIT = 1.0
UNCOVERED_LIMIT = 20
# Some hundred vectors.
EMBED_SECONDS = 30.0
_KIND = 10


def fold(call: Call, layout: Layout, *, finished: bool = False) -> None:
    """Fold this session's uncovered turns into the raw log. Without the packages they stay journalled."""
    from hipocampus.capture.folding import fold_session

    gc.enable()
    session, transcript = call.event.session, call.event.transcript
    _folded(call, fold_session(layout, session, call.now, transcript, finished=finished))


def fold_dead(call: Call, layout: Layout, *, also_this: bool = False) -> None:
    """Fold the sessions that ended without it; this one only with `also_this`, if it has ended by now."""
    from hipocampus.capture.folding import fold_dead as fold_all

    gc.enable()
    _folded(call, fold_all(layout, call.now, "" if also_this else call.event.session))


def _folded(call: Call, report: FoldReport) -> None:
    for problem in report.problems:
        call.problem("fold", problem)


def compact(call: Call, layout: Layout, *, because: str = "") -> None:
    """Compact if a trigger fired, or `because` of something else. A process that does so already is left to it."""
    from hipocampus.compaction.chain import compact as run
    from hipocampus.store.config import load_lenient

    gc.enable()
    try:
        run(layout, load_lenient(layout, call.env), call.now, force=bool(because), why=because)
    except LockTimeout:
        return


def index(call: Call, layout: Layout) -> None:
    """Bring the index up to date with what was folded and compacted. It takes its time: for detached children only."""
    from hipocampus.recall.index import BUSY, refresh_index
    from hipocampus.store.config import load_lenient

    config = load_lenient(layout, call.env)
    if config.search_enabled:
        found = refresh_index(layout, config)
        if found.problem and found.problem != BUSY:
            call.problem("index", found.problem)


def summarise(call: Call, layout: Layout) -> None:
    """Bring the summaries of a memory file that has grown up to date. For detached children only.

    Another process that writes meanwhile is left to it; the next start or end of a session sees to the rest.
    """
    from hipocampus.dag.compact import compact_if_grown
    from hipocampus.store.config import load_lenient

    try:
        compact_if_grown(layout, load_lenient(layout, call.env), call.now)
    except LockTimeout:
        return


def embed(call: Call, layout: Layout) -> None:
    """Make neural vectors that the index lacks, for a while; `maintain` makes the rest. For detached children only, as
    the last thing they do: from here on the process gives way to others.
    """
    from hipocampus.recall.embedding import embed_missing
    from hipocampus.recall.index_neural import wants_neural
    from hipocampus.store.config import load_lenient

    config = load_lenient(layout, call.env)
    if config.search_enabled and wants_neural(config):
        os.nice(_KIND)
        try:
            found = embed_missing(layout, config, EMBED_SECONDS)
        except UnusableError:
            return  # as `index` has said
        if found.problem:
            call.problem("vectors", found.problem)


def index_later(call: Call, layout: Layout) -> None:
    """Bring the index and the summaries up to date in a detached child."""
    if have_packages():
        in_background(lambda: _derive(call, layout))


def _derive(call: Call, layout: Layout) -> None:
    """Bring up to date what is derived from the Markdown."""
    call.attempt("index", lambda: index(call, layout))
    call.attempt("summaries", lambda: summarise(call, layout))
    call.attempt("vectors", lambda: embed(call, layout))


def refresh(call: Call, layout: Layout, config: Config) -> None:
    """At a session start: fold dead sessions and compact, if there is reason to; waits for it a second at most.

    An index that is not there, or not of this version, is built meanwhile, and a memory file that has grown summarised.
    """
    if have_packages() and (_dead(call, layout) or _due(call, layout, config)):
        in_background(lambda: fold_dead_and_compact(call, layout), SESSION_START_WAIT)
        index_later(call, layout)
    elif (config.search_enabled and not looks_usable(layout.index)) or may_have_grown(layout, config.dag_auto_entries):
        index_later(call, layout)


def build_root(call: Call, layout: Layout) -> None:
    """Compact for a conversation that goes on: ROOT has nothing yet of what was stored. Waits a second at most."""
    from hipocampus.compaction.triggers import news_waits
    from hipocampus.store.state import read_state

    if have_packages() and news_waits(read_state(layout, call.now), call.now):
        because = "the first entries were stored"
        in_background(
            lambda: call.attempt("compact", lambda: compact(call, layout, because=because)), SESSION_START_WAIT
        )


def _dead(call: Call, layout: Layout) -> bool:
    from hipocampus.capture.journal import dead_sessions

    return bool(dead_sessions(layout, call.now, call.event.session))


def _due(call: Call, layout: Layout, config: Config) -> bool:
    """Whether a trigger fired, or the logs hold what no compaction has seen: the session that begins must know it."""
    from hipocampus.compaction.edited import edited_logs
    from hipocampus.compaction.triggers import due, news_waits
    from hipocampus.store.state import read_state

    state = read_state(layout, call.now)
    edited = edited_logs(layout, state)
    return news_waits(state, call.now) or any(trigger.fired for trigger in due(state, config, call.now, edited))


def fold_dead_and_compact(call: Call, layout: Layout, *, also_this: bool = False) -> None:
    """Bring the memory up to date, whatever the triggers say."""
    call.attempt("fold", lambda: fold_dead(call, layout, also_this=also_this))
    call.attempt("compact", lambda: compact(call, layout, because="earlier sessions had left something"))


def fold_later(call: Call, layout: Layout) -> None:
    """Fold this session in a detached child."""
    if have_packages():
        in_background(lambda: call.attempt("fold", lambda: fold(call, layout)))


def finish_later(call: Call, layout: Layout) -> None:
    """Fold this session, which is over, and compact, in a detached child.

    Whatever the triggers say: nobody waits for it, and the next session, minutes later perhaps, must know of this one.
    """
    if have_packages():
        in_background(lambda: _finish(call, layout))


def _finish(call: Call, layout: Layout) -> None:
    call.attempt("fold", lambda: fold(call, layout, finished=True))
    call.attempt("compact", lambda: compact(call, layout, because="a session ended"))
    _derive(call, layout)
