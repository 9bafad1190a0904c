"""Back ends of which nothing is real but the way to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .messages_api import KEY, MessagesApi


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    """A Messages API that says what the test plans."""
    with MessagesApi() as server:
        yield server


@pytest.fixture
def asking(env: dict[str, str], api: MessagesApi) -> dict[str, str]:
    """The environment of a user who has a key, for that API."""
    return {**env, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url, "NO_PROXY": "127.0.0.1"}
