"""Moments as OpenCode and OpenClaw write them: milliseconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime


def milliseconds(value: object) -> float:
    """A moment of the host, in milliseconds; 0 for what is none."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return 0.0
    return float(value) if 0 <= value < 2**53 else 0.0


def iso(value: object) -> str:
    """A moment of the host as ISO text with its offset; empty for what is none."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return ""
    try:
        return datetime.fromtimestamp(value / 1000, UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return ""
