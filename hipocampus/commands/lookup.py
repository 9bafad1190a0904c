"""The index as commands use it: brought up to date and opened, and where it cannot be one in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from hipocampus.commands.caller import Caller
from hipocampus.commands.indexing import bring_index_up_to_date
from hipocampus.commands.output import complain
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.recall.encoder import is_unchanged, patient
from hipocampus.recall.index import index_in_memory
from hipocampus.recall.index_damage import doubt, is_damage
from hipocampus.recall.index_file import UnusableError, open_to_read
from hipocampus.recall.index_pack import is_whole, said_lacking
from hipocampus.store.config import Config, load_lenient
from hipocampus.store.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.recall.nearness import Encode

T = TypeVar("T")
# A command may wait for the encoder on a busy machine, and for another process that writes.
_WAIT, _WAIT_FOR_WRITER = 20.0, 0.5


class Index:
    """The index of a home: the one that is kept, or from the first trouble with it on one in memory."""

    def __init__(self, layout: Layout, config: Config, kept: sqlite3.Connection | None) -> None:
        self.layout = layout
        self._config = config
        self._kept = kept
        self._made: sqlite3.Connection | None = None

    def ask(self, look: Callable[[sqlite3.Connection], T]) -> T:
        """What `look` finds in it. What is wrong with the index that is kept is one line, and no trouble of `look`."""
        if self._kept is None:
            return look(self._in_memory())
        try:
            return look(self._kept)
        except (UserError, OSError):
            raise
        except Exception as error:
            found = look(self._in_memory())
            self.close()
            self._give_up(error)
            return found

    def encoding(self) -> Encode:
        """What makes the vector of a question, and says in one line where it cannot."""
        if not self.ask(is_unchanged):
            complain("note: the encoder was not used: its files changed, and nobody looked whether they are whole")
            return lambda _prompt: ()
        return patient(_WAIT, lambda why: complain(f"note: the encoder was not used: {one_line(why)}"))

    def _in_memory(self) -> sqlite3.Connection:
        if self._made is None:
            self._made = index_in_memory(self.layout, self._config)
            if lacking := said_lacking(self._made):
                complain(f"note: {lacking}")
        return self._made

    def _give_up(self, error: Exception) -> None:
        why = one_line(str(error)) or type(error).__name__
        if is_damage(error):
            doubt(self.layout)
            complain(f"note: the index is damaged ({why}) and was not used; it is built anew the next time")
        else:
            complain(f"note: the index was not used: {why}")

    def close(self) -> None:
        """Close the index that is kept."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None


@contextmanager
def opened_index(caller: Caller, home: str) -> Iterator[Index]:
    """The home's index, up to date. One that came with a home from elsewhere is not opened."""
    found = open_home(caller, home)
    config = load_lenient(found.layout, caller.env)
    if not config.search_enabled:
        raise UserError("Search is off for this memory (search.enabled); `hipocampus list` and `show` still work.")
    index = Index(found.layout, config, _up_to_date(found.layout, config) if found.trusted else None)
    try:
        yield index
    finally:
        index.close()


def _up_to_date(layout: Layout, config: Config) -> sqlite3.Connection | None:
    """The index that is kept; None where none can be used, which was said why."""
    bring_index_up_to_date(layout, config)
    with suppress(UnusableError, sqlite3.Error):
        base = open_to_read(layout, _WAIT_FOR_WRITER)
        if is_whole(base):
            return base
        base.close()
    return None
