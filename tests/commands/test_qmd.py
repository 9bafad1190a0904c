"""qmd from the command line: registered at init, asked by search, taken away by uninstall, forget and audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.recall import qmd
from tests.commands.conftest import bare_path
from tests.recall.stand_in import StandIn, stand_in

LOG = "# 2026-03-10\n\n## Rate limiting [project]\n- decisions: token bucket in src/limits.py\n"


@pytest.fixture
def program(tmp_path: Path) -> StandIn:
    """The stand-in, on the PATH that the shell has."""
    return stand_in(Path(bare_path(tmp_path)))


@pytest.fixture
def home(layout, shell, program) -> str:
    """A home with one entry, in which qmd is wanted."""
    assert program.calls == []
    Path(layout.raw("2026-03-10")).write_text(LOG, encoding="utf-8")
    assert shell("config", "set", "search.qmd", "true", cwd=layout.root).code == 0
    return layout.root


def test_init_registers_it_once(shell, home, layout, env, program) -> None:
    """A dry run says so and does nothing; afterwards there is nothing to do."""
    dry = shell("init", "--dry-run", cwd=home)
    assert "add this memory to qmd (an index of its own, for search --engine qmd)" in dry.out
    assert not qmd.is_registered(layout, env)
    done = shell("init", "--yes", cwd=home)
    assert "this memory to qmd" in done.out
    assert program.commands == ["collection add"] * 3
    assert "qmd" not in shell("init", "--dry-run", cwd=home).out


@pytest.mark.parametrize("wanted", [True, False])
def test_init_without_the_program_or_the_wish_says_nothing_of_it(shell, layout, program, wanted) -> None:
    """Where it is not installed, and where it is not switched on."""
    if wanted:
        shell("config", "set", "search.qmd", "true", cwd=layout.root)
        (program.folder / "qmd").unlink()
    assert "qmd" not in shell("init", "--yes", cwd=layout.root).out


def test_maintenance_brings_it_up_to_date(shell, home, layout, env, program) -> None:
    """It registers what is not yet registered, then updates; without the program it goes on, and a failure is told."""
    assert step(shell, home) == ("done", "its collections are registered")
    assert step(shell, home) == ("done", "4 files taken up or dropped")
    program.answers("update", code=1, said="disk full\n")
    program.answers("collection", code=1, said="disk full\n")
    assert step(shell, home) == ("failed", "qmd collection failed (exit 1): disk full")
    (program.folder / "qmd").unlink()
    assert step(shell, home) == ("skipped", "qmd is not installed")
    shell("config", "set", "search.qmd", "false", cwd=home)
    assert step(shell, home) == ("nothing to do", "")
    assert not qmd.is_registered(layout, env)


def step(shell, home: str) -> tuple[str, str]:
    """What maintenance says of qmd."""
    (line,) = (line for line in shell("maintain", "--json", cwd=home).json if line["step"] == "qmd")
    return line["result"], line["said"]


def test_uninstall_takes_it_away(shell, home, layout, env) -> None:
    """Said in a dry run, and done without the program's help."""
    shell("init", "--yes", cwd=home)
    line = "remove this memory from qmd (its index of it)"
    assert line in shell("uninstall", "--dry-run", cwd=home).out
    assert qmd.is_registered(layout, env)
    assert line in shell("uninstall", "--yes", cwd=home).out
    assert not qmd.is_registered(layout, env)


def test_search_shows_what_it_finds_as_any_other_hit(shell, home, layout, program) -> None:
    """With date, tier, type and pointer from the home; it is registered where it is not yet."""
    program.finds((f".{layout.memory}/2026-03-10.md", 4))
    result = shell("search", "--engine", "qmd", "token bucket", cwd=home)
    assert result.out.splitlines() == [
        "2026-03-10  log  Rate limiting [project]  → memory/2026-03-10.md:3",
        "    decisions: token bucket in src/limits.py",
    ]
    assert program.commands == ["collection add"] * 1 + ["search"]
    assert shell("search", "--engine", "qmd", "--type", "feedback", "token bucket", cwd=home).code == 1


def test_search_without_it_is_one_line(shell, home, program) -> None:
    """Not installed, or off: what to do about it."""
    (program.folder / "qmd").unlink()
    missing = shell("search", "--engine", "qmd", "bucket", cwd=home)
    assert (missing.code, missing.out, missing.err.count("\n")) == (1, "", 1)
    assert "npm install -g @tobilu/qmd" in missing.err
    shell("config", "set", "search.qmd", "false", cwd=home)
    off = shell("search", "--engine", "qmd", "bucket", cwd=home)
    assert (off.code, off.out, off.err.count("\n")) == (1, "", 1)
    assert "hipocampus config set search.qmd true" in off.err


def test_a_home_that_is_not_trusted_does_not_start_it(shell, home, env, program) -> None:
    """A config that came with a clone may only narrow."""
    (Path(env["HIPOCAMPUS_STATE"]) / "trust.jsonl").unlink()
    assert shell("search", "--engine", "qmd", "bucket", cwd=home).code == 1
    shell("init", "--yes", cwd=home)
    assert program.calls == []


def test_what_is_forgotten_is_not_in_its_index_either(shell, home, layout, env) -> None:
    """Its whole index goes, since a database keeps in free pages what it drops; maintenance makes it anew."""
    shell("init", "--yes", cwd=home)
    assert shell("forget", "--match", "token bucket", "--yes", cwd=home).code == 0
    assert not qmd.is_registered(layout, env)


def test_what_an_audit_cuts_out_is_not_in_its_index_either(shell, home, layout, env, secret) -> None:
    """The same for a secret that somebody wrote by hand."""
    shell("init", "--yes", cwd=home)
    Path(layout.raw("2026-03-11")).write_text(f"## Key [project]\n- outcome: {secret}\n", encoding="utf-8")
    shell("audit", "--fix", cwd=home)
    assert not qmd.is_registered(layout, env)
