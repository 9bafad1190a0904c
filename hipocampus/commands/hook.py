"""``hipocampus hook``: the hook entry points, for a host that calls the command instead of the plugin."""

from __future__ import annotations

from collections.abc import Sequence

from hipocampus.hooks.runner import main


def hook(event: str, host: str, rest: Sequence[str] = ()) -> int:
    """Run the hook `event` exactly as the plugin's launcher does, `rest` passed on; always 0."""
    main(event, ["--host", host, *rest])
    return 0
