"""``hipocampus forget``: take something out of the memory for good."""

from __future__ import annotations

from collections.abc import Iterator

from hipocampus.commands.caller import Caller
from hipocampus.commands.line_numbers import in_words
from hipocampus.commands.output import complain, say, say_json
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import may_change
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.forgetting.forget import Forgotten
from hipocampus.forgetting.forget import forget as run
from hipocampus.forgetting.plan import Action, Plan, Step, Target, plan
from hipocampus.recall import qmd
from hipocampus.recall.browse import Located
from hipocampus.redaction import scrub
from hipocampus.store.config import load


def forget(
    caller: Caller,
    *,
    name: str = "",
    match: str = "",
    snapshots: bool = False,
    dry_run: bool = False,
    yes: bool = False,
    as_json: bool = False,
    home: str = "",
) -> int:
    """Show what forgetting an entry (or all that holds `match`) touches, ask unless `yes`, do it, and say what is left.

    1 if the answer is no. UserError where there is nothing to forget, or both or neither of the two is given.
    """
    if bool(name) == bool(match.strip()):
        raise UserError("Say what to forget: the id of an entry (hipocampus list shows it), or --match TEXT.")
    layout = open_home(caller, home, writing=not dry_run).layout
    config = load(layout, caller.env)
    target = Target(name, match)
    found = plan(layout, target)
    if not as_json:
        _show(found, snapshots)
    if dry_run:
        return _dry(found, as_json)
    if not may_change("Forget this for good?", yes):
        return 1
    qmd.unregister(layout, caller.env)  # its index may keep in free pages what it was told to drop
    done = run(layout, config, target, caller.now, only={one.id for one in found.entries}, snapshots=snapshots)
    if as_json:
        say_json(_as_object(done.done, done))
    else:
        _tell(done)
    return 0


def _dry(found: Plan, as_json: bool) -> int:
    if as_json:
        say_json(_as_object(found, None))
    else:
        say("Nothing was changed.")
    return 0


def _show(found: Plan, snapshots: bool) -> None:
    for one in found.entries:
        say(f"forget    {_named(one)}")
    if found.finished:
        say("It was forgotten before; what is left of it goes now.")
    for step in found.steps:
        is_left = step.action is Action.COPY and not snapshots
        about = f": {in_words(step.lines)}" if any(step.lines) and step.action is not Action.CUT else ""
        why = "; add --snapshots to clean it" if is_left else _hint(step)
        say(f"{_WORDS[Action.LEAVE if is_left else step.action]:<9} {_shown(step.holding.name)}{about}{why}")
    for file in found.unreadable:
        complain(f"not searched: {_shown(file)}")


_WORDS = {
    Action.CUT: "cut",
    Action.SILENCE: "silence",
    Action.REBUILD: "rebuild",
    Action.TRIM: "trim",
    Action.DELETE: "delete",
    Action.COPY: "clean",
    Action.LEAVE: "leave",
}


def _hint(step: Step) -> str:
    is_working = step.action is Action.LEAVE and step.holding.name == "WORKING.md"
    return "; edit it first, or the next compaction logs it again" if is_working else ""


def _named(one: Located) -> str:
    return f"{one.day}  {one.id[:8]}  {one_line(scrub(str(one.entry.topic)))} → {one.pointer}"


def _shown(name: str) -> str:
    return one_line(scrub(name))


def _tell(done: Forgotten) -> None:
    say("Forgotten." if not done.done.finished else "Done.")
    for line in _leftovers(done):
        say(line)
    say("The host keeps transcripts of its own, and git what was committed; neither is touched.")
    for file in done.unsearched:
        complain(f"not searched: {_shown(file)}")


def _leftovers(done: Forgotten) -> Iterator[str]:
    """Where it still stands, most to the point first."""
    if not done.remains:
        yield "No file of this memory holds it any more."
        return
    yield "It still stands here, in text that is yours to edit or that other entries hold as well:"
    for name, lines in done.remains:
        yield f"  {_shown(name)}" + (f": {in_words(lines)}" if any(lines) else "")


def _as_object(found: Plan, done: Forgotten | None) -> dict[str, object]:
    return {
        "done": done is not None,
        "entries": [
            {"day": one.day, "id": one.id, "topic": scrub(str(one.entry.topic)), "pointer": one.pointer}
            for one in found.entries
        ],
        "steps": [
            {"action": str(step.action), "file": scrub(step.holding.name), "lines": list(step.lines)}
            for step in found.steps
        ],
        "remains": [{"file": scrub(name), "lines": list(lines)} for name, lines in done.remains] if done else [],
        "unsearched": [scrub(name) for name in (done.unsearched if done else found.unreadable)],
    }
