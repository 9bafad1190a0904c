"""Regular expressions that are compiled at their first use.

A hook pays for what its text needs, not for all: compiling every expression takes longer than Python's own start. And
what was compiled once is kept for later processes (see ``hooks/kept_code.py``): those hand it to Python's engine
without ``re``, whose import alone takes as long as a hook's own modules.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

# The flags as `re` has them, which need not be loaded for that.
IGNORECASE, MULTILINE, DOTALL, ASCII = 2, 8, 16, 256

compiled: list[tuple[str, int]] = []
"""The expressions, with their flags, that this process had to compile."""

kept: Callable[[str, int], tuple[Any, ...] | None] | None = None
"""Gives what an earlier process took apart of an expression, as far as that was kept."""

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
            expression = _put_together(self._source, self._flags) or _compiled(self._source, self._flags)
            for method in ("finditer", "findall", "fullmatch", "groups", "match", "search", "split", "sub"):
                setattr(self, method, getattr(expression, method))
            return getattr(expression, name)


def _compiled(source: str, flags: int) -> re.Pattern[str]:
    import re

    compiled.append((source, int(flags)))
    return re.compile(source, flags)


def _put_together(source: str, flags: int) -> re.Pattern[str] | None:
    """The expression from its parts, which the engine checks; None where they were not kept or are no good."""
    parts = kept(source, flags) if kept else None
    if not parts or parts[0] != source:
        return None
    try:
        import _sre  # type: ignore[import-not-found]

        return _sre.compile(*parts)  # type: ignore[no-any-return]
    except (ImportError, RuntimeError, TypeError, ValueError, OverflowError):
        return None


def taken_apart(source: str, flags: int) -> tuple[Any, ...] | None:
    """What `re` of this Python gives its engine for an expression; None where it does so in another way."""
    import re

    try:
        import _sre
        from re import _compiler, _parser  # type: ignore[attr-defined]

        parsed = _parser.parse(source, flags)
        names = dict(parsed.state.groupdict)
        groups: list[str | None] = [None] * parsed.state.groups
        for name, number in names.items():
            groups[number] = name
        code = [int(step) for step in _compiler._code(parsed, flags)]
        parts = (source, int(flags | parsed.state.flags), code, len(groups) - 1, names, tuple(groups))
        return parts if _sre.compile(*parts) == re.compile(source, flags) else None
    except (ImportError, AttributeError, TypeError):
        return None
