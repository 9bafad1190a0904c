"""What a bug leaves behind."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hipocampus.commands import crash


def failing(secret: str) -> BaseException:
    try:
        raise RuntimeError(f"cannot use {secret}")
    except RuntimeError as error:
        return error


def test_the_report_can_be_pasted(now, secret) -> None:
    """It names versions, command and trace; secrets and the user's directory are not in it."""
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    text = crash.report(failing(secret), ["show", secret], now, home)
    assert secret not in text
    assert home not in text
    for part in ("hipocampus 0", "python", "RuntimeError", "test_crash.py", "hipocampus show"):
        assert part in text.replace("- hipocampus: ", "hipocampus ")


def test_it_is_written_for_this_user_only(env, now) -> None:
    """The file lies in the user state directory, mode 0600."""
    path = crash.write_report("text", env, now)
    assert path.startswith(env["HIPOCAMPUS_STATE"])
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert Path(path).read_text() == "text"


def test_without_a_state_directory_it_goes_to_the_temporary_one(env, now, tmp_path) -> None:
    """A file in the way, or no HOME at all, still leaves a report to paste."""
    (tmp_path / "state").write_text("in the way")
    for variables in (env, {}):
        path = crash.write_report("text", variables, now)
        assert Path(path).read_text() == "text"
        os.unlink(path)


def test_nowhere_to_write(env, now, monkeypatch) -> None:
    """Where nothing can be written the path is empty, and the caller prints the text instead."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert crash.write_report("text", env, now) == ""


def test_a_bug_is_exit_3_with_the_path(shell, layout, monkeypatch) -> None:
    """Anything that is no expected failure ends in a report whose path is printed, never in a trace on the terminal."""

    def broken(*_arguments: object, **_options: object) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("hipocampus.commands.show.at_pointer", broken)
    result = shell("show", "abcdef", cwd=layout.root)
    assert result.code == 3
    assert "Traceback" not in result.err
    path = result.err.split("issue: ")[1].strip()
    assert "ZeroDivisionError: inside" in Path(path).read_text()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), 130),
        (OSError(28, "No space left on device", "/x/a"), 1),
        (PermissionError(13, "Permission denied", "/x/a"), 1),
        (PermissionError(13, "Permission denied", b"/x/\x1ba"), 1),
        (OSError(5, "Input/output error"), 3),
        (BrokenPipeError(), 0),
        (RecursionError(), 3),
    ],
)
def test_every_error_has_its_exit_code(shell, layout, monkeypatch, error: BaseException, code: int) -> None:
    """Ctrl-C, an error of the machine, a reader that went away, and bugs."""

    def failing(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr("hipocampus.commands.show.at_pointer", failing)
    monkeypatch.setattr("hipocampus.commands.boundary.silence", lambda _: None)
    result = shell("show", "abcdef", cwd=layout.root)
    assert result.code == code
    assert "Traceback" not in result.err
    assert "\x1b" not in result.err


def test_a_file_is_named_as_the_user_knows_it(shell, layout, monkeypatch) -> None:
    """Not by the name under which it is written first."""

    def failing(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied", "/x/.hipocampus-tmp-8de04840a52b")

    monkeypatch.setattr("hipocampus.commands.show.at_pointer", failing)
    assert shell("show", "abcdef", cwd=layout.root).err == "hipocampus: /x: Permission denied\n"
