"""A memory file, and runs over it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.dag.compact import Run, compact
from hipocampus.store.config import load
from hipocampus.store.layout import Layout


def entry(number: int, kind: str = "project") -> str:
    """An entry that says something of its own, on a day that rises with its number."""
    day = f"2026-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}"
    return (
        f"## {day} topic {number} [{kind}]\n"
        f"- request: make part {number} work\n"
        f"- decisions: chose queue {number} over polling because of latency\n"
        f"- outcome: done in src/part_{number}.py, `pytest tests/test_{number}.py` in {number} ms\n"
    )


def text_of(*numbers: int) -> str:
    """A memory file with these entries."""
    return "# Memory\n\n" + "\n".join(entry(number) for number in numbers)


@pytest.fixture
def put(layout: Layout) -> Callable[..., bytes]:
    """Write the memory file, with entries of these numbers or a text; its bytes."""

    def write(*numbers: int, text: str | None = None, name: str = "MEMORY.md") -> bytes:
        content = (text_of(*numbers) if text is None else text).encode()
        Path(layout.root, name).write_bytes(content)
        return content

    return write


@pytest.fixture
def run(layout: Layout, env: dict[str, str], now: datetime) -> Callable[..., Run]:
    """Compact the memory file."""

    def compacted(name: str = "MEMORY.md", **options: object) -> Run:
        return compact(layout, load(layout, env), now, name, **options)  # type: ignore[arg-type]

    return compacted
