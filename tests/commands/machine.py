"""A machine as somebody has it: other tools' hooks, comments, links, odd white space; and a picture of all of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

FOREIGN_HOOKS = """{
   "hooks":{
      "PreToolUse": [ { "matcher":"Bash", "hooks":[ {"type":"command","command":"lint --quick"} ] } ],

      "Stop":[
         {"hooks":[{"type":"command","command":"notify 'done'","timeout":5}]}
      ]
   },
   "description":"team hooks"
}"""

#: Files of a project, some without a last newline, with a byte-order mark, with CRLF.
PROJECT = {
    "AGENTS.md": b"\xef\xbb\xbf# Rules\r\n\r\n- be brief\r\n- no force push",
    "CLAUDE.local.md": b"mine, no newline",
    ".gitignore": b"*.log\nbuild/",
    ".codex/hooks.json": FOREIGN_HOOKS.encode(),
    ".codex/config.toml": b'model = "x" # mine\n',
    ".agents/skills/theirs/SKILL.md": b"---\nname: theirs\ndescription: d\n---\n",
    ".claude/settings.json": b'{"hooks": {}}',
    "opencode.jsonc": b'{\n  // mine\n  "instructions": ["docs/*.md",],\n}\n',
}
#: Files of the user.
USER = {
    ".codex/config.toml": b"[features]\nhooks = true\n",
    ".codex/AGENTS.md": b"",
    ".claude/settings.json": b"{}",
    ".config/opencode/opencode.json": b"{}",
    "dotfiles/codex-hooks.json": FOREIGN_HOOKS.replace("\n", "\r\n").encode(),
    ".profile": b"export A=1",
}


def furnish(project: Path, user: Path) -> None:
    """Lay all of it out; the user's hooks.json is a link into their dotfiles."""
    for root, files in ((project, PROJECT), (user, USER)):
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    (user / ".codex" / "hooks.json").symlink_to("../dotfiles/codex-hooks.json")
    (project / "AGENTS.md").chmod(0o640)


#: What a memory consists of, at the top of a project.
MEMORY = {
    "memory",
    "knowledge",
    "plans",
    "compaction",
    "SCRATCHPAD.md",
    "WORKING.md",
    "TASK-QUEUE.md",
    "hipocampus.config.json",
    ".hipocampus",
}


def picture(*roots: Path) -> dict[str, tuple[str, int, bytes]]:
    """Every file, link and directory below, with kind, mode and content; but for the memory and git's own index."""
    found = {}
    for root in roots:
        for path in root.rglob("*"):
            name = path.relative_to(root)
            if name.parts[0] in MEMORY or name == Path(".git/index"):
                continue
            mode = stat.S_IMODE(path.lstat().st_mode)
            if path.is_symlink():
                found[str(path)] = ("link", 0, os.fsencode(os.readlink(path)))
            elif path.is_dir():
                found[str(path)] = ("directory", mode, b"")
            else:
                found[str(path)] = ("file", mode, path.read_bytes())
    return found
