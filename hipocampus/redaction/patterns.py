"""What rules are written with: regular expressions that are compiled at their first use, and sets of words.

A hook pays for the rules that its text needs, not for all: compiling them takes longer than Python's own start.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:

    def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
        """The regular expression of `source`."""
        raise NotImplementedError

    def Later(name: str) -> object:  # noqa: N802
        """The module of this package with that name."""
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

    class Later:
        """Stands for a module of this package that few texts need; the first use of it imports it."""

        def __init__(self, name):
            self._name = name

        def __getattr__(self, name):
            value = getattr(__import__(f"hipocampus.redaction.{self._name}", fromlist=[name]), name)
            setattr(self, name, value)
            return value


def digits_in(value: str) -> int:
    """How many digits the value has."""
    encoded = value.encode(errors="replace")
    return len(encoded) - len(encoded.translate(None, b"0123456789"))


def vocabulary(*lines: str) -> frozenset[str]:
    """The words of the lines."""
    return frozenset(" ".join(lines).split())
