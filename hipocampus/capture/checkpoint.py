"""Checkpoints: typed entries that an agent or a person writes on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hipocampus.capture.rawlog import Stored
from hipocampus.core.topics import Topic
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A topic and its fields, validated. `noted` marks the short form, which covers only the prompt that asked for it."""

    topic: Topic
    fields: tuple[tuple[str, str], ...]
    noted: bool = False


def parse_checkpoint(topic: str, type: str, fields: Sequence[str], text: str) -> Checkpoint:
    """A checkpoint from options (`fields` are ``name=text``) and from Markdown or JSON in `text`.

    UserError says exactly what is missing and shows the right command.
    """
    raise NotImplementedError


def remembered(text: str, type: str = "") -> Checkpoint:
    """The short form: the wording kept exactly, the type guessed unless given."""
    raise NotImplementedError


def store_checkpoint(
    layout: Layout,
    checkpoint: Checkpoint,
    now: datetime,
    session: str = "",
    *,
    source: str = "agent",
    branch: str = "",
) -> Stored:
    """Store it in today's raw log, raise both counters and mark the session's journal; an exact repeat changes nothing."""
    raise NotImplementedError
