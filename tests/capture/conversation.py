"""A stand-in for the host: it writes transcript lines in their recorded shape and calls the journal as the hooks do."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hipocampus.capture.journal import record_prompt, record_start, record_turn
from hipocampus.hosts.claude_code import parse
from hipocampus.hosts.events import Event
from hipocampus.store.layout import Layout


class Conversation:
    """One session. Each step takes a second; `at` is the present moment."""

    def __init__(self, layout: Layout, folder: Path, now: datetime, session: str = "5c18a6f2-0000-4000-8000-1") -> None:
        self.layout = layout
        self.session = session
        self.at = now
        self.transcript = folder / f"{session}.jsonl"
        self.running = ""
        self._count = 0

    def start(self, source: str = "startup") -> None:
        record_start(self.layout, self.event("session-start", source=source), self._tick())

    def ask(self, text: str, *, hook: bool = True, file: bool = True, prompt_id: str = "", ids: bool = True) -> str:
        """The user submits a prompt; returns its prompt id. `ids=False` is a host that has no prompt ids."""
        self._count += 1
        self.running = (prompt_id or f"{self.session}-p{self._count}") if ids else ""
        if hook:
            record_prompt(self.layout, self.event("prompt", prompt=text), self._tick())
        if file:
            self.write_prompt(text)
        return self.running

    def answer(self, text: str, *, file: bool = True, edits: tuple[str, ...] = (), stop: bool = True) -> None:
        """The assistant works and answers. Without `stop` the turn ends as after Escape or an error."""
        for name in edits:
            self.write_tool("Edit", {"file_path": name})
        if stop:
            record_turn(self.layout, self.event("stop", last_assistant_message=text), self._tick())
        if file:
            self.write_reply(text)

    def event(self, kind: str, **payload: object) -> Event:
        ids = {"session_id": self.session, "transcript_path": str(self.transcript)}
        found = parse(kind, ids | ({"prompt_id": self.running} if self.running else {}) | payload)
        assert found is not None
        return found

    def write_prompt(self, content: object, **marks: object) -> None:
        prompt_id = {"promptId": self.running} if self.running else {}
        message = {"role": "user", "content": content}
        self.write({"isSidechain": False, **prompt_id, "type": "user", "message": message, **self._stamped(), **marks})

    def write_reply(self, text: str, message: str = "", **marks: object) -> None:
        self._write_block({"type": "text", "text": text}, message, **marks)

    def write_tool(self, name: str, arguments: dict[str, object], **marks: object) -> None:
        self._write_block({"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}, "", **marks)

    def write_queued(self, text: str) -> None:
        line = {"type": "queue-operation", "operation": "enqueue", "content": text, "sessionId": self.session}
        self.write(line | {"timestamp": self._stamped()["timestamp"]})

    def write_attached(self, text: str) -> None:
        inner = {"type": "queued_command", "prompt": text, "commandMode": "prompt"}
        self.write({"isSidechain": False, "attachment": inner, "type": "attachment", **self._stamped()})

    def write(self, line: dict[str, object]) -> None:
        with self.transcript.open("ab") as file:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def fork(self, session: str) -> Conversation:
        """The same conversation under a new session id, an hour later; the client copies the transcript's lines."""
        twin = Conversation(self.layout, self.transcript.parent, self.at + timedelta(hours=1), session)
        twin._count = self._count
        if self.transcript.exists():
            text = self.transcript.read_text(encoding="utf-8")
            twin.transcript.write_text(text.replace(f'"sessionId":"{self.session}"', f'"sessionId":"{session}"'))
        return twin

    def journal(self) -> list[dict[str, object]]:
        path = Path(self.layout.journal_file(self.session))
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def records(self, kind: str) -> list[dict[str, object]]:
        return [record for record in self.journal() if record["k"] == kind]

    def _write_block(self, block: dict[str, object], message: str, **marks: object) -> None:
        self._count += 1
        ids = {"id": message or f"msg_{self.session}_{self._count}", "role": "assistant", "content": [block]}
        self.write({"isSidechain": False, "type": "assistant", "message": ids, **self._stamped(), **marks})

    def _stamped(self) -> dict[str, object]:
        self._count += 1
        moment = self._tick().astimezone(UTC) + timedelta(milliseconds=self._count % 1000)
        uuid = f"{self.session}-u{self._count}"
        return {"uuid": uuid, "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")}

    def _tick(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


def raw_texts(layout: Layout) -> dict[str, str]:
    """The raw logs by day."""
    names = sorted(name for name in os.listdir(layout.memory) if name.endswith(".md") and name[0].isdigit())
    return {name[:-3]: Path(layout.memory, name).read_text(encoding="utf-8") for name in names}


def raw_text(layout: Layout) -> str:
    """All raw logs, oldest first."""
    return "\n".join(raw_texts(layout).values())
