"""Shared by the tests of compaction: settings, and logs made by hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.store.config import Config, defaults
from hipocampus.store.layout import Layout


@pytest.fixture
def config() -> Config:
    """The settings without any file."""
    return defaults()


@pytest.fixture
def log(layout: Layout) -> Callable[[str, str], str]:
    """Write a day's raw log as a person or another program does; returns its path."""

    def write(day: str, text: str) -> str:
        path = layout.raw(day)
        Path(path).write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def files(layout: Layout) -> Callable[[], dict[str, bytes]]:
    """Every Markdown file of the memory by its path from the home."""

    def read() -> dict[str, bytes]:
        root = Path(layout.root)
        return {os.fspath(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*.md"))}

    return read
