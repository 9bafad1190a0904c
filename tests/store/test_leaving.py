"""Taking a project out of the user state, and at last all of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from hipocampus.store.asks import asks_file, note_ask
from hipocampus.store.layout import Layout, layout_at
from hipocampus.store.leaving import forget_everything, forget_project, knows, other_projects
from hipocampus.store.user_state import (
    is_never,
    is_set_here,
    is_trusted,
    mark_never,
    mark_told,
    note_made,
    note_set_here,
    record_start,
    recorded_start,
    state_dir,
    trust,
    was_told,
    write_baseline,
)
from tests.conftest import HOME_ID

Env = dict[str, str]
OTHER_ID = "fedcba9876543210"


def another(tmp_path: Path, env: Env) -> Layout:
    """A second project with a trusted memory."""
    root = tmp_path / "other"
    root.mkdir()
    (root / "hipocampus.config.json").write_text(json.dumps({"id": OTHER_ID}))
    trust(env, str(root), OTHER_ID)
    return layout_at(str(root))


def test_only_this_project_is_forgotten(layout: Layout, env: Env, tmp_path: Path) -> None:
    """Trust, settings, notes, sessions, audits and questions of it go; those of another stay."""
    other = another(tmp_path, env)
    for place, name, home_id in ((layout, "a", HOME_ID), (other, "b", OTHER_ID)):
        note_set_here(env, place.root, home_id, "llm.backend", "anthropic")
        note_ask(env, home_id, 1.0, 9)
        mark_told(env, place.project)
        record_start(env, name, os.path.join(place.project, "src"))
    write_baseline(env, HOME_ID, "{}")
    write_baseline(env, OTHER_ID, "{}")
    forget_project(env, layout, HOME_ID)
    assert not is_trusted(env, layout.root, HOME_ID)
    assert not was_told(env, layout.project)
    assert recorded_start(env, "a") is None
    assert not knows(env, layout)
    assert is_trusted(env, other.root, OTHER_ID)
    assert was_told(env, other.project)
    assert recorded_start(env, "b") is not None
    assert not is_set_here(env, layout.root, HOME_ID, "llm.backend", "anthropic")
    assert is_set_here(env, other.root, OTHER_ID, "llm.backend", "anthropic")
    assert [os.path.exists(asks_file(env, home_id)) for home_id in (HOME_ID, OTHER_ID)] == [False, True]
    assert os.listdir(os.path.join(state_dir(env), "audit")) == [f"{OTHER_ID}.json"]


def test_a_project_whose_name_begins_alike_is_another(layout: Layout, env: Env) -> None:
    """``project`` and ``project-2`` are not the same place."""
    mark_told(env, f"{layout.project}-2")
    forget_project(env, layout, HOME_ID)
    assert was_told(env, f"{layout.project}-2")


def test_what_the_state_is_kept_for(layout: Layout, env: Env, tmp_path: Path) -> None:
    """A memory that is still there, and a wish for none; not one that was deleted, nor this project's own."""
    assert other_projects(env, layout) == []
    other = another(tmp_path, env)
    assert other_projects(env, layout) == [other.root]
    os.unlink(other.config)
    assert other_projects(env, layout) == []
    mark_never(env, other.project)
    assert is_never(env, other.project)
    assert other_projects(env, layout) == [other.project]


def test_everything_goes_but_what_is_not_ours(layout: Layout, env: Env, tmp_path: Path) -> None:
    """With the directories above that we made."""
    del layout
    folder = tmp_path / "made" / "state"
    env = {**env, "HIPOCAMPUS_STATE": str(folder)}
    mark_told(env, "/x")
    note_made(env, str(folder))
    note_made(env, str(tmp_path / "made"))
    for name in (
        "sessions/a.json",
        "pycache/x/y.pyc",
        "qmd/0123/index.sqlite",
        "environment-3.11-abcd/lib/z",
        "log",
        "failures",
        "bootstrap.json",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / "mine").write_text("x")
    assert forget_everything(env) == [str(folder / "mine")]
    (folder / "mine").unlink()
    note_made(env, str(tmp_path / "made"))
    assert forget_everything(env) == []
    assert not (tmp_path / "made").exists()


def test_without_a_state_there_is_nothing_to_forget(layout: Layout, env: Env, tmp_path: Path) -> None:
    """No directory is made for it."""
    env = {**env, "HIPOCAMPUS_STATE": str(tmp_path / "none")}
    assert not knows(env, layout)
    forget_project(env, layout, HOME_ID)
    assert forget_everything(env) == []
    assert not (tmp_path / "none").exists()


def test_a_damaged_line_harms_nothing(layout: Layout, env: Env) -> None:
    """It names no project, so it stays, and the others are read."""
    path = Path(state_dir(env)) / "trust.jsonl"
    path.write_text("{broken\n" + path.read_text())
    assert knows(env, layout)
    forget_project(env, layout, HOME_ID)
    assert path.read_text() == "{broken\n"
