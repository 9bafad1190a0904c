"""What every room's tests share: an environment, a moment, and a home that is initialised and trusted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import settings

from hipocampus.redaction.policy import DEFAULT, enforce
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import trust

HOME_ID = "0123456789abcdef"

# How long an example takes says how busy the machine is; and the same commit passes or fails wherever it runs.
# `pytest --hypothesis-profile=explore` looks for new examples.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    """Take the repeatable examples, unless asked for others."""
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def default_policy() -> Iterator[None]:
    """No test leaves a home's redaction settings in force for the next."""
    yield
    enforce(DEFAULT)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment of a user of its own: nothing of the machine's but PATH."""
    (tmp_path / "user").mkdir()
    return {
        "HOME": str(tmp_path / "user"),
        "HIPOCAMPUS_STATE": str(tmp_path / "state"),
        "PATH": os.environ.get("PATH", os.defpath),
    }


@pytest.fixture
def now() -> datetime:
    """A Sunday morning in Seoul, in week 2026-W11."""
    return datetime.fromisoformat("2026-03-15T10:22:03+09:00")


@pytest.fixture
def layout(tmp_path: Path, env: dict[str, str]) -> Layout:
    """A home in ``tmp_path/project``, initialised and trusted: a config with an id, and an empty memory."""
    root = os.path.realpath(tmp_path / "project")
    os.makedirs(os.path.join(root, "memory"))
    made = Layout(root, root)
    Path(made.config).write_text(json.dumps({"id": HOME_ID, "platform": "claude-code"}), encoding="utf-8")
    trust(env, root, HOME_ID)
    return made
