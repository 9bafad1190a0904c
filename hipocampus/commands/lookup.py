"""The index as commands use it: brought up to date, opened, and in words where it cannot be."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from hipocampus.commands.caller import Caller
from hipocampus.commands.indexing import bring_index_up_to_date
from hipocampus.commands.output import complain
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.recall.encoder import patient
from hipocampus.recall.index import index_in_memory
from hipocampus.recall.index_file import UnusableError, open_to_read
from hipocampus.recall.index_pack import is_whole
from hipocampus.store.config import Config, load_lenient
from hipocampus.store.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.recall.nearness import Encode

# A command may wait for the encoder on a busy machine.
_WAIT = 20.0


def encoding() -> Encode:
    """What makes the vector of a question, and says in one line where it cannot."""
    return patient(_WAIT, lambda why: complain(f"note: the encoder was not used: {one_line(why)}"))


@contextmanager
def opened_index(caller: Caller, home: str) -> Iterator[tuple[Layout, sqlite3.Connection]]:
    """The home and its index, up to date. An index that came with a home from elsewhere is not opened."""
    found = open_home(caller, home)
    config = load_lenient(found.layout, caller.env)
    if not config.search_enabled:
        raise UserError("Search is off for this memory (search.enabled); `hipocampus list` and `show` still work.")
    base = _up_to_date(found.layout, config) if found.trusted else index_in_memory(found.layout, config)
    try:
        yield found.layout, base
    except sqlite3.DatabaseError as error:
        raise UserError(
            f"The index cannot be read ({error}); without memory/.index.sqlite it is built anew."
        ) from error
    finally:
        base.close()


def _up_to_date(layout: Layout, config: Config) -> sqlite3.Connection:
    """The index that is kept; where there is none that can be used one for this once, which was said why."""
    bring_index_up_to_date(layout, config)
    with suppress(UnusableError):
        base = open_to_read(layout)
        if is_whole(base):
            return base
        base.close()
    return index_in_memory(layout, config)
