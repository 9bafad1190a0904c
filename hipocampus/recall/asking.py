"""Which prompts a memory is not even asked about: decided from the prompt alone, before anything is loaded."""

from __future__ import annotations

_SHORTEST = 8


def is_answered_alone(prompt: str) -> bool:
    """Whether a prompt is too short to be about anything ("yes", "go on"), or a command of the client ("/compact")."""
    words = prompt.strip()
    return len(words) < _SHORTEST or words.startswith("/")
