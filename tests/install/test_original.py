"""What the original hipocampus left beside its memory is found, and only what is surely its own is taken out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hipocampus.install.checks import Verdict
from hipocampus.install.original import leftovers, removals, traces, without_blocks
from hipocampus.install.site import Site
from hipocampus.install.skills import NAMES, PREFIX, adapted, source
from hipocampus.store.layout import Layout

Env = dict[str, str]

BLOCK = """\
<!-- hipocampus:protocol:start -->
## Hipocampus — Memory Protocol

Follow `.claude/skills/hipocampus-core/SKILL.md`.
<!-- hipocampus:protocol:end -->
"""
IMPORTS = "@TASK-QUEUE.md\n@WORKING.md\n@SCRATCHPAD.md\n@memory/ROOT.md\n"
SKILL = "---\nname: hipocampus-search\ndescription: how to search\n---\nRun `qmd query`.\n"


def put(layout: Layout, name: str, text: str) -> Path:
    path = Path(layout.project, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def whats(layout: Layout, env: Env) -> list[str]:
    return [trace.what for trace in traces(layout, env)]


def take_out(layout: Layout, env: Env) -> None:
    for step in removals(Site(layout, env)):
        step.act()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (BLOCK + "\n# Mine\n", "\n# Mine\n"),
        ("# Mine\n" + BLOCK + "no newline at the end", "# Mine\nno newline at the end"),
        ("# Mine\n" + BLOCK + IMPORTS + "\n## More\n", "# Mine\n\n## More\n"),
        ("# Mine\n" + BLOCK + "\n" + IMPORTS, "# Mine\n"),
        ("# Mine\r\n" + BLOCK.replace("\n", "\r\n") + "two  spaces  \r\n\r\n", "# Mine\r\ntwo  spaces  \r\n\r\n"),
        ("\ufeff# Mine\n" + BLOCK, "\ufeff# Mine\n"),
        ("# Mine\n" + BLOCK[:-1], "# Mine\n"),
        ("@memory/ROOT.md\n\n# Mine\n", "@memory/ROOT.md\n\n# Mine\n"),
        (
            "# Mine\n<!-- hipocampus:protocol:start -->\nnever ended\n",
            "# Mine\n<!-- hipocampus:protocol:start -->\nnever ended\n",
        ),
        ("a\n<!-- hipocampus:heartbeat:start -->\nx\n<!-- hipocampus:heartbeat:end -->\nb\n", "a\nb\n"),
        (
            "<!-- hipocampus: begin -->\nours\n<!-- hipocampus: end -->\n",
            "<!-- hipocampus: begin -->\nours\n<!-- hipocampus: end -->\n",
        ),
    ],
)
def test_exact_bytes_outside_the_block(before: str, after: str) -> None:
    """The block goes with the imports right behind it; every other byte stays, and twice is once."""
    assert without_blocks(before) == after
    assert without_blocks(after) == after


def test_documents(layout: Layout, env: Env) -> None:
    """Each is found with its lines and edited; one that was nothing but the block goes."""
    mine = put(layout, "AGENTS.md", "# Mine\n\n" + BLOCK + "the rest\n")
    its = put(layout, "CLAUDE.md", BLOCK + "\n" + IMPORTS)
    found = [(os.path.basename(one.path), one.first, one.last, one.removable) for one in traces(layout, env)]
    assert found == [("CLAUDE.md", 1, 5, True), ("AGENTS.md", 3, 7, True)]
    take_out(layout, env)
    assert mine.read_bytes() == b"# Mine\n\nthe rest\n"
    assert not its.exists()
    assert whats(layout, env) == []


def test_one_document_behind_a_link(layout: Layout, env: Env) -> None:
    """CLAUDE.md is often a link to AGENTS.md: found once, edited through it, and it stays a link."""
    mine = put(layout, "AGENTS.md", "# Mine\n" + BLOCK)
    link = Path(layout.project, "CLAUDE.md")
    link.symlink_to("AGENTS.md")
    assert whats(layout, env) == ["its protocol block"]
    take_out(layout, env)
    assert link.is_symlink()
    assert mine.read_text() == "# Mine\n"


@pytest.mark.parametrize("folder", [".claude/skills", ".agents/skills", ".opencode/skills", "skills"])
def test_skills(layout: Layout, env: Env, folder: str) -> None:
    """Its five by their names and words; what the user put beside one stays."""
    alone = put(layout, f"{folder}/hipocampus-search/SKILL.md", SKILL)
    shared = put(layout, f"{folder}/hipocampus-core/SKILL.md", "Dispatch a subagent.")
    note = put(layout, f"{folder}/hipocampus-core/mine.md", "mine")
    ours = put(
        layout, f"{folder}/hipocampus-flush/SKILL.md", "---\nname: hipocampus-flush\n---\nRun `hipocampus flush`.\n"
    )
    other = put(layout, f"{folder}/hipocampus-deploy/SKILL.md", "Dispatch a subagent.")
    assert whats(layout, env) == ["its skill", "its skill"]
    take_out(layout, env)
    assert not alone.parent.exists()
    assert not shared.exists()
    assert note.exists()
    assert ours.exists()
    assert other.exists()


@pytest.mark.parametrize("name", NAMES)
def test_our_own_skill_is_none_of_its(layout: Layout, env: Env, name: str) -> None:
    """What init writes for agents that read .agents/skills stays, whatever it speaks of."""
    put(layout, f".agents/skills/hipocampus-{name}/SKILL.md", adapted(source(name), PREFIX))
    assert whats(layout, env) == []


def settings(command: str) -> str:
    hook = {"matcher": "", "hooks": [{"type": "command", "command": command, "timeout": 30000}]}
    return json.dumps({"model": "x", "hooks": {"PreCompact": [hook]}}, indent=2)


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ('node "/opt/lib/node_modules/hipocampus/cli/init.mjs" compact --stdin', True),
        ("npx hipocampus compact --stdin", True),
        ("hipocampus compact", True),
        ('"$HOME/.local/share/hipocampus/run" pre-compact --host codex || exit 0', False),
        ('sh "${CLAUDE_PLUGIN_ROOT}/hooks/run" pre-compact --host claude-code', False),
        ("make compact", False),
    ],
)
def test_hooks_are_named_and_never_touched(layout: Layout, env: Env, command: str, found: bool) -> None:
    """With file and line, and `doctor` warns of each; ours and other people's are no finding."""
    path = put(layout, ".claude/settings.json", settings(command))
    before = path.read_bytes()
    expected = [(Verdict.WARN, f"its PreCompact hook in {path}:10")] if found else []
    assert [(check.verdict, check.found) for check in leftovers(layout, env)] == expected
    assert list(removals(Site(layout, env))) == []
    assert path.read_bytes() == before


def test_hooks_of_the_user(layout: Layout, env: Env, tmp_path: Path) -> None:
    """Settings of every project, and a configuration directory of the user's choice."""
    for folder in (Path(env["HOME"], ".claude"), tmp_path / "config"):
        folder.mkdir()
        (folder / "settings.json").write_text(settings("hipocampus compact"))
    assert whats(layout, env) == ["its PreCompact hook"]
    (chosen,) = traces(layout, env | {"CLAUDE_CONFIG_DIR": str(tmp_path / "config")})
    assert chosen.path.startswith(str(tmp_path / "config"))


def test_openclaw_and_opencode(layout: Layout, env: Env) -> None:
    """Its hook entry and its plugin run beside ours; both are for the user to remove."""
    entry = {"hooks": {"internal": {"enabled": True, "entries": {"hipocampus-compact": {"enabled": True}}}}}
    put(layout, "openclaw.json", json.dumps(entry))
    put(layout, ".opencode/plugins/hipocampus.js", 'execSync("hipocampus compact", { cwd: root });\n')
    found = list(traces(layout, env))
    assert [(one.what, one.is_hook, one.removable) for one in found] == [
        ("its internal hook", True, False),
        ("its OpenCode plugin", True, False),
    ]


def test_what_cannot_be_told_apart_is_named(layout: Layout, env: Env) -> None:
    """A section of an early version without markers, and its copies of ROOT in the memories of hosts."""
    put(layout, "CLAUDE.md", "# Mine\n\n## Hipocampus — Memory Protocol\n\nRead everything.\n\n## Mine again\n")
    put(layout, "MEMORY.md", "# Facts\n\n## Compaction Root\n- old\n")
    found = [(os.path.basename(one.path), one.first, one.removable) for one in traces(layout, env)]
    assert found == [("CLAUDE.md", 3, False), ("MEMORY.md", 3, False)]
    take_out(layout, env)
    assert "Read everything." in Path(layout.project, "CLAUDE.md").read_text()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{", b"[]", b'{"hooks": []}', b'{"hooks": {"Stop": 1}}'])
def test_files_in_any_state(layout: Layout, env: Env, content: bytes) -> None:
    """Empty, binary, no JSON, JSON of another shape: nothing is found and nothing is raised."""
    for name in (".claude/settings.json", "CLAUDE.md", "MEMORY.md", "openclaw.json"):
        put(layout, name, "").write_bytes(content)
    assert list(leftovers(layout, env)) == []
    assert list(removals(Site(layout, env))) == []
