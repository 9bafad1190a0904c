"""What the redactor hands out: text that is safe to write, and where something was taken out."""

from __future__ import annotations

from hipocampus.core.record import record


class Redacted(str):
    """Text that has been through the redactor; the only kind of text that the store writes."""

    __slots__ = ()


@record
class Finding:
    """One value that was taken out: its kind and its place in characters of the input, never the value itself."""

    kind: str
    start: int
    end: int


@record
class Redaction:
    """The text without its secrets, and what was found in the order of the input."""

    text: Redacted
    findings: tuple[Finding, ...]
