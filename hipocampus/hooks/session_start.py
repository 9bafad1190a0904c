"""A session start, first handler: bring the memory up to date, and show ROOT with the protocol."""

from __future__ import annotations

from functools import partial

from hipocampus.capture.cleared import end_cleared
from hipocampus.capture.journal import mark
from hipocampus.capture.journal import record_start as journal_start
from hipocampus.hooks import notices
from hipocampus.hooks.call import NOTHING, Answer
from hipocampus.hooks.packages import packages_folder
from hipocampus.hooks.shell import export_to_shell, shell_variables
from hipocampus.hooks.upkeep import build_root, refresh
from hipocampus.recall.context import is_imported, root_context, summarising, waiting
from hipocampus.store.home import Home, NoHome
from hipocampus.store.requirements import is_current
from hipocampus.store.state import read_state, waiting_summaries
from hipocampus.store.user_state import record_start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.hooks.call import Call
    from hipocampus.store.layout import Layout

# The conversation still holds what was shown when it began.
SILENT_SOURCES = ("resume", "fork")
# The same session goes on with a new context: the memory is shown again; PreCompact has just brought it up to date.
COMPACTED = "compact"
# The one host that can be told to read ROOT itself.
IMPORTS = "claude-code"


def handle(call: Call) -> Answer:
    """ROOT for the model, at most one line for the user. Every source but the named ones is a full start."""
    if call.start:
        call.attempt("session", lambda: record_start(call.env, call.event.session, call.start))
    shown = _shown(call)
    if call.place is None:
        return shown
    call.attempt("shell", lambda: export_to_shell(call))
    return Answer(shown.context, shown.line, shell_variables(call)) if call.shell_answer else shown


def _shown(call: Call) -> Answer:
    layout = call.layout
    if layout is not None:
        return _with_memory(call, layout)
    match call.place:
        case Home() as home if call.event.source not in SILENT_SOURCES:
            return Answer(line=notices.not_trusted(call.env, home))
        case NoHome() as absent:
            return Answer(line=notices.no_home(call.env, absent, call.event.host))
    return NOTHING


def _with_memory(call: Call, layout: Layout) -> Answer:
    source = call.event.source
    call.attempt("sign", lambda: call.leave_sign(layout))
    if source != COMPACTED:
        call.attempt("journal", lambda: journal_start(layout, call.event, call.now))
        call.attempt("cleared", lambda: end_cleared(layout, call.event, call.now))
    else:
        call.attempt("journal", lambda: mark(layout, call.event.session, "cleared", call.now))
    if source in SILENT_SOURCES:
        return NOTHING
    line = note = ""
    if source != COMPACTED:
        from hipocampus.store.config import load_lenient

        config = load_lenient(layout, call.env)
        call.attempt("refresh", lambda: refresh(call, layout, config))
        packages = _about_packages(call, layout)
        line = notices.with_memory(call, layout, config, packages)
        note = _about_summaries(call, layout) if config.llm_backend == "agent" else ""
    host = call.event.host
    imported = host == IMPORTS and is_imported(layout, call.start)
    context = root_context(layout, call.cap - len(note), imported, host) + note
    if source == COMPACTED and context == waiting(host):
        call.attempt("refresh", lambda: build_root(call, layout))
        context = root_context(layout, call.cap, imported, host)
    return Answer(context, line)


def _about_summaries(call: Call, layout: Layout) -> str:
    """What the agent is told of nodes that wait for it."""
    count = len(waiting_summaries(read_state(layout, call.now)))
    if not count:
        return ""
    said = "1 node of this memory waits" if count == 1 else f"{count} nodes of this memory wait"
    return f"\n\n{said} for a summary: once the task at hand allows it, {summarising(call.event.host)}."


def _about_packages(call: Call, layout: Layout) -> str:
    """Have missing or outdated packages installed, without waiting; what the user should read about it."""
    folder = packages_folder()
    if folder and is_current(folder):
        return ""
    from hipocampus.hooks.bootstrap import at_session_start
    from hipocampus.hooks.upkeep import fold_dead_and_compact

    said: list[str] = []
    afterwards = partial(fold_dead_and_compact, call, layout, also_this=True)
    call.attempt("packages", lambda: said.append(at_session_start(call.env, call.now, afterwards)))
    return "".join(said)
