"""Texts that try to make a host's reader slow cost a bounded amount of work for each character."""

from __future__ import annotations

import subprocess
import sys

import pytest

SECONDS = 20  # processor seconds; a pattern that is not linear takes many minutes
SIZE = 2_000_000
PROGRAM = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))
sys.path[:0] = sys.argv[5:]
from hipocampus.hosts import claude_words, codex_transcript, codex_words, openclaw_messages, opencode_messages
head, piece = (part.encode().decode("unicode_escape") for part in sys.argv[2:4])
text = head + piece * (int(sys.argv[4]) // len(piece)) + "."
for words in (claude_words, codex_words, openclaw_messages, opencode_messages):
    words.said_by_user(text)
claude_words.said_by_assistant(text)
call = {"type": "toolCall", "name": "apply_patch", "arguments": {"input": text}}
openclaw_messages.items_of([{"role": "assistant", "content": [call]}])
state = {"status": "completed", "input": {"patchText": text}}
part = {"type": "tool", "tool": "apply_patch", "state": state}
opencode_messages.items_of([{"info": {"role": "assistant"}, "parts": [part]}])
call = {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch\\n" + text}
line = json.dumps({"type": "response_item", "payload": call}).encode()
codex_transcript._Rollout(codex_transcript.Head()).understand(line, 0)
"""
#: A beginning, and a piece that is repeated behind it.
TEXTS = (
    ("", "\n"),
    ("", " "),
    ("", "<"),
    ("x", "<system-reminder>"),
    ("x", "<skill>"),
    ("x", "<hipocampus>"),
    ("x", "</hipocampus>"),
    ("x", "<hipocampus></skill>"),
    ("<command-name>", "<command-args>"),
    ("# Context from my IDE setup:", "\n## My request for Codex: "),
    ("x", "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"),
    ("", "A (untrusted):\n```json\n"),
    ("", "A (untrusted "),
    ("[message_id:", " "),
    ("", "[message_id:"),
    ("[", "2026-03-15 10:22 "),
    ("/", "a"),
    ('"', "\\\\a"),
    ("*** Add File: a", " "),
    ("", "*** Add File: a          \n"),
    ("*** Add File: a\n", "\n"),
)


@pytest.mark.parametrize(("head", "piece"), TEXTS)
def test_no_text_takes_more_than_linear_time(head: str, piece: str) -> None:
    """Two megabytes of any hostile piece are read within a processor limit that only linear work meets."""
    escaped = [part.encode("unicode_escape").decode("ascii") for part in (head, piece)]

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(SECONDS), *escaped, str(SIZE), *sys.path], capture_output=True, check=False
    )

    assert done.returncode == 0, (head, piece, done.returncode, done.stderr[-400:])
