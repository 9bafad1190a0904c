"""A prompt: journal it, recall what bears on it, and now and then say that a checkpoint is due."""

from __future__ import annotations

from hipocampus.capture.journal import counts, mark, record_prompt
from hipocampus.hooks.call import NOTHING, Answer
from hipocampus.hooks.recalled import recall_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.hooks.call import Call
    from hipocampus.store.layout import Layout

REMIND_AFTER = 20
REMINDER = (
    "hipocampus: twenty messages since the last checkpoint. Record what is decided or done so far "
    '(`hipocampus checkpoint --topic "…" --type project --field outcome="…"`), or run `hipocampus flush`, '
    "when the work at hand allows it."
)


def handle(call: Call) -> Answer:
    """The prompt's context: entries that bear on it, and a reminder once every twenty messages without a checkpoint."""
    layout = call.layout
    if layout is None or not record_prompt(layout, call.event, call.now):
        return NOTHING
    recalled: list[str] = []
    call.attempt("recall", lambda: recalled.append(recall_block(call, layout)))
    blocks = [*recalled, _reminder(call, layout)]
    return Answer(context="\n\n".join(block for block in blocks if block))


def _reminder(call: Call, layout: Layout) -> str:
    found = counts(layout, call.event.session)
    if min(found.uncovered, found.since_reminder) < REMIND_AFTER:
        return ""
    mark(layout, call.event.session, "reminded", call.now)
    return REMINDER
