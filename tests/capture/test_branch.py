"""The branch is read from git's own file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.capture.branch import branch_of


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/main\n", "main"),
        ("ref: refs/heads/feature/x\n", "feature/x"),
        ("83db48f83db48f\n", ""),
        ("", ""),
    ],
)
def test_the_branch_of_a_checkout(tmp_path: Path, head: str, branch: str) -> None:
    """A branch by its name, a detached head by nothing; also from a directory below."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)
    (tmp_path / "below").mkdir()
    assert branch_of(str(tmp_path)) == branch_of(str(tmp_path / "below")) == branch


def test_the_branch_of_a_worktree(tmp_path: Path) -> None:
    """A worktree has its own head, in a directory that its .git file names."""
    admin = tmp_path / "main" / ".git" / "worktrees" / "w"
    admin.mkdir(parents=True)
    (admin / "HEAD").write_text("ref: refs/heads/side\n")
    tree = tmp_path / "w"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {admin}\n")
    assert branch_of(str(tree)) == "side"


@pytest.mark.parametrize("pointer", ["nonsense", "gitdir: /no/such/place", "gitdir: a\0b", ""])
def test_outside_git_there_is_no_branch(tmp_path: Path, pointer: str) -> None:
    """A broken pointer is no error."""
    (tmp_path / ".git").write_text(pointer)
    assert branch_of(str(tmp_path)) == ""
