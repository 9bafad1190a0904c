"""The files of a memory: who may read them, what came between them, what lies there and is not the memory's."""

from __future__ import annotations

import os
import re
import shlex
import stat
from collections.abc import Iterable, Iterator

from hipocampus.core.neutral import one_line
from hipocampus.core.wording import listed
from hipocampus.diagnosis.patient import Patient
from hipocampus.install.checks import Check, Verdict
from hipocampus.store.disk import TEMPORARY_PREFIX, names_in
from hipocampus.store.holdings import Kind, holdings
from hipocampus.store.layout import Layout
from hipocampus.store.purging import is_own

_MEGABYTE = 1024 * 1024
_LARGEST = 16 * _MEGABYTE

# What programs that copy files between machines, or merge them, leave beside a file they could not decide about.
CONFLICTS = (
    ("Dropbox or Nextcloud", re.compile(r"\((?:[^()]*'s )?conflicted copy[^()]*\)", re.IGNORECASE)),
    ("Syncthing", re.compile(r"\.sync-conflict-\d{8}-\d{6}")),
    ("iCloud", re.compile(r"^\..+\.icloud$|^.+ \d+\.(?:md|json|jsonl)$")),
    ("Google Drive", re.compile(r"^.+ ?\(\d+\)\.(?:md|json|jsonl)$")),
    ("git", re.compile(r"\.(?:orig|rej)$|[._](?:BACKUP|BASE|LOCAL|REMOTE)[._]\d+")),
)
_MERGE = re.compile(rb"^<{7} .*?^={7}\r?$.*?^>{7} ", re.DOTALL | re.MULTILINE)


def access(patient: Patient) -> Iterator[Check]:
    """Who may write what the agent reads, who may read it, and what not even we can read."""
    layout = patient.layout
    if layout is not None:
        yield from _unreadable(layout)
        yield from _open_to_others(layout)
    if patient.state and os.path.isdir(patient.state):
        open_ones = _with_mode(_state_files(patient.state), 0o077)
        if open_ones:
            said = f"others may read or write {listed(open_ones)}"
            yield Check(Verdict.WARN, "access", said, f"chmod -R go= {shlex.quote(one_line(patient.state))}")
        if not os.access(patient.state, os.W_OK | os.X_OK):
            yield Check(
                Verdict.FAIL, "access", f"{one_line(patient.state)} cannot be written", "give it back to your user"
            )


def _unreadable(layout: Layout) -> Iterator[Check]:
    found = holdings(layout)
    closed = [holding.name for holding in found if not os.access(holding.path, os.R_OK)]
    if closed:
        yield Check(Verdict.FAIL, "access", f"cannot be read: {listed(closed)}", "give them back to your user (chown)")
    if os.path.isdir(layout.memory) and not os.access(layout.memory, os.W_OK | os.X_OK):
        said = f"{one_line(layout.memory)} cannot be written, so nothing is remembered"
        yield Check(Verdict.FAIL, "access", said, "give it back to your user (chown, chmod u+w)")
    elif not closed:
        yield Check(Verdict.OK, "access", f"{len(found)} files, all readable")


def _open_to_others(layout: Layout) -> Iterator[Check]:
    paths = [holding.path for holding in holdings(layout)] + [layout.memory]
    writable = _with_mode(paths, 0o022)
    if writable:
        said = f"others on this machine may write {listed(writable)}, which the agent reads"
        yield Check(Verdict.WARN, "access", said, f"chmod -R go-w {shlex.quote(one_line(layout.memory))}")
    elif _with_mode([layout.memory], 0o055):
        yield Check(Verdict.INFO, "access", f"others on this machine may read {one_line(layout.memory)}")


def _state_files(folder: str) -> list[str]:
    """What user-state.md promises to be private: not what is run, and not byte code."""
    names = [
        name for name in os.listdir(folder) if name not in ("bin", "pycache") and not name.startswith("environment-")
    ]
    return [folder, *(os.path.join(folder, name) for name in names)]


def _with_mode(paths: Iterable[str], bits: int) -> list[str]:
    return [path for path in paths if _mode(path) & bits]


def _mode(path: str) -> int:
    try:
        found = os.lstat(path).st_mode
    except OSError:
        return 0
    return 0 if stat.S_ISLNK(found) else stat.S_IMODE(found)


def disk(patient: Patient) -> Iterator[Check]:
    """Whether there is room to write."""
    for what, path in (
        ("the memory", patient.layout.root if patient.layout else ""),
        ("the user state", patient.state),
    ):
        try:
            free = os.statvfs(path)
        except (OSError, ValueError):
            continue
        room = free.f_bavail * free.f_frsize
        full = room < _MEGABYTE or (free.f_files > 0 and free.f_favail == 0)
        verdict = Verdict.FAIL if full else Verdict.WARN if room < 100 * _MEGABYTE else Verdict.OK
        remedy = "" if verdict is Verdict.OK else "free some space"
        yield Check(verdict, "disk", f"{room // _MEGABYTE:,} MiB free where {what} is", remedy)


def conflicts(patient: Patient) -> Iterator[Check]:
    """Copies that a sync program left, and files in which git left both sides."""
    layout = patient.layout
    if layout is None:
        return
    copies = [f"{layout.relative(path)} ({program})" for path, program in _copies(layout)]
    if copies:
        said = f"conflict copies, which nothing reads: {listed(copies)}"
        yield Check(Verdict.WARN, "conflicts", said, "move their lines into the file they are a copy of, delete them")
    merges = [
        holding.name for holding in holdings(layout) if holding.kind is not Kind.INDEX and _is_merge(holding.path)
    ]
    if merges:
        yield Check(
            Verdict.WARN,
            "conflicts",
            f"merge markers (<<<<<<<) in {listed(merges)}",
            "resolve them; keep both sides of logs",
        )
    if not copies and not merges:
        yield Check(Verdict.OK, "conflicts", "no conflict copies, no merge markers")


def _copies(layout: Layout) -> Iterator[tuple[str, str]]:
    """In ``memory/`` of any file; beside the hot files only of these, since the rest there is the user's."""
    for folder, _, names in os.walk(layout.memory):
        for name in sorted(names):
            yield from ((os.path.join(folder, name), program) for program in _made_by(name))
    stems = tuple(os.path.splitext(os.path.basename(path))[0] for path in _beside(layout))
    for name in names_in(layout.root):
        if name.lstrip(".").startswith(stems):
            yield from ((os.path.join(layout.root, name), program) for program in _made_by(name))


def _beside(layout: Layout) -> tuple[str, ...]:
    return (layout.scratchpad, layout.working, layout.task_queue, layout.config)


def _made_by(name: str) -> Iterator[str]:
    if name.startswith(TEMPORARY_PREFIX):
        return
    for program, form in CONFLICTS:
        if form.search(name):
            yield program
            return


def _is_merge(path: str) -> bool:
    try:
        if os.stat(path).st_size > _LARGEST:
            return False
        with open(path, "rb") as file:
            return _MERGE.search(file.read()) is not None
    except OSError:
        return False


def strangers(patient: Patient) -> Iterator[Check]:
    """What lies in ``memory/`` and is none of the memory's files. Never the project's own directory."""
    layout = patient.layout
    if layout is None:
        return
    copies = {path for path, _ in _copies(layout)}
    inside = [holding for holding in holdings(layout) if holding.name.startswith("memory/") and not is_own(holding)]
    found = [holding.name for holding in inside if holding.path not in copies]
    if found:
        yield Check(Verdict.INFO, "strangers", f"not files of the memory, and left alone: {listed(found)}")
    else:
        yield Check(Verdict.OK, "strangers", "nothing else lies in memory/")
