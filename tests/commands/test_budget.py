"""`hipocampus budget`, `save` and `undo`: what a person or a script sees, and what is on the disk afterwards."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.budget import report
from hipocampus.commands import questions

HEAD = "| file | unit | budget | newest | marker |\n|---|---|---|---|---|\n"
SNAPSHOT = "compaction/snapshots/MEMORY-2026-03-15.md"


def entries(count: int = 20) -> str:
    """A memory file of four lines an entry, newest last."""
    return "# Memory\n\n" + "".join(
        f"## 2026-02-{number:02} topic {number}\n- decisions: keep {number} because of it\n- talked a while\n\n"
        for number in range(1, count + 1)
    )


Policy = Callable[..., Path]


@pytest.fixture
def policy(layout) -> Policy:
    """Write the policy, and MEMORY.md; the rows of the table."""

    def write(*rows: str, memory: str = entries()) -> Path:
        (Path(layout.root) / "compaction").mkdir(exist_ok=True)
        (Path(layout.root) / "compaction" / "compaction-policy.md").write_text(HEAD + "\n".join(rows) + "\n")
        (Path(layout.root) / "MEMORY.md").write_text(memory)
        return Path(layout.root)

    return write


@pytest.fixture
def root(policy: Policy) -> Path:
    """A home with a file of 82 lines and a budget of 50."""
    return policy("| MEMORY.md | lines | 50 | 5 | ## |")


def files(root: Path) -> dict[str, bytes]:
    """Everything in the home but the lock."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def answering(monkeypatch: pytest.MonkeyPatch, answer: bool) -> list[str]:
    """Somebody at the terminal; the questions they are asked."""
    asked: list[str] = []

    def confirmed(question: str, default: bool) -> bool:  # noqa: ARG001 (called by name)
        asked.append(question)
        return answer

    for module in ("budget", "questions"):
        monkeypatch.setattr(f"hipocampus.commands.{module}.confirmed", confirmed)
    monkeypatch.setattr(questions, "can_ask", lambda: True)
    return asked


class TestCheck:
    """`budget check`."""

    def test_over(self, shell, root: Path) -> None:
        """A table, an object for programs, and an exit code for scripts."""
        result = shell("budget", "check", cwd=root)
        assert result.code == 1
        assert result.out.splitlines()[2].split() == ["MEMORY.md", "82", "50", "lines", "over"]
        assert shell("budget", "check", "--json", cwd=root).json == [
            {"file": "MEMORY.md", "unit": "lines", "budget": 50, "newest": 5, "marker": "##", "size": 82, "over": True}
        ]

    def test_within(self, shell, policy: Policy) -> None:
        """0, and every unit is measured."""
        root = policy(
            *(f"| {name}.md | {unit} | 9000 | 1 | |" for name, unit in (("MEMORY", "chars"), ("b", "tokens")))
        )
        (root / "b.md").write_text("한국어")
        assert shell("budget", "check", cwd=root).code == 0
        assert [one["size"] for one in shell("budget", "check", "--json", cwd=root).json] == [len(entries()), 5]

    def test_a_file_that_cannot_be_read(self, shell, policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
        """Is named with the reason, and does not keep the others from being shown and compacted."""
        root = policy("| *.md | lines | 50 | 5 | ## |")
        (root / "A.md").write_text("x")
        reading = report.read_exact

        def refuse(path: str) -> str | None:
            if path.endswith("A.md"):
                raise PermissionError(errno.EACCES, "Permission denied", path)
            return reading(path)

        for module in ("report", "rewrite"):
            monkeypatch.setattr(f"hipocampus.budget.{module}.read_exact", refuse)
        result = shell("budget", "check", cwd=root)
        assert (result.code, "Permission" in result.out, "MEMORY.md" in result.out) == (1, True, True)
        assert shell("budget", "check", "--json", cwd=root).json[0]["problem"] == "Permission denied"
        done = shell("budget", "compact", "--all", "--yes", cwd=root)
        assert (done.code, done.err) == (1, "hipocampus: A.md: Permission denied\n")
        assert "MEMORY.md: 20 entries, 82 → 50 lines" in done.out

    def test_no_budget(self, shell, layout) -> None:
        """Says where budgets are kept."""
        result = shell("budget", "check", cwd=layout.root)
        assert (result.code, result.out) == (
            0,
            "No file has a budget; compaction/compaction-policy.md says which should.\n",
        )

    def test_a_bad_row(self, shell, policy: Policy) -> None:
        """One line that names line and column."""
        result = shell("budget", "check", cwd=policy("| MEMORY.md | pages | 5 | 5 | |"))
        assert result.code == 1
        assert (
            "compaction-policy.md line 3, column unit: must be one of lines, chars, tokens, not 'pages'" in result.err
        )


class TestCompact:
    """`budget compact`."""

    def test_a_script(self, shell, root: Path) -> None:
        """The report has entries, lines before and after, the budget and the snapshot, which holds the old file."""
        result = shell("budget", "compact", "MEMORY.md", "--yes", cwd=root)
        assert result.code == 0
        assert result.out.splitlines() == [
            "MEMORY.md: 20 entries, 82 → 50 lines",
            "  13 oldest went into the history block",
            "  2 between shortened lightly, 5 newest left alone",
            "  budget 50 lines",
            f"  snapshot {SNAPSHOT}",
            "  13 statements left out; the snapshot has them",
        ]
        assert (root / SNAPSHOT).read_text() == entries()
        made = (root / "MEMORY.md").read_text()
        assert made.endswith(entries().partition("## 2026-02-14")[2])
        assert f"Distilled from 13 entries on 2026-03-15. Full detail in {SNAPSHOT}" in made
        assert all(f"keep {number} because of it" in made for number in range(1, 21))
        assert shell("budget", "check", cwd=root).code == 0
        assert "within its budget" in shell("budget", "compact", "MEMORY.md", cwd=root).out

    @pytest.mark.parametrize(
        ("unit", "budget", "said"),
        [("lines", 50, "budget 50 lines"), ("chars", 1000, f"budget 1,000 chars: {len(entries()):,} → ")],
    )
    def test_sizes_are_said_once(self, shell, policy: Policy, unit: str, budget: int, said: str) -> None:
        """Lines before and after, and the sizes in the unit of the budget where that is another."""
        root = policy(f"| MEMORY.md | {unit} | {budget} | 2 | ## |")
        out = shell("budget", "compact", "MEMORY.md", "--dry-run", cwd=root).out
        assert out.count(" → ") == (1 if unit == "lines" else 2)
        assert f"  {said}" in out

    def test_dry_run(self, shell, root: Path) -> None:
        """Says the same and writes nothing; what would be dropped is listed when asked for."""
        before = files(root)
        result = shell("budget", "compact", "MEMORY.md", "--dry-run", "--show-dropped", cwd=root)
        assert result.code == 0
        assert "82 → 50 lines" in result.out
        assert result.out.count("  dropped  ") == 13
        assert files(root) == before

    def test_the_first_time_it_asks(self, shell, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nobody there, or a no: 1 and nothing changed. Once it was done it asks no more."""
        before = files(root)
        assert "add --yes" in shell("budget", "compact", "MEMORY.md", cwd=root).err
        asked = answering(monkeypatch, False)
        assert shell("budget", "compact", "MEMORY.md", cwd=root).code == 1
        assert files(root) == before
        assert asked == ["MEMORY.md was never compacted. Shorten it? A snapshot keeps what it says now."]
        assert shell("budget", "compact", "MEMORY.md", "--yes", cwd=root).code == 0
        (root / "MEMORY.md").write_text((root / "MEMORY.md").read_text() + entries())
        assert shell("budget", "compact", "MEMORY.md", cwd=root).code == 0
        assert len(asked) == 1

    def test_a_secret(self, shell, policy: Policy, secret: str) -> None:
        """Each line that would change is named, it asks, and neither file nor snapshot has it afterwards."""
        root = policy("| MEMORY.md | lines | 50 | 5 | ## |", memory=entries() + f"## last\n- token {secret}\n")
        refused = shell("budget", "compact", "MEMORY.md", cwd=root)
        assert "MEMORY.md:84 holds what looks like a secret" in refused.err
        assert refused.code == 1
        assert secret in (root / "MEMORY.md").read_text()
        assert shell("budget", "compact", "MEMORY.md", "--yes", cwd=root).code == 0
        assert [name for name, content in files(root).items() if secret.encode() in content] == []
        assert shell("audit", cwd=root).code == 0

    def test_no_way(self, shell, policy: Policy) -> None:
        """The newest entries alone are over the budget: it says so, 1, and no file was touched or made."""
        root = policy("| MEMORY.md | lines | 30 | 10 | ## |")
        before = files(root)
        result = shell("budget", "compact", "MEMORY.md", "--yes", cwd=root)
        assert result.code == 1
        assert "(budget 30) without touching its newest 10 of 20 entries; it was not changed" in result.err
        assert files(root) == before

    def test_no_way_but_another_marker(self, shell, policy: Policy) -> None:
        """Where the entries were found out it says how, since a file of few large ones may be divided finer."""
        root = policy("| MEMORY.md | lines | 30 | 2 | |", memory="## a\n" + "- x\n" * 20 + "## b\n" + "- y\n" * 20)
        result = shell("budget", "compact", "MEMORY.md", "--yes", cwd=root)
        assert "newest 2 of 2 entries (they begin with ##; the policy can say otherwise)" in result.err

    def test_all(self, shell, policy: Policy) -> None:
        """Every file that is over; one that cannot be done does not keep the others from it, and the exit code is 1."""
        rows = ("| knowledge/a.md | lines | 10 | 5 | |", "| knowledge/*.md | lines | 50 | 5 | |")
        root = policy(*rows, "| MEMORY.md | lines | 5000 | 5 | |")
        (root / "knowledge").mkdir()
        for name in "abc":
            (root / "knowledge" / f"{name}.md").write_text(entries())
        result = shell("budget", "compact", "--all", "--yes", cwd=root)
        assert result.code == 1
        assert "knowledge/a.md cannot get below" in result.err
        lengths = [len((root / "knowledge" / f"{name}.md").read_text().splitlines()) for name in "abc"]
        assert lengths == [82, 50, 50]
        assert sorted(path.name for path in (root / "compaction" / "snapshots").iterdir()) == [
            "b-2026-03-15.md",
            "c-2026-03-15.md",
            "index.jsonl",
        ]

    @pytest.mark.parametrize(
        ("file", "expected"),
        [
            ("../other.md", "outside the home"),
            ("/etc/hostname", "outside the home"),
            ("link.md", "outside the home"),
            ("memory", "not a regular file"),
            ("memory/2026-03-15.md", "written by this program"),
            ("nothing.md", "There is no file"),
            ("other.md", "has no budget"),
        ],
    )
    def test_what_it_refuses(self, shell, policy: Policy, tmp_path: Path, file: str, expected: str) -> None:
        """Paths and links out of the home, directories, logs, unknown names: one line, and 1."""
        root = policy("| nothing.md | lines | 5 | 5 | |")
        (tmp_path / "other.md").write_text("x\n" * 99)
        os.symlink(tmp_path / "other.md", root / "link.md")
        (root / "other.md").write_text("x\n" * 99)
        (root / "memory" / "2026-03-15.md").write_text("## a\n")
        result = shell("budget", "compact", file, "--yes", cwd=root)
        assert (result.code, len(result.err.splitlines())) == (1, 1)
        assert expected in result.err

    def test_neither_or_both(self, shell, root: Path) -> None:
        """It wants to know which file."""
        for arguments in ((), ("MEMORY.md", "--all")):
            assert "Say which file" in shell("budget", "compact", *arguments, cwd=root).err

    def test_from_below(self, shell, root: Path) -> None:
        """A file is named from where one stands, or from the home."""
        (root / "knowledge").mkdir()
        for name in ("../MEMORY.md", "MEMORY.md", str(root / "MEMORY.md")):
            assert shell("budget", "compact", name, "--dry-run", cwd=root / "knowledge").code == 0


class TestSnapshots:
    """`budget snapshots`, `diff`, `restore` and `undo`."""

    @pytest.fixture
    def compacted(self, shell, root: Path) -> Path:
        """The home after a compaction."""
        shell("budget", "compact", "MEMORY.md", "--yes", cwd=root)
        return root

    def test_names(self, shell, compacted: Path) -> None:
        """The date, then the time, then a number; the directory of a file is in the index and not in the name."""
        for _ in range(3):
            (compacted / "MEMORY.md").write_text(entries())
            shell("budget", "compact", "MEMORY.md", "--yes", cwd=compacted)
        found = shell("budget", "snapshots", "--json", cwd=compacted).json
        names = ["", "-102203", "-102203-v2", "-102203-v3"]
        assert [one["snapshot"] for one in found][::-1] == [f"MEMORY-2026-03-15{name}" for name in names]
        assert {(one["file"], one["why"], one["bytes"]) for one in found} == {
            ("MEMORY.md", "compaction", len(entries()))
        }
        steps = [one["step"] for one in shell("undo", "--list", "--json", cwd=compacted).json]
        assert sorted(steps) == sorted(one["snapshot"] for one in found)
        for table in (shell("budget", "snapshots", cwd=compacted).out, shell("undo", "--list", cwd=compacted).out):
            assert [f" MEMORY-2026-03-15{name} " in table for name in names] == [True] * 4

    def test_none_yet(self, shell, root: Path) -> None:
        """Says when there will be one."""
        assert "no snapshots yet" in shell("budget", "snapshots", cwd=root).out

    @pytest.mark.parametrize("name", ["MEMORY-2026-03-15", "MEMORY-2026-03-15.md", SNAPSHOT])
    def test_diff(self, shell, compacted: Path, name: str) -> None:
        """What would leave the file and what would come back; nothing is written."""
        before = files(compacted)
        result = shell("budget", "diff", name, cwd=compacted)
        assert result.code == 0
        assert "-Distilled from 13 entries" in result.out
        assert "+## 2026-02-01 topic 1" in result.out
        assert files(compacted) == before

    def test_restore(self, shell, compacted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Shows date, size and diff, asks, keeps the file as it is now, and can be taken back in the same way."""
        made = (compacted / "MEMORY.md").read_bytes()
        asked = answering(monkeypatch, False)
        refused = shell("budget", "restore", "MEMORY-2026-03-15", cwd=compacted)
        assert refused.code == 1
        assert (compacted / "MEMORY.md").read_bytes() == made
        assert refused.out.startswith(
            f"{SNAPSHOT}: MEMORY.md as it was at 2026-03-15 10:22, {len(entries()):,} bytes\n"
        )
        assert "+## 2026-02-01 topic 1" in refused.out
        assert len(asked) == 1
        assert shell("budget", "restore", "MEMORY-2026-03-15", "--yes", cwd=compacted).code == 0
        assert (compacted / "MEMORY.md").read_text() == entries()
        assert shell("budget", "restore", "MEMORY-2026-03-15-102203", "--yes", cwd=compacted).code == 0
        assert (compacted / "MEMORY.md").read_bytes() == made

    def test_a_step_is_taken_back_by_restoring_too(self, shell, compacted: Path) -> None:
        """The file is as it was before that step, whichever verb brought it there."""
        assert shell("budget", "restore", "MEMORY-2026-03-15", "--yes", cwd=compacted).code == 0
        assert [one["undone"] for one in shell("undo", "--list", "--json", cwd=compacted).json] == [True]
        assert "nothing to take back" in shell("undo", "--yes", cwd=compacted).err

    def test_an_object_of_what_is_taken_back(self, shell, compacted: Path) -> None:
        """There is none: it is said that there is one of the list, and nothing is taken back."""
        before = files(compacted)
        result = shell("undo", "--json", "--yes", cwd=compacted)
        assert (result.code, result.out) == (1, "")
        assert "--json goes with --list" in result.err
        assert files(compacted) == before

    def test_a_long_diff_leaves_the_question_in_sight(self, shell, policy: Policy) -> None:
        """Its end is left to `diff`, which shows all of it."""
        root = policy("| MEMORY.md | lines | 300 | 5 | ## |", memory=entries() * 9)
        shell("budget", "compact", "MEMORY.md", "--yes", cwd=root)
        shown = shell("budget", "restore", "MEMORY-2026-03-15", cwd=root).out.splitlines()
        whole = shell("budget", "diff", "MEMORY-2026-03-15", cwd=root).out.splitlines()
        assert (len(shown), len(whole) > 300) == (202, True)
        assert f"… {len(whole) - 200} more lines; hipocampus budget diff MEMORY-2026-03-15 shows" in shown[-1]

    def test_a_file_that_is_gone_comes_back(self, shell, compacted: Path) -> None:
        """With its bytes."""
        (compacted / "MEMORY.md").unlink()
        assert shell("budget", "restore", "MEMORY-2026-03-15", "--yes", cwd=compacted).code == 0
        assert (compacted / "MEMORY.md").read_text() == entries()

    @pytest.mark.parametrize("name", ["nothing", "../../MEMORY.md", "index.jsonl", "", "/etc/hostname"])
    def test_unknown_names(self, shell, compacted: Path, name: str) -> None:
        """One line, and 1."""
        for verb in (("budget", "restore"), ("budget", "diff")):
            result = shell(*verb, name, cwd=compacted)
            assert (result.code, "No snapshot" in result.err) == (1, True)

    def test_an_index_that_leads_out_of_the_home(self, shell, compacted: Path, tmp_path: Path) -> None:
        """Whoever wrote it: no path outside the home is read or written, nor is a link out of it."""
        index = compacted / "compaction" / "snapshots" / "index.jsonl"
        (tmp_path / "outside.md").write_text("theirs")
        index.write_text(index.read_text().replace('"file":"MEMORY.md"', '"file":"../outside.md"'))
        assert "outside the home" in shell("budget", "restore", "MEMORY-2026-03-15", "--yes", cwd=compacted).err
        index.write_text(index.read_text().replace('"file":"../outside.md"', '"file":"MEMORY.md"'))
        (compacted / "MEMORY.md").unlink()
        os.symlink(tmp_path / "outside.md", compacted / "MEMORY.md")
        assert "outside the home" in shell("budget", "restore", "MEMORY-2026-03-15", "--yes", cwd=compacted).err
        assert (tmp_path / "outside.md").read_text() == "theirs"

    def test_undo(self, shell, compacted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The last step is listed, shown, asked about and taken back, once; restoring brings it back again."""
        made = (compacted / "MEMORY.md").read_bytes()
        assert [one["undone"] for one in shell("undo", "--list", "--json", cwd=compacted).json] == [False]
        answering(monkeypatch, False)
        assert shell("undo", cwd=compacted).code == 1
        assert (compacted / "MEMORY.md").read_bytes() == made
        assert shell("undo", "--yes", cwd=compacted).code == 0
        assert (compacted / "MEMORY.md").read_text() == entries()
        assert "taken back" in shell("undo", "--list", cwd=compacted).out
        assert "nothing to take back" in shell("undo", "--yes", cwd=compacted).err
        assert "taken back already" in shell("undo", "MEMORY-2026-03-15", "--yes", cwd=compacted).err
        assert "cannot be undone" in shell("undo", "MEMORY-2026-03-15-102203", "--yes", cwd=compacted).err

    @pytest.mark.parametrize("budget", [50, 16])
    def test_undo_keeps_what_was_added_since(self, shell, policy: Policy, budget: int) -> None:
        """The entries before it are as they were, and the new ones stand behind them."""
        root = policy(f"| MEMORY.md | lines | {budget} | {5 if budget == 50 else 0} | ## |")
        shell("budget", "compact", "MEMORY.md", "--yes", cwd=root)
        step = shell("undo", "--list", "--json", cwd=root).json[0]["step"]
        for number in range(2):
            with (root / "MEMORY.md").open("a") as file:
                file.write(f"\n## 2026-03-1{number} new\n- decisions: {number}\n")
        assert shell("undo", step, "--yes", cwd=root).code == 0
        new = "".join(f"\n## 2026-03-1{number} new\n- decisions: {number}\n" for number in range(2))
        assert (root / "MEMORY.md").read_text() == entries() + new.lstrip("\n")

    def test_undo_of_a_file_that_is_gone(self, shell, compacted: Path) -> None:
        """Brings it back, once."""
        (compacted / "MEMORY.md").unlink()
        assert shell("undo", "--yes", cwd=compacted).code == 0
        assert (compacted / "MEMORY.md").read_text() == entries()
        assert "nothing to take back" in shell("undo", "--yes", cwd=compacted).err

    def test_a_named_step(self, shell, policy: Policy) -> None:
        """Not only the last one."""
        root = policy("| *.md | lines | 50 | 5 | ## |")
        (root / "NOTES.md").write_text(entries())
        shell("budget", "compact", "--all", "--yes", cwd=root)
        assert shell("undo", "MEMORY-2026-03-15", "--yes", cwd=root).code == 0
        assert (root / "MEMORY.md").read_text() == entries()
        assert (root / "NOTES.md").read_text() != entries()

    def test_forgetting(self, shell, compacted: Path) -> None:
        """A snapshot is named by `forget`, and cleaned when that is asked for."""
        shown = shell("forget", "--match", "keep 7 because", "--dry-run", cwd=compacted).out
        assert f"leave     {SNAPSHOT}" in shown
        assert shell("forget", "--match", "keep 7 because", "--snapshots", "--yes", cwd=compacted).code == 0
        assert "keep 7 because" not in (compacted / SNAPSHOT).read_text()
        assert "keep 8 because" in (compacted / SNAPSHOT).read_text()

    def test_an_audit_reads_them(self, shell, compacted: Path, secret: str) -> None:
        """A secret that got into a snapshot by another way is found there."""
        with (compacted / SNAPSHOT).open("a") as file:
            file.write(f"token: {secret}\n")
        result = shell("audit", cwd=compacted)
        assert result.code == 1
        assert SNAPSHOT in result.out


class TestSave:
    """`save`."""

    def test_an_entry(self, shell, root: Path) -> None:
        """Goes to the newest end; the file is compacted before that, so that it fits."""
        shell("budget", "compact", "MEMORY.md", "--yes", cwd=root)
        result = shell("save", "MEMORY.md", cwd=root, stdin=b"## 2026-03-15 new\n- decisions: yes\n")
        assert result.code == 0
        text = (root / "MEMORY.md").read_text()
        assert text.endswith("- talked a while\n\n## 2026-03-15 new\n- decisions: yes\n")
        assert len(text.splitlines()) <= 50
        assert "Added to MEMORY.md." in result.out
        assert "  budget 50 lines\n" in result.out
        assert result.err == ""

    def test_without_anybody_to_ask(self, shell, root: Path) -> None:
        """The entry is added, and that the file is over its budget is said; with --yes it is compacted."""
        result = shell("save", "MEMORY.md", cwd=root, stdin=b"## new\n")
        assert result.code == 0
        assert "over its budget (83 of 50 lines)" in result.err
        assert (root / "MEMORY.md").read_text() == entries() + "## new\n"
        assert shell("save", "MEMORY.md", "--yes", cwd=root, stdin=b"## newer\n").err == ""
        assert (root / "MEMORY.md").read_text().endswith("## new\n\n## newer\n")

    def test_the_same_entry_twice(self, shell, root: Path) -> None:
        """Is stored once, so that a call that was repeated does no harm."""
        for _ in range(2):
            result = shell("save", "MEMORY.md", cwd=root, stdin=b"## new\n- x\n")
        assert "has that entry already" in result.out
        assert (root / "MEMORY.md").read_text().count("## new") == 1

    def test_newest_first(self, shell, policy: Policy) -> None:
        """In a changelog the new entry goes to the top."""
        root = policy("| MEMORY.md | lines | 500 | 5 | |", memory="# C\n\n## 2026-02-02 b\n\n## 2026-02-01 a\n")
        shell("save", "MEMORY.md", cwd=root, stdin=b"## 2026-03-15 c\n- x\n")
        assert (root / "MEMORY.md").read_text() == "# C\n\n## 2026-03-15 c\n- x\n\n## 2026-02-02 b\n\n## 2026-02-01 a\n"

    def test_line_ends_and_bullets(self, shell, policy: Policy) -> None:
        """A file keeps its line ends, a list has no gaps, and a last line without its end gets one."""
        root = policy("| MEMORY.md | lines | 500 | 5 | |")
        (root / "MEMORY.md").write_bytes(b"# T\r\n- a\r\n- b")
        shell("save", "MEMORY.md", cwd=root, stdin=b"- c\n  d\n")
        assert (root / "MEMORY.md").read_bytes() == b"# T\r\n- a\r\n- b\r\n- c\r\n  d\r\n"

    def test_a_new_file_without_a_budget(self, shell, policy: Policy, secret: str) -> None:
        """Is made, redacted like every write; that it has no budget is said."""
        root = policy()
        result = shell("save", "knowledge/new.md", cwd=root, stdin=f"- token {secret}\n".encode())
        assert (result.code, "has no budget" in result.err) == (0, True)
        text = (root / "knowledge" / "new.md").read_text()
        assert text.startswith("- token [REDACTED:")

    @pytest.mark.parametrize(
        ("file", "entry", "expected"),
        [
            ("MEMORY.md", b" \n", "no entry"),
            ("../x.md", b"x", "outside the home"),
            ("memory/2026-03-15.md", b"x", "written by this program"),
            ("hipocampus.config.json", b"x", "holds settings, which hipocampus config set changes"),
            (".git/config", b"x", ".git/config belongs to git; not touched"),
            ("package.json", b"x", "package.json holds no entries; not touched"),
            ("src/limits.py", b"x", "src/limits.py is no memory file; save to MEMORY.md or knowledge/NAME.md, or add"),
            ("src/new.py", b"x", "is no memory file"),
            (".gitignore", b"x", "is no memory file"),
            ("AGENTS.md", b"x", "is no memory file"),
            ("notes/new.md", b"x", "is no memory file"),
            ("knowledge/new.py", b"x", "is no memory file"),
            ("link.md", b"x", "src/limits.py is no memory file"),
        ],
    )
    def test_what_it_refuses(self, shell, root: Path, file: str, entry: bytes, expected: str) -> None:
        """One line, and nothing is written; a link is what it leads to."""
        (root / "src").mkdir()
        (root / "src" / "limits.py").write_text("LIMIT = 1\n")
        (root / "link.md").symlink_to("src/limits.py")
        before = files(root)
        result = shell("save", file, cwd=root, stdin=entry)
        assert (result.code, expected in result.err, len(result.err.splitlines())) == (1, True, 1)
        assert files(root) == before

    def test_a_path_that_no_disk_has_is_one_clear_line(self, shell, root: Path) -> None:
        """With the words of the system, however many directories it names."""
        result = shell("save", f"knowledge/{'x/' * 3_000}y.md", cwd=root, stdin=b"use bun\n")
        assert result.code == 1
        assert result.err.endswith("y.md: File name too long\n")
        assert result.err.count("\n") == 1

    @pytest.mark.parametrize(
        "file", ["MEMORY.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md", "knowledge/a/b.md", "plans/x.md", "N.txt"]
    )
    def test_what_may_be_saved_to(self, shell, policy: Policy, file: str) -> None:
        """What is a memory file by its name, or by the policy, be it there or not."""
        root = policy("| *.txt | lines | 50 | 5 | |")
        assert shell("save", file, cwd=root, stdin=b"use bun\n").code == 0
        assert (root / file).read_text().endswith("use bun\n")


@pytest.mark.parametrize(
    "arguments", [("budget", "compact", "--all"), ("budget", "restore", "x"), ("save", "MEMORY.md"), ("undo",)]
)
def test_a_memory_that_is_not_trusted_is_not_written(shell, root: Path, env, arguments: tuple[str, ...]) -> None:
    """One that came with a clone is only looked at."""
    before = files(root)
    result = shell(*arguments, cwd=root, stdin=b"x", HIPOCAMPUS_STATE=f"{env['HIPOCAMPUS_STATE']}-other")
    assert (result.code, "not trusted" in result.err) == (1, True)
    assert files(root) == before
