"""The demo: the week goes through the hooks, nothing is lost, no planted secret is written, and ROOT is an index."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hipocampus.commands.caller import Caller
from hipocampus.commands.demo import demo
from hipocampus.core.entries import parse_log
from hipocampus.demo.client import Run
from hipocampus.demo.planted import find_leaks, planted_secrets, with_secrets
from hipocampus.demo.week import DIRECTORY, read_week, week_texts
from hipocampus.errors import UserError

NOW = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def caller(tmp_path: Path) -> Caller:
    """A caller in an empty directory, with nothing in the environment but where programs are."""
    return Caller(str(tmp_path), {"PATH": os.environ["PATH"]}, NOW)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the replayed week is kept; a path that shells must quote."""
    return tmp_path_factory.mktemp("kept") / 'a demo\'s "place"'


@pytest.fixture(scope="module")
def report(kept: Path) -> dict[str, Any]:
    """What `demo --keep --json` prints, from one run for all tests of this module."""
    with pytest.MonkeyPatch.context() as patch:
        printed: list[object] = []
        patch.setattr("hipocampus.commands.demo.say_json", printed.append)
        code = demo(Caller(str(kept.parent), {"PATH": os.environ["PATH"]}, NOW), keep=kept.name, as_json=True)
    (value,) = printed
    assert isinstance(value, dict)
    assert code == 0, (value["faults"], value["leaks"])
    return value


@pytest.fixture(scope="module")
def project(report: dict[str, Any], kept: Path) -> Path:  # noqa: ARG001 (it must have run)
    """The project whose memory the demo made."""
    return kept / "ferrywait"


def logs(project: Path) -> str:
    """All raw logs, one after another."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((project / "memory").glob("????-??-??.md")))


def test_every_session_is_a_step(report: dict[str, Any]) -> None:
    """Each file of the week is replayed, after init and before verify, and tells what it did."""
    names = [step["name"] for step in report["steps"]]
    assert names == ["init", *(f"session {number + 1}" for number in range(len(week_texts()))), "verify"]
    assert all(step["did"] for step in report["steps"])
    assert report["steps"][-1]["did"] == ["All is well: every entry is reachable from ROOT."]


def test_every_checkpoint_stands_in_a_log(report: dict[str, Any], project: Path) -> None:
    """What the agent wrote with a command is an entry of its day, typed."""
    text = logs(project)
    topics = re.findall(r'--topic "([^"]+)" --type (\w+)', "\n".join(week_texts().values()))
    assert len(topics) >= 10
    assert [f"{topic} [{kind}]" for topic, kind in topics if f"## {topic} [{kind}]\n" not in text] == []
    assert report["entries"] == len(parse_log(text))


def test_what_was_remembered_keeps_its_wording(project: Path) -> None:
    """The sentence that the user asked to remember stands in the log as it was said."""
    assert "always use pnpm in web/, never npm install: the lockfile broke twice" in logs(project)


def test_a_killed_session_is_folded(project: Path) -> None:
    """The session without a checkpoint and without an end is in the log of its day."""
    entries = parse_log((project / "memory" / "2026-03-11.md").read_text(encoding="utf-8"))
    folded = [entry for entry in entries if entry.provenance.source == "fold"]
    assert any("test_last_sailing.py" in entry.body for entry in folded)


def test_root_is_an_index_of_the_week(report: dict[str, Any], project: Path) -> None:
    """ROOT names topics of every type, English and Korean, and each pointer is the line of an entry's heading."""
    index = report["root"].split("## Topics Index")[1]
    for topic in (
        "rate limiting [project",
        "who I work with [user",
        "port authority feed [reference",
        "시각 표시 [project",
    ):
        assert topic in index
    assert "커밋과 이슈의 언어 [feedback" in index
    lines = [line for line in index.splitlines() if line.startswith("- ")]
    pointers = [re.search(r"→ (memory/\S+\.md):(\d+)$", line) for line in lines]
    assert len(pointers) >= 10
    for pointer in pointers:
        assert pointer is not None, lines
        path, line = pointer.groups()
        assert (project / path).read_text(encoding="utf-8").splitlines()[int(line) - 1].startswith("## ")


def test_the_readme_shows_the_demos_root(report: dict[str, Any]) -> None:
    """The excerpt in the README is what the demo prints, line for line."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (excerpt,) = re.findall(r"^```markdown\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    lines = [line for line in excerpt.splitlines() if line != "…"]
    assert len(lines) >= 5
    assert [line for line in lines if line not in report["root"].splitlines()] == []


def test_root_shows_the_decision_that_holds(report: dict[str, Any], project: Path) -> None:
    """A changed decision: both are in the logs, and the index leads to the newer one."""
    assert "token bucket per API key, 60 tokens" in logs(project)
    assert re.search(r"- rate limiting \[project[^\n]*→ memory/2026-03-12\.md:\d+", report["root"])


def test_the_next_session_is_shown_root(report: dict[str, Any]) -> None:
    """What the last session start hands to the model holds the index, and the hot files in a block of their own."""
    first, second = report["context"]
    together = first + second
    assert "sliding window" in together
    assert "maintenance notice for 18 March" in together


def test_no_planted_secret_is_written(report: dict[str, Any], kept: Path) -> None:
    """Each secret was in what the client sent, which its own transcripts show, and in no file of ours."""
    secrets = planted_secrets()
    sent = {leak.name for leak in find_leaks([str(kept / "home" / ".claude")], secrets)}
    assert sent == secrets.keys()
    elsewhere = [path for path in kept.rglob("*") if path.is_file() and ".claude" not in path.relative_to(kept).parts]
    assert len(elsewhere) > 20
    for value in secrets.values():
        needle = value.encode()
        assert [path for path in elsewhere if needle in path.read_bytes()] == []
    assert report["planted"] >= len(secrets)


def test_the_text_around_a_secret_stays(project: Path) -> None:
    """A cut-out secret leaves a mark of its kind in the sentence."""
    assert "workflow ran with GITHUB_TOKEN=[REDACTED:github-token]" in logs(project)


def test_the_demo_prints_the_same_root_and_leaves_nothing(
    report: dict[str, Any],
    caller: Caller,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    """Run again without options it prints steps, counts and the very same ROOT, and its directory is gone."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert demo(caller) == 0
    out = capsysbinary.readouterr().out.decode("utf-8")
    assert report["root"].rstrip() in out
    assert "none found" in out
    assert "\x1b" not in out
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_holds_something_is_refused(caller: Caller, tmp_path: Path) -> None:
    """`--keep` never mixes the demo into files that are there."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.md").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="not an empty directory"):
        demo(caller, keep="mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.md"]


@pytest.mark.parametrize("name", planted_secrets())
def test_the_search_finds_a_secret(name: str, tmp_path: Path) -> None:
    """The search that the demo relies on finds each secret in a file and, where it can be one, in a file's name."""
    secrets = planted_secrets()
    line = max(secrets[name].split("\n"), key=len)
    (tmp_path / "log").write_text(f"before {line} after", encoding="utf-8")
    (tmp_path / line).write_text("", encoding="utf-8")
    assert {leak.path for leak in find_leaks([str(tmp_path)], {name: secrets[name]})} == {
        str(tmp_path / "log"),
        str(tmp_path / line),
    }


def test_the_week_plants_every_secret() -> None:
    """Each secret has a place in the week, each placeholder a secret, and no file of the package holds a value."""
    secrets = planted_secrets()
    text = "\n".join(week_texts().values())
    assert set(re.findall(r"\{\{([a-z-]+)\}\}", text)) == secrets.keys()
    assert "{{" not in with_secrets(text, secrets)
    assert find_leaks([os.path.dirname(DIRECTORY)], secrets) == []


def test_the_week_is_in_order() -> None:
    """Sessions follow each other, and so do the turns inside one."""
    week = read_week(planted_secrets())
    moments = [moment for session in week for moment in (session.begins, *(turn.at for turn in session.turns))]
    assert moments == sorted(moments)
    assert len(week) == len(os.listdir(DIRECTORY)) - 1  # all but its README


@pytest.mark.parametrize(
    ("code", "out", "err", "fault"),
    [
        (0, "", "", ""),
        (0, json.dumps({"systemMessage": "memory is off"}) + "\n", "", ""),
        (1, "", "", "exit status 1"),
        (0, "", "Traceback", "Traceback"),
        (0, "hello", "", "not one JSON object"),
        (0, "[]", "", "not one JSON object"),
        (0, "{}{}", "", "not one JSON object"),
    ],
)
def test_a_fault_of_a_hook_is_named(code: int, out: str, err: str, fault: str) -> None:
    """The demo fails where a hook does what no hook may do."""
    found = Run("Stop hook", code, out, err, 0.1).fault
    assert fault in found
    assert bool(fault) == bool(found)
