"""What Codex sends its hooks and what it takes from them.

``recorded/codex`` holds what the real client 0.171.0 sent, with names and ids replaced, and what its schemas allow an
output to be: all keys of each object, the type of each value, and after ``=`` the only texts.
"""

from __future__ import annotations

import json
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded" / "codex"
PAYLOADS = json.loads((RECORDED / "payloads-0.171.json").read_text(encoding="utf-8"))
OUTPUTS = json.loads((RECORDED / "outputs-0.171.json").read_text(encoding="utf-8"))
CLIENT_CAP = 10_000  # bytes; of more the client cuts the middle out

EVENTS = {
    "session-start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "stop": "Stop",
    "pre-compact": "PreCompact",
    "session-end": "SessionEnd",
}


def accepts(schema: object, value: object) -> bool:
    """Whether the client would take a value: it refuses keys that it does not know, and null for a text."""
    match schema:
        case dict():
            return isinstance(value, dict) and all(
                name in schema and accepts(schema[name], inner) for name, inner in value.items()
            )
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case str():
            return value in schema.removeprefix("= ").split("|")
        case _:
            return False
