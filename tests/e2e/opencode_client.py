"""OpenCode as a server, driven through its own interface: a client that keeps running, as its terminal program does."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .completions import MODEL

ANSWER_SECONDS = 120.0
EXIT_SECONDS = 30.0
PROVIDER = "loopback"
_MODEL = {"providerID": PROVIDER, "modelID": MODEL}


class Serving:
    """One `opencode serve` with one session, driven through the client's own interface."""

    def __init__(self, command: Sequence[str], cwd: Path, env: dict[str, str]) -> None:
        self.output: list[str] = []
        self._session = ""
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self._wait(lambda: self._find(r"listening on (http://[\d.]+:\d+)"), "did not start")

    def ask(self, prompt: str) -> str:
        """Send one prompt and wait for the end of the turn; what the assistant said last."""
        parts = [{"type": "text", "text": prompt}]
        answer = self.call("POST", f"/session/{self.session}/message", {"model": _MODEL, "parts": parts})
        assert not answer["info"].get("error"), answer["info"]
        return "".join(part.get("text", "") for part in answer["parts"] if part["type"] == "text")

    def compact(self) -> None:
        """Compact the conversation, as ``/compact`` does."""
        self.call("POST", f"/session/{self.session}/summarize", {**_MODEL, "auto": False})

    def messages(self) -> list[dict[str, Any]]:
        """The session's messages, as the client's interface gives them."""
        return list(self.call("GET", f"/session/{self.session}/message"))

    @property
    def session(self) -> str:
        """The id of the session, which begins when it is first asked for."""
        self._session = self._session or str(self.call("POST", "/session", {})["id"])
        return self._session

    def call(self, method: str, path: str, body: object = None) -> Any:
        """One request to the client's interface."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self.url + path, data, headers, method=method)  # noqa: S310 - on the loopback
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
            raw = answer.read()
        return json.loads(raw) if raw else None

    def dispose(self) -> None:
        """Let plugins finish, as at the end of the terminal program.

        The client says when they have, but now and then nobody hears it: the time it may take is over in any case.
        """
        end = time.monotonic() + EXIT_SECONDS
        with urllib.request.urlopen(self.url + "/event", timeout=EXIT_SECONDS) as events:  # noqa: S310
            self.call("POST", "/instance/dispose", {})
            for line in events:  # a heartbeat comes every few seconds
                if b"server.instance.disposed" in line or time.monotonic() > end:
                    return

    def end(self) -> None:
        """End the process."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(EXIT_SECONDS)
        self._reader.join(EXIT_SECONDS)

    def _find(self, pattern: str) -> str:
        match = re.search(pattern, "".join(self.output))
        return match[1] if match else ""

    def _wait(self, holds: Callable[[], str], failure: str) -> str:
        end = time.monotonic() + ANSWER_SECONDS
        while not (found := holds()):
            assert self._process.poll() is None, f"the client {failure}: {''.join(self.output)}"
            assert time.monotonic() < end, f"the client {failure}: {''.join(self.output)}"
            time.sleep(0.05)
        return found

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            self.output.extend(lines)
