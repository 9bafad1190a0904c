"""What of a message in the user's role the user said."""

from __future__ import annotations

import pytest

from hipocampus.hosts.codex_words import said_by_user

IDE = """# Context from my IDE setup:

## Active file: src/limits.py

## Open tabs:
- limits.py: src/limits.py

## My request for Codex:
Rename the limiter.
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Rename the limiter.", "Rename the limiter."),
        ("  two\n\nlines  ", "two\n\nlines"),
        ("# AGENTS.md instructions for /ws\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>", ""),
        ("# AGENTS.md instructions\n<INSTRUCTIONS>x</INSTRUCTIONS><environment_context>y</environment_context>", ""),
        ("<environment_context>\n  <cwd>/ws</cwd>\n</environment_context>", ""),
        ("<user_instructions>\nUse tabs.\n</user_instructions>", ""),
        ('<hook_prompt hook_run_id="stop:2:/ws/.codex/hooks.json">please save memory</hook_prompt>', ""),
        ("<skill><name>remember</name><path>/s</path>\n# Remember\n</skill>", ""),
        ('<subagent_notification>{"agent_id":"1"}</subagent_notification>', ""),
        ("<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>", ""),
        ("Another language model started to solve this problem and produced a summary", ""),
        ("You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff", ""),
        ("<hipocampus-root>\n- an index line\n</hipocampus-root>", ""),
        ("before <hipocampus-recall>\nnotes\n</hipocampus-recall> after", "before  after"),
        (IDE, "Rename the limiter."),
        (
            "# Files mentioned by the user:\n\n## a.png: /a.png\n\n## My request for Codex:\nWhat is this?",
            "What is this?",
        ),
        (
            "# Context from my IDE setup:\n\nno heading, so all of it",
            "# Context from my IDE setup:\n\nno heading, so all of it",
        ),
        ("why does <T> not compile, a < b", "why does <T> not compile, a < b"),
        ("explain <environment_context> to me", "explain <environment_context> to me"),
        ("$remember the port is 6543", "$remember the port is 6543"),
    ],
)
def test_the_frame_goes_and_the_words_stay(text: str, said: str) -> None:
    """Text of the host, of hooks and of an editor is nobody's word; what was typed is kept as it was typed."""
    assert said_by_user(text) == said


@pytest.mark.parametrize("text", [IDE, "before <skill>x</skill> after", "plain"])
def test_words_are_found_once(text: str) -> None:
    """What was said, said again, is the same."""
    assert said_by_user(said_by_user(text)) == said_by_user(text)
