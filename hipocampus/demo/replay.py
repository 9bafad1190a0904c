"""Replay the week: each session's events in the order in which the client sends them."""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hipocampus.demo.client import Client, Machine, Run
from hipocampus.demo.memory import new_entries, read_entries
from hipocampus.demo.story import Step, ended, started
from hipocampus.demo.week import Session, Turn

PAUSE = timedelta(seconds=20)  # between two things that the agent does
_END = timedelta(minutes=5)  # from the last answer to the end of the session
_AFTERWARDS = 2 * _END


@dataclass(slots=True)
class Replay:
    """What has been replayed so far on a machine. `shown` are the hooks that the last session started with."""

    machine: Machine
    hooks: list[Run] = field(default_factory=list)
    commands: list[Run] = field(default_factory=list)
    shown: list[Run] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """What no hook may do, and commands that failed."""
        failed = [f"{run.name}: {run.code}: {(run.out + run.err).strip()}" for run in self.commands if run.code]
        return [run.fault for run in self.hooks if run.fault] + failed

    def steps(self, week: list[Session]) -> Iterator[Step]:
        """Turn memory on, each session, and a proof that nothing is lost; a step is given back when it is over."""
        yield self._turn_on(week[0].begins - timedelta(minutes=10))
        for session in week:
            yield self._session(session)
        yield self._verify(week[-1].begins + _AFTERWARDS)

    def _turn_on(self, now: datetime) -> Step:
        for directory in (self.machine.home, self.machine.project):
            os.makedirs(directory)
        if self.machine.git:
            command = [self.machine.git, "init", "-q", "-b", "main", self.machine.project]
            subprocess.run(command, env=self.machine.environment(now), check=True, capture_output=True)  # noqa: S603
        self._program("init --host claude-code --yes", now)
        return Step(now, "init", ("memory is turned on in ferrywait/",))

    def _verify(self, now: datetime) -> Step:
        run = self._program("verify", now)
        return Step(now, "verify", tuple((run.out + run.err).strip().splitlines()))

    def _program(self, arguments: str, now: datetime) -> Run:
        client = Client(self.machine, "outside")
        run = client.program(arguments, now)
        client.close()
        self.commands.append(run)
        return run

    def _session(self, session: Session) -> Step:
        client = Client(self.machine, str(uuid.uuid5(uuid.NAMESPACE_OID, session.name)))
        before = read_entries(self.machine.project)
        self.shown = client.fire("SessionStart", session.begins, source="startup")
        found = read_entries(self.machine.project)
        now = session.begins
        for turn in session.turns:
            now = self._turn(client, turn)
        if session.ends != "killed":
            client.fire("SessionEnd", now + _END, reason=session.ends)
        client.close()
        self.hooks += client.hooks
        done = new_entries(found, read_entries(self.machine.project))
        did = (*started(self.shown, new_entries(before, found)), *ended(session, done))
        return Step(session.begins, f"session {session.name.split('-')[0]}", did)

    def _turn(self, client: Client, turn: Turn) -> datetime:
        """Prompt, work, answer; returns when it is over."""
        number = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{client.session} {turn.at}"))
        in_turn = {"prompt_id": number, "permission_mode": "default"}
        client.fire("UserPromptSubmit", turn.at, prompt=turn.prompt, **in_turn)
        client.transcript.prompt(turn.prompt, number, turn.at)
        now = self._work(client, turn)
        if turn.task:
            client.fire("TaskCompleted", now, prompt_id=number, task_id="1", task_subject=turn.task)
        client.fire("Stop", now, stop_hook_active=False, last_assistant_message=turn.reply, **in_turn)
        client.transcript.reply(turn.reply, now)  # the client writes the last message after Stop
        if turn.compact:
            self._compact(client, turn.compact, now)
        return now

    def _work(self, client: Client, turn: Turn) -> datetime:
        """Tool calls, written files and commands, one after another."""
        now = turn.at + PAUSE
        for call in (*turn.tools, *(f"Write {path}" for path, _ in turn.writes)):
            client.transcript.tool(call, now)
            now += PAUSE
        for path, text in turn.writes:
            _write(os.path.join(self.machine.project, path), text)
        for command in turn.runs:
            client.transcript.tool(f"Bash {command}", now)
            self.commands.append(client.shell(command, now))
            now += PAUSE
        return now

    def _compact(self, client: Client, words: str, now: datetime) -> None:
        """The client compresses its conversation: it says so, sums up, and starts anew under the same session."""
        client.fire("PreCompact", now, trigger="manual", custom_instructions=words)
        client.transcript.boundary(now)
        client.fire("SessionStart", now, source="compact")


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
