"""What a user allows and adds: `redact.allow`, `redact.allowNames` and `redact.extra` of the config."""

from __future__ import annotations

from hipocampus.core.record import record


@record
class Policy:
    """Values and names that stay, extra rules, and what was wrong with them."""

    allow: tuple[str, ...] = ()
    allow_names: tuple[str, ...] = ()
    extra: tuple[tuple[str, str, int], ...] = ()
    problems: tuple[str, ...] = ()


DEFAULT = Policy()
