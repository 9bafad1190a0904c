"""What every prompt and every turn pays for stays light."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
HEAVY = [
    "dataclasses",
    "typing",
    "pathlib",
    "hashlib",
    "subprocess",
    "contextlib",
    "logging",
    "uuid",
    "inspect",
    "filelock",
]

# The adapter of each host, and a transcript with one prompt.
HOSTS = {
    "claude_code": '{"type":"user","uuid":"u","promptId":"p","message":{"content":"build it"}}\n',
    "codex": '{"timestamp":"","type":"event_msg","payload":{"type":"user_message","message":"build it"}}\n',
}
PROMPT = """
record_prompt(layout, parse("prompt", {"session_id": "s", "prompt": "build it", "prompt_id": "p"}), now)
counts(layout, "s")
"""
STOP = """
record_turn(layout, parse("stop", {"session_id": "s", "last_assistant_message": "Done.", "transcript_path": line}), now)
"""
CODE = """
import sys
sys.path.insert(0, sys.argv[1])
from datetime import datetime
from hipocampus.capture.journal import counts, record_prompt, record_turn
from hipocampus.hosts.{host} import parse
from hipocampus.store.layout import Layout
layout, line, now = Layout(sys.argv[2], sys.argv[2]), sys.argv[3], datetime.fromisoformat("2026-03-15T10:22:03+09:00")
"""


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("step", [PROMPT, STOP], ids=["prompt", "stop"])
def test_a_hook_needs_no_heavy_module_and_no_package(tmp_path: Path, step: str, host: str) -> None:
    """Without site-packages, and without the modules that cost as much as the interpreter, the journal is written."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(HOSTS[host])
    code = CODE.replace("{host}", host) + step + f"print([name for name in {HEAVY} if name in sys.modules])"
    command = [sys.executable, "-I", "-S", "-c", code, str(REPOSITORY), str(tmp_path), str(transcript)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
    assert (tmp_path / "memory" / ".journal" / "s.jsonl").stat().st_size > 0
