"""Which of the entries that a block may show another one of them takes back."""

from __future__ import annotations

from hipocampus.compaction.reversals import Reversal, reversals, takes_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from hipocampus.recall.lines import Document

# Those that come first: a block has no room for more.
_LOOKED_AT = 12
# Longer entries are conversations, which touch on anything.
_LONGEST = 900


def overruled(base: sqlite3.Connection, named: Mapping[int, Document]) -> dict[int, int]:
    """By the number of a document, best first, that of a later one among them with a sentence that takes it back."""
    looked_at = list(named)[:_LOOKED_AT]
    marks = ",".join("?" * len(looked_at))
    rows = base.execute(
        f"SELECT rowid, topic, body FROM doc_text WHERE rowid IN ({marks}) AND length(body) <= ?",  # noqa: S608
        [*looked_at, _LONGEST],
    ).fetchall()
    found = {}
    for newer, *said in rows:
        for one in reversals(*said):
            for older, *told in rows:
                if named[older].place < named[newer].place and _is_over(one, *told):
                    found[older] = newer
    return found


def _is_over(one: Reversal, topic: str, body: str) -> bool:
    """Whether a statement of a text is taken back. Most texts do not even have a word of it, which is cheap to see."""
    low = f"{topic} {body}".lower()
    return any(word in low for word in one.left) and takes_back([one], topic, body)
