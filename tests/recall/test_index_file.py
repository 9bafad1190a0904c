"""Opening the index: what stands in its way is named, and nothing is waited for."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import InTheWayError, UnusableError, looks_usable, open_to_read
from hipocampus.recall.meaning import meaning
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log

Built = Callable[[], Refreshed]
ONE = "## Rate limiting [project]\n- decisions: token bucket, bursts are legitimate\n"


@pytest.mark.parametrize("content", [b"no database at all", b""])
def test_what_cannot_be_replaced_is_named(layout: Layout, log: Log, built: Built, content: bytes) -> None:
    """A directory has the name of what SQLite writes beside the index."""
    log("2026-03-15", ONE)
    Path(layout.index).write_bytes(content)
    Path(f"{layout.index}-journal").mkdir()
    assert built().problem in (
        "memory/.index.sqlite-journal cannot be replaced: Is a directory",
        "the index cannot be written: disk I/O error",
        "the index cannot be written: unable to open database file",
    )


def test_a_damaged_index_in_a_folder_that_cannot_be_written_is_named(
    layout: Layout, log: Log, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be opened and not be taken away."""
    log("2026-03-15", ONE)
    built()
    Path(layout.index).write_bytes(b"no database at all")

    def refuse(_path: str) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("hipocampus.recall.index_file.os.unlink", refuse)
    assert built().problem == "memory/.index.sqlite cannot be replaced: Permission denied"


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("nowhere", path)])
def test_what_is_no_file_is_neither_waited_for_nor_replaced(
    layout: Layout, built: Built, make: Callable[[str], None]
) -> None:
    """A directory, a pipe that nobody writes to, a link to nothing: it is named, and what to do about it."""
    make(layout.index)
    assert not looks_usable(layout.index)
    assert built().problem.startswith("the index cannot be written: ")
    with pytest.raises(InTheWayError):
        open_to_read(layout)
    lacking = "memory/.index.sqlite is no file, and in the way of the index: move it away"
    assert meaning(layout, defaults()).lacking == lacking
    assert os.path.lexists(layout.index)


def test_reading_an_unusable_index_names_the_reason(layout: Layout) -> None:
    """A missing index is one reason, a damaged one another."""
    with pytest.raises(UnusableError, match="no index yet"):
        open_to_read(layout)
    Path(layout.index).write_bytes(b"\0" * 200)
    with pytest.raises(UnusableError, match="damaged or of another version"):
        open_to_read(layout)
