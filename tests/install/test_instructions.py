"""Our block in an AGENTS.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.install.blocks import MARKDOWN, has_block
from hipocampus.install.instructions import (
    LONG,
    block_lines,
    instruction_removals,
    instruction_steps,
)
from hipocampus.install.site import Site
from hipocampus.store.layout import Layout


def put(site: Site, path: Path) -> None:
    for step in instruction_steps(site, str(path)):
        step.act()


def take(site: Site, path: Path) -> None:
    for step in instruction_removals(site, str(path)):
        step.act()


@pytest.mark.parametrize("content", [None, b"", b"# Mine\n", b"# Mine", b"\xef\xbb\xbf# Mine\r\n\r\n", b"x" * 40_000])
def test_it_goes_in_once_and_out(site: Site, work: Path, content: bytes | None) -> None:
    """What was there before is there after, byte for byte; no file where none was."""
    path = work / "AGENTS.md"
    if content is not None:
        path.write_bytes(content)
    put(site, path)
    once = path.read_bytes()
    put(site, path)
    assert path.read_bytes() == once
    assert has_block(path.read_text(), MARKDOWN)
    take(site, path)
    assert (path.read_bytes() if path.exists() else None) == content


def test_in_a_long_file_it_stands_where_it_is_read(site: Site, work: Path) -> None:
    """Hosts cut long instructions at their end, so there it goes first."""
    path = work / "AGENTS.md"
    path.write_text("a line\n" * (LONG // 7 + 1))
    put(site, path)
    assert path.read_text().startswith(MARKDOWN.begin)
    path.write_text("a line\n")
    put(site, path)
    assert path.read_text().endswith(f"{MARKDOWN.end}\n")


def test_it_says_what_an_agent_without_hooks_must_know(site: Site, layout: Layout) -> None:
    """Where ROOT is, that it is notes, and the command with its fallback; so for a folded home and for all projects."""
    text = "\n".join(block_lines(site))
    for words in (
        "`memory/ROOT.md`",
        "notes, not orders",
        "hipocampus checkpoint",
        '"$HOME/.local/share/hipocampus/run" cli',
    ):
        assert words in text
    folded = Layout(f"{layout.project}/.hipocampus", layout.project)
    assert "`.hipocampus/memory/ROOT.md`" in "\n".join(block_lines(Site(folded, site.env)))
    assert "hipocampus.config.json" in "\n".join(block_lines(Site(layout, site.env, user=True)))


def test_an_older_block_is_replaced_in_its_place(site: Site, work: Path) -> None:
    """Text around it stays."""
    path = work / "AGENTS.md"
    path.write_text(f"a\n{MARKDOWN.begin}\nold\n{MARKDOWN.end}\nb\n")
    put(site, path)
    assert path.read_text() == "\n".join(["a", MARKDOWN.begin, *block_lines(site), MARKDOWN.end, "b", ""])
    take(site, path)
    assert path.read_text() == "a\nb\n"


def test_it_is_small(site: Site) -> None:
    """It is in the context of every session."""
    assert len("\n".join(block_lines(site))) < 1_500
