"""Running qmd: it ends in time with all that it started, and what it prints is bounded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hipocampus.recall.qmd_program import QmdError, run


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A shell script's place."""
    return tmp_path / "qmd"


def _write(program: Path, body: str) -> str:
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    return str(program)


def test_what_it_prints_comes_back(program: Path) -> None:
    """Whatever it says beside it; bytes that are no UTF-8 are replaced."""
    path = _write(program, "printf 'a\\377b'; echo warning >&2")
    assert run(path, ["search"], dict(os.environ), 20) == "a\ufffdb"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("exit 3", r"^qmd search failed \(exit 3\): it says no more$"),
        ("echo; echo 'Collection not found: x'; exit 1", r"^qmd search failed \(exit 1\): Collection not found: x$"),
        ("printf '\\033[31mred\\007\\n' >&2; exit 1", r"exit 1\): [^\x1b\x07]*red[^\x1b\x07]*$"),
        ("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1", r"exit 1\): x{100,170}.?$"),
        ("kill -9 $$", r"exit -9\)"),
        ("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done", "prints more than 8 MiB"),
    ],
)
def test_a_failure_is_one_short_line(program: Path, body: str, reason: str) -> None:
    """With the exit code and what was said first, without control characters."""
    with pytest.raises(QmdError, match=reason) as caught:
        run(_write(program, body), ["search"], dict(os.environ), 60)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("path", ["/nonexistent/qmd", "/etc/passwd", "/q\0md"])
def test_what_does_not_start_is_one_line(path: str) -> None:
    """It is not there, is no program, has no possible name."""
    with pytest.raises(QmdError, match="qmd does not start: "):
        run(path, ["search"], {}, 5)


def test_it_is_ended_when_its_time_is_up(program: Path) -> None:
    """With all that it started (tests/summarize/test_program.py): the launcher from npm starts the real program."""
    with pytest.raises(QmdError, match=r"^qmd update took too long and was ended$"):
        run(_write(program, "sleep 600 & wait"), ["update"], dict(os.environ), 1)
