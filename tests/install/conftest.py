"""A place to set hosts up in: a project with a memory, and a user of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.install.site import Site
from hipocampus.store.layout import Layout


@pytest.fixture
def site(layout: Layout, env: dict[str, str]) -> Site:
    """The project of the shared fixtures, set up for itself alone."""
    return Site(layout, env)


@pytest.fixture
def user_site(layout: Layout, env: dict[str, str]) -> Site:
    """The same, set up for every project of the user."""
    return Site(layout, env, user=True)


@pytest.fixture
def work(layout: Layout) -> Path:
    """The project's directory."""
    return Path(layout.project)
