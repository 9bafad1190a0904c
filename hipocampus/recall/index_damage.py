"""Whether an index still holds what was put into it, and what says that it does not.

A hook has no time to look into that, nor may it write: where it meets damage it leaves a mark beside the index, and
whoever brings the index up to date builds it anew.
"""

from __future__ import annotations

import os

from hipocampus.errors import UserError
from hipocampus.recall.index_file import STRIDE, UnusableError, doubted, has_all_tables
from hipocampus.recall.usual_prompts import ENGLISH
from hipocampus.recall.vectors import STATIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from hipocampus.store.layout import Layout

# What SQLite says of the moment (another process, the disk, the rights) and not of what is in the file.
_OF_THE_MOMENT = frozenset((3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 22, 23))


def is_damage(error: BaseException) -> bool:
    """Whether an error that came of reading an index says that it does not hold what was put into it."""
    if isinstance(error, UnusableError):
        return error.__cause__ is not None and is_damage(error.__cause__)
    if isinstance(error, (OSError, UserError, MemoryError)):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF not in _OF_THE_MOMENT


def doubt(layout: Layout) -> None:
    """Say that the index is damaged: from now on no hook uses it, and the next refresh builds it anew."""
    try:
        path = doubted(layout.index)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600))
    except OSError:
        return  # in a memory that cannot be written nobody can build it anew either


def is_doubted(layout: Layout) -> bool:
    """Whether somebody found the index damaged since it was built."""
    return os.path.lexists(doubted(layout.index))


def trust(layout: Layout) -> None:
    """Say that the index was built anew."""
    if is_doubted(layout):
        os.unlink(doubted(layout.index))


# Looking through more takes longer than a session should wait at its start.
_LOOKED_THROUGH = 64 * 1024 * 1024


def is_sound(base: sqlite3.Connection) -> bool:
    """Whether the database has all its tables, is in order, and has values in them of the kinds that belong there. A
    large one is not looked through: what is wrong with it shows when it is read.
    """
    try:
        if not has_all_tables(base):
            return False
        size = base.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[0]
        return int(size) > _LOOKED_THROUGH or base.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except UnicodeDecodeError:  # of a message that repeats a garbled name
        return False


def _has_the_documents(table: str) -> str:
    """That a table has a row for each document, and no others."""
    return (
        f"(SELECT count(*) FROM {table}) = (SELECT count(*) FROM doc)"  # noqa: S608 - names of ours
        f" AND NOT EXISTS (SELECT 1 FROM doc WHERE id NOT IN (SELECT id FROM {table}))"
    )


TEXTS = "texts"
"""Where an index that is up to date has noted how large what it keeps of words is."""
_BLOCKS = "(SELECT count(*) || ':' || total(length(block)) FROM {})"
_SIZE = " || ".join(map(_BLOCKS.format, ("doc_text_data", "doc_place_data")))


def size_of_texts(base: sqlite3.Connection) -> str:
    """How many blocks the words of documents and of their places take, and how large those are together."""
    return str(base.execute(f"SELECT {_SIZE}").fetchone()[0])


# What is true of an index at any moment, asked at once: others may write.
_TRUE = (
    "(SELECT total(documents) FROM source) = (SELECT count(*) FROM doc)",
    "(SELECT total(length(priors)) FROM doc) = (SELECT count(*) FROM sentence)",
    *map(_has_the_documents, ("doc_text_content", "doc_text_docsize", "doc_place_content", "doc_place_docsize")),
    "(SELECT count(*) FROM vector) = (SELECT total(length(priors)) FROM doc"  # noqa: S608 - a number of ours
    f" WHERE id * {STRIDE} IN (SELECT id FROM vector))",
    "(SELECT count(*) FROM token) = coalesce((SELECT value FROM meta WHERE name = 'tokens'), 0)",
    f"NOT EXISTS (SELECT 1 FROM meta WHERE name = '{TEXTS}' AND value != {_SIZE})",  # noqa: S608 - ours
)
# What a table of tokens has with it: the name, the type, and how many bytes of it.
_WITH_TOKENS = (
    ("mean", "blob", 4 * STATIC.dimensions),
    ("prompt mean", "blob", 4 * STATIC.dimensions),
    ("usual prompts", "blob", 4 * STATIC.dimensions * len(ENGLISH)),
)


def agrees(base: sqlite3.Connection) -> bool:
    """Whether the tables of a sound index fit together: no row of one was lost that another speaks of."""
    if not base.execute(f"SELECT {' AND '.join(_TRUE)}").fetchone()[0]:
        return False
    facts = {
        name: (kind, size)
        for name, kind, size in base.execute("SELECT name, typeof(value), length(value) FROM meta").fetchall()
    }
    if "tokens" not in facts:
        return True
    return facts.get("sentences", ("",))[0] == "integer" and all(
        facts.get(name) == (kind, size) for name, kind, size in _WITH_TOKENS
    )
