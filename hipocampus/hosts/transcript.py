"""What a host's transcript tells, in one shape for every host, and a bounded reader of its lines.

A transcript is another program's file: it may be missing, half-written, cut off, rewritten, huge, or not a file at all.
"""

from __future__ import annotations

import os
import stat

from hipocampus.core.record import record
from hipocampus.store.disk import read_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@record
class Prompt:
    """Words of the user; empty for a command without arguments.

    `at` is the line's own time (ISO, may be empty), `start` the byte at which its line begins.

    `via` says how they came: ``file`` (an ordinary prompt), or while the assistant worked: ``queue`` (the note that
    something was queued, without an id) and ``attached`` (handed to the running turn).
    """

    text: str
    uuid: str = ""
    prompt_id: str = ""
    at: str = ""
    via: str = "file"
    start: int = 0


@record
class Reply:
    """The text of one message of the assistant."""

    text: str
    message_id: str = ""
    at: str = ""


@record
class Tool:
    """A tool call by name; `file` is the file it changes, if it changes one."""

    name: str
    file: str = ""


Item = Prompt | Reply | Tool


# No turn has fewer lines: a few of unknown kinds may stand alone.
_FEWEST = 3

UNREADABLE = "what the host wrote could not be read"


@record
class Part:
    """What was read: `offset` is where to read on, `complete` says that the end of the file was reached.

    `restarted`: the file was not the one that `offset` was taken from, so this is read from its beginning. `lines`
    counts whole lines, `understood` those of a known kind. `unread`: nothing could be read, and `offset` stayed.
    """

    items: tuple[Item, ...] = ()
    offset: int = 0
    understood: int = 0
    lines: int = 0
    complete: bool = True
    restarted: bool = False
    unread: bool = False

    @property
    def problem(self) -> str:
        """That the host writes something else now than this version can read; empty where it can be read."""
        return not_understood(self.lines) if not self.understood and self.lines >= _FEWEST else ""


def not_understood(lines: int) -> str:
    """What is wrong where none of so many lines was understood."""
    return f"0 of {lines} lines understood in what the host wrote; a newer hipocampus may know its form"


_OPEN = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
_PIECE = 1024 * 1024
_FINGERPRINTED = 512
_PRIME = 2**61 - 1
_LONGEST_LINE = 32 * 1024 * 1024


def read_part(
    path: str, offset: int, limit: int, mark: int, understand: Callable[[bytes, int], list[Item] | None]
) -> Part:
    """The items of the whole lines from `offset`, about `limit` bytes at most.

    `mark` is the fingerprint of the file at `offset` when it was read to there (0: unknown). `understand` gives the
    items of one line, None for a line of unknown kind. A last line without its newline waits for the next time. Where
    there is no regular file (a link, a pipe, nothing) it is `unread`.
    """
    descriptor = open_transcript(path)
    if descriptor is None:
        return Part(offset=offset, unread=True)
    try:
        found = os.fstat(descriptor)
        start = offset if _is_continued(descriptor, offset, mark) else 0
        return _read(descriptor, found, start, limit, start != offset, understand)
    except OSError:
        # A disk that fails to give it; what the journal has must fold all the same.
        return Part(offset=offset, unread=True)
    finally:
        os.close(descriptor)


def open_transcript(path: str) -> int | None:
    """A descriptor for reading; None where there is no regular file, or a link in its place. Never blocks on a pipe."""
    try:
        descriptor = os.open(path, _OPEN)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None


def read_head(path: str, size: int) -> bytes:
    """The first `size` bytes of a transcript, fewer where it is shorter; nothing where there is no regular file."""
    descriptor = open_transcript(path)
    if descriptor is None:
        return b""
    try:
        return read_range(descriptor, 0, size)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def fingerprint(path: str, offset: int) -> int:
    """What tells whether a file still is the one that was read up to `offset`; 0 where there is no regular file."""
    descriptor = open_transcript(path)
    if descriptor is None:
        return 0
    try:
        return _fingerprint(_before(descriptor, offset))
    finally:
        os.close(descriptor)


def _is_continued(descriptor: int, offset: int, mark: int) -> bool:
    """Whether `offset` is the beginning of a line in the file it was taken from."""
    before = _before(descriptor, offset)
    return not offset or (before.endswith(b"\n") and mark in (0, _fingerprint(before)))


def _before(descriptor: int, offset: int) -> bytes:
    """The end of what was read: the last line or so, with its ids and its moment."""
    start = max(offset - _FINGERPRINTED, 0)
    found = os.pread(descriptor, offset - start, start)
    return found if len(found) == offset - start else b""


def _fingerprint(content: bytes) -> int:
    # A remainder by a large prime tells texts apart as well as a hash, and needs no import.
    return int.from_bytes(content, "big") % _PRIME


def _read(
    descriptor: int,
    found: os.stat_result,
    start: int,
    limit: int,
    restarted: bool,
    understand: Callable[[bytes, int], list[Item] | None],
) -> Part:
    items: list[Item] = []
    lines = known = 0
    position = start
    for line, after in whole_lines(descriptor, start, limit):
        said = understand(line, position)
        lines += 1
        known += said is not None
        items += said or ()
        position = after
    complete = position - start < limit or position >= found.st_size
    return Part(_joined(items), position, known, lines, complete, restarted)


def whole_lines(descriptor: int, start: int, limit: int, piece_size: int = _PIECE) -> Iterator[tuple[bytes, int]]:
    """Each line without its ending, and the offset behind it, until `limit` bytes were given out.

    A line too long to be conversation is given out empty. The file is read in pieces of `piece_size`.
    """
    position = reached = start
    parts: list[bytes] = []
    size = 0
    while piece := read_range(descriptor, reached, piece_size):
        reached += len(piece)
        *ends, rest = piece.split(b"\n")
        for end in ends:
            size += len(end)
            position += size + 1
            line = b"".join([*parts, end]) if size <= _LONGEST_LINE else b""
            yield line.removesuffix(b"\r"), position
            parts, size = [], 0
            if position - start >= limit:
                return
        size += len(rest)
        parts = [*parts, rest] if size <= _LONGEST_LINE else []


def _joined(items: list[Item]) -> tuple[Item, ...]:
    """The text blocks of one message stand on lines of their own; make each message one reply again."""
    joined: list[Item] = []
    places: dict[str, int] = {}
    for item in items:
        if isinstance(item, Reply) and item.message_id:
            place = places.setdefault(item.message_id, len(joined))
            before = joined[place] if place < len(joined) else None
            if isinstance(before, Reply):
                joined[place] = _with(before, item)
                continue
        joined.append(item)
    return tuple(joined)


def _with(before: Reply, more: Reply) -> Reply:
    text = before.text if more.text in before.text else f"{before.text}\n\n{more.text}"
    return Reply(text, before.message_id, more.at or before.at)
