"""Snapshots: copies of files as they were before a rewrite, and the index that says which file each is of.

The index is the journal of everything that can be taken back, too: a record says why the file was about to change.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from hipocampus.budget.history import SNAPSHOT
from hipocampus.core.json_objects import json_object
from hipocampus.core.neutral import one_line
from hipocampus.core.zone import moment_of
from hipocampus.errors import UserError
from hipocampus.redaction import Redacted, redact, scrub_json
from hipocampus.store.disk import TEMPORARY_PREFIX
from hipocampus.store.files import append_text, locked, read_exact, read_text, write_exact, write_text
from hipocampus.store.layout import Layout

FOLDER = "compaction/snapshots"
INDEX = f"{FOLDER}/index.jsonl"

#: Why a file was about to change. Whoever replaces a file and wants that to be undoable takes a snapshot first, with a
#: reason of its own; what ``undo`` itself and ``restore`` did is taken back by restoring.
COMPACTION, NODE_PUT, RESTORE, UNDO = "compaction", "node put", "restore", "undo"
UNDOABLE = (COMPACTION, NODE_PUT)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy: its file name, the file it is of (named from the home), when (ISO) and why it was made.

    `undone` is when the step that it was made for was taken back ("" where it was not); `size` is in bytes.
    """

    name: str
    file: str
    at: str
    why: str
    undone: str = ""
    size: int = 0

    @property
    def called(self) -> str:
        """Its name as it is shown, and as a person says it."""
        return self.name.removesuffix(".md")


def snapshots(layout: Layout) -> list[Snapshot]:
    """Every snapshot that is there and in the index, oldest first."""
    found: dict[str, Snapshot] = {}
    for line in (read_text(_path(layout, "index.jsonl")) or "").split("\n"):
        record = _record(line)
        if record is None:
            continue
        name = record["name"]
        try:
            size = os.lstat(_path(layout, name)).st_size
        except OSError:
            continue
        if "undone" not in record:  # else it has its place already
            found.pop(name, None)
        found[name] = Snapshot(name, record["file"], record["at"], record["why"], record.get("undone", ""), size)
    return list(found.values())


def _record(line: str) -> dict[str, str] | None:
    record = json_object(line)  # perhaps half a line
    if record is None or not all(isinstance(record.get(key), str) for key in _NEEDED):
        return None
    values = {key: str(value) for key, value in record.items()}
    return values if _is_name(values["name"]) and _is_path(values["name"]) and _is_path(values["file"]) else None


_NEEDED = ("name", "file", "at", "why")


def _is_name(name: str) -> bool:
    return os.path.basename(name) == name and name not in ("", ".", "..") and not name.startswith(TEMPORARY_PREFIX)


def _is_path(text: str) -> bool:
    """Whether a file can be called that at all."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def find(layout: Layout, name: str) -> Snapshot:
    """The snapshot of that name, with or without its ending or its directory. UserError where there is none."""
    wanted = name.removeprefix(f"{FOLDER}/")
    for one in snapshots(layout):
        if wanted in (one.name, one.called):
            return one
    raise UserError(f"No snapshot {one_line(name)!r}; hipocampus budget snapshots lists them.")


def text_of(layout: Layout, snapshot: Snapshot) -> str:
    """What it holds, exactly. UserError where it cannot be read: a link out of the home, or gone."""
    text = read_exact(_path(layout, snapshot.name))
    if text is None:
        raise UserError(f"{FOLDER}/{one_line(snapshot.name)} is not a regular file; not read")
    return text


# In bytes: with a date, a time and a number behind it, a name has at most 255.
_STEM = 200


def free_name(layout: Layout, file: str, now: datetime) -> str:
    """A name for the next snapshot of a file: with its date, its time where that is taken, and then a number."""
    base = os.path.basename(file).removesuffix(".md")
    # The name goes into the file itself as one word.
    word = "".join(char if char.isalnum() or char in "._-" else "-" for char in base)[:80]
    stem = word.encode()[:_STEM].decode(errors="ignore").lstrip(".") or "file"
    name = f"{stem}-{now:%Y-%m-%d}"
    if os.path.lexists(_path(layout, f"{name}.md")):
        name += f"-{now:%H%M%S}"
    version, found = 2, f"{name}.md"
    while os.path.lexists(_path(layout, found)):
        found, version = f"{name}-v{version}.md", version + 1
    return found


def take(layout: Layout, file: str, text: str, now: datetime, why: str, *, name: str = "") -> str:
    """Keep `text`, which `file` holds, before it changes; the name of the copy. It is on the disk on return.

    `name` is one that was promised by ``free_name``; UserError where somebody else has taken it since.
    """
    with locked(layout):
        free = free_name(layout, file, now)
        name = name or free
        if name != free and os.path.lexists(_path(layout, name)):
            raise UserError("another compaction ran meanwhile; nothing was changed, run it again")
        # The index first: a record without its copy says nothing, a copy without its record belongs to no file.
        _note(layout, Snapshot(name, file, now.isoformat(timespec="seconds"), why))
        write_exact(_path(layout, name), redact(text).text, 0o600)
        return name


def drop(layout: Layout, name: str) -> None:
    """Take a copy away of which nothing is to be kept; its record says nothing then."""
    os.unlink(_path(layout, name))


def mark_undone(layout: Layout, snapshot: Snapshot, now: datetime) -> None:
    """Note that the step before which a snapshot was taken is taken back."""
    _note(layout, replace(snapshot, undone=now.isoformat(timespec="seconds")))


def _note(layout: Layout, one: Snapshot) -> None:
    append_text(_path(layout, "index.jsonl"), _line(one))


def prune(layout: Layout, file: str, keep: int, days: int, now: datetime, holders: Iterable[str]) -> list[str]:
    """Delete the snapshots of a file that are ``needless``; their names."""
    with locked(layout):
        gone = needless(layout, file, keep, days, now, holders)
        for name in gone:
            os.unlink(_path(layout, name))
        if gone:
            _rewrite_index(layout)
        return gone


def needless(layout: Layout, file: str, keep: int, days: int, now: datetime, holders: Iterable[str]) -> list[str]:
    """The snapshots of a file beyond the newest `keep` that are over `days` days old, by their names.

    One that a history block names stays: in the texts `holders`, and in every snapshot that is there.
    """
    found = snapshots(layout)
    of_file = [one for one in found if one.file == file]
    aged = [one for one in of_file[: max(len(of_file) - keep, 0)] if _age(one, now) > timedelta(days=days)]
    if not aged:
        return []
    kept = {one.name for one in found} - {one.name for one in aged}
    waiting = [*holders, *(read_exact(_path(layout, name)) or "" for name in sorted(kept))]
    while waiting:
        for name in {match[1].rstrip(_PUNCTUATION) for match in SNAPSHOT.finditer(waiting.pop())} - kept:
            kept.add(name)
            waiting.append(read_exact(_path(layout, name)) or "")
    return [one.name for one in aged if one.name not in kept]


# What may stand behind a name in a sentence.
_PUNCTUATION = ".,;:!?`'\"*_]>"


def _rewrite_index(layout: Layout) -> None:
    write_text(_path(layout, "index.jsonl"), Redacted("".join(map(_line, snapshots(layout)))))


def _line(one: Snapshot) -> Redacted:
    record = {"name": one.name, "file": one.file, "at": one.at, "why": one.why}
    return Redacted(scrub_json(record | ({"undone": one.undone} if one.undone else {})) + "\n")


def _age(one: Snapshot, now: datetime) -> timedelta:
    return now - (moment_of(one.at) or now)


def _path(layout: Layout, name: str) -> str:
    return os.path.join(layout.snapshots, name)
