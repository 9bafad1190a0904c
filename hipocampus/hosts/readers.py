"""Which reader understands the transcript of which host."""

from __future__ import annotations

from hipocampus.hosts.transcript import Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[str, int, int, int], Part]


def reader_of(host: str) -> Reader | None:
    """The reader (path, offset, limit, mark) of a host's transcripts; None where the host has none we can read."""
    match host:
        case "claude-code":
            from hipocampus.hosts.claude_transcript import read_transcript

            return read_transcript
        case "codex":
            from hipocampus.hosts.codex_transcript import read_transcript as read_rollout

            return read_rollout
        case "opencode":
            from hipocampus.hosts.opencode_transcript import read_transcript as read_opencode

            return read_opencode
        case "openclaw":
            from hipocampus.hosts.openclaw_transcript import read_transcript as read_openclaw

            return read_openclaw
        case _:
            return None
