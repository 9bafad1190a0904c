"""`dag compact` and `budget compact` with a back end, and without one that works."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.commands import denser
from hipocampus.dag.store import read_state
from hipocampus.store.layout import Layout
from tests.commands.conftest import Shell

ENTRY = (
    "## 2026-02-{day:02} harbour {day}\nThe timetable of the ferries came in as three tables with headings in two "
    "languages, and the second of them had one column more than the others, with the name of the harbour in it. Each "
    "of the tables was read by itself and then joined by the name of the harbour, which took forty minutes in all, as "
    "it had done on the old machine below the stairs, and the ferries of the evening came after those of noon.\n\n"
)
# At depth 0 each entry by its name, and the facts of an entry for a history block.
ANSWER = r"""
import re, sys
asked = sys.stdin.read()
names = re.findall(r"\| ## (\d{4}-\d\d-\d\d harbour \d+)", asked)
told = "timetable ferries: three tables, headings two languages, second one column more, joined by name of harbour, " \
    "forty minutes, old machine below stairs"
if "## Facts" in asked:
    print(f"## Facts\n- {told}")
else:
    print("## Entries", *(f"- {name}: {told}" for name in names), sep="\n")
"""


@pytest.fixture
def home(layout: Layout) -> Layout:
    """A home with a memory file of twenty entries, which is over its budget."""
    Path(layout.root, "compaction").mkdir()
    Path(layout.policy).write_text(
        "| file | unit | budget | newest | marker |\n|---|---|---|---|---|\n| MEMORY.md | chars | 4000 | 3 | ## |\n"
    )
    text = "# Memory\n\n" + "".join(ENTRY.format(day=day) for day in range(1, 21))
    Path(layout.root, "MEMORY.md").write_text(text, encoding="utf-8")
    return layout


@pytest.fixture
def use(shell: Shell, home: Layout, tmp_path: Path) -> Callable[[str], Path]:
    """Let a program of these lines answer; the file that tells how often it was asked."""

    def set_up(lines: str) -> Path:
        asked = tmp_path / "asked"
        asked.write_text("")
        program = tmp_path / "answerer"
        program.write_text(f"#!{sys.executable}\nopen({str(asked)!r}, 'a').write('x')\n{lines}\n")
        program.chmod(0o755)
        for key, value in (("backend", "command"), ("command", json.dumps([str(program)]))):
            assert shell("config", "set", f"llm.{key}", value, cwd=home.root).code == 0
        return asked

    return set_up


def test_a_summary_over_a_file_is_made_denser(shell: Shell, home: Layout, use: Callable[[str], Path]) -> None:
    """What it cost is told beside the answer, and the second run asks nothing."""
    asked = use(ANSWER)
    done = shell("dag", "compact", "--format", "json", cwd=home.root)
    assert [one["id"] for one in done.json["made"]] == ["s-001"]
    assert done.err.startswith("1 question to command answerer: ")
    node = read_state(home).graph.nodes["s-001"]
    assert node.made_by == "llm"
    assert "- 2026-02-20 harbour 20: timetable ferries: three tables" in node.text
    assert shell("dag", "compact", cwd=home.root).err == ""
    assert asked.read_text() == "x"


def test_summaries_without_a_fit_text_share_a_line(shell: Shell, home: Layout, use: Callable[[str], Path]) -> None:
    """However many there are; why stands in the note."""
    use("import sys\nsys.stdin.read()\nprint('I would rather not.')")
    Path(home.root, "MEMORY.md").write_text("# Memory\n\n" + "".join(map(_entry, range(100))), encoding="utf-8")
    done = shell("dag", "compact", cwd=home.root)
    (line,) = [line for line in done.out.splitlines() if "fit to be kept" in line]
    assert line == "no denser text was fit to be kept for s-001, s-002, s-003, +2 more"
    assert "stayed mechanical: not accepted" in done.err


def _entry(number: int) -> str:
    return ENTRY.format(day=1 + number % 28).replace("harbour 1", f"harbour 1 {number}", 1) + f"- {number}\n\n"


def test_facts_of_a_history_block_are_said_in_fewer_words(
    shell: Shell, home: Layout, use: Callable[[str], Path]
) -> None:
    """The newest entries keep every byte, as without a back end."""
    asked = use(ANSWER)
    done = shell("budget", "compact", "MEMORY.md", "--yes", cwd=home.root)
    assert done.code == 0
    text = Path(home.root, "MEMORY.md").read_text()
    assert "joined by name of harbour, forty minutes" in text
    assert text.endswith("".join(ENTRY.format(day=day) for day in (18, 19, 20)))
    assert f"{len(asked.read_text())} questions to command answerer" in done.err


@pytest.mark.parametrize("verb", [("dag", "compact"), ("budget", "compact", "MEMORY.md", "--yes")])
class TestWithoutAnAnswer:
    """The commands do what they do without an LLM."""

    @pytest.fixture
    def plain(self, shell: Shell, home: Layout, verb: tuple[str, ...]) -> dict[str, str]:
        """What the verb writes without a back end; afterwards all is as before."""
        before = Path(home.root, "MEMORY.md").read_bytes()
        assert shell(*verb, cwd=home.root).code == 0
        made = self.texts(home)
        Path(home.root, "MEMORY.md").write_bytes(before)
        Path(home.summaries).unlink(missing_ok=True)
        for snapshot in Path(home.snapshots).glob("*"):
            snapshot.unlink()
        return made

    def texts(self, home: Layout) -> dict[str, str]:
        """The memory file, and the text of each summary."""
        nodes = read_state(home).graph.nodes
        return {"": Path(home.root, "MEMORY.md").read_text()} | {name: node.text for name, node in nodes.items()}

    @pytest.mark.parametrize(
        ("lines", "note"),
        [
            ("import sys; sys.exit('quota is used up')", "it ended with status 1: quota is used up"),
            ("print('nothing of use')", "not accepted: it has fewer than 50 bytes"),
        ],
    )
    def test_a_back_end_that_does_not_work_changes_nothing(
        self,
        shell: Shell,
        home: Layout,
        use: Callable[[str], Path],
        plain,
        verb: tuple[str, ...],
        lines: str,
        note: str,
    ) -> None:
        """It is said why, and the exit status is that of success."""
        use(lines)
        done = shell(*verb, cwd=home.root)
        assert done.code == 0
        assert "stayed mechanical: " in done.err
        assert note in done.err
        assert self.texts(home) == plain

    def test_extractive_asks_nobody(
        self, shell: Shell, home: Layout, use: Callable[[str], Path], plain, verb: tuple[str, ...]
    ) -> None:
        """Nor does a dry run."""
        asked = use(ANSWER)
        assert shell(*verb, "--dry-run", cwd=home.root).err == ""
        assert shell(*verb, "--extractive", cwd=home.root).err == ""
        assert asked.read_text() == ""
        assert self.texts(home) == plain

    def test_a_setting_that_was_not_made_here_is_a_note(
        self, shell: Shell, home: Layout, plain, verb: tuple[str, ...], tmp_path: Path
    ) -> None:
        """Its command does not run."""
        mark = tmp_path / "ran"
        llm = {"backend": "command", "command": ["sh", "-c", f"touch {mark}"]}
        Path(home.config).write_text(json.dumps({"id": "0123456789abcdef", "llm": llm}))
        done = shell(*verb, cwd=home.root)
        assert done.code == 0
        assert done.err.startswith("note: without an LLM: ")
        assert "llm.backend was not set on this machine" in done.err
        assert self.texts(home) == plain
        assert not mark.exists()


def test_nobody_is_asked_before_the_user_agreed(shell: Shell, home: Layout, use: Callable[[str], Path]) -> None:
    """A file that was never compacted is not sent anywhere without a word."""
    asked = use(ANSWER)
    done = shell("budget", "compact", "MEMORY.md", cwd=home.root)
    assert done.code == 1
    assert asked.read_text() == ""


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody waits."""
    monkeypatch.setattr(denser, "is_terminal", lambda _: True)


@pytest.mark.usefixtures("at_a_terminal")
class TestWhoWaits:
    """Is told that a back end is asked."""

    @pytest.mark.parametrize(
        "verb",
        [("dag", "compact"), ("budget", "compact", "MEMORY.md", "--yes"), ("budget", "compact", "--all", "--yes")],
    )
    def test_before_the_first_question(
        self, shell: Shell, home: Layout, use: Callable[[str], Path], verb: tuple[str, ...]
    ) -> None:
        """Once, however many there are; and not again where there is nothing left to ask."""
        use(ANSWER)
        assert shell(*verb, cwd=home.root).err.count("Asking command answerer where") == 1
        assert shell(*verb, cwd=home.root).err == ""

    @pytest.mark.parametrize(
        "verb",
        [
            ("budget", "compact", "nope.md"),
            ("budget", "compact", "MEMORY.md"),
            ("budget", "compact", "--all"),
            ("budget", "compact", "MEMORY.md", "--dry-run"),
            ("dag", "compact", "--file", "nope.md"),
        ],
    )
    def test_not_where_nobody_is_asked(
        self, shell: Shell, home: Layout, use: Callable[[str], Path], verb: tuple[str, ...]
    ) -> None:
        """No such file, or nobody who agreed to it."""
        asked = use(ANSWER)
        assert "Asking" not in shell(*verb, cwd=home.root).err
        assert asked.read_text() == ""
