"""What back ends answer, and how they fail, for nodes, for summaries over a file and for a history block."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

from hipocampus.store.layout import Layout
from tests.faults.canary_machine import Machine
from tests.faults.canary_secrets import planted
from tests.summarize.memory import remember, summed_up
from tests.summarize.messages_api import KEY, Asked, MessagesApi, Reply

_ANSWERER = """\
import sys
sys.path.insert(0, {root!r})
from tests.summarize.memory import summed_up
fixed, _, matter = sys.stdin.read().partition("\\n\\nCondense ")
if {fails}:
    sys.exit({said!r})
print(summed_up(fixed, matter) if "## Topics" in fixed else "## Entries\\n- entry", {said!r}, sep="\\n")
"""


def replies(machine: Machine) -> Iterator[str]:
    """Each back end fails, then answers, saying a secret both times; every question that can be asked is."""
    layout = Layout(str(machine.project), str(machine.project))
    remember(layout, date(2026, 3, 12))
    machine.command("compact", "--force")
    entries = "".join(f"## change {at}\n{'rotate the keys of the staging server ' * 14}\n" for at in range(24))
    for name in ("knowledge/asked.md", "ASKED.md"):
        (machine.project / name).write_text(entries, encoding="utf-8")
    (machine.project / "compaction" / "compaction-policy.md").write_text(
        "| file | unit | budget | newest | marker |\n|---|---|---|---|---|\n| ASKED.md | lines | 20 | 2 | ## |\n",
        encoding="utf-8",
    )
    program = machine.root / "transcripts" / "answerer.py"
    _set(machine, backend="command", command=json.dumps([sys.executable, str(program)]))
    for fails, way in ((True, "command error"), (False, "command reply")):
        program.write_text(_ANSWERER.format(root=str(Path(__file__).parents[2]), fails=fails, said=planted(way)))
        yield from _asked(machine)
    _set(machine, backend="anthropic", retries="0")
    with MessagesApi() as api:
        asking = replace(
            machine, env={**machine.env, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url, "NO_PROXY": "*"}
        )
        for reply in (Reply(status=400, error=planted("anthropic error")), _good_but_for_the_secret):
            api.plan(reply)
            yield from _asked(asking)
    _set(machine, backend="agent")


def _set(machine: Machine, **settings: str) -> None:
    for key, value in settings.items():
        machine.command("config", "set", f"llm.{key}", value)


def _asked(machine: Machine) -> Iterator[str]:
    yield machine.command("summarize")
    yield machine.command("dag", "compact", "--file", "knowledge/asked.md")
    yield machine.command("budget", "compact", "ASKED.md", "--yes", "--show-dropped")
    yield machine.command("budget", "restore", "ASKED-2026-03-15", "--yes")
    yield machine.command("status")


def _good_but_for_the_secret(asked: Asked) -> Reply:
    good = summed_up(asked.fixed, asked.matter) if "## Topics" in asked.fixed else "## Entries\n- entry\n"
    return Reply(good + planted("anthropic reply"))
