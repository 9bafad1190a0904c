"""``hipocampus audit``: is there a secret in what is stored?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hipocampus.audit.baseline import accept as note_accepted
from hipocampus.audit.mending import Mended, mend
from hipocampus.audit.survey import THEIRS, Finding, Survey, survey
from hipocampus.commands.caller import Caller
from hipocampus.commands.line_numbers import in_words
from hipocampus.commands.output import complain, counted, say, say_json, say_table
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.recall import qmd
from hipocampus.store.config import load
from hipocampus.store.home import Home

ALL = "all"


def audit(
    caller: Caller, *, fix: bool = False, accept: Sequence[str] = (), as_json: bool = False, home: str = ""
) -> int:
    """Print each finding with its place and who found it, never its value; 1 if there is one, or an unreadable file.

    With `fix`, first cut out what our own rules find. With `accept`, note findings (places, or all) as false alarms.
    """
    found_home = open_home(caller, home, writing=fix)
    config = load(found_home.layout, caller.env)
    for problem in config.policy.problems:
        complain(f"note: {one_line(problem)}")
    mended = mend(found_home, config, caller.env, caller.now) if fix else None
    if mended is not None and mended.lines:
        qmd.unregister(found_home.layout, caller.env)
    found = survey(found_home, config.policy, caller.env)
    accepted = _accepted(caller, found_home, found, accept) if accept else []
    left = [finding for finding in found.findings if finding not in accepted]
    if as_json:
        say_json(_as_object(found, left, accepted, mended))
    else:
        _print(found, left, mended)
    return 1 if left or found.unreadable else 0


def _accepted(caller: Caller, home: Home, found: Survey, places: Sequence[str]) -> list[Finding]:
    """Note the findings at these places in the baseline."""
    chosen = [finding for finding in found.findings if ALL in places or {finding.place, finding.file} & set(places)]
    unknown = set(places) - {ALL} - {name for finding in chosen for name in (finding.place, finding.file)}
    if unknown:
        raise UserError(f"There is no finding at {', '.join(sorted(map(one_line, unknown)))}; nothing was accepted.")
    if chosen:
        path = note_accepted(caller.env, home.id, [key for finding in chosen for key in finding.accepting], caller.now)
        complain(f"{counted(len(chosen), 'finding')} accepted as false alarms, noted as hashes in {one_line(path)}")
    return chosen


def _print(found: Survey, left: Sequence[Finding], mended: Mended | None) -> None:
    if mended is not None:
        print_mended(mended)
    if left:
        rows = [(one_line(finding.file), str(finding.line or "-"), finding.kind, finding.by) for finding in left]
        say_table(("file", "line", "kind", "found by"), rows)
    for name, reason in found.unreadable:
        complain(f"not searched: {one_line(name)}: {one_line(reason)}")
    files = counted(found.files, "file")
    say(f"{counted(len(left), 'finding')} in {files}." if left else f"{files} searched, nothing found.")
    for hint in _hints(left, mended is not None):
        say(hint)


def print_mended(mended: Mended) -> None:
    """Print which lines of which files were cleaned, and what could not be."""
    for name, lines in mended.lines.items():
        say(f"cleaned {one_line(name)}: {in_words(lines)}")
    for name in mended.deleted:
        say(f"deleted {one_line(name)}: it is derived and will be built again")
    for name, reason in mended.problems:
        complain(f"not cleaned: {one_line(name)}: {one_line(reason)}")
    if mended.compaction is not None:
        say(f"{counted(len(mended.compaction.written), 'file')} built again")


def _hints(left: Sequence[Finding], was_fixed: bool) -> Iterable[str]:
    if any(finding.by != THEIRS for finding in left) and not was_fixed:
        yield "audit --fix cuts out what hipocampus found; audit --accept FILE:LINE notes a false alarm."
    if any(finding.by == THEIRS for finding in left):
        yield (
            "What only detect-secrets found is not cut out: edit the file, or add a rule to redact.extra, "
            "or note a false alarm with audit --accept FILE:LINE."
        )


def _as_object(
    found: Survey, left: Iterable[Finding], accepted: Iterable[Finding], mended: Mended | None
) -> dict[str, object]:
    return {
        "findings": [_row(finding) for finding in left],
        "accepted": [_row(finding) for finding in accepted],
        "cleaned": [{"file": name, "lines": list(lines)} for name, lines in mended.lines.items()] if mended else [],
        "deleted": list(mended.deleted) if mended else [],
        "unreadable": [{"file": name, "reason": reason} for name, reason in found.unreadable],
        "files": found.files,
    }


def _row(finding: Finding) -> dict[str, object]:
    return {"file": finding.file, "line": finding.line, "kind": finding.kind, "by": finding.by}
