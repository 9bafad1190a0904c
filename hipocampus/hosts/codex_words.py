"""Which part of a text in a Codex conversation are the user's own words.

Codex puts much of its own text into the user's role: the project's instructions, the environment, whole skills, notes
about sub-agents and interrupted turns. Editors put a frame of their own around what was typed.
"""

from __future__ import annotations

from hipocampus.core.patterns import MULTILINE, pattern
from hipocampus.hosts.enclosed import Enclosed

# Whole texts that are the host's, by their beginning.
_NOT_SAID = (
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<environment_context>",
    "<turn_aborted>",
    "<user_shell_command>",
    "Another language model started to solve this problem",
    "You are performing a CONTEXT CHECKPOINT COMPACTION",
)
# Blocks that the host, a hook or this program put beside the user's words.
_BLOCKS = Enclosed(
    "hook_prompt|skill|subagent_notification|environment_context|user_instructions|hipocampus[a-z-]{0,20}"
)
# An editor's frame: what is open there, and below the last heading what the user typed.
_FRAMES = ("# Context from my IDE setup:", "# Files mentioned by the user:")
_TYPED = pattern(r"^## My request for Codex:[ \t]*\n?", MULTILINE)


def said_by_user(text: str) -> str:
    """The user's own words in a message: nothing of the host's text, and of an editor's frame what was typed."""
    text = text.strip()
    if text.startswith(_NOT_SAID):
        return ""
    text = _BLOCKS.cut_from(text).strip()
    if text.startswith(_FRAMES):
        typed = _TYPED.search(text)
        return text[typed.end() :].strip() if typed is not None else text
    return text
