"""The `redact` settings of a home, in force for the whole process: what reads and what writes redacts by the same."""

from __future__ import annotations

from hipocampus.errors import UserError
from hipocampus.redaction.policy import DEFAULT, enforce
from hipocampus.store.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipocampus.store.layout import Layout

_LONGEST = 1024 * 1024


def enforce_own_policy(layout: Layout, env: Mapping[str, str]) -> None:
    """From here on redaction follows this home's `redact` settings; those of a home that is not trusted count as none.

    Most homes have no such settings, and then the file is looked at and not parsed: every hook comes through here.
    """
    try:
        text = read_text(layout.config, _LONGEST) or ""
    except (OSError, UserError):
        text = ""
    if '"redact' not in text:
        enforce(DEFAULT)
        return
    from hipocampus.store.config import load_lenient

    enforce(load_lenient(layout, env).policy)
