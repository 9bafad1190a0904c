"""Members and items of ours in a JSON file of the user: put in and taken out, every other byte kept.

What was put in is taken out such that the file is as it was: ours goes directly behind a token or a comment, and all
white space between that and ours is ours. A container that we made begins with white space, one of the user's that was
empty does not, so that the one goes with its last member and the other stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from hipocampus.core.json_reader import SPACE, JsonTextError, Key, Part, Reader, Value, at, parse


def with_member(text: str, path: Sequence[str], key: str, plain: object) -> str:
    """`text` with ``key: plain`` in the object at `path`: in its old place, else as the last. Missing objects are made.

    JsonTextError where something on the way is no object.
    """
    root = parse(text)
    container, depth = root, 0
    while depth < len(path) and (part := _object(container, path[:depth]).part(path[depth])):
        container, depth = part.value, depth + 1
    for name in reversed(path[depth:]):
        key, plain = name, {key: plain}
    found = _object(container, path[:depth]).part(key)
    if found is None:
        return _added(text, container, json.dumps(key, ensure_ascii=False) + ": ", plain, depth)
    return with_value(text, [*path[:depth], key], plain)


def with_item(text: str, path: Sequence[str], plain: object) -> str:
    """`text` with `plain` as the last item of the array at `path`, which is made where it is missing."""
    array = at(parse(text), path)
    if array is None:
        return with_member(text, path[:-1], path[-1], [plain])
    if not isinstance(array.plain, list):
        raise JsonTextError(f"has no array {_named(path)}")
    return _added(text, array, "", plain, len(path))


def with_value(text: str, path: Sequence[Key], plain: object) -> str:
    """`text` with another value at the end of `path`, where there is one."""
    found = at(parse(text), path)
    if found is None:
        raise JsonTextError(f"has no {_named(path)}")
    if found.plain == plain:
        return text
    indent = None
    if "\n" in text[found.start : found.end]:
        line = text[text.rfind("\n", 0, found.start) + 1 : found.start]
        indent = _line_break(text) + line[: len(line) - len(line.lstrip(" \t"))]
    return text[: found.start] + _rendered(plain, indent, _unit(indent, len(path) - 1)) + text[found.end :]


def without(text: str, path: Sequence[Key]) -> str:
    """`text` without the member or item at the end of `path`, and without containers of ours that it leaves empty.

    Where several go, the last goes first.
    """
    container = at(parse(text), path[:-1])
    part = container.part(path[-1]) if container else None
    if container is None or part is None:
        return text
    if len(container.parts) == 1 and len(path) > 1 and text[container.start + 1 : part.start].isspace():
        return without(text, path[:-1])
    return _cut(text, container, part)


def _added(text: str, container: Value, key: str, plain: object, depth: int) -> str:
    """The new part goes behind the last token or comment of the container; its comma, behind the part before it."""
    last = container.parts[-1] if container.parts else None
    reader = Reader(text, last.value.end if last else container.start + 1)
    comment = reader.skip_comments()
    trailing = last is not None and text.startswith(",", after := _after_trivia(text, reader.at))
    if trailing:
        reader.at = after + 1
        comment = reader.skip_comments()
    gap = _gap(text, last, comment)
    body = gap + key + _rendered(plain, gap if "\n" in gap else None, _unit(gap, depth))
    if trailing or last is None:
        return text[: reader.at] + body + ("," if trailing else "") + text[reader.at :]
    return text[: last.value.end] + "," + text[last.value.end : reader.at] + body + text[reader.at :]


def _gap(text: str, last: Part | None, comment: str) -> str:
    """The white space before a new part: that of the part before it, and a new line behind a ``//`` comment."""
    needed = _line_break(text) if comment.startswith("//") else ""
    if last is None:
        return needed
    space = text[len(text[: last.start].rstrip(SPACE)) : last.start]
    broken = re.search(r"\r?\n[^\n]*\Z", space)
    return broken[0] if broken else needed or space or " "


def _line_break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(gap: str | None, depth: int) -> str:
    """One step of indentation, from the white space before a part that lies `depth` objects deep."""
    inner = (gap or "").rpartition("\n")[2]
    return inner[: len(inner) // (depth + 1)] or "  "


def _rendered(plain: object, indent: str | None, unit: str) -> str:
    """JSON of a value behind the line break `indent`, a part a line, or (None) all on one line.

    A container with parts begins with white space in either form.
    """
    if not isinstance(plain, dict | list) or not plain:
        return json.dumps(plain, ensure_ascii=False)
    inner = None if indent is None else indent + unit
    opening, closing = "{}" if isinstance(plain, dict) else "[]"
    if isinstance(plain, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {_rendered(part, inner, unit)}" for key, part in plain.items()
        ]
    else:
        parts = [_rendered(part, inner, unit) for part in plain]
    before, after = inner or " ", indent if inner else " "
    return f"{opening}{before}{f',{before}'.join(parts)}{after}{closing}"


def _cut(text: str, container: Value, part: Part) -> str:
    """The part goes with the white space before it and one comma: its own, else the one before."""
    index = container.parts.index(part)
    end, after = part.value.end, _after_trivia(text, part.value.end)
    own = text.startswith(",", after)
    if index == 0:
        if own:
            return text[: part.start] + (text[end:after] + text[after + 1 :]).lstrip(SPACE)
        return text[: _behind_token(text, container.start + 1)] + text[end:]
    before = container.parts[index - 1].value.end
    comma = _after_trivia(text, before)
    start = _behind_token(text, comma + 1)
    if own:
        return text[:start] + text[end:after] + text[after + 1 :]
    return text[:comma] + text[comma + 1 : start] + text[end:]


def _behind_token(text: str, place: int) -> int:
    """Where the last comment behind `place` ends, else `place` itself."""
    reader = Reader(text, place)
    reader.skip_comments()
    return reader.at


def _after_trivia(text: str, place: int) -> int:
    reader = Reader(text, place)
    reader.skip()
    return reader.at


def _object(value: Value, path: Sequence[Key]) -> Value:
    if not isinstance(value.plain, dict):
        raise JsonTextError(f"has no object {_named(path)}")
    return value


def _named(path: Sequence[Key]) -> str:
    return ".".join(map(str, path)) or "at the top"
