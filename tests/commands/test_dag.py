"""`hipocampus dag`: summaries of a memory file from the shell."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from hipocampus.core.tokens import estimate_tokens
from tests.dag.conftest import text_of


@pytest.fixture
def memory(layout):
    """A home whose memory file has 125 entries."""
    Path(layout.root, "MEMORY.md").write_text(text_of(*range(125)), encoding="utf-8")
    return layout


def test_compact(shell, memory) -> None:
    """Says what was made, then that there is nothing to do; --dry-run says the same and writes nothing."""
    planned = shell("dag", "compact", "--dry-run", cwd=memory.root)
    assert not os.path.exists(memory.summaries)
    done = shell("dag", "compact", cwd=memory.root)
    assert (done.code, done.err) == (0, "")
    assert planned.out == done.out.replace("made      ", "would make    ")
    assert "made      s-001  leaf (d0) of 20 entries" in done.out
    assert "made      s-007  condensed (d1) of s-001 to s-005" in done.out
    assert "MEMORY.md: 125 entries, 5 of them not summarised yet." in done.out
    assert "Nothing to do" in shell("dag", "compact", cwd=memory.root).out


def test_compact_in_json_and_no_deeper(shell, memory) -> None:
    """--depth stops at a depth."""
    done = shell("dag", "compact", "--depth", "0", "--format", "json", cwd=memory.root)
    assert [one["depth"] for one in done.json["made"]] == [0] * 6
    assert (done.json["entries"], done.json["waiting"], done.json["file"]) == (125, 5, "MEMORY.md")


def test_another_file(shell, memory) -> None:
    """Named from where the person is."""
    folder = Path(memory.root, "docs")
    folder.mkdir()
    (folder / "notes.md").write_text(text_of(*range(20)), encoding="utf-8")
    done = shell("dag", "compact", "--file", "notes.md", "--format", "json", cwd=folder)
    assert done.json["file"] == "docs/notes.md"
    assert "docs/notes.md" in shell("dag", "status", cwd=memory.root).out
    assert "s-001" in shell("dag", "tree", "--file", "docs/notes.md", cwd=memory.root).out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("compact", "--file", "no.md"), "no.md: no such file"),
        (("compact", "--file", "/etc/passwd"), "not a file of this project"),
        (("assemble", "--file", "no.md"), "no.md: no such file"),
        (("inspect", "s-099"), "No summary 's-099'"),
        (("dissolve", "s-001"), "s-007 stands for it"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(shell, memory, arguments: tuple[str, ...], why: str) -> None:
    """Exit 1, and nothing written."""
    shell("dag", "compact", cwd=memory.root)
    before = Path(memory.summaries).read_bytes()
    result = shell("dag", *arguments, cwd=memory.root)
    assert result.code == 1
    assert why in result.err
    assert len(result.err.splitlines()) == 1
    assert Path(memory.summaries).read_bytes() == before


def test_status_before_and_after(shell, memory) -> None:
    """Numbers for each file, in text and JSON."""
    assert "last compact: never" in shell("dag", "status", cwd=memory.root).out
    shell("dag", "compact", cwd=memory.root)
    result = shell("dag", "status", "--format", "json", cwd=memory.root)
    assert result.code == 0
    (file,) = result.json["files"]
    assert (file["file"], file["entries"], file["waiting"], file["summaries"]) == (
        "MEMORY.md",
        125,
        5,
        {"0": 6, "1": 1},
    )
    assert (file["active"], file["stale"], file["due"], result.json["faults"]) == (7, {}, False, [])
    assert result.json["budget"] == 8000
    assert "6 d0, 1 d1" in " ".join(shell("dag", "status", cwd=memory.root).out.split())


def test_status_names_what_is_stale_and_due(shell, memory) -> None:
    """A changed entry, a file that has grown, a dissolved summary, a file that is gone."""
    shell("dag", "compact", cwd=memory.root)
    shell("dag", "dissolve", "s-007", cwd=memory.root)
    path = Path(memory.root, "MEMORY.md")
    path.write_text(text_of(*range(1, 225)), encoding="utf-8")
    out = shell("dag", "status", cwd=memory.root).out
    assert "stale: s-001, 1 of 20 entries are gone or changed" in out
    assert "stale: s-007, what it stands for is stale" in out
    assert "a run is due" in out
    assert "dissolved: s-007" in out
    assert "stale: 1 of 20" in shell("dag", "tree", cwd=memory.root).out
    path.unlink()
    assert "MEMORY.md: not there; its summaries stand for nothing now" in shell("dag", "status", cwd=memory.root).out


def test_a_broken_state_is_named_and_never_crashes(shell, memory) -> None:
    """By every command that looks; the next compact mends it."""
    shell("dag", "compact", cwd=memory.root)
    path = Path(memory.summaries)
    whole = path.read_text(encoding="utf-8")
    for damage in (whole[:500], whole.replace("- id: s-002\n", "- id: s-001\n"), "\0", "[" * 9999):
        path.write_text(damage, encoding="utf-8")
        status = shell("dag", "status", cwd=memory.root)
        assert status.code == 1
        assert "broken: " in status.out
        for look in (("tree",), ("search", "part_3.py"), ("assemble",), ("inspect", "s-001"), ("dissolve", "s-099")):
            assert shell("dag", *look, cwd=memory.root).code in (0, 1)
        assert "mended" in shell("dag", "compact", cwd=memory.root).out
        assert shell("dag", "status", cwd=memory.root).code == 0


def test_a_chain_a_thousand_deep_from_the_shell(shell, memory) -> None:
    """Made by hand: every command looks at it, opens it and mends it, and none recurses."""
    shell("dag", "compact", "--depth", "0", cwd=memory.root)
    path, deepest = Path(memory.summaries), 1000
    whole = path.read_text(encoding="utf-8")
    names = ["s-001", *(f"s-{1000 + depth}" for depth in range(1, deepest))]
    nodes = "".join(
        f'- id: {name}\n  depth: {depth}\n  source: "MEMORY.md"\n  made_by: extractive\n  hash: ""\n  text: ""\n'
        for depth, name in enumerate(names)
        if depth
    )
    edges = "".join(f'- {{"parent": "{above}", "children": ["{name}"]}}\n' for name, above in pairwise(names))
    path.write_text(
        whole.replace("dag_edges:\n", f"{nodes}dag_edges:\n{edges}").replace("\nnext_id: 7", "\nnext_id: 3000"),
        encoding="utf-8",
    )
    assert shell("dag", "status", "--format", "json", cwd=memory.root).json["files"][0]["summaries"]["999"] == 1
    for look in (("tree",), ("tree", "--format", "json"), ("search", "topic"), ("assemble",), ("inspect", names[-1])):
        assert shell("dag", *look, cwd=memory.root).code == 0, look
    assert shell("dag", "dissolve", names[-1], cwd=memory.root).out.startswith(f"{names[-1]} is dissolved")
    assert "rewritten" in shell("dag", "compact", cwd=memory.root).out
    assert shell("dag", "status", cwd=memory.root).code == 0


def test_a_hostile_state_cannot_speak_to_the_terminal(shell, memory) -> None:
    """One that came with a clone; by no command, and no other file is read by its name for it."""
    path = Path(memory.summaries)
    path.parent.mkdir()
    escape = "\\e]0;x\\a\\e[2J"
    Path(memory.root, "..", "outside.md").write_text("## stolen words\n\n## b\n", encoding="utf-8")
    path.write_text(
        f'last_compact_at: "{escape}"\nsources: [{{file: ../outside.md, marker: "##", entries: 1}}]\n'
        f'dag_nodes:\n- {{id: s-001, depth: 0, source: ../outside.md, text: "{escape}", first: "{escape}"}}\n'
        f'- {{id: "{escape}", depth: 0}}\n'
        f'dag_edges:\n- {{parent: s-001, children: ["{escape}"]}}\n- {{parent: "{escape}", children: [x]}}\n'
        f'compact_history:\n- {{dissolved: s-001, at: "{escape}"}}\n',
        encoding="utf-8",
    )
    for arguments in (
        ("status",),
        ("tree",),
        ("inspect", "1"),
        ("search", "stolen"),
        ("assemble",),
        ("compact", "--dry-run"),
    ):
        result = shell("dag", *arguments, cwd=memory.root)
        assert result.code in (0, 1)
        assert "\x1b" not in result.out + result.err
        assert "\x07" not in result.out + result.err
        assert "stolen words" not in result.out
    assert shell("undo", "--list", cwd=memory.root).code == 0


def test_tree(shell, memory) -> None:
    """Children below their parents, with what each can be expanded for."""
    assert "No summaries yet" in shell("dag", "tree", cwd=memory.root).out
    shell("dag", "compact", cwd=memory.root)
    lines = shell("dag", "tree", cwd=memory.root).out.splitlines()
    assert lines[0].startswith("s-007 · condensed (d1), 2026-01-01 to 2026-04-16: topic ")
    assert [line.split(" ·")[0] for line in lines[1:]] == [f"  s-00{at}" for at in range(1, 6)] + ["s-006"]
    rows = shell("dag", "tree", "--format", "json", cwd=memory.root).json
    assert [(row["id"], row["parent"], row["depth"]) for row in rows[:2]] == [("s-007", "", 1), ("s-001", "s-007", 0)]


def test_search(shell, memory) -> None:
    """Summaries and entries with their way up; exit 1 where nothing is found."""
    shell("dag", "compact", cwd=memory.root)
    out = shell("dag", "search", "part_3.py", cwd=memory.root).out
    assert "s-001 d0  " in out
    assert "MEMORY.md:18  " in out
    assert "(under s-001, s-007)" in out
    limited = shell("dag", "search", "topic", "--limit", "2", "--format", "json", cwd=memory.root).json
    assert len(limited["hits"]) == 2
    assert limited["more"] > 100
    assert shell("dag", "search", "nowhere", cwd=memory.root).code == 1


def test_inspect(shell, memory) -> None:
    """Text, what stands above, and what it stands for with file and line."""
    shell("dag", "compact", cwd=memory.root)
    leaf = shell("dag", "inspect", "1", cwd=memory.root).out
    assert "under: s-007" in leaf
    assert "  MEMORY.md:3  2026-01-01 topic 0" in leaf
    above = shell("dag", "inspect", "s-007", "--format", "json", cwd=memory.root).json
    assert above["children"] == [f"s-00{at}" for at in range(1, 6)]
    assert above["text"].startswith("**What changed**")
    assert "under: nothing" in shell("dag", "inspect", "s-007", cwd=memory.root).out


def test_dissolve_and_back(shell, memory) -> None:
    """What is assembled follows, and is exactly what it was in the end."""
    shell("dag", "compact", cwd=memory.root)
    before = shell("dag", "assemble", cwd=memory.root).out
    done = shell("dag", "dissolve", "s-007", cwd=memory.root)
    assert "active again: 5 summaries" in done.out
    opened = shell("dag", "assemble", "--format", "json", cwd=memory.root).json
    assert [one["id"] for one in opened["items"]][:6] == [f"s-00{at}" for at in range(1, 7)]
    assert json.loads(shell("dag", "dissolve", "s-001", "--format", "json", cwd=memory.root).out)["dissolved"] is True
    shell("dag", "dissolve", "s-007", "--undo", cwd=memory.root)
    assert shell("dag", "assemble", cwd=memory.root).out == before


def test_undo_takes_back_a_dissolving(shell, memory) -> None:
    """It is listed; without a name the last step is taken back, by name any."""
    shell("dag", "compact", cwd=memory.root)
    whole = shell("dag", "assemble", cwd=memory.root).out
    shell("dag", "dissolve", "s-007", cwd=memory.root)
    shell("dag", "dissolve", "s-001", cwd=memory.root)
    listed = shell("undo", "--list", "--json", cwd=memory.root).json
    assert [(one["step"], one["what"], one["undone"]) for one in listed] == [
        ("s-001", "dag dissolve", False),
        ("s-007", "dag dissolve", False),
        ("dag-2026-03-15-102203", "dag compact", False),
    ]
    assert shell("undo", cwd=memory.root).code == 1
    assert "s-001 is active again" in shell("undo", "--yes", cwd=memory.root).out
    assert "s-007 is active again" in shell("undo", "S-007", "--yes", cwd=memory.root).out
    assert shell("dag", "assemble", cwd=memory.root).out == whole
    assert "not dissolved" in shell("undo", "s-007", "--yes", cwd=memory.root).err


def test_undo_takes_back_a_run(shell, memory, now) -> None:
    """What it made is dissolved: the file is shown as before. A run that a later one hides comes after that one."""
    shell("dag", "compact", "--depth", "0", cwd=memory.root)
    leaves = shell("dag", "assemble", cwd=memory.root).out
    later = {"HIPOCAMPUS_NOW": (now + timedelta(hours=1)).isoformat()}
    shell("dag", "compact", cwd=memory.root, **later)
    assert "s-007 stands for it" in shell("undo", "dag-2026-03-15-102203", "--yes", cwd=memory.root).err
    assert shell("undo", cwd=memory.root).code == 1
    done = shell("undo", "--yes", cwd=memory.root)
    assert "dissolved: s-007." in done.out
    assert shell("dag", "assemble", cwd=memory.root).out == leaves
    assert "dissolved: s-001, s-002" in shell("undo", "dag-2026-03-15-102203", "--yes", cwd=memory.root).out
    assert json.loads(shell("dag", "assemble", "--format", "json", cwd=memory.root).out)["items"][0]["id"] != "s-001"
    listed = shell("undo", "--list", "--json", cwd=memory.root).json
    assert [(one["step"], one["undone"]) for one in listed] == [
        ("dag-2026-03-15-112203", True),
        ("dag-2026-03-15-102203", True),
    ]
    assert "nothing to take back" in shell("undo", "--yes", cwd=memory.root).err
    assert "taken back already" in shell("undo", "dag-2026-03-15-102203", "--yes", cwd=memory.root).err
    told = shell("dag", "compact", cwd=memory.root).out
    assert "Nothing to do" in told
    assert "7 summaries are dissolved, what they stand for is shown instead: s-001, s-002, s-003, +4 more." in told
    assert "To let one stand for its parts again: hipocampus dag dissolve s-007 --undo" in told
    assert shell("dag", "compact", "--format", "json", cwd=memory.root).json["dissolved"] == [
        f"s-00{number}" for number in range(1, 8)
    ]
    shell("dag", "dissolve", "s-007", "--undo", cwd=memory.root)
    assert "6 summaries are dissolved" in shell("dag", "compact", "--dry-run", cwd=memory.root).out


def test_assemble_within_a_budget(shell, memory) -> None:
    """That of the settings, or another."""
    shell("dag", "compact", cwd=memory.root)
    assert estimate_tokens(shell("dag", "assemble", "--budget", "300", cwd=memory.root).out) <= 300
    shell("config", "set", "dag.tokenBudget", "500", cwd=memory.root)
    assert estimate_tokens(shell("dag", "assemble", cwd=memory.root).out) <= 500


def test_a_memory_from_elsewhere_is_only_looked_at(shell, memory, tmp_path) -> None:
    """Nothing is written into it."""
    elsewhere = {"HIPOCAMPUS_STATE": str(tmp_path / "another")}
    for arguments in (("compact",), ("dissolve", "s-001")):
        assert shell("dag", *arguments, cwd=memory.root, **elsewhere).code == 1
    assert shell("dag", "assemble", cwd=memory.root, **elsewhere).code == 0
    assert not os.path.exists(os.path.dirname(memory.summaries))
