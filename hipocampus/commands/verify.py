"""``hipocampus verify``: prove that nothing is lost."""

from __future__ import annotations

from dataclasses import asdict

from hipocampus.commands.caller import Caller
from hipocampus.commands.output import counted, say, say_json
from hipocampus.commands.place import open_home
from hipocampus.compaction.verify import verify as findings_of
from hipocampus.compaction.verify import waiting
from hipocampus.core.neutral import one_line
from hipocampus.store.config import load


def verify(caller: Caller, *, as_json: bool = False, home: str = "") -> int:
    """Print a line for each broken promise; 1 if there is one."""
    layout = open_home(caller, home).layout
    findings = findings_of(layout, load(layout, caller.env), caller.now)
    if as_json:
        say_json([asdict(finding) for finding in findings])
        return 1 if findings else 0
    for finding in findings:
        say(one_line(str(finding)))
    if findings:
        say(f"{len(findings)} {'finding' if len(findings) == 1 else 'findings'}; docs/files.md has the rules.")
        return 1
    logs = waiting(layout, caller.now)
    if logs:
        those = counted(len(logs), "raw log")
        say(f"Nothing is wrong; new lines in {those} wait for compaction; at once: hipocampus compact --force")
    else:
        say("All is well: every entry is reachable from ROOT.")
    return 0
