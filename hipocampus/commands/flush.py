"""``hipocampus flush``: fold turns into the log now."""

from __future__ import annotations

from hipocampus.capture.folding import FoldReport, fold_dead, fold_session
from hipocampus.commands.caller import Caller
from hipocampus.commands.checkpoint import sentence
from hipocampus.commands.output import complain, say
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import one_line


def flush(caller: Caller, *, home: str = "") -> int:
    """Fold this session, or outside one every session that has ended; 1 if something could not be folded."""
    layout = open_home(caller, home, writing=True).layout
    if caller.session:
        report = fold_session(layout, caller.session, caller.now)
    else:
        report = fold_dead(layout, caller.now, live="")
    for stored in report.stored:
        if not stored.duplicate:
            say(sentence(layout, stored))
    say(_total(report, caller.session))
    for problem in report.problems:
        complain(f"not folded: {one_line(problem)}")
    return 1 if report.problems else 0


def _total(report: FoldReport, session: str) -> str:
    new = sum(not stored.duplicate for stored in report.stored)
    if not new:
        return f"Nothing to fold{': every turn is covered' if session else ' from sessions that have ended'}."
    return f"{new} {'entry' if new == 1 else 'entries'} from {len(report.sessions)} session(s)."
