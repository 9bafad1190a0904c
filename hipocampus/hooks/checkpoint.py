"""The end of a turn, or of one item of the host's to-do list: journal it, and add nothing to the conversation."""

from __future__ import annotations

from hipocampus.capture.journal import counts, mark, record_turn
from hipocampus.hooks.call import NOTHING, Answer
from hipocampus.hooks.upkeep import UNCOVERED_LIMIT, fold_later
from hipocampus.hosts.events import TASK_COMPLETED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.hooks.call import Call


def handle(call: Call) -> Answer:
    """Journal; at twenty prompts that no checkpoint covers, fold in a detached child."""
    layout, event = call.layout, call.event
    if layout is None:
        return NOTHING
    if event.kind == TASK_COMPLETED:
        mark(layout, event.session, "task", call.now, text=event.task)
        return NOTHING
    call.attempt("sign", lambda: call.leave_sign(layout))
    if problem := record_turn(layout, event, call.now):
        call.problem(f"transcript of {event.host}", problem)
    if counts(layout, event.session).uncovered >= UNCOVERED_LIMIT:
        fold_later(call, layout)
    return NOTHING
