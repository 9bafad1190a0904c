"""A program that stands in for qmd: it notes how it was called, and prints what the real one (2.8.3) printed."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PROGRAM = """#!{python} -IS
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
noted = {{"words": sys.argv[1:], "cwd": os.getcwd(), "env": dict(os.environ)}}
with open(os.path.join(here, "calls.jsonl"), "a") as log:
    log.write(json.dumps(noted) + "\\n")
code, out, said = json.load(open(os.path.join(here, "answers.json")))[sys.argv[1]]
sys.stdout.write(out)
sys.stderr.write(said)
sys.exit(code)
"""
ADDED = """Creating collection 'memory'...
Collection: /home/a/memory (????-??-??.md)

Indexed: 2 new, 0 updated, 0 unchanged, 0 removed

Run 'qmd embed' to update embeddings (2 unique hashes need vectors)
✓ Collection 'memory' created successfully
"""
UPDATED = """Updating 2 collection(s)...

[1/2] memory (????-??-??.md)
Collection: /home/a/memory (????-??-??.md)

Indexed: 1 new, 2 updated, 7 unchanged, 0 removed

[2/2] knowledge (**/*.md)
Collection: /home/a/knowledge (**/*.md)

Indexed: 0 new, 0 updated, 2 unchanged, 1 removed

✓ All collections updated.

Run 'qmd embed' to update embeddings (4 unique hashes need vectors)
"""


@dataclass(frozen=True)
class StandIn:
    """The directory of the program, for PATH."""

    folder: Path

    def answers(self, name: str, out: str = "", code: int = 0, said: str = "") -> None:
        """Have `qmd NAME …` print this."""
        path = self.folder / "answers.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**known, name: [code, out, said]}))

    def finds(self, *files: tuple[str, int]) -> None:
        """Have it find these files at these lines; of the form of ``qmd search --json --full-path``."""
        found = [
            {"score": 0.16, "file": file, "line": line, "title": "T", "snippet": f"@@ -{line},3 @@ (2 before)\nx\n"}
            for file, line in files
        ]
        self.answers("search", json.dumps(found, indent=2) + "\n")

    @property
    def calls(self) -> list[dict[str, Any]]:
        """How it was called so far."""
        path = self.folder / "calls.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    @property
    def commands(self) -> list[str]:
        """The first words of each call."""
        return [
            " ".join(call["words"][:2]) if call["words"][0] == "collection" else call["words"][0] for call in self.calls
        ]


def stand_in(folder: Path) -> StandIn:
    """The program in a directory, with an answer for all that is asked of it."""
    folder.mkdir(exist_ok=True)
    program = folder / "qmd"
    program.write_text(_PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    made = StandIn(folder)
    made.answers("collection", ADDED)
    made.answers("update", UPDATED)
    made.finds()
    return made
