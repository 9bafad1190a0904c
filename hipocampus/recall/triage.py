"""What ROOT itself says to a question: its lines that share the words of it."""

from __future__ import annotations

from hipocampus.compaction.words import stem, worth
from hipocampus.core.nodes import body_of
from hipocampus.errors import UserError
from hipocampus.recall.surface import root_items
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout

MOST = 5
# What the shared words must tell, next to the most telling one word.
_ENOUGH = 7.0


def root_lines(layout: Layout, query: str) -> list[str]:
    """The lines of ROOT that bear on `query` by their words, those that share most first."""
    try:
        body = body_of(read_text(layout.root_md) or "")
    except (OSError, UserError):
        return []
    wanted = _words(query)
    weighed = [(sum(wanted[word] for word in wanted.keys() & _words(item).keys()), item) for item in root_items(body)]
    best = sorted((one for one in weighed if one[0] >= _ENOUGH), key=lambda one: -one[0])
    return [item for _, item in best[:MOST]]


def _words(text: str) -> dict[str, float]:
    plain = [word.strip(".,;:!?()[]`\"'→") for word in text.split()]
    return {stem(word.lower()): worth(word.lower()) for word in plain if worth(word.lower()) > 2}
