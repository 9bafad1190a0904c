"""A conversation in the shared home."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation


@pytest.fixture
def talk(layout: Layout, tmp_path: Path, now: datetime) -> Conversation:
    """A session that the host has just started."""
    conversation = Conversation(layout, tmp_path, now)
    conversation.start()
    return conversation
