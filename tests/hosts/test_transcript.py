"""What is read of a transcript, whatever its host."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.hosts.transcript import Part, read_head


@pytest.mark.parametrize(
    ("lines", "understood", "told"),
    [(0, 0, False), (2, 0, False), (3, 0, True), (900, 0, True), (900, 1, False)],
)
def test_a_part_that_nobody_understood_says_so(lines: int, understood: int, told: bool) -> None:
    """With how many lines it was; a few lines of new kinds are no reason to worry the user."""
    problem = Part(lines=lines, understood=understood).problem
    assert problem.startswith(f"0 of {lines} lines understood") if told else problem == ""


def test_a_head_is_read_of_a_regular_file_only(tmp_path: Path) -> None:
    """Where there is none, or a link, there is no head."""
    path, link = tmp_path / "t.jsonl", tmp_path / "link"
    path.write_bytes(b"0123456789")
    link.symlink_to(path)
    assert [read_head(str(one), 4) for one in (path, link, tmp_path, tmp_path / "none")] == [b"0123", b"", b"", b""]
