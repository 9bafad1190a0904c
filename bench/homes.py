"""The home of a memory, for benchmarks: raw logs and a configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path


def write_home(home: Path, logs: Mapping[str, str]) -> None:
    """Write the log of each day below ``memory/``."""
    memory = home / "memory"
    memory.mkdir(parents=True, exist_ok=True)
    (home / "hipocampus.config.json").write_text(json.dumps({"id": "benchmark0000000"}), encoding="utf-8")
    for day, text in logs.items():
        (memory / f"{day}.md").write_text(text, encoding="utf-8")
