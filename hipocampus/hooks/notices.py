"""What a session start tells the user, in one line, and never the model."""

from __future__ import annotations

from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut
from hipocampus.errors import UserError
from hipocampus.store.files import read_text, take_failures
from hipocampus.store.user_state import is_never, mark_told, was_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipocampus.hooks.call import Call
    from hipocampus.store.config import Config
    from hipocampus.store.home import Home, NoHome
    from hipocampus.store.layout import Layout

#: The command is on no PATH where there is the plugin of Claude Code alone.
TURN_ON = "no memory for this project yet; {setup} turns it on, {setup} --never ends this offer"
_LONGEST = 400


def no_home(env: Mapping[str, str], absent: NoHome, host: str) -> str:
    """How to turn memory on, or why there is none: once per project, and not after the user has said never."""
    project = absent.project
    if not project or was_told(env, project) or is_never(env, project):
        return ""
    mark_told(env, project)
    setup = "/hipocampus:setup" if host == "claude-code" else "hipocampus init"
    return _line(absent.reason or TURN_ON.format(setup=setup))


def not_trusted(env: Mapping[str, str], home: Home) -> str:
    """That a memory lies here which nobody on this machine has agreed to."""
    if is_never(env, home.layout.project):
        return ""
    if not home.id:
        return _line(f"the memory in {home.layout.root} was not set up by this program; `hipocampus init` adopts it")
    return _line(
        f"the memory in {home.layout.root} came from elsewhere and is not used; `hipocampus trust` changes that"
    )


def with_memory(call: Call, layout: Layout, config: Config, packages: str = "") -> str:
    """Everything that went wrong since the last session start, and what keeps the memory from working.

    `packages` is what is to be said about those that are missing.
    """
    parts = [packages] if packages else []
    if config.warnings:
        parts.append(config.warnings[0])
    failures = take_failures(layout, call.env)
    if failures.count:
        times = "once" if failures.count == 1 else f"{failures.count} times"
        parts.append(f"failed {times} since {failures.since[:16]}, last in {failures.last} (`hipocampus status`)")
    call.attempt("budgets", lambda: parts.extend(_over_budget(layout)))
    return _line("; ".join(parts)) if parts else ""


def _over_budget(layout: Layout) -> list[str]:
    """Which files are over their budget; a home without budgets only pays for looking whether there is a table."""
    outside = (part.rpartition("-->")[2] for part in (read_text(layout.policy) or "").split("<!--"))
    if not any("\n|" in f"\n{part}" for part in outside):
        return []
    from hipocampus.budget.report import over_budget

    try:
        return over_budget(layout)
    except UserError as error:  # a row of the table that cannot be used
        return [str(error)]


def _line(text: str) -> str:
    return cut(f"hipocampus: {one_line(text)}", _LONGEST)
