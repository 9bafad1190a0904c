"""Taking text out of a file: every other byte stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.store.files import edit_exact
from hipocampus.store.layout import Layout


def test_every_byte_that_is_left_alone_stays(layout: Layout) -> None:
    """A byte-order mark, CRLF, bytes that are no UTF-8, the missing last newline, the mode."""
    path = Path(layout.scratchpad)
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\xff\xc5 secret\r\n\x00c")
    path.chmod(0o640)
    assert edit_exact(str(path), lambda text: text.replace(" secret", ""))
    assert path.read_bytes() == b"\xef\xbb\xbfa\r\nb\xff\xc5\r\n\x00c"
    assert path.stat().st_mode & 0o777 == 0o640


def test_an_edit_that_changes_nothing_writes_nothing(layout: Layout) -> None:
    """The file is the same file."""
    path = Path(layout.scratchpad)
    path.write_text("text")
    before = path.stat()
    assert not edit_exact(str(path), lambda text: text)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_file_that_is_absent_stays_absent(layout: Layout) -> None:
    """There is nothing to take out."""
    assert not edit_exact(layout.scratchpad, lambda _text: "new")
    assert not os.path.exists(layout.scratchpad)


def test_an_edit_that_fails_leaves_the_file(layout: Layout) -> None:
    """Whatever goes wrong in between."""
    path = Path(layout.scratchpad)
    path.write_text("text")
    with pytest.raises(ZeroDivisionError):
        edit_exact(str(path), lambda _text: str(1 // 0))
    assert path.read_text() == "text"
    assert os.listdir(layout.memory) == []


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_only_regular_files_are_edited(layout: Layout, make) -> None:
    """A pipe does not block and a directory is no file."""
    make(layout.scratchpad)
    with pytest.raises((UserError, IsADirectoryError)):
        edit_exact(layout.scratchpad, lambda text: text)
