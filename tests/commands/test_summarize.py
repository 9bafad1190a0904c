"""`hipocampus summarize`: what it asks, what it tells, and what it leaves alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

import pytest

from hipocampus.compaction.chain import compact
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.commands.conftest import Result, Shell
from tests.summarize.memory import remember

EVENING = "2026-03-15T23:22:03+09:00"
Set = Callable[..., None]


@pytest.fixture
def home(layout: Layout) -> Layout:
    """A memory of two days that wait for a summary."""
    remember(layout, date(2026, 3, 14), 2)
    compact(layout, defaults(), datetime.fromisoformat(EVENING), force=True)
    return layout


@pytest.fixture
def run(shell: Shell, home: Layout) -> Callable[..., Result]:
    """`hipocampus summarize` in the evening."""
    return lambda *arguments, **env: shell("summarize", *arguments, cwd=home.root, HIPOCAMPUS_NOW=EVENING, **env)


@pytest.fixture
def use(shell: Shell, home: Layout, tmp_path: Path) -> Set:
    """Let a program of these lines of Python answer; `{asked}` and `{answer}` are what it reads and what is good."""
    where = Path(__file__).parents[2]

    def set_up(lines: str = "print(answer)", **settings: object) -> None:
        program = tmp_path / "answerer"
        head = f"import sys; sys.path.insert(0, {str(where)!r})\nfrom tests.summarize.memory import summed_up\n"
        head += "asked = sys.stdin.read(); answer = summed_up(*asked.split('\\n\\nCondense ', 1))\n"
        program.write_text(f"#!{sys.executable}\n{head}{lines}\n")
        program.chmod(0o755)
        for key, value in {"backend": "command", "command": json.dumps([str(program)]), **settings}.items():
            assert shell("config", "set", f"llm.{key}", str(value), cwd=home.root).code == 0

    return set_up


def test_a_run_tells_what_became_of_each_node_and_what_it_cost(run, use: Set, home: Layout) -> None:
    """A table with a line a node, and the sum below it."""
    use()
    result = run()
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert [line.split()[:2] for line in lines if line.startswith(" 2026-")] == [
        ["2026-03-15", "accepted"],
        ["2026-03-14", "accepted"],
    ]
    assert lines[-1].startswith("2 of 2 nodes summarised by command answerer: ")
    assert lines[-1].endswith(" out.")
    assert "summary: llm" in Path(home.node("daily", "2026-03-15")).read_text()
    assert run().out == "No node waits for a summary.\n"


def test_what_was_not_accepted_is_said_and_the_rest_stays(run, use: Set, home: Layout) -> None:
    """Exit 1, with the reason beside the node."""
    use("print(answer if '2026-03-14' in asked else 'no')")
    result = run()
    assert result.code == 1
    assert "not accepted" in result.out
    assert "fewer than 50 bytes" in result.out
    assert "1 of 2 nodes summarised" in result.out
    assert "summary: llm" in Path(home.node("daily", "2026-03-14")).read_text()
    assert "summary: extractive" in Path(home.node("daily", "2026-03-15")).read_text()


def test_a_run_that_ends_early_says_why(run, use: Set) -> None:
    """A back end that fails, and a limit that is reached."""
    use("sys.exit('quota is used up')")
    result = run()
    assert (result.code, result.err) == (
        1,
        "hipocampus: ended early: command answerer: it ended with status 1: quota is used up\n",
    )
    use(perHour=0)
    result = run()
    assert (result.code, result.err) == (1, "hipocampus: ended early: llm.perHour is 0, so nobody is asked\n")
    assert "llm.perHour" not in result.out


def test_a_dry_run_asks_nobody(run, use: Set, home: Layout, tmp_path: Path) -> None:
    """It shows the questions with their sizes, and writes nothing."""
    use(f"open({str(tmp_path / 'asked')!r}, 'w')")
    before = {path: path.read_bytes() for path in Path(home.root).rglob("*") if path.is_file()}
    result = run("--dry-run")
    assert result.code == 0
    assert [line.split()[0] for line in result.out.splitlines() if line.startswith(" 2026-")] == [
        "2026-03-15",
        "2026-03-14",
    ]
    assert result.out.splitlines()[-1].startswith("2 questions, about ")
    assert not (tmp_path / "asked").exists()
    assert {path: path.read_bytes() for path in Path(home.root).rglob("*") if path.is_file()} == before
    assert run("--dry-run", "--level", "weekly").out == run("--level", "weekly").out == "No node waits for a summary.\n"


def test_a_question_has_one_size(run, shell: Shell, use: Set, home: Layout) -> None:
    """Whoever is asked, the queue and a dry run say the same; for an agent it is what its shell shows."""
    for set_up in (lambda: None, use):
        set_up()
        queue = shell("pending", cwd=home.root, HIPOCAMPUS_NOW=EVENING).out.splitlines()
        dry = run("--dry-run").out.splitlines()
        assert all("  tokens (est.)" in lines[0] for lines in (queue, dry))
        tokens = [
            [line.split()[at] for line in lines if line.startswith(" 2026-")] for lines, at in ((queue, 3), (dry, 2))
        ]
        assert tokens[0] == tokens[1] != []


@pytest.mark.parametrize(
    ("backend", "line"),
    [
        ("", "llm.backend is agent: in a session the agent summarises by the compaction skill"),
        ("none", "llm.backend is none: nobody is asked, and the mechanical summaries stay."),
    ],
)
def test_where_nobody_is_to_be_asked_one_line_says_what_to_do(shell, run, home, backend: str, line: str) -> None:
    """And a dry run still shows what waits."""
    if backend:
        shell("config", "set", "llm.backend", backend, cwd=home.root)
    result = run()
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"hipocampus: {line}")
    assert "hipocampus config set llm.backend" in result.err
    assert run("--dry-run").code == 0


@pytest.mark.parametrize(
    ("llm", "line"),
    [
        ({"backend": "command", "command": ["sh", "-c", "touch ran"]}, "llm.backend was not set on this machine"),
        ({"apiKey": "x"}, "llm.apiKey: the key of an API is read from the environment only (ANTHROPIC_API_KEY)"),
    ],
)
def test_what_a_config_may_not_say_is_refused(run, home: Layout, llm: dict[str, object], line: str) -> None:
    """With one line that says what to do; nothing was asked."""
    Path(home.config).write_text(json.dumps({"id": "0123456789abcdef", "llm": llm}))
    result = run()
    assert (result.code, result.out) == (1, "")
    assert line in result.err
    assert len(result.err.splitlines()) == 1
    assert not Path(home.root, "ran").exists()


def test_a_secret_in_a_failure_is_not_shown(run, use: Set, secret: str) -> None:
    """A program may say anything."""
    use(f"sys.exit('bad token {secret}')")
    result = run()
    assert secret not in result.out + result.err


def test_a_memory_that_is_not_trusted_is_not_sent_anywhere(run, use: Set, tmp_path: Path) -> None:
    """Nor is its setting looked at."""
    use(f"open({str(tmp_path / 'asked')!r}, 'w')")
    result = run(HIPOCAMPUS_STATE=str(tmp_path / "another"))
    assert result.code == 1
    assert "not trusted" in result.err
    assert not (tmp_path / "asked").exists()
