"""Which of the transcripts that Claude Code keeps belong to a project."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from hipocampus.hosts.past import past_sessions
from hipocampus.store.layout import Layout

Env = dict[str, str]


def write(base: Path, folder: str, cwd: str, session: str = "5c18a6f2", **marks: object) -> Path:
    """One transcript, after the bookkeeping that the client writes first."""
    path = base / "projects" / folder / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    message = {"role": "user", "content": "hello"}
    line = {"type": "user", "message": message, "cwd": cwd, "timestamp": "2026-03-07T01:00:00.000Z", "uuid": "u1"}
    first = {"type": "file-history-snapshot", "snapshot": {}}
    path.write_text("".join(json.dumps(one) + "\n" for one in (first, line | {"gitBranch": "main"} | marks)))
    return path


@pytest.fixture
def base(env: Env) -> Path:
    """The user's ``.claude``."""
    return Path(env["HOME"], ".claude")


def names(env: Env, project: str) -> list[str]:
    return sorted(past.session for past in past_sessions("claude-code", env, project))


def test_a_session_of_the_project(base: Path, env: Env, layout: Layout) -> None:
    """With its transcript, its size, when it began and on which branch."""
    path = write(base, "p", layout.project)
    (past,) = past_sessions("claude-code", env, layout.project)
    assert (past.host, past.session, past.path) == ("claude-code", "5c18a6f2", str(path))
    assert (past.began, past.size, past.branch) == ("2026-03-07T01:00:00.000Z", path.stat().st_size, "main")


def test_the_directory_in_the_file_decides(base: Path, env: Env, layout: Layout) -> None:
    """Not the folder's name, which several directories share; a neighbour with a like name is another project."""
    parent = os.path.dirname(layout.project)
    for number, cwd in enumerate((f"{parent}/project-two", f"{parent}/project/../other", parent, "/", "relative", "")):
        write(base, "p", cwd, f"other-{number}")
    write(base, "anything", f"{layout.project}/", "mine")
    assert names(env, layout.project) == ["mine"]


def test_directories_of_the_project(base: Path, env: Env, layout: Layout) -> None:
    """A session that began in one, also where that directory is gone by now."""
    (Path(layout.project) / "src").mkdir()
    write(base, "p", f"{layout.project}/src", "there")
    write(base, "p", f"{layout.project}/gone/deep", "gone")
    assert names(env, layout.project) == ["gone", "there"]


def test_a_repository_inside_is_another_project(base: Path, env: Env, layout: Layout) -> None:
    """As it is for the hooks."""
    inner = Path(layout.project) / "vendor" / "lib"
    (inner / ".git").mkdir(parents=True)
    (inner / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    write(base, "p", str(inner))
    assert names(env, layout.project) == []


def test_linked_worktrees(base: Path, env: Env, layout: Layout, tmp_path: Path) -> None:
    """A worktree beside the project has the same memory, so its sessions are the project's."""
    clean = {**env, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    clean |= dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a")
    clean |= dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@example.org")
    tree = Path(os.path.realpath(tmp_path)) / "elsewhere"
    for command in (
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "Begin"],
        ["worktree", "add", "-q", "-b", "side", str(tree)],
    ):
        subprocess.run(["git", *command], cwd=layout.project, env=clean, check=True, capture_output=True)
    write(base, "p", str(tree), "worktree")
    write(base, "p", f"{tree}-2", "neighbour")
    assert names(env, layout.project) == ["worktree"]


def test_sub_agents_are_left_out(base: Path, env: Env, layout: Layout) -> None:
    """Their files in either place, and files that say so themselves."""
    write(base, "p", layout.project, "agent-a1b2")
    write(base, "p/5c18/subagents", layout.project, "agent-c3")
    write(base, "p", layout.project, "side", isSidechain=True)
    assert names(env, layout.project) == []


def test_a_chosen_configuration_directory(base: Path, env: Env, layout: Layout, tmp_path: Path) -> None:
    """Is searched beside the usual one; of a session that is in both the longer transcript counts."""
    chosen = tmp_path / "config"
    write(base, "p", layout.project, "both")
    longer = write(chosen, "p", layout.project, "both", more="x" * 100)
    write(chosen, "p", layout.project, "there")
    found = {
        past.session: past
        for past in past_sessions("claude-code", env | {"CLAUDE_CONFIG_DIR": str(chosen)}, layout.project)
    }
    assert sorted(found) == ["both", "there"]
    assert found["both"].path == str(longer)


def test_what_is_no_transcript(base: Path, env: Env, layout: Layout, tmp_path: Path) -> None:
    """Empty, binary, cut off, a link, a pipe, a directory: none of them stops the search."""
    folder = write(base, "p", layout.project, "good").parent
    (folder / "empty.jsonl").touch()
    (folder / "binary.jsonl").write_bytes(bytes(range(256)) * 10)
    (folder / "cut.jsonl").write_text('{"type":"user","cwd":"/x')
    (folder / "list.jsonl").write_text('["cwd"]\n')
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    (tmp_path / "secret.jsonl").write_text((folder / "good.jsonl").read_text())
    (folder / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (base / "projects" / "stray.jsonl").touch()
    assert names(env, layout.project) == ["good"]


def test_a_big_first_line(base: Path, env: Env, layout: Layout) -> None:
    """A first prompt with a picture in it is longer than any buffer."""
    write(base, "p", layout.project, "big", picture="x" * 3_000_000)
    assert names(env, layout.project) == ["big"]


def test_no_directory_at_all(env: Env, layout: Layout) -> None:
    """A user of other agents has none."""
    assert names(env, layout.project) == []
    assert names({}, layout.project) == []
