"""The block of recalled entries for one prompt of one session, and what the session has been shown already."""

from __future__ import annotations

from hipocampus.capture.journal import mark, shown_keys
from hipocampus.recall.asking import is_answered_alone
from hipocampus.recall.index_file import looks_usable
from hipocampus.store.files import read_text
from hipocampus.store.prompt_budget import prompt_budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hipocampus.hooks.call import Call
    from hipocampus.recall.surface import Block
    from hipocampus.store.layout import Layout

_ROOT_LIMIT = 256 * 1024
# So long an encoder is waited for, of the 2.5 s of a prompt's hook.
_ENCODER_WAIT = 1.2


def recall_block(call: Call, layout: Layout) -> str:
    """What the memory has to say to the prompt; empty where that is nothing, or there is no index that can be used.

    An index that is missing, damaged or of another version is not waited for: the next compaction builds it.
    """
    if is_answered_alone(call.event.prompt) or not looks_usable(layout.index):
        return ""
    tokens = prompt_budget(layout)
    if not tokens:
        return ""
    try:
        found = _found(call, layout, tokens)
    except Exception as error:  # there is nothing that reading of garbled values does not raise
        _note(call, layout, error)
        return ""
    if found.keys:
        mark(layout, call.event.session, "shown", call.now, sentences=" ".join(found.keys))
    return found.text


def _note(call: Call, layout: Layout, error: Exception) -> None:
    """Log why the index was not used; one that is damaged is built anew at the next session start."""
    from hipocampus.core.byte_code import drop_if_damaged
    from hipocampus.recall.index_damage import doubt, is_damage

    drop_if_damaged(error)
    call.problem("recall", f"the index was not used: {str(error) or type(error).__name__}")
    if is_damage(error):
        doubt(layout)


def _found(call: Call, layout: Layout, tokens: int) -> Block:
    from hipocampus.recall.index_file import open_to_read
    from hipocampus.recall.surface import block

    def encode(prompt: str) -> Sequence[float]:
        from hipocampus.recall.encoder import is_unchanged, patient

        without = "went by words and static vectors"
        if not is_unchanged(base):
            call.problem("recall", f"{without}: files of the encoder changed, and nobody looked whether they are whole")
            return ()
        base.execute("COMMIT")  # a writer would have to wait as long, and other prompts would not be let in before it
        found = patient(_ENCODER_WAIT, lambda why: call.problem("recall", f"{without}: {why}"))(prompt)
        base.execute("BEGIN")
        return found

    base = open_to_read(layout)
    try:
        base.execute("BEGIN")  # else every statement looks anew whether the file has changed
        root = read_text(layout.root_md, _ROOT_LIMIT) or ""
        seen = shown_keys(layout, call.event.session)
        return block(base, call.event.prompt, tokens, root, seen, encode)
    finally:
        base.close()
