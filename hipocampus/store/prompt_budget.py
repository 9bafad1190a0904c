"""How many tokens of recalled entries a prompt may get: read without the rest of the settings, which cost a hook more.

``hipocampus.store.config`` has the key with all others; this is the same value, for the one hook that waits for it.
"""

from __future__ import annotations

from hipocampus.core.json_text import from_json
from hipocampus.errors import UserError
from hipocampus.store.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hipocampus.store.layout import Layout

DEFAULT = 500
MOST = 4_000
_LIMIT = 1024 * 1024


def budget(value: object) -> int:
    """The setting as a number of tokens; ValueError says what it must be."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST:
        raise ValueError(f"a whole number from 0 (off) to {MOST}")
    return value


def prompt_budget(layout: Layout) -> int:
    """The tokens that a prompt of this home may get; the default where the config says nothing that can be used."""
    try:
        tree: Any = from_json(read_text(layout.config, _LIMIT) or "{}")
        recall, search = tree.get("recall", {}), tree.get("search", {})
        if search.get("enabled") is False:
            return 0
        return budget(recall.get("promptTokens", DEFAULT))
    except (OSError, UserError, ValueError, AttributeError, RecursionError):
        return DEFAULT
