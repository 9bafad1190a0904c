"""Redaction of whole nodes, which may take its time: one cut short would leave a stub in place of a day."""

from __future__ import annotations

from hipocampus.redaction import Policy, Redacted, scrub

# Nobody waits for a cycle.
_SECONDS = 60.0


def scrubbed(text: str, policy: Policy) -> Redacted:
    """The text of a node without its secrets."""
    return scrub(text, policy, seconds=_SECONDS)
