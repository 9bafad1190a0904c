"""Commands that answer line by line: an object of JSON in, one out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from hipocampus.commands.output import complain, pass_on


class BadLineError(Exception):
    """A line that cannot be used. The message says why, and repeats nothing of it."""


def answer_lines(lines: Iterable[bytes], answer: Callable[[bytes], bytes]) -> int:
    """Answer each line as soon as it is there; one that cannot be used is named by its number and left out.

    1 if there was one. `answer` raises BadLineError for it.
    """
    bad = 0

    def answers() -> Iterator[bytes]:
        nonlocal bad
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield answer(line)
            except BadLineError as error:
                bad += 1
                complain(f"line {number}: {error}; left out")

    pass_on(answers())
    return 1 if bad else 0


def encoded(result: Mapping[str, object]) -> bytes:
    """An object as one line; half a character, which only an escape can hold, stays one.

    BadLineError where a number in it is none of JSON's (NaN, or one without end), which Python reads.
    """
    try:
        text = json.dumps(result, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise BadLineError("a number that JSON does not have") from None
    return text.encode("utf-8", "backslashreplace") + b"\n"
