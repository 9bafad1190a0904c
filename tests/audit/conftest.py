"""Values that look like secrets and belong to nobody, made here so that no scanner finds one in the source."""

from __future__ import annotations

import string
from hashlib import shake_256

import pytest

from hipocampus.store.home import Home
from hipocampus.store.layout import Layout
from tests.conftest import HOME_ID

LETTERS = string.ascii_letters + string.digits


def letters(count: int, alphabet: str = LETTERS) -> str:
    """Characters without a pattern, the same at every run."""
    return "".join(alphabet[byte % len(alphabet)] for byte in shake_256(b"audit").digest(count))


TOKEN = "ghp" + "_" + letters(36)
PASSWORD = "Tr0ub4dor" + "&3x"
KEY_BLOCK = "\n".join(
    ["-----BEGIN " + "RSA PRIVATE KEY-----", *(letters(64) for _ in range(4)), "-----END " + "RSA PRIVATE KEY-----"]
)


@pytest.fixture
def found_home(layout: Layout) -> Home:
    """The home as commands find it."""
    return Home(layout, HOME_ID, trusted=True)
