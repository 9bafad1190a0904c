"""``hipocampus status``: what the memory holds, when it compacts, and what it costs."""

from __future__ import annotations

from dataclasses import asdict

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import complain, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.commands.report import Compaction, Failing, Injection, Report, gather
from hipocampus.core.neutral import one_line
from hipocampus.install.registry import NAMES
from hipocampus.store.config import load_lenient

#: What each trigger counts, and how its limit is meant.
TRIGGERS = {
    "no-state": ("first compaction of this memory", "at once"),
    "cooldown": ("hours since the last compaction", "from {} on"),
    "raw-lines": ("lines in raw logs since then", "above {}"),
    "checkpoints": ("checkpoints since then", "above {}"),
    "edited-logs": ("raw logs changed by hand since then", "above {}"),
    "unfinished": ("minutes since one that did not finish", "from {} on"),
}


def status(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Print the report as tables of at most 80 columns, or as one JSON object."""
    found = open_home(caller, home)
    config = load_lenient(found.layout, caller.env)
    report = gather(found, config, caller.env, caller.now)
    if as_json:
        say_json(asdict(report))
    else:
        _print(report)
    for warning in config.warnings:
        complain(f"note: {warning}")
    return 0


def _print(report: Report) -> None:
    trusted = "trusted" if report.trusted else "not trusted on this machine"
    say(f"hipocampus {report.version} for {', '.join(NAMES[host] for host in report.hosts)}")
    say(f"home  {one_line(report.home)} ({trusted})")
    say()
    rows = [(shelf.name, str(shelf.files), _bytes(shelf.size), shelf.first, shelf.last) for shelf in report.files]
    say_table(("files", "count", "size", "first", "last"), rows)
    say()
    say(f"ROOT: {report.root_tokens} of {report.root_limit} tokens (estimated)")
    say(f"nodes that wait for a summary: {len(report.pending)}" + _named(report.pending))
    say(f"search: {report.search}")
    say()
    say_table(
        ("it is compacted by", "now", "due", ""),
        [
            (what, f"{trigger.value:g}", limit.format(f"{trigger.limit:g}"), "due now" if trigger.fired else "")
            for trigger in report.triggers
            if trigger.fired or trigger.name != "no-state"
            for what, limit in [TRIGGERS[trigger.name]]
        ],
    )
    for trigger in report.triggers:
        if trigger.fired:
            say(f"due: {one_line(trigger.sentence)}")
    say()
    say(_last(report.last_compaction))
    say()
    _print_injections(report.injected, report.days)
    say(_failing(report.failures, report.days))


def _print_injections(injected: tuple[Injection, ...], days: int) -> None:
    if not injected:
        say(f"Hooks put nothing into a session in the last {days} days.")
        return
    rows = [(one.hook, str(one.times), f"{one.characters:,}", f"{one.tokens:,}") for one in injected]
    say_table((f"hook, last {days} days", "times", "characters", "tokens (est.)"), rows)


def _last(last: Compaction) -> str:
    if not last.started:
        return "last compaction: never"
    ended = "" if last.finished else ", not finished"
    because = f"\n  because {one_line(last.why)}" if last.why else ""
    return f"last compaction: {last.started}{ended}{because}"


def _failing(failures: Failing, days: int) -> str:
    if not failures.count:
        return f"failures in the last {days} days: none"
    return f"failures: {failures.count} since {failures.since}; the last: {one_line(failures.last)}"


def _named(paths: tuple[str, ...]) -> str:
    if not paths:
        return ""
    more = f", +{len(paths) - 1} more" if len(paths) > 1 else ""
    return f" ({paths[0]}{more})"


def _bytes(size: int) -> str:
    for unit, scale in (("MB", 1_000_000), ("kB", 1_000)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} B"
