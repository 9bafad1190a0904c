"""Which of the entries that a block may show another one of them takes back."""

from __future__ import annotations

from hipocampus.compaction.reversals import reversals, statements_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from hipocampus.recall.lines import Document

# Those that come first: a block has no room for more.
_LOOKED_AT = 16
# Longer entries are conversations, which touch on anything.
_LONGEST = 900


def overruled(base: sqlite3.Connection, named: Mapping[int, Document]) -> dict[int, int]:
    """By the number of a document, best first, that of a later one among them with a sentence that takes it back."""
    looked_at = list(named)[:_LOOKED_AT]
    marks = ",".join("?" * len(looked_at))
    rows = base.execute(
        f"SELECT rowid, topic || '\n' || body FROM doc_text WHERE rowid IN ({marks}) AND length(body) <= ?",  # noqa: S608
        [*looked_at, _LONGEST],
    )
    texts = dict(rows)
    over = [(number, one) for number, text in texts.items() for one in reversals(text)]
    if not over:
        return {}
    statements = {number: list(statements_of(text)) for number, text in texts.items()}
    return {
        older: newer
        for newer, one in over
        for older, said in statements.items()
        if named[older].place < named[newer].place and any(one.concerns(statement) for statement in said)
    }
