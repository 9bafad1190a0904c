"""What detect-secrets finds in lines of text.

It cannot be the engine: of a GitHub token it yields ``ghp``, of a key block the first line, and asked about a line it
takes every word for a secret. As a second opinion it is of use with three choices. Its rules for providers and quoted
keywords are asked, not its entropy rules (they report hashes and lockfiles) nor its list of addresses. Spans are those
of the whole token. Placeholders, key blocks without a key, and what our marker has replaced already do not count. Its
comment ``pragma: allowlist secret`` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

MARKER = "[REDACTED:"
# Of these the pattern's group is a prefix, and the match is the token.
_WHOLE = ("GitHub Token", "GitLab Token")
_KEY_BLOCK = "Private Key"
_KEYWORD = "Secret Keyword"
_LEFT_OUT = ("Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector")

_PIECE, _OVERLAP = 2_000, 1_000
_BATCH = 200

Hit = tuple[int, str, str]
"""Index of the line, what detect-secrets calls it, and the value, which must not leave this room."""
Opinion = Callable[[list[str]], Iterator[Hit]]


@contextmanager
def second_opinion() -> Iterator[Opinion]:
    """A function that says what it finds in the lines of a text, in order.

    The settings of detect-secrets are global to the process; while this lasts they are ours.
    """
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
    from detect_secrets.settings import get_plugins, transient_settings

    classes: dict[str, type] = get_mapping_from_secret_type_to_class()
    names = [plugin.__name__ for plugin in classes.values()]
    with transient_settings({"plugins_used": [{"name": name} for name in names if name not in _LEFT_OUT]}):
        plugins: list[Any] = list(get_plugins())

        def opinion(lines: list[str]) -> Iterator[Hit]:
            pieces = [(index, piece) for index, line in enumerate(lines) for piece in _pieces(line)]
            batches = (pieces[start : start + _BATCH] for start in range(0, len(pieces), _BATCH))
            found = (hit for batch in batches for hit in _hits(plugins, batch))
            yield from (hit for hit in dict.fromkeys(found) if _counts(lines, *hit))

        yield opinion


def _pieces(line: str) -> Iterator[str]:
    """The line, or windows of a long one: some patterns take the square of the length."""
    yield line[:_PIECE]
    for start in range(_OVERLAP, len(line) - _OVERLAP, _PIECE - _OVERLAP):
        yield line[start : start + _PIECE]


def _hits(plugins: Iterable[Any], batch: list[tuple[int, str]]) -> Iterator[Hit]:
    """What the plugins find, by line. Most find nothing in a whole batch, which one search tells."""
    text = "\n".join(piece for _, piece in batch)
    asked = [plugin for plugin in plugins if _may_find(plugin, text)]
    for index, piece in batch if asked else ():
        for plugin in asked:
            yield from ((index, plugin.secret_type, value) for value in _values(plugin, piece))


_KEYWORDS = re.compile("pass|pwd|secret|key|contrase")


def _may_find(plugin: Any, text: str) -> bool:
    if plugin.secret_type == _KEYWORD:
        return _KEYWORDS.search(text.lower()) is not None
    return any(pattern.search(text) for pattern in plugin.denylist)


def _values(plugin: Any, piece: str) -> Iterator[str]:
    if plugin.secret_type in _WHOLE:
        yield from (match[0] for pattern in plugin.denylist for match in pattern.finditer(piece))
    elif plugin.secret_type != _KEYWORD or _KEYWORDS.search(piece.lower()):
        yield from plugin.analyze_string(piece)


def _counts(lines: list[str], index: int, kind: str, value: str) -> bool:
    """Whether a hit is worth a look: it is no placeholder, has not been cut out, and no pragma speaks for it."""
    is_secret = _has_body(lines, index, value) if kind == _KEY_BLOCK else _may_be_secret(kind, value)
    return is_secret and not _is_allowed(lines, index)


_KEY_BODY = re.compile(r"[A-Za-z0-9+/=]{40}")


def _has_body(lines: list[str], index: int, value: str) -> bool:
    """Whether the first line of a key block is followed by something that may be a key: prose about keys has none."""
    below = [lines[index].partition(value)[2][:_PIECE], *(line[:_PIECE] for line in lines[index + 1 : index + 4])]
    return MARKER not in "".join(below[:2]) and any(_KEY_BODY.search(line) for line in below)


def _is_allowed(lines: list[str], index: int) -> bool:
    from detect_secrets.filters.allowlist import is_line_allowlisted
    from detect_secrets.util.code_snippet import get_code_snippet

    return bool(is_line_allowlisted("memory.md", lines[index], get_code_snippet(lines, index + 1)))


_PLACEHOLDER = re.compile(r"example|your[_-]|change_?me|dummy|placeholder|xxxx|\*\*\*|\.\.\.|redacted", re.IGNORECASE)


def _may_be_secret(kind: str, value: str) -> bool:
    from detect_secrets.filters import heuristic

    filters = (
        heuristic.is_sequential_string,
        heuristic.is_templated_secret,
        heuristic.is_prefixed_with_dollar_sign,
        heuristic.is_not_alphanumeric_string,
    )
    has_shape = re.search(r"\d", value) and re.search(r"[^\W\d]", value) and len(set(value)) >= min(8, len(value) // 2)
    is_word = kind == _KEYWORD and (len(value) < 6 or " " in value)
    return bool(has_shape) and not is_word and not _PLACEHOLDER.search(value) and not any(no(value) for no in filters)
