"""No secret at rest: a canary of each kind through every way in, and a search of every byte that was written.

The real launcher and the real command line run; `canary_secrets` says what goes in by which way, `canary_uses` what is
done with it.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.faults.canary_machine import NOW, Machine
from tests.faults.canary_past import PAST, PAST_SESSIONS
from tests.faults.canary_secrets import WAYS, planted, secrets, traces
from tests.faults.canary_uses import use_everything
from tests.processes import package_parent


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A project that has a memory and a branch named after a secret."""
    root = tmp_path_factory.mktemp("canary")
    for name in ("home", "project", "tmp", "transcripts"):
        (root / name).mkdir()
    git = ["git", "-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    for arguments in (
        ["init", "-q", "-b", f"fix/{planted('branch')}"],
        ["commit", "-q", "--allow-empty", "-m", "Start"],
    ):
        subprocess.run([*git, *arguments], cwd=root / "project", check=True, env={"PATH": os.environ["PATH"]})
    env = {
        "PATH": os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"])),
        "HOME": str(root / "home"),
        "TMPDIR": str(root / "tmp"),
        "TZ": "KST-9",
        "PYTHONPATH": package_parent(),
        "CLAUDE_PROJECT_DIR": str(root / "project"),
        "CLAUDE_ENV_FILE": str(root / "home" / "session-env.sh"),
        "HIPOCAMPUS_NOW": NOW,
        "PIP_NO_INDEX": "1",
    }
    made = Machine(root, env)
    assert "rror" not in made.command("init", "--host", "claude-code", "--yes")
    return made


@pytest.fixture(scope="module")
def printed(machine: Machine) -> str:
    """What hooks and commands printed while every canary was about."""
    return use_everything(machine)


# What the test itself planted, or git; and what a person typed into files of their own that we never rewrite.
PLANTED = (
    *("project/.git/", "transcripts/", "project/WORKING.md", "project/SCRATCHPAD.md", "project/TASK-QUEUE.md"),
    *("project/knowledge/", "project/plans/", *PAST),
)
PLANTED_LINES = {"project/hipocampus.config.json": ("config key", "config value")}


@pytest.fixture(scope="module")
def written(machine: Machine, printed: str) -> dict[str, bytes]:
    """Name and content of every file under home, project, state and temporary directory, when all is done."""
    assert printed
    found = {}
    for path in sorted(machine.root.rglob("*")):
        name = path.relative_to(machine.root).as_posix()
        if path.is_file() and not path.is_symlink() and not name.startswith(PLANTED):
            found[name] = name.encode() + b"\n" + path.read_bytes()
            if name.endswith(".sqlite"):  # an index of words knows them in small letters
                found[name + " in small letters"] = found[name].lower()
    return found


@pytest.mark.parametrize("way", WAYS)
def test_no_canary_is_at_rest(written: dict[str, bytes], way: str) -> None:
    """No secret that came this way is in a byte or in a file name that this program wrote, as it is or encoded."""
    left = {
        (kind, name)
        for kind, value in secrets(way)
        for name, content in written.items()
        if way not in PLANTED_LINES.get(name, ())
        and any(trace in content for trace in traces(value) | {value.lower().encode()})
    }
    assert left == set()


# What a person typed may be quoted back to their own terminal.
@pytest.mark.parametrize("way", [way for way in WAYS if way not in ("command argument", "question")])
def test_no_canary_is_shown(printed: str, way: str) -> None:
    """Nothing that a hook injects or a command prints holds the secret, though the user's own files do."""
    assert {kind for kind, value in secrets(way) if value in printed} == set()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("project/memory/2026-03-15.md", "deploy with [REDACTED:"),
        ("project/memory/2026-03-15.md", "Done with [REDACTED:"),
        ("project/memory/2026-03-15.md", "rotate [REDACTED:"),
        ("project/memory/2026-03-15.md", "always use [REDACTED:"),
        ("project/memory/2026-03-15.md", "a line by hand: [REDACTED:"),
        ("project/memory/2026-03-15.md", "by JSON"),
        ("project/memory/2026-03-15.md", "a session with a strange name"),
        ("project/memory/2026-03-14.md", "note: [REDACTED:"),
        ("project/memory/2026-03-07.md", "source=import"),
        ("project/dag/state.yaml", "an LLM sums it up: [REDACTED:"),
        ("project/TOLD.md", "an LLM said it in few words"),
        ("project/memory/.compaction-state.json", "it holds what looks like a secret"),
        ("home/.local/state/hipocampus/reports/", "RuntimeError: [REDACTED:"),
    ],
)
def test_the_words_around_it_are_kept(written: dict[str, bytes], name: str, words: str) -> None:
    """The canaries really went through: what stood around them is where it belongs."""
    assert any(words in content.decode() for file, content in written.items() if file.startswith(name))


def test_the_past_of_every_host_was_read(written: dict[str, bytes]) -> None:
    """What each host kept came in, without its secrets."""
    log = written["project/memory/2026-03-07.md"].decode()

    assert all(f" session={name} source=import" in log for name in PAST_SESSIONS), log
    assert "source=import" in written["home/.openclaw/workspace/.hipocampus/memory/2026-03-07.md"].decode()


def test_the_user_is_shown_memory(printed: str) -> None:
    """The search had something to search: index and working files were injected and printed."""
    assert "additionalContext" in printed
    assert "Topics Index" in printed
    assert "the staging key is [REDACTED:" in printed


def test_memory_was_searched_and_summed_up(written: dict[str, bytes], printed: str) -> None:
    """The index and the summaries were made of what the canaries stood in, and were asked."""
    index = [content for name, content in written.items() if name.endswith(".index.sqlite")]
    state = [content.decode() for name, content in written.items() if name.endswith("dag/state.yaml")]

    assert index
    assert any("[REDACTED:" in content for content in state)
    assert "rotate [REDACTED:" in printed
