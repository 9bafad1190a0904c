"""Which of the rollouts that Codex keeps belong to a project."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from hipocampus.hosts.past import past_sessions, read_past
from hipocampus.hosts.transcript import Prompt
from hipocampus.store.layout import Layout

Env = dict[str, str]
RECORDED = Path(__file__).parent / "recorded" / "codex"
SESSION = "00000000-0000-7000-8000-000000000001"


@pytest.fixture
def base(env: Env) -> Path:
    """The user's ``.codex``."""
    return Path(env["HOME"], ".codex")


def put(
    base: Path, cwd: str, name: str = "rollout-0.171.jsonl", below: str = "sessions/2026/03/15", end: str = "a"
) -> Path:
    """A recorded rollout, as if it had been in `cwd`."""
    path = base / below / f"rollout-2026-03-15T10-22-03-{end}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((RECORDED / name).read_text("utf-8").replace("/home/someone/project", cwd), "utf-8")
    return path


def write(base: Path, end: str, **meta: object) -> Path:
    """A rollout of one line."""
    path = base / "sessions" / "2026" / "03" / "15" / f"rollout-2026-03-15T10-22-03-{end}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps({"timestamp": "t", "type": "session_meta", "payload": {"id": end, **meta}}) + "\n", "utf-8"
    )
    return path


def names(env: Env, project: str) -> list[str]:
    return sorted(past.session for past in past_sessions("codex", env, project))


@pytest.mark.parametrize("form", ["0.171", "0.144", "bare"])
def test_a_session_of_the_project(base: Path, env: Env, layout: Layout, form: str) -> None:
    """With its rollout, its size, when it began and on which branch; what was said in it can be read."""
    path = put(base, layout.project, f"rollout-{form}.jsonl")
    (past,) = past_sessions("codex", env, layout.project)
    assert (past.host, past.path, past.size, past.branch) == ("codex", str(path), path.stat().st_size, "main")
    assert past.session.startswith("00000000-0000-7000-8000-")
    assert past.began[:2] == "20"
    part = read_past(past, 0, 1 << 20, 0)
    assert [item.text for item in part.items if isinstance(item, Prompt)][:2] == ["Name the port", "patch it"]


def test_sessions_of_others_are_not_this_projects(base: Path, env: Env, layout: Layout) -> None:
    """Neither that of a neighbour with a like name, nor of a sub-agent, nor one that says not where it was."""
    write(base, "neighbour", cwd=f"{layout.project}-two")
    write(base, "above", cwd="/")
    write(base, "nowhere")
    write(base, "wrong", cwd=7)
    write(base, "helper", cwd=layout.project, thread_source="subagent")
    write(base, "reviewer", cwd=layout.project, source={"subagent": "review"})
    write(base, "mine", cwd=f"{layout.project}/", source="exec")
    write(base, "below", cwd=f"{layout.project}/gone/deep", source={"custom": "x"})
    assert names(env, layout.project) == ["below", "mine"]


def test_a_fork_is_a_session_of_its_own(base: Path, env: Env, layout: Layout) -> None:
    """Beside the one it came from."""
    put(base, layout.project)
    put(base, layout.project, "rollout-0.171-fork.jsonl", end="fork")
    assert len(names(env, layout.project)) == 2


def test_archived_sessions_count_and_each_once(base: Path, env: Env, layout: Layout) -> None:
    """A session that the user put away is still theirs; of two copies the longer one is read."""
    longer = put(base, layout.project, below="archived_sessions")
    put(base, layout.project).write_bytes(longer.read_bytes()[:20_000])
    (past,) = past_sessions("codex", env, layout.project)
    assert (past.session, past.path) == (SESSION, str(longer))


def test_a_linked_worktree_is_the_same_project(base: Path, env: Env, layout: Layout, tmp_path: Path) -> None:
    """What was said in it belongs to the memory of the main checkout."""
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    subprocess.run([*git, "init", "-q", layout.project], check=True)
    subprocess.run([*git, "-C", layout.project, "commit", "-q", "--allow-empty", "-m", "Start"], check=True)
    tree = tmp_path / "tree"
    subprocess.run([*git, "-C", layout.project, "worktree", "add", "-q", str(tree)], check=True)
    write(base, "there", cwd=str(tree))
    assert names(env, layout.project) == ["there"]


def test_codex_home_is_where_the_client_looks(base: Path, env: Env, layout: Layout, tmp_path: Path) -> None:
    """``CODEX_HOME`` replaces the directory in the home."""
    put(base, layout.project)
    other = tmp_path / "other"
    write(other, "elsewhere", cwd=layout.project)
    assert names({**env, "CODEX_HOME": str(other)}, layout.project) == ["elsewhere"]
    assert names({**env, "CODEX_HOME": str(tmp_path / "none")}, layout.project) == []


@pytest.mark.parametrize("content", [b"", b"\n", b"not json\n", b"[]\n", b"\xff\xfe", b'{"type":"session_meta"}\n'])
def test_a_file_that_is_no_rollout_is_passed_over(base: Path, env: Env, layout: Layout, content: bytes) -> None:
    """Whatever is wrong with another program's file."""
    write(base, "mine", cwd=layout.project)
    write(base, "broken", cwd=layout.project).write_bytes(content)
    (base / "sessions" / "rollout-directory.jsonl").mkdir()
    (base / "sessions" / "rollout-link.jsonl").symlink_to("/nowhere")
    assert names(env, layout.project) == ["mine"]
