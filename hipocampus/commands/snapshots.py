"""``hipocampus budget snapshots``, ``diff`` and ``restore``."""

from __future__ import annotations

from hipocampus.budget.restore import Return, bring_back, diff, prepare_return
from hipocampus.budget.snapshots import FOLDER, RESTORE, snapshots
from hipocampus.commands.budget import warn_of_secrets
from hipocampus.commands.caller import Caller
from hipocampus.commands.output import counted, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import may_change
from hipocampus.core.neutral import one_line
from hipocampus.redaction import scrub
from hipocampus.store.config import load
from hipocampus.store.layout import Layout


def list_snapshots(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Print every snapshot, newest first, with the file it is of."""
    found = snapshots(open_home(caller, home).layout)[::-1]
    if as_json:
        say_json(
            [
                {"snapshot": one.called, "file": one.file, "at": one.at, "why": one.why, "bytes": one.size}
                for one in found
            ]
        )
    elif found:
        rows = [(one.called, one.file, minute_of(one.at), one.why, f"{one.size:,}") for one in found]
        say_table(("Snapshot", "File", "Taken", "Before", "Bytes"), rows, are_names=True)
    else:
        say("There are no snapshots yet; the first compaction of a file with a budget takes one.")
    return 0


def show_diff(caller: Caller, *, snapshot: str, home: str = "") -> int:
    """Print what bringing a snapshot back would change. UserError where there is none of that name."""
    _say_diff(prepare_return(open_home(caller, home).layout, snapshot))
    return 0


def _say_diff(prepared: Return, most: int | None = None) -> None:
    lines = list(diff(prepared))
    say(scrub("\n".join(lines[:most])) if lines else "No line differs.")
    if most and len(lines) > most:
        name = one_line(prepared.snapshot.called)
        say(f"… {counted(len(lines) - most, 'more line')}; hipocampus budget diff {name} shows all that differs")


# So many lines of a change can be looked through before a question.
_SHOWN = 200


def restore(caller: Caller, *, snapshot: str, yes: bool = False, home: str = "") -> int:
    """Bring a snapshot back after showing what that changes; 1 if the answer is no."""
    layout = open_home(caller, home, writing=True).layout
    return brought_back(caller, layout, prepare_return(layout, snapshot), yes, RESTORE)


def brought_back(caller: Caller, layout: Layout, prepared: Return, yes: bool, why: str) -> int:
    """Show what bringing a snapshot back changes, ask, and do it because of `why`; 1 if the answer is no."""
    one = prepared.snapshot
    file = one_line(one.file)
    say(f"{FOLDER}/{one_line(one.name)}: {file} as it was at {minute_of(one.at)}, {one.size:,} bytes")
    _say_diff(prepared, _SHOWN)
    warn_of_secrets(one.file, prepared.redacted)
    if not may_change(f"Put this back into {file}? What it says now is kept in a snapshot.", yes):
        return 1
    kept = bring_back(layout, prepared, load(layout, caller.env), caller.now, why)
    say(f"{file} is as it was." + (f" What it said before is in {FOLDER}/{one_line(kept)}" if kept else ""))
    return 0


def minute_of(at: str) -> str:
    """A moment (ISO) as a person reads it."""
    return one_line(at)[:16].replace("T", " ")
