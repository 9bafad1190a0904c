"""SQLite for a hook that reads: the compiled part of `sqlite3`, whose Python around it is for dates and other programs.

Connections and errors are those of `sqlite3`. To be imported where it is used: loading the library takes its time.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Error, connect
else:
    try:
        from _sqlite3 import Error, connect
    except ImportError:
        from sqlite3 import Error, connect

__all__ = ["Error", "connect"]
