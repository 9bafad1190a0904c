"""``hipocampus budget check`` and ``compact``: which files are over their budget, and bringing them back into it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from hipocampus.budget.distil import Distil, distil
from hipocampus.budget.measure import Unit
from hipocampus.budget.places import named
from hipocampus.budget.policy import POLICY, Rule, read_policy, rule_for
from hipocampus.budget.report import Standing, standings
from hipocampus.budget.rewrite import Prepared, carry_out, prepare
from hipocampus.commands.caller import Caller
from hipocampus.commands.denser import series_for, tell_of
from hipocampus.commands.output import complain, counted, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.commands.questions import confirmed
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError, reason_of
from hipocampus.store.config import Config, load
from hipocampus.store.layout import Layout
from hipocampus.summarize.bullets import distiller

NO_RULE = f"has no budget; add a row for it to {POLICY}"


def check(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Print each file that has a budget with its size; 1 if one is over, or cannot be read.

    UserError where the policy cannot be used.
    """
    found = standings(open_home(caller, home).layout)
    if as_json:
        say_json(
            [
                {"file": one.name, **_rule_as_object(one.rule), "size": one.size, "over": one.is_over}
                | ({"problem": one.problem} if one.problem else {})
                for one in found
            ]
        )
    elif found:
        rows = [
            (one.name, f"{one.size:,}", f"{one.rule.budget:,}", str(one.rule.unit), one.problem or "over" * one.is_over)
            for one in found
        ]
        say_table(("File", "Size", "Budget", "Unit", ""), rows)
    else:
        say(f"No file has a budget; {POLICY} says which should.")
    return 1 if any(one.is_over or one.problem for one in found) else 0


def _rule_as_object(rule: Rule) -> dict[str, object]:
    values = asdict(rule)
    del values["pattern"]
    return values


def compact(
    caller: Caller,
    *,
    file: str | None = None,
    every: bool = False,
    dry_run: bool = False,
    yes: bool = False,
    show_dropped: bool = False,
    extractive: bool = False,
    home: str = "",
) -> int:
    """Bring one file, or every one that is over, within its budget; 1 where that was not possible or not wanted.

    A back end that is set up says facts in fewer words, unless only `extractive` bullets are wanted.
    """
    if bool(file) == every:
        raise UserError("Say which file to compact, or --all.")
    layout = open_home(caller, home, writing=not dry_run).layout
    config = load(layout, caller.env)
    series = None if dry_run or extractive else series_for(caller, layout, config)
    wish = _Wish(config, dry_run, yes, show_dropped, distiller(series, config.policy) if series else distil)
    if file is not None:
        done = [_compact_one(caller, layout, *_named(caller, layout, file), wish)]
    else:
        over = [one for one in standings(layout) if one.is_over or one.problem]
        done = [_compact_or_say(caller, layout, one, wish) for one in over]
        if not over:
            say("Every file is within its budget.")
    if series:
        tell_of(series)
    return 0 if all(done) else 1


@dataclass(frozen=True, slots=True)
class _Wish:
    """How to compact."""

    config: Config
    dry_run: bool
    yes: bool
    show_dropped: bool
    distil_one: Distil


def _named(caller: Caller, layout: Layout, file: str) -> tuple[str, Rule]:
    name = named(layout, file, caller.cwd)
    rule = rule_for(read_policy(layout), name)
    if rule is None:
        raise UserError(f"{one_line(name)} {NO_RULE}.")
    return name, rule


def _compact_or_say(caller: Caller, layout: Layout, one: Standing, wish: _Wish) -> bool:
    """Compact one of several files; what keeps it from that is said, and the next one has its turn."""
    try:
        return _compact_one(caller, layout, one.name, one.rule, wish)
    except UserError as error:
        complain(f"hipocampus: {error}")
    except OSError as error:
        complain(f"hipocampus: {one_line(one.name)}: {reason_of(error)}")
    return False


def _compact_one(caller: Caller, layout: Layout, name: str, rule: Rule, wish: _Wish) -> bool:
    """Whether the file is, or would be, within its budget."""
    prepared = prepare(layout, name, rule, caller.now)
    if prepared is None:
        say(f"{one_line(name)} is within its budget of {rule.budget:,} {rule.unit}.")
        return True
    if prepared.outcome.text is None:
        complain(f"hipocampus: {refusal(prepared)}")
        return False
    warn_of_secrets(name, prepared.redacted)
    if not wish.dry_run:
        if not wish.yes and not may_compact(prepared):
            complain("Nothing was changed.")
            return False
        # Nobody is asked for a file before its user has agreed.
        if wish.distil_one is not distil:
            denser = prepare(layout, name, rule, caller.now, wish.distil_one)
            prepared = denser if denser and denser.outcome.text is not None else prepared
        carry_out(layout, prepared, wish.config, caller.now)
    for line in report(prepared, dry_run=wish.dry_run, show_dropped=wish.show_dropped):
        say(line)
    return True


def may_compact(prepared: Prepared) -> bool:
    """Ask before the first compaction of a file, and where it would lose a secret. UserError without anybody to ask."""
    if prepared.redacted:
        return confirmed(f"Compact {one_line(prepared.name)} and cut these secrets out of it?", default=False)
    if prepared.is_first:
        question = f"{one_line(prepared.name)} was never compacted. Shorten it? A snapshot keeps what it says now."
        return confirmed(question, default=False)
    return True


def warn_of_secrets(name: str, lines: tuple[int, ...]) -> None:
    """Name each line that redaction would change."""
    for line in lines:
        complain(f"{one_line(name)}:{line} holds what looks like a secret; it is cut out of the file and its snapshot")


def refusal(prepared: Prepared) -> str:
    """Why a file cannot be brought within its budget."""
    outcome = prepared.outcome
    rule = outcome.rule
    divided = (
        "" if rule.marker else f" (they begin with {outcome.marker or 'a paragraph'}; the policy can say otherwise)"
    )
    return (
        f"{one_line(prepared.name)} cannot get below {outcome.sizes[1]:,} {rule.unit} (budget {rule.budget:,}) without "
        f"touching its newest {outcome.newest} of {outcome.entries} entries{divided}; it was not changed"
    )


def report(prepared: Prepared, *, dry_run: bool = False, show_dropped: bool = False) -> Iterator[str]:
    """What a compaction did, in lines: entries, sizes, budget, snapshot, and what was left out."""
    outcome = prepared.outcome
    rule = outcome.rule
    would, be = ("would go", "would be ") if dry_run else ("went", "")
    (lines, left), (size, smaller) = outcome.lines, outcome.sizes
    yield f"{one_line(prepared.name)}: {counted(outcome.entries, 'entry', 'entries')}, {lines:,} → {left:,} lines"
    yield f"  {outcome.distilled} oldest {would} into the history block"
    yield f"  {outcome.middle} between {be}shortened lightly, {outcome.newest} newest {be}left alone"
    # Lines are said above.
    sizes = "" if rule.unit is Unit.LINES else f": {size:,} → {smaller:,}"
    yield f"  budget {rule.budget:,} {rule.unit}{sizes}"
    yield f"  snapshot {prepared.snapshot_path}"
    if show_dropped:
        yield from (f"  dropped  {line}" for line in outcome.dropped)
    elif outcome.dropped:
        left_out = counted(len(outcome.dropped), "statement")
        # Afterwards only the snapshot can tell, and `save` has no such option.
        yield f"  {left_out} {be}left out; {'--show-dropped lists them' if dry_run else 'the snapshot has them'}"
