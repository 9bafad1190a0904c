"""`hipocampus adopt`, and what `init` says of a memory of the original and of past sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.capture.folding import fold_session
from hipocampus.store.home import home_id
from hipocampus.store.layout import Layout, layout_at
from tests.capture.pasts import PastTalk, transcripts_of
from tests.commands.conftest import Shell
from tests.install.test_original import BLOCK, SKILL, put, settings

Env = dict[str, str]


@pytest.fixture
def original(project: Path, secret: str) -> Layout:
    """A project with a memory of the original: a bare secret in a log and in a copy of a transcript, and the rest."""
    layout = layout_at(str(project))
    put(layout, "hipocampus.config.json", '{"platform": "claude-code", "compaction": {"cooldownHours": 3}}\n')
    put(
        layout,
        "memory/2026-03-01.md",
        f"# 2026-03-01\n\n## Session — 2026-03-01 10:00:00\n\n**User:** use {secret} please\n",
    )
    put(
        layout,
        "memory/.session-transcript-2026-03-01.jsonl",
        f'{{"type":"user","message":{{"content":"use {secret}"}}}}\n',
    )
    put(layout, "CLAUDE.md", BLOCK + "\n# Mine\n")
    put(layout, ".claude/skills/hipocampus-search/SKILL.md", SKILL)
    return layout


def holding(layout: Layout, secret: str) -> list[str]:
    return [
        path.name for path in Path(layout.root).rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]


def test_init_cleans_what_it_adopts(shell: Shell, original: Layout, secret: str) -> None:
    """No secret stays in its logs and copies of transcripts; the lines are named, the rest is offered and left."""
    result = shell("init", "--yes", cwd=original.root)
    assert result.code == 0
    assert home_id(original)
    assert holding(original, secret) == []
    assert "cleaned memory/2026-03-01.md: line 5" in result.out
    assert "cleaned memory/.session-transcript-2026-03-01.jsonl: line 1" in result.out
    assert "please" in Path(original.raw("2026-03-01")).read_text()
    assert "hipocampus adopt" in result.out
    assert Path(original.project, "CLAUDE.md").read_text() == BLOCK + "\n# Mine\n"


def test_the_plan_announces_the_cleaning(shell: Shell, original: Layout, secret: str) -> None:
    """A rehearsal says what will happen to its files, and nothing has."""
    result = shell("init", "--dry-run", cwd=original.root)
    assert "secrets are cut out; the lines are named" in result.out
    assert len(holding(original, secret)) == 2


def test_adopt_takes_out_what_it_can(shell: Shell, original: Layout) -> None:
    """Shown first, then done; a second time there is nothing left."""
    shell("init", "--yes", cwd=original.root)
    shown = shell("adopt", "--dry-run", cwd=original.root)
    assert (shown.code, Path(original.project, "CLAUDE.md").read_text()) == (0, BLOCK + "\n# Mine\n")
    assert "its protocol block" in shown.out
    done = shell("adopt", "--yes", cwd=original.root)
    assert done.code == 0
    assert Path(original.project, "CLAUDE.md").read_text() == "\n# Mine\n"
    assert not Path(original.project, ".claude/skills/hipocampus-search").exists()
    again = shell("adopt", cwd=original.root)
    assert (again.code, again.out) == (0, "Nothing of the original hipocampus is left here.\n")


def test_adopt_cleans_too(shell: Shell, original: Layout, secret: str) -> None:
    """A copy of a transcript that the original made later goes through the redactor as well."""
    shell("init", "--yes", cwd=original.root)
    put(original, "memory/.session-transcript-2026-03-02.jsonl", f'{{"text":"{secret}"}}\n')
    result = shell("adopt", "--yes", cwd=original.root)
    assert "cleaned memory/.session-transcript-2026-03-02.jsonl: line 1" in result.out
    assert holding(original, secret) == []


def test_its_hooks_are_named_until_they_are_gone(shell: Shell, original: Layout) -> None:
    """The exit status says so, and the settings are never touched."""
    path = put(original, ".claude/settings.json", settings("npx hipocampus compact"))
    before = path.read_bytes()
    shell("init", "--yes", cwd=original.root)
    result = shell("adopt", "--yes", cwd=original.root)
    assert (result.code, path.read_bytes()) == (1, before)
    assert "remove those entries by hand" in result.out
    path.unlink()
    assert shell("adopt", cwd=original.root).code == 0


def test_init_offers_past_sessions_and_imports_none(shell: Shell, project: Path, env: Env) -> None:
    """By every run, how many there are and the command for them, until it is done; not a line of them is written."""
    layout = layout_at(str(project))
    PastTalk(layout, env, "2026-03-07T10:00:00+09:00").say("choose a cache", "An LRU cache.")
    for option in ("--dry-run", "--yes", "--dry-run", "--yes"):
        result = shell("init", option, cwd=project)
        assert "1 past session of this project, 2026-03-07 (1 of claude-code)." in result.out
        assert result.out.count("hipocampus import") == 1
    assert not Path(layout.raw("2026-03-07")).exists()
    shell("import", cwd=project)
    assert "past session" not in shell("init", "--yes", cwd=project).out


def test_init_offers_no_session_that_the_memory_knows(shell: Shell, project: Path, env: Env) -> None:
    """One that the hooks journal or folded, or that runs now; one that could not be read was tried, too."""
    shell("init", "--yes", cwd=project)
    layout = layout_at(str(project))
    PastTalk(layout, env, "2026-03-07T10:00:00+09:00").say("choose a cache", "An LRU cache.")
    journalled = PastTalk(layout, env, "2026-03-08T10:00:00+09:00", "0000a6f2-0000-4000-8000-2")
    journalled.start()
    journalled.say("choose a queue", "A ring.")
    assert "1 past session of" in shell("init", cwd=project).out
    assert "past session" not in shell("init", cwd=project, HIPOCAMPUS_SESSION="5c18a6f2-0000-4000-8000-1").out
    now = journalled.at
    fold_session(layout, journalled.session, now, finished=True)
    Path(layout.journal_file(journalled.session)).unlink()
    assert "1 past session of" in shell("init", cwd=project).out
    for path in transcripts_of(env, layout.project).iterdir():
        path.write_text(path.read_text().replace('"type"', '"kind"'))
    assert shell("import", cwd=project).code == 1
    assert "past session" not in shell("init", cwd=project).out


def test_init_names_what_the_original_left_until_it_is_gone(shell: Shell, original: Layout) -> None:
    """By every run, rehearsed or not, and no longer than it is there."""
    for option in ("--dry-run", "--yes", "--yes"):
        assert "its protocol block" in shell("init", option, cwd=original.root).out
    shell("adopt", "--yes", cwd=original.root)
    assert "original hipocampus" not in shell("init", cwd=original.root).out
