"""What is done with the canaries: one session, every command, the looks of the next day."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from hipocampus.budget.distil import Bullet, Distilled
from hipocampus.budget.measure import Unit
from hipocampus.budget.policy import Rule
from hipocampus.budget.rewrite import carry_out, prepare
from hipocampus.budget.sayings import Rank
from hipocampus.budget.splitting import Piece
from hipocampus.dag.compact import compact
from hipocampus.dag.texts import Matter
from hipocampus.store.config import load
from hipocampus.store.layout import Layout
from tests.faults.canary_llm import replies
from tests.faults.canary_machine import NOW, SESSION, Machine
from tests.faults.canary_past import put_past, workspace_of
from tests.faults.canary_secrets import one_by_one, planted


def transcript_lines() -> Iterator[str]:
    """A conversation in which every text, name and path is a canary, with a line that is no JSON."""

    def line(kind: str, content: object, **more: object) -> str:
        message = {"role": kind, "id": f"msg_{kind}", "content": content}
        base = {"type": kind, "message": message, "uuid": f"u-{kind}-{len(str(content))}", "sessionId": SESSION}
        return json.dumps(base | {"timestamp": "2026-03-15T01:22:03.000Z", "gitBranch": planted("branch")} | more)

    yield line("user", f"the old prompt with {planted('transcript prompt')}", promptId="p-0")
    yield json.dumps({"type": "queue-operation", "operation": "enqueue", "content": f"also {planted('queued prompt')}"})
    yield '{"type": "user", ' + planted("transcript garbage")
    yield line("user", f"deploy with {planted('prompt')}", promptId="p-1")
    yield line("assistant", [{"type": "text", "text": f"I will use {planted('assistant text')}"}])
    tool = {"type": "tool_use", "id": "t1", "name": planted("tool name"), "input": {"command": "true"}}
    write = {"type": "tool_use", "id": "t2", "name": "Write", "input": {"file_path": f"/srv/{planted('file name')}.py"}}
    yield line("assistant", [tool, write])
    yield line("assistant", [{"type": "text", "text": f"Done with {planted('second assistant text')}"}])


def use_everything(machine: Machine) -> str:
    """Plant every canary, then let every part of the program see it; all that was printed."""
    project, memory = machine.project, machine.project / "memory"
    config = json.loads((project / "hipocampus.config.json").read_text(encoding="utf-8"))
    config |= {planted("config key"): 1, "search": {"embedModel": planted("config value")}}
    (project / "hipocampus.config.json").write_text(json.dumps(config), encoding="utf-8")
    with open(project / "WORKING.md", "a", encoding="utf-8") as file:
        file.write(f"\n- task: rotate {planted('working file')}\n- status: in progress\n")
    with open(project / "SCRATCHPAD.md", "a", encoding="utf-8") as file:
        file.write(f"\nthe staging key is {planted('scratchpad')}\n")
    with open(project / "TASK-QUEUE.md", "a", encoding="utf-8") as file:
        file.write(f"\n- [ ] rotate {planted('task queue')}\n")
    for folder, way in (("knowledge", "knowledge"), ("plans", "plan")):
        (project / folder).mkdir(exist_ok=True)
        (project / folder / "keys.md").write_text(f"# Keys\n\nrotate {planted(way)}\n", "utf-8")
    (memory / "2026-03-14.md").write_text(f"## By hand [project]\n- note: {planted('raw log by hand')}\n", "utf-8")
    put_past(machine.env, project)
    machine.transcript.write_text("\n".join(transcript_lines()) + "\n", encoding="utf-8")
    return "\n".join([*conversation(machine), *commands(machine), *later(machine)])


def conversation(machine: Machine) -> Iterator[str]:
    """One session, told to the hooks as the client tells it."""
    at = {"transcript_path": str(machine.transcript), "cwd": f"/srv/{planted('file name')}"}
    yield machine.hook("session-start", {**at, "source": planted("start source")})
    yield machine.hook("hot-files", {**at, "source": "startup"})
    yield machine.hook("prompt", {**at, "prompt": f"deploy with {planted('prompt')}", "prompt_id": "p-1"})
    said = {**at, "last_assistant_message": f"Done with {planted('second assistant text')}"}
    yield machine.hook("checkpoint", said)
    yield machine.hook("flush", said)
    yield machine.hook(
        "checkpoint", {**at, "task_subject": planted("task"), "task_id": "1"}, "--event", "task-completed"
    )
    yield machine.hook("prompt", '{"session_id": "x", "prompt": "' + planted("payload cut short"))
    yield machine.hook("prompt", {"session_id": planted("session id"), "prompt": "a session with a strange name"})
    compact = {**at, "trigger": "manual", "custom_instructions": planted("compact instructions")}
    yield machine.hook("pre-compact", compact)


def commands(machine: Machine) -> Iterator[str]:
    """Everything that a person or an agent may type."""
    field_of = f"request=rotate {planted('checkpoint field')}"
    yield machine.command("checkpoint", "--topic", f"rotate {planted('checkpoint topic')}", "--field", field_of)
    told = {"topic": "by JSON", "type": "reference", "references": planted("checkpoint on stdin")}
    yield machine.command("checkpoint", text=json.dumps(told))
    yield machine.command("remember", f"always use {planted('remembered')}")
    yield machine.command("show", planted("command argument"))
    yield machine.command("list", "--since", planted("command argument"))
    yield machine.command(planted("command argument"))
    yield machine.command("import", "--yes")
    yield machine.command("import", "--yes", cwd=workspace_of(machine.env))
    yield machine.command("flush")
    yield machine.command("compact", "--force")
    yield machine.command("redact", "--findings", text=planted("redacted"))
    machine.command("remember", f"forget {planted('forgotten')}")
    yield machine.command("forget", "--match", "forget", "--yes")
    yield from budgets(machine)
    yield from summaries(machine)
    yield from answers(machine)
    yield from replies(machine)
    yield from questions(machine)
    yield machine.crash(planted("crash"))


def budgets(machine: Machine) -> Iterator[str]:
    """A file with a budget that is added to, compacted, looked at and brought back."""
    rows = "| file | unit | budget | newest |\n|---|---|---|---|\n| MEMORY.md | lines | 150 | 2 |\n"
    (machine.project / "compaction" / "compaction-policy.md").write_text(rows, encoding="utf-8")
    said = "".join(f"## entry {number}\n{planted('budgeted file')}\n" for number in range(8))
    (machine.project / "MEMORY.md").write_text(said, encoding="utf-8")
    yield machine.command("save", "MEMORY.md", text=f"## new\n{planted('saved entry')}\n")
    yield machine.command("budget", "compact", "MEMORY.md", "--dry-run", "--show-dropped")
    yield machine.command("budget", "compact", "MEMORY.md", "--yes", "--show-dropped")
    yield machine.command("budget", "diff", "MEMORY-2026-03-15")
    for arguments in (["budget", "snapshots"], ["undo", "--yes"], ["undo", "--list"]):
        yield machine.command(*arguments)


def summaries(machine: Machine) -> Iterator[str]:
    """Summaries over a long file, and every way to look at them."""
    said = "".join(f"## change {number}\nrotate {planted('summarised file')}\n" for number in range(24))
    (machine.project / "knowledge" / "changes.md").write_text(said, encoding="utf-8")
    of_file = ("--file", "knowledge/changes.md")
    yield machine.command("dag", "compact", "--dry-run", *of_file)
    yield machine.command("dag", "compact", *of_file)
    for verb in ("status", "tree", "assemble"):
        yield machine.command("dag", verb, *of_file)
    yield machine.command("dag", "search", "rotate", *of_file)
    yield machine.command("dag", "inspect", "s-001", *of_file)
    yield machine.command("dag", "dissolve", "s-001", *of_file)
    yield machine.command("undo", "--yes")


def answers(machine: Machine) -> Iterator[str]:
    """What an LLM says of innocent texts: of each group of entries in a summary, of each entry in the history block."""
    layout, now = Layout(str(machine.project), str(machine.project)), datetime.fromisoformat(NOW)
    config = load(layout, machine.env)
    kinds = one_by_one("LLM bullets")
    row = "row {} of entry {} tells how the deployment of that day went\n"
    bodies = ("".join(row.format(at, number) for at in range(12)) for number in range(len(kinds) + 2))
    entries = "".join(f"## entry {number}\n{body}" for number, body in enumerate(bodies))
    for name in ("knowledge/told.md", "TOLD.md"):
        (machine.project / name).write_text(entries, encoding="utf-8")

    def summarise(_matter: Matter) -> str:
        return f"an LLM sums it up: {planted('LLM summary')}"

    def distil_one(piece: Piece) -> Distilled:
        number = int(piece.title.split()[-1])
        said = kinds[number] if number < len(kinds) else "an LLM said it in few words"
        return Distilled(tuple(Bullet(line, Rank.LASTING) for line in said.split("\n")))

    assert compact(layout, config, now, "knowledge/told.md", summarise=summarise).made
    rule = Rule("TOLD.md", Unit.LINES, 40, 1, "##")
    prepared = prepare(layout, rule.pattern, rule, now, distil_one)
    assert prepared is not None
    carry_out(layout, prepared, config, now)
    for verb in ("tree", "assemble"):
        yield machine.command("dag", verb, "--file", "knowledge/told.md")
    yield machine.command("dag", "inspect", "s-002", "--file", "knowledge/told.md")
    yield machine.command("budget", "diff", prepared.snapshot)


def questions(machine: Machine) -> Iterator[str]:
    """What is asked of the memory, with and without a secret in the question."""
    for verb in ("search", "recall", "surface", "manifest"):
        words = () if verb == "manifest" else ("rotate the staging key",)
        yield machine.command(verb, *words)
        yield machine.command(verb, "--json" if verb != "surface" else "--tokens=1000", *words)
    for verb in ("search", "recall", "surface"):
        yield machine.command(verb, f"rotate {planted('question')}")
    prompt = {"id": "p", "prompt": f"rotate {planted('question')}"}
    yield machine.command("surface", "--jsonl", text=json.dumps(prompt) + "\n")


def later(machine: Machine) -> Iterator[str]:
    """ROOT edited by hand, the session's end, and the looks of the next day."""
    with open(machine.project / "memory" / "ROOT.md", "a", encoding="utf-8") as file:
        file.write(f"\n## {planted('ROOT heading by hand')}\n- a line by hand: {planted('ROOT by hand')}\n")
    yield machine.hook("session-end", {"reason": "other", "transcript_path": str(machine.transcript)})
    for arguments in (["compact", "--force"], ["verify"], ["status"], ["status", "--json"], ["list"], ["show", "ROOT"]):
        yield machine.command(*arguments)
    node = machine.project / "memory" / "daily" / "2026-03-15.md"
    with open(node, "a", encoding="utf-8") as file:
        file.write(f"\n- by hand: {planted('node by hand')}\n")
    for arguments in (["compact", "--force"], ["doctor"], ["audit"], ["audit", "--fix"]):
        yield machine.command(*arguments)
    yield machine.command("show", "2026-03-15")
    machine.command("config", "show")  # what it prints are the person's own settings
    next_day = Machine(machine.root, {**machine.env, "HIPOCAMPUS_NOW": "2026-03-16T09:00:00+09:00"})
    start = {"session_id": "next-day", "transcript_path": "", "source": "startup"}
    yield next_day.hook("session-start", start)
    yield next_day.hook("hot-files", start)
    yield from questions(next_day)
