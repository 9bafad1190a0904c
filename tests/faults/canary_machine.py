"""A machine of its own for the canaries: home, project, temporary directory, the launcher and the command line."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NOW = "2026-03-15T10:22:03+09:00"
SETTLED_SECONDS = 60.0
SESSION = "5c18f2aa-0000-4000-8000-00000000c0de"


@dataclass(frozen=True)
class Machine:
    """A home directory, a project with a memory, a temporary directory, and the plugin's launcher."""

    root: Path
    env: Mapping[str, str] = field(repr=False)

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def transcript(self) -> Path:
        return self.root / "transcripts" / f"{SESSION}.jsonl"

    def hook(self, entry: str, payload: Mapping[str, object] | str, *options: str) -> str:
        """Run one hook as the client does, wait for the children it left behind, and return what it printed."""
        text = payload if isinstance(payload, str) else json.dumps({"session_id": SESSION, **payload})
        return self._run(["sh", str(plugin() / "hooks" / "run"), entry, "--host", "claude-code", *options], text).stdout

    def command(self, *arguments: str, text: str = "", cwd: Path | None = None) -> str:
        """Run the command line; everything that it printed, whatever its exit status."""
        done = self._run([sys.executable, "-m", "hipocampus", *arguments], text, cwd)
        assert done.returncode in (0, 1, 2), done.stdout + done.stderr
        return done.stdout + done.stderr

    def crash(self, text: str) -> str:
        """What a bug with `text` in its error prints, when it comes up in the middle of a command."""
        program = (
            "import sys\nfrom hipocampus import cli\nfrom hipocampus.commands import status\n"
            "def broken(*_arguments, **_options):\n    raise RuntimeError(sys.argv[1])\n"
            "status.status = broken\nsys.exit(cli.main(['status']))\n"
        )
        done = self._run([sys.executable, "-c", program, text], "")
        assert done.returncode == 3, done.stdout + done.stderr
        return done.stdout + done.stderr

    def _run(self, command: list[str], text: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        # Each process that descends from this one holds the writing end; the last of them to end closes it.
        reading, writing = os.pipe()
        try:
            done = subprocess.run(
                command,
                cwd=cwd or self.project,
                env=dict(self.env),
                input=text,
                capture_output=True,
                encoding="utf-8",
                pass_fds=(writing,),
                timeout=SETTLED_SECONDS,
                check=False,
            )
        finally:
            os.close(writing)
        ready, _, _ = select.select([reading], [], [], SETTLED_SECONDS)
        os.close(reading)
        assert ready, f"a child of {command[2:4]} did not end"
        return done


def plugin() -> Path:
    """The plugin under test."""
    return Path(os.environ.get("HIPOCAMPUS_PLUGIN") or ROOT)
