"""What is remembered of the user, outside every project."""

from __future__ import annotations

import json
import os
import stat
import unicodedata
from pathlib import Path

import pytest
from platformdirs.unix import Unix

from hipocampus.errors import UserError
from hipocampus.store import user_state
from hipocampus.store.user_state import (
    Runtime,
    is_never,
    is_trusted,
    mark_never,
    mark_told,
    read_runtime,
    record_runtime,
    record_start,
    recorded_start,
    state_dir,
    trust,
    was_told,
)

Env = dict[str, str]
ID = "0123456789abcdef"


@pytest.mark.parametrize(
    ("env", "folder"),
    [
        ({"HOME": "/h"}, "/h/.local/state/hipocampus"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/x"}, "/x/hipocampus"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/x/"}, "/x/hipocampus"),
        ({"HOME": "/h", "XDG_STATE_HOME": ""}, "/h/.local/state/hipocampus"),
        ({"HOME": "/h", "XDG_STATE_HOME": "relative"}, "/h/.local/state/hipocampus"),
        ({"HOME": "/h", "XDG_STATE_HOME": "/x", "HIPOCAMPUS_STATE": "/s"}, "/s"),
        ({"HOME": "/h", "HIPOCAMPUS_STATE": "relative"}, "/h/.local/state/hipocampus"),
        ({"HIPOCAMPUS_STATE": "/s"}, "/s"),
    ],
)
def test_the_directory_follows_the_environment(env: Env, folder: str) -> None:
    """Our own variable, then XDG, then the home directory; a relative path counts as absent."""
    assert state_dir(env) == folder


@pytest.mark.parametrize("env", [{}, {"HOME": ""}, {"HOME": "relative"}])
def test_without_a_home_directory_it_says_what_to_set(env: Env) -> None:
    """It never writes into whatever the current directory is."""
    with pytest.raises(UserError, match="HOME is not set"):
        state_dir(env)


@pytest.mark.parametrize(
    "env",
    [{"HOME": "/h"}, {"HOME": "/h", "XDG_STATE_HOME": "/x"}, {"HOME": "/h", "XDG_STATE_HOME": ""}],
)
def test_it_is_the_directory_that_platformdirs_names_on_unix(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    """The launcher must know it before there is a Python, so it is our own line; the rule is the common one."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert state_dir(env) == Unix("hipocampus", appauthor=False).user_state_dir


class TestRuntime:
    """The interpreter that the launcher takes."""

    def test_it_is_two_lines(self, env: Env) -> None:
        """A shell reads it with two reads; the second may be empty."""
        for runtime in (Runtime("/usr/bin/python3.12", "/opt/v/site-packages"), Runtime("/p y/thon", "")):
            record_runtime(env, runtime)
            assert read_runtime(env) == runtime
            text = Path(env["HIPOCAMPUS_STATE"], "runtime").read_text(encoding="utf-8")
            assert text == f"{runtime.python}\n{runtime.packages}\n"

    @pytest.mark.parametrize("content", ["", "\n\n", "python3\n/x\n", "/python", "/python\n/x\n/y\n", "/python\n/x"])
    def test_a_damaged_record_is_none(self, env: Env, content: str) -> None:
        """The launcher then looks for itself."""
        assert read_runtime(env) is None
        Path(env["HIPOCAMPUS_STATE"]).mkdir()
        Path(env["HIPOCAMPUS_STATE"], "runtime").write_text(content, encoding="utf-8")
        assert read_runtime(env) is None

    def test_a_path_with_a_newline_is_refused(self, env: Env) -> None:
        """It could not be read back."""
        with pytest.raises(UserError, match="holds a newline"):
            record_runtime(env, Runtime("/a\nb/python", ""))


class TestTrust:
    """A home is trusted by id and place."""

    def test_trust_is_remembered(self, env: Env, tmp_path: Path) -> None:
        """Once given, given; twice is once."""
        assert not is_trusted(env, str(tmp_path), ID)
        trust(env, str(tmp_path), ID)
        trust(env, str(tmp_path), ID)
        assert is_trusted(env, str(tmp_path), ID)
        assert len(Path(env["HIPOCAMPUS_STATE"], "trust.jsonl").read_text(encoding="utf-8").splitlines()) == 1

    def test_neither_id_nor_place_is_enough(self, env: Env, tmp_path: Path) -> None:
        """A copy of a trusted home elsewhere is a stranger, and so is another home at its place."""
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        trust(env, str(tmp_path / "a"), ID)
        assert not is_trusted(env, str(tmp_path / "b"), ID)
        assert not is_trusted(env, str(tmp_path / "a"), "another-id")
        assert not is_trusted(env, str(tmp_path / "a"), "")

    def test_a_home_without_an_id_cannot_be_trusted(self, env: Env, tmp_path: Path) -> None:
        """Every home without one would be trusted with it."""
        with pytest.raises(UserError, match="hipocampus init"):
            trust(env, str(tmp_path), "")

    def test_a_place_is_the_same_by_any_name(self, env: Env, tmp_path: Path) -> None:
        """Through a link, and (where the file system says so) in another spelling."""
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        trust(env, str(tmp_path / "link"), ID)
        assert is_trusted(env, str(tmp_path / "real"), ID)
        assert is_trusted(env, str(tmp_path / "link" / "."), ID)

    def test_a_home_that_moved_is_a_stranger(self, env: Env, tmp_path: Path) -> None:
        """Until it is trusted again, then also if its path holds anything a path may hold."""
        (tmp_path / "old").mkdir()
        trust(env, str(tmp_path / "old"), ID)
        new = tmp_path / os.fsdecode(b"n\xffw\n'\"#% " + unicodedata.normalize("NFD", "é가").encode())
        (tmp_path / "old").rename(new)
        assert not is_trusted(env, str(new), ID)
        trust(env, str(new), ID)
        assert is_trusted(env, str(new), ID)

    @pytest.mark.parametrize("damage", ["", "{", "[]\n7\n", '{"id": "0123456789abcdef", "path": 7}\n', "\0\0"])
    def test_a_damaged_file_trusts_nobody_and_can_be_added_to(self, env: Env, tmp_path: Path, damage: str) -> None:
        """A half line does not take the next one with it."""
        Path(env["HIPOCAMPUS_STATE"]).mkdir()
        Path(env["HIPOCAMPUS_STATE"], "trust.jsonl").write_text(damage, encoding="utf-8")
        assert not is_trusted(env, str(tmp_path), ID)
        trust(env, str(tmp_path), ID)
        assert is_trusted(env, str(tmp_path), ID)

    def test_trust_can_be_taken_back_by_hand(self, env: Env, tmp_path: Path) -> None:
        """The last line for a place counts."""
        trust(env, str(tmp_path), ID)
        line = json.dumps({"id": ID, "path": os.path.realpath(tmp_path), "trusted": False})
        with open(os.path.join(env["HIPOCAMPUS_STATE"], "trust.jsonl"), "a", encoding="utf-8") as file:
            file.write(line + "\n")
        assert not is_trusted(env, str(tmp_path), ID)
        trust(env, str(tmp_path), ID)
        assert is_trusted(env, str(tmp_path), ID)


class TestProjects:
    """What was said about memory in a project."""

    def test_a_user_is_told_once(self, env: Env, tmp_path: Path) -> None:
        """For each project on its own."""
        assert not was_told(env, str(tmp_path / "a"))
        mark_told(env, str(tmp_path / "a"))
        assert was_told(env, str(tmp_path / "a"))
        assert not was_told(env, str(tmp_path / "b"))
        assert not is_never(env, str(tmp_path / "a"))

    def test_never_can_be_taken_back(self, env: Env, tmp_path: Path) -> None:
        """And does not touch what else is known."""
        mark_told(env, str(tmp_path))
        mark_never(env, str(tmp_path))
        assert is_never(env, str(tmp_path))
        mark_never(env, str(tmp_path), never=False)
        assert not is_never(env, str(tmp_path))
        assert was_told(env, str(tmp_path))


class TestSessions:
    """Where each session began."""

    def test_a_start_is_recorded_by_session(self, env: Env, tmp_path: Path) -> None:
        """The last record of a session counts."""
        record_start(env, "5c18-a", "/p/one")
        record_start(env, "5c18-b", str(tmp_path / "two\nlines"))
        record_start(env, "5c18-a", "/p/three")
        assert recorded_start(env, "5c18-a") == "/p/three"
        assert recorded_start(env, "5c18-b") == str(tmp_path / "two\nlines")
        assert recorded_start(env, "unknown") is None

    @pytest.mark.parametrize("session", ["", "..", "../runtime", "a/b", ".x", "a\0b", "x" * 200])
    def test_a_session_id_that_is_no_name_records_nothing(self, env: Env, session: str) -> None:
        """It leads nowhere, neither writing nor reading."""
        record_start(env, session, "/p")
        assert recorded_start(env, session) is None
        assert not Path(env["HIPOCAMPUS_STATE"]).exists()

    @pytest.mark.parametrize("content", ["", "{", "[]", '{"project": 7}', '{"project": "relative"}'])
    def test_a_damaged_record_is_none(self, env: Env, content: str) -> None:
        """As if the session had not been seen."""
        record_start(env, "s", "/p")
        Path(env["HIPOCAMPUS_STATE"], "sessions", "s.json").write_text(content, encoding="utf-8")
        assert recorded_start(env, "s") is None

    def test_the_oldest_records_go(self, env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
        """Thousands of sessions leave a bounded number of files, the newest."""
        monkeypatch.setattr(user_state, "_SESSIONS_KEPT", 10)
        folder = Path(env["HIPOCAMPUS_STATE"], "sessions")
        for number in range(30):
            record_start(env, f"s{number}", "/p")
            os.utime(folder / f"s{number}.json", (number, number))
            assert len(list(folder.iterdir())) <= 10
        assert recorded_start(env, "s29") == "/p"
        assert recorded_start(env, "s0") is None


def test_everything_is_private(env: Env, tmp_path: Path) -> None:
    """Directories 0700, files 0600, also with a careless umask."""
    before = os.umask(0)
    try:
        trust(env, str(tmp_path), ID)
        mark_told(env, str(tmp_path))
        record_start(env, "s", "/p")
        record_runtime(env, Runtime("/python", ""))
    finally:
        os.umask(before)
    found = {path: stat.S_IMODE(path.stat().st_mode) for path in Path(env["HIPOCAMPUS_STATE"]).rglob("*")}
    found[Path(env["HIPOCAMPUS_STATE"])] = stat.S_IMODE(os.stat(env["HIPOCAMPUS_STATE"]).st_mode)
    assert {mode for path, mode in found.items() if path.is_file()} == {0o600}
    assert {mode for path, mode in found.items() if path.is_dir()} == {0o700}


def test_a_line_nested_too_deeply_is_passed_over(env: dict[str, str]) -> None:
    """One broken line turns no memory off."""
    trust(env, "/project", "0123456789abcdef")
    with open(os.path.join(state_dir(env), "trust.jsonl"), "a", encoding="utf-8") as file:
        file.write("[" * 100_000 + "\n")
    assert is_trusted(env, "/project", "0123456789abcdef")
