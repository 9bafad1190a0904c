"""Everything that the index says, as text: for looking it over, as any file of a home."""

from __future__ import annotations

import sqlite3

from hipocampus.recall.index_file import connected_to_read

_TEXTS = (
    "SELECT label || char(10) || said FROM doc",
    "SELECT said || char(10) || telling || char(10) || passage || char(10) || words FROM sentence",
    "SELECT topic || char(10) || body FROM doc_text",
    "SELECT place FROM doc_place",
)


def text_of_index(path: str) -> str | None:
    """The texts in an index; None where the file is no index that can be read."""
    try:
        base = connected_to_read(path, timeout=2.0)
        try:
            return "\n".join(text for query in _TEXTS for (text,) in base.execute(query))
        finally:
            base.close()
    except sqlite3.Error:
        return None
