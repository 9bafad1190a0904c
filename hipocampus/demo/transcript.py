"""The transcript of a session, line by line as Claude Code writes it."""

from __future__ import annotations

import json
import os
import re
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Transcript:
    """One session's transcript under the made-up home directory."""

    home: str
    project: str
    session: str

    @property
    def path(self) -> str:
        slug = re.sub(r"[^A-Za-z0-9]", "-", self.project)
        return os.path.join(self.home, ".claude", "projects", slug, f"{self.session}.jsonl")

    def prompt(self, text: str, prompt_id: str, now: datetime) -> None:
        """What the person typed."""
        message = {"role": "user", "content": text}
        self._append("user", now, message=message, promptId=prompt_id, promptSource="typed")

    def tool(self, call: str, now: datetime) -> None:
        """A tool call, written ``Tool argument``, and its result."""
        name, _, argument = call.partition(" ")
        given = {"command": argument} if name == "Bash" else {"pattern" if name == "Grep" else "file_path": argument}
        number = f"toolu_{self._id(call, now)[:12]}"
        use = {"type": "tool_use", "id": number, "name": name, "input": given}
        self._append("assistant", now, message=self._assistant(use, call, now))
        result = {"type": "tool_result", "tool_use_id": number, "content": "ok"}
        self._append("user", now, message={"role": "user", "content": [result]}, toolUseResult={"stdout": "ok"})

    def reply(self, text: str, now: datetime) -> None:
        """What the agent answered."""
        self._append("assistant", now, message=self._assistant({"type": "text", "text": text}, text, now))

    def boundary(self, now: datetime) -> None:
        """The client compressed the conversation: a mark, and its summary."""
        about = {"trigger": "manual", "preTokens": 41_000}
        self._append("system", now, subtype="compact_boundary", content="Conversation compacted", compactMetadata=about)
        message = {"role": "user", "content": "This session is being continued from a previous conversation. …"}
        self._append("user", now, message=message, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def _assistant(self, block: dict[str, Any], seed: str, now: datetime) -> dict[str, Any]:
        return {"id": f"msg_{self._id(seed, now)[:12]}", "role": "assistant", "type": "message", "content": [block]}

    def _id(self, seed: str, now: datetime) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.session} {now.isoformat()} {seed}"))

    def _append(self, kind: str, now: datetime, **content: Any) -> None:
        line = {
            "parentUuid": None,
            "isSidechain": False,
            "type": kind,
            "uuid": self._id(f"{kind} {content}", now),
            "timestamp": now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "userType": "external",
            "cwd": self.project,
            "sessionId": self.session,
            "gitBranch": "main",
        }
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line | content, ensure_ascii=False) + "\n")
