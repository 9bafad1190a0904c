"""Reading bounded text and writing redacted text."""

from __future__ import annotations

import errno
import json
import os
import socket
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.errors import UserError
from hipocampus.redaction import Redacted, scrub
from hipocampus.store import disk
from hipocampus.store.files import append_text, read_exact, read_tail, read_text, write_exact, write_text
from hipocampus.store.layout import Layout


def mode_of(path: Path) -> int:
    """The permission bits of a file."""
    return stat.S_IMODE(path.stat().st_mode)


class TestRead:
    """Any file may stand where text is expected."""

    @pytest.mark.parametrize(
        ("content", "text"),
        [
            (b"", ""),
            (b"plain\n", "plain\n"),
            ("안녕, café\r\n".encode(), "안녕, café\r\n"),
            (b"\xef\xbb\xbfwith a mark", "with a mark"),
            (b"bad \xff byte", "bad \ufffd byte"),
            (b"cut \xea\xb0", "cut \ufffd"),
            (b"nul\x00", "nul\x00"),
        ],
    )
    def test_bytes_become_text_whatever_they_are(self, tmp_path: Path, content: bytes, text: str) -> None:
        """UTF-8 by name, a byte-order mark dropped, the rest replaced and never an exception."""
        (tmp_path / "f").write_bytes(content)
        assert read_text(str(tmp_path / "f")) == text
        assert read_tail(str(tmp_path / "f"), 100) == text

    def test_what_is_no_regular_file_is_absent(self, tmp_path: Path) -> None:
        """A missing file, a directory, a path below a file, a dangling link, a pipe, a device, a socket."""
        (tmp_path / "file").touch()
        (tmp_path / "dangling").symlink_to("nowhere")
        os.mkfifo(tmp_path / "pipe")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(tmp_path / "socket"))
            for name in ("missing", "", "file/below", "dangling", "pipe", "/dev/zero", "socket"):
                assert read_text(str(tmp_path / name)) is None
                assert read_exact(str(tmp_path / name)) is None
                assert read_tail(str(tmp_path / name), 10) == ""

    def test_a_file_above_the_limit_is_refused(self, tmp_path: Path) -> None:
        """Half a file would be taken for the whole."""
        (tmp_path / "f").write_bytes(b"12345")
        assert read_text(str(tmp_path / "f"), limit=5) == "12345"
        with pytest.raises(UserError, match="larger than 4 bytes"):
            read_text(str(tmp_path / "f"), limit=4)

    def test_a_file_that_may_not_be_read_is_an_error(self, tmp_path: Path) -> None:
        """It is there, so it must not look absent."""
        (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(OSError, match="loop"):
            read_text(str(tmp_path / "loop"))

    @pytest.mark.parametrize(
        ("content", "size", "tail"),
        [
            (b"one\ntwo\nthree\n", 100, "one\ntwo\nthree\n"),
            (b"one\ntwo\nthree\n", 14, "one\ntwo\nthree\n"),
            (b"one\ntwo\nthree\n", 13, "two\nthree\n"),
            (b"one\ntwo\nthree\n", 10, "two\nthree\n"),
            (b"one\ntwo\nthree\n", 9, "three\n"),
            (b"one\ntwo\nthree", 5, "three"),
            (b"one\ntwo\nthree", 4, ""),
            (b"one\n", 0, ""),
            (b"", 5, ""),
            ("가나\n다\n".encode(), 5, "다\n"),
        ],
    )
    def test_a_tail_begins_with_a_whole_line(self, tmp_path: Path, content: bytes, size: int, tail: str) -> None:
        """Half a line of JSON, or half a character, is no use to anybody."""
        (tmp_path / "f").write_bytes(content)
        assert read_tail(str(tmp_path / "f"), size) == tail


class TestWrite:
    """The old file or the new one."""

    def test_text_is_written_and_read_back(self, tmp_path: Path) -> None:
        """In UTF-8, with missing directories made, readable by this user only."""
        path = tmp_path / "made" / "deep" / "f.md"
        write_text(str(path), scrub("안녕\r\n"))
        assert path.read_bytes() == "안녕\r\n".encode()
        assert mode_of(path) == 0o600
        assert mode_of(tmp_path / "made") == mode_of(tmp_path / "made" / "deep") == 0o700

    @pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o444])
    def test_an_existing_file_keeps_its_mode(self, tmp_path: Path, mode: int) -> None:
        """Who could read it before can read it after."""
        path = tmp_path / "f"
        path.write_text("old")
        path.chmod(mode)
        write_text(str(path), Redacted("new"))
        assert (path.read_text(), mode_of(path)) == ("new", mode)

    def test_a_wish_for_another_mode_is_granted_to_a_new_file(self, tmp_path: Path) -> None:
        """Whatever the umask of the host."""
        before = os.umask(0o077)
        try:
            write_text(str(tmp_path / "f"), Redacted("x"), mode=0o644)
        finally:
            os.umask(before)
        assert mode_of(tmp_path / "f") == 0o644

    def test_lone_surrogates_do_not_stop_a_write(self, tmp_path: Path) -> None:
        """JSON from a host may hold them."""
        write_text(str(tmp_path / "f"), Redacted("a\ud800b"))
        assert read_text(str(tmp_path / "f")) == "a?b"

    @pytest.mark.parametrize("step", ["write", "fsync", "fchmod", "replace"])
    def test_a_failure_at_any_step_keeps_the_old_file(
        self, tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And leaves nothing else behind."""
        path = tmp_path / "f"
        path.write_text("old")

        def full(*_arguments: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(f"hipocampus.store.disk.os.{step}", full)
        with pytest.raises(OSError, match="No space left"):
            write_text(str(path), Redacted("new"))
        assert path.read_text() == "old"
        assert [entry.name for entry in tmp_path.iterdir()] == ["f"]

    def test_a_write_in_pieces_is_a_whole_write(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The system may take fewer bytes than it is given."""
        write = os.write
        monkeypatch.setattr("hipocampus.store.disk.os.write", lambda fd, data: write(fd, bytes(data)[:3]))
        write_text(str(tmp_path / "f"), Redacted("0123456789"))
        assert (tmp_path / "f").read_text() == "0123456789"

    @pytest.mark.parametrize("sync", [True, False])
    def test_file_and_directory_reach_the_disk(
        self, tmp_path: Path, sync: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The content before the rename, the name after it; neither where the file can be derived again."""
        calls: list[str] = []
        fsync, replace = os.fsync, os.replace

        def synced(descriptor: int) -> None:
            calls.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
            fsync(descriptor)

        def replaced(old: str, new: str) -> None:
            calls.append("rename")
            replace(old, new)

        monkeypatch.setattr("hipocampus.store.disk.os.fsync", synced)
        monkeypatch.setattr("hipocampus.store.disk.os.replace", replaced)
        write_text(str(tmp_path / "f"), Redacted("x"), sync=sync)
        assert calls == (["file", "rename", "folder"] if sync else ["rename"])

    def test_a_file_system_that_cannot_flush_directories_is_no_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Some network file systems answer EINVAL; any other error counts."""
        fsync = os.fsync

        def refused(number: int, descriptor: int) -> None:
            if stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise OSError(number, os.strerror(number))
            fsync(descriptor)

        monkeypatch.setattr("hipocampus.store.disk.os.fsync", lambda fd: refused(errno.EINVAL, fd))
        write_text(str(tmp_path / "f"), Redacted("x"))
        monkeypatch.setattr("hipocampus.store.disk.os.fsync", lambda fd: refused(errno.EIO, fd))
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            write_text(str(tmp_path / "f"), Redacted("y"))

    def test_the_longest_name_can_be_written(self, tmp_path: Path) -> None:
        """The temporary name beside it is not longer."""
        path = tmp_path / ("n" * 255)
        write_text(str(path), Redacted("x"))
        assert path.read_text() == "x"

    def test_folders_are_made_as_deep_as_the_disk_has_them(self, tmp_path: Path) -> None:
        """Deeper than Python calls itself; a path that the system does not take is its own error."""
        (tmp_path / "stays").touch()
        deep = os.path.join(str(tmp_path), *"x" * (sys.getrecursionlimit() + 200))
        disk.make_folder(deep)
        assert mode_of(Path(deep)) == 0o700
        os.removedirs(deep)  # pytest could not
        with pytest.raises(OSError, match="too long"):
            disk.make_folder(os.path.join(str(tmp_path), "x" * 5_000))
        assert os.listdir(tmp_path) == ["stays"]

    @pytest.mark.parametrize("kind", ["folder", "pipe"])
    def test_nothing_but_a_regular_file_is_replaced(self, tmp_path: Path, kind: str) -> None:
        """A directory or a pipe of that name is somebody else's."""
        path = tmp_path / kind
        path.mkdir() if kind == "folder" else os.mkfifo(path)
        with pytest.raises((UserError, IsADirectoryError)):
            write_text(str(path), Redacted("x"))
        with pytest.raises((UserError, IsADirectoryError, OSError)):
            append_text(str(path), Redacted("x"))
        assert [entry.name for entry in tmp_path.iterdir()] == [kind]


class TestLinks:
    """A link is written through where it stays inside the home."""

    @pytest.mark.parametrize("write", [write_text, append_text])
    def test_a_link_inside_the_home_is_followed(self, layout: Layout, write: object) -> None:
        """The link stays a link, and the file that it names changes."""
        kept = Path(layout.root) / "notes" / "ROOT.md"
        kept.parent.mkdir()
        kept.write_text("")
        Path(layout.root_md).symlink_to(kept)
        write(layout.root_md, Redacted("new\n"))  # type: ignore[operator]
        assert Path(layout.root_md).is_symlink()
        assert kept.read_text() == "new\n"
        assert [entry.name for entry in kept.parent.iterdir()] == ["ROOT.md"]

    @pytest.mark.parametrize("write", [write_text, append_text])
    @pytest.mark.parametrize("link", ["memory/ROOT.md", "memory", "dangling"])
    def test_a_link_out_of_the_home_is_refused(self, layout: Layout, tmp_path: Path, write: object, link: str) -> None:
        """Nothing of ours lands elsewhere, neither through a file, nor a directory, nor a link to nothing."""
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "ROOT.md").write_text("theirs")
        path = layout.root_md
        if link == "memory":
            os.rmdir(layout.memory)
            Path(layout.memory).symlink_to(outside)
        else:
            Path(path).symlink_to(outside / ("new" if link == "dangling" else "ROOT.md"))
        with pytest.raises(UserError, match="outside"):
            write(path, Redacted("ours"))  # type: ignore[operator]
        assert (outside / "ROOT.md").read_text() == "theirs"
        assert [entry.name for entry in outside.iterdir()] == ["ROOT.md"]

    def test_a_home_reached_through_a_link_is_written(self, layout: Layout, tmp_path: Path) -> None:
        """As where the user's directory itself is a link."""
        (tmp_path / "alias").symlink_to(layout.root)
        write_text(str(tmp_path / "alias" / "memory" / "ROOT.md"), Redacted("x"))
        assert Path(layout.root_md).read_text() == "x"

    def test_outside_a_home_a_file_stays_in_its_directory(self, tmp_path: Path) -> None:
        """There the directory of the path is the bound."""
        folder = tmp_path / "state"
        folder.mkdir()
        (folder / "inside").symlink_to("real")
        (folder / "outside").symlink_to(tmp_path / "x")
        write_text(str(folder / "inside"), Redacted("x"))
        assert (folder / "real").read_text() == "x"
        with pytest.raises(UserError, match="outside"):
            write_text(str(folder / "outside"), Redacted("x"))


class TestAppend:
    """Whole, or not at all."""

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (None, "line\n"),
            (b"", "line\n"),
            (b"old\n", "old\nline\n"),
            (b"half a line", "half a line\nline\n"),
            (b"\xff", "\ufffd\nline\n"),
        ],
    )
    def test_what_is_added_begins_on_a_line_of_its_own(self, tmp_path: Path, before: bytes | None, after: str) -> None:
        """A crash or an editor may have left the last line open."""
        path = tmp_path / "made" / "f"
        if before is not None:
            path.parent.mkdir()
            path.write_bytes(before)
        append_text(str(path), Redacted("line\n"))
        assert read_text(str(path)) == after

    def test_a_new_file_is_readable_by_this_user_only(self, tmp_path: Path) -> None:
        """Before its first byte is in it."""
        append_text(str(tmp_path / "f"), Redacted("x"))
        assert mode_of(tmp_path / "f") == 0o600

    def test_a_write_that_does_not_fit_is_taken_back(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """On a full disk the file is as it was, and the caller knows."""
        path = tmp_path / "f"
        path.write_text("old\n")
        write = os.write
        monkeypatch.setattr("hipocampus.store.disk.os.write", lambda fd, data: write(fd, data[:4]))
        with pytest.raises(OSError, match="only 4 of 9 bytes") as caught:
            append_text(str(path), Redacted("new line\n"))
        assert caught.value.errno == errno.ENOSPC
        assert path.read_text() == "old\n"

    def test_taking_back_spares_what_another_process_added(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its line follows our half line; it is worth more than a tidy file, and the next line ends the half one."""
        path = tmp_path / "f"
        path.write_text("old\n")
        write = os.write

        def raced(descriptor: int, data: bytes) -> int:
            written = write(descriptor, data[:4])
            with path.open("a") as other:
                other.write("theirs\n")
            return written

        monkeypatch.setattr("hipocampus.store.disk.os.write", raced)
        with pytest.raises(OSError, match="only 4 of 9 bytes"):
            append_text(str(path), Redacted("new line\n"))
        assert path.read_text() == "old\nnew theirs\n"

    @pytest.mark.parametrize("sync", [True, False])
    def test_it_waits_for_the_disk_where_asked(
        self, tmp_path: Path, sync: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """File and name for a new file, the file alone for an old one, nothing for a journal."""
        calls: list[str] = []
        monkeypatch.setattr(
            "hipocampus.store.disk.os.fsync",
            lambda fd: calls.append("folder" if stat.S_ISDIR(os.fstat(fd).st_mode) else "file"),
        )
        append_text(str(tmp_path / "f"), Redacted("x\n"), sync=sync)
        append_text(str(tmp_path / "f"), Redacted("y\n"), sync=sync)
        assert calls == (["file", "folder", "file"] if sync else [])


class TestDoor:
    """Only redacted text passes."""

    @pytest.mark.parametrize("write", [write_text, append_text])
    @pytest.mark.parametrize("text", ["plain", b"bytes", None, json.loads('"x"')])
    def test_text_that_was_not_redacted_is_refused(self, tmp_path: Path, write: object, text: object) -> None:
        """Even where no type checker looked, and before anything is touched."""
        with pytest.raises(TypeError, match="only redacted text"):
            write(str(tmp_path / "f"), text)  # type: ignore[operator]
        assert not (tmp_path / "f").exists()

    @given(st.binary(max_size=200))
    def test_a_users_file_comes_back_byte_for_byte(
        self, tmp_path_factory: pytest.TempPathFactory, content: bytes
    ) -> None:
        """Reading and writing a file in which we edit between markers changes nothing else, whatever it holds."""
        path = tmp_path_factory.mktemp("exact") / "f"
        path.write_bytes(content)
        text = read_exact(str(path))
        assert text is not None
        write_exact(str(path), text)
        assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("path", "folder", "inside"),
    [("/a/b", "/a", True), ("/a", "/a", True), ("/ab", "/a", False), ("/a", "/a/b", False), ("/a", "/", True)],
)
def test_inside_is_by_whole_names(path: str, folder: str, inside: bool) -> None:
    """``/ab`` is not below ``/a``."""
    assert disk.is_inside(path, folder) is inside


def test_a_link_out_of_the_home_is_not_read(layout: Layout, tmp_path: Path) -> None:
    """A day's log that is a link to another project's log is refused by name; a link inside the home is followed."""
    other = tmp_path / "other.md"
    other.write_text("## theirs [project]\n", encoding="utf-8")
    link = Path(layout.raw("2026-03-14"))
    link.symlink_to(other)
    with pytest.raises(UserError, match="outside"):
        read_text(str(link))
    link.unlink()
    link.symlink_to(layout.config)
    assert read_text(str(link))
