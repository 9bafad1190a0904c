"""What kind of knowledge a text is, and what it is about: rules in tables, English and Korean."""

from __future__ import annotations

from hipocampus.core.topics import EntryType


def guess_type(text: str) -> EntryType:
    """The type of a remark by its wording; `project` where nothing says otherwise."""
    raise NotImplementedError


def topic_of(prompt: str) -> str:
    """A short name for what a prompt is about, or the empty string where it says too little ("yes, go on")."""
    raise NotImplementedError
