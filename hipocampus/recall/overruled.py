"""How the entries that a block may show stand to one another: which is newer, and which takes another back."""

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


class Standing:
    """What was written later than each of some documents, best first, among them: `over` has, by number, the one that
    takes another back.
    """

    def __init__(self, base: sqlite3.Connection, named: Mapping[int, Document]) -> None:
        self._named = named
        self._newest: dict[str, Document] = {}
        for one in sorted(named.values(), key=lambda one: one.place):
            self._newest[one.label] = one
        self.over = _overruled(base, named)

    def mark(self, doc: int) -> str:
        """What is said behind the text of a document: that a later one takes it back, or is on its topic."""
        if doc in self.over:
            return f" (contradicted {self._named[self.over[doc]].day})"
        own, newest = self._named[doc], self._newest[self._named[doc].label]
        return f" (newer {newest.day})" if newest.place > own.place else ""


def _overruled(base: sqlite3.Connection, named: Mapping[int, Document]) -> dict[int, int]:
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
