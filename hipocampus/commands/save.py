"""``hipocampus save``: add an entry to a memory file, and keep the file within its budget."""

from __future__ import annotations

from collections.abc import Callable

from hipocampus.budget.places import is_memory_file, named
from hipocampus.budget.policy import POLICY, read_policy, rule_for
from hipocampus.budget.rewrite import Prepared
from hipocampus.budget.save import save as run
from hipocampus.commands.budget import NO_RULE, may_compact, report, warn_of_secrets
from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, say
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import can_ask
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.store.config import load


def save(caller: Caller, *, stdin: Callable[[], str], file: str, yes: bool = False, home: str = "") -> int:
    """Add the entry on standard input to `file`, after making room for it; say where it stays over its budget.

    UserError for a file of the project that is none of entries, by its name or by the policy: a program, or settings.
    """
    layout = open_home(caller, home, writing=True).layout
    name = named(layout, file, caller.cwd)
    rule = rule_for(read_policy(layout), name)
    if rule is None and not is_memory_file(name):
        raise UserError(
            f"{one_line(name)} is no memory file; "
            f"save to MEMORY.md or knowledge/NAME.md, or add a row for it to {POLICY}"
        )
    done = run(layout, name, rule, stdin(), load(layout, caller.env), caller.now, lambda found: yes or _may(found))
    if done.compaction:
        for line in report(done.compaction):
            say(line)
    say(f"{one_line(name)} has that entry already." if done.is_repeat else f"Added to {one_line(name)}.")
    if rule is None:
        complain(f"note: {one_line(name)} {NO_RULE}")
    elif done.size > rule.budget:
        sizes = f"{done.size:,} of {rule.budget:,} {rule.unit}"
        complain(f"note: it is over its budget ({sizes}); see hipocampus budget compact {one_line(name)}")
    return 0


def _may(prepared: Prepared) -> bool:
    """Ask where a question is due; without anybody to ask, the entry is added and the file stays as large as it is."""
    warn_of_secrets(prepared.name, prepared.redacted)
    return may_compact(prepared) if can_ask() or not (prepared.is_first or prepared.redacted) else False
