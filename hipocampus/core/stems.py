"""Single words: without their endings, and whether they are names from code."""

from __future__ import annotations

from hipocampus.core.native import lru_cache
from hipocampus.core.patterns import ASCII, pattern

_FORMS = ("'s", "’s", "ings", "ing", "ies", "ed", "es", "ly", "s", "e")
_IDENTIFIER = pattern(r"[\w~.-]*/[\w./~:#-]*|\w+_\w+|[a-z]+[A-Z]\w*|\w+\.[a-z]\w*|--?[a-z][\w-]+", ASCII)


def is_identifier(word: str) -> bool:
    """Whether `word` is a path, an option or a name from code: it is worth nothing unless it is whole."""
    return _IDENTIFIER.fullmatch(word) is not None


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A lower-case word without its ending: enough to see that two forms are one word."""
    for form in _FORMS:
        if word.endswith(form) and len(word) - len(form) >= 3:
            return word[: -len(form)]
    return word
