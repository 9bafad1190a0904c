"""Regular expressions that are compiled at their first use.

A hook pays for what its text needs, not for all: compiling every expression takes longer than Python's own start.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:

    def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
        """The regular expression of `source`."""
        raise NotImplementedError
else:

    class pattern:  # noqa: N801 - used like a function
        """Stands for the regular expression of `source`; the first use compiles it and puts its methods here."""

        __slots__ = (
            "_flags",
            "_source",
            "findall",
            "finditer",
            "fullmatch",
            "groups",
            "match",
            "search",
            "split",
            "sub",
        )

        def __init__(self, source, flags=0):
            self._source, self._flags = source, flags

        def __getattr__(self, name):
            compiled = re.compile(self._source, self._flags)
            for method in ("finditer", "findall", "fullmatch", "groups", "match", "search", "split", "sub"):
                setattr(self, method, getattr(compiled, method))
            return getattr(compiled, name)
