"""How often an LLM was asked for a home during the last hour, kept outside of it: a pull cannot change it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping

from hipocampus.errors import UserError
from hipocampus.store import disk
from hipocampus.store.layout import is_safe_name
from hipocampus.store.locks import Hold
from hipocampus.store.user_state import content, state_dir

_HOUR = 3600.0


def asks_file(env: Mapping[str, str], home_id: str) -> str:
    """Where the moments are kept; they need not be."""
    return os.path.join(state_dir(env), "asks", f"{home_id}.json")


def note_ask(env: Mapping[str, str], home_id: str, now: float, most: int) -> float | None:
    """Note that an LLM is asked at `now` (seconds since 1970), if that is within the limit; None then.

    Else the moment from which it is, infinite where it never is. A file that cannot be understood counts as the whole
    limit, used up just now, and so does a moment that is yet to come: what was changed by hand or by a jump of the
    clock stops the asking for an hour, not for good.
    """
    if not is_safe_name(home_id):
        raise UserError("this home has no id; run `hipocampus init` in it first")
    if most <= 0:
        return math.inf
    path = asks_file(env, home_id)
    with Hold(f"{path}.lock", timeout=10.0):
        asked = sorted(min(one, now) for one in _read(path, now, most) if one > now - _HOUR)
        is_free = len(asked) < most
        text = json.dumps([*asked, now] if is_free else asked)
        disk.replace(path, text.encode("ascii"), 0o600, sync=True)
    return None if is_free else asked[len(asked) - most] + _HOUR


def _read(path: str, now: float, most: int) -> list[float]:
    text = content(path)
    if not text and not os.path.lexists(path):
        return []
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, list) and all(type(one) in (int, float) and math.isfinite(one) for one in found):
        return found
    return [now] * most
