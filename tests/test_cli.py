"""The command line as real processes: locales, streams, missing homes, exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import click
import pytest

from hipocampus import __version__
from hipocampus.cli import cli, main
from hipocampus.commands import boundary
from hipocampus.hooks import runner

ROOT = Path(__file__).parents[1]


@pytest.fixture
def start(env: dict[str, str], layout):
    """Run `python -m hipocampus` in the home; `through` is shell code that starts it as `"$@"`."""

    def run(*arguments: str, through: str = '"$@"', cwd: str = layout.root, **variables: str):
        command = ["/bin/sh", "-c", through, "sh", sys.executable, "-m", "hipocampus", *arguments]
        clean = {**env, "PYTHONPATH": str(ROOT), **variables}
        return subprocess.run(command, cwd=cwd, env=clean, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    return run


@pytest.fixture
def korean(layout):
    """A log with Korean text."""
    Path(layout.raw("2026-03-10")).write_text("## 배포 절차 [reference]\n- pointer: 위키 → 배포\n", encoding="utf-8")


@pytest.mark.usefixtures("korean")
@pytest.mark.parametrize("locale", ["C", "POSIX", "ko_KR.cp949", "nowhere"])
@pytest.mark.parametrize("encoding", [None, "ascii", "cp949"])
def test_output_is_utf8_in_every_locale(start, locale: str, encoding: str | None) -> None:
    """Entries, help and errors are the same bytes whatever locale and PYTHONIOENCODING say."""
    variables = {"LC_ALL": locale, **({"PYTHONIOENCODING": encoding} if encoding else {})}
    listed = start("list", **variables)
    assert (listed.returncode, listed.stderr) == (0, b"")
    assert "배포 절차 [reference]: pointer: 위키 → 배포".encode() in listed.stdout
    missing = start("show", "없는 것", **variables)
    assert missing.returncode == 1
    assert "없는 것".encode() in missing.stderr
    assert start("--help", **variables).returncode == 0


@pytest.mark.usefixtures("korean")
@pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_closed_streams(start, redirection: str) -> None:
    """Standard streams that are closed lose the text and nothing else."""
    done = start("list", through=f'"$@" {redirection}')
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away(start, layout) -> None:
    """`hipocampus list | head -1` ends quietly."""
    entries = "".join(f"## topic {number} [project]\n- outcome: {'x' * 200}\n" for number in range(3000))
    Path(layout.raw("2026-03-10")).write_text(entries)
    done = start("list", "--limit", "0", through='{ "$@"; echo "code $?" >&2; } | head -1')
    assert b"topic 2999" in done.stdout
    assert done.stderr == b"code 0\n"


def test_no_home_directory(start, tmp_path) -> None:
    """Without HOME a command that needs the user state says so in one line; --version and --help need nothing."""
    (tmp_path / "p").mkdir()
    done = start("init", through='unset HOME HIPOCAMPUS_STATE; "$@"', cwd=str(tmp_path / "p"))
    assert done.returncode == 1
    assert b"HOME is not set" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    for flag in ("--version", "--help"):
        assert start(flag, through='unset HOME HIPOCAMPUS_STATE; "$@"').returncode == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_home(start, layout) -> None:
    """A home that cannot be written is one line that names it."""
    os.chmod(layout.memory, 0o500)
    done = start("remember", "x")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_a_working_directory_that_is_gone(start, layout, tmp_path) -> None:
    """A deleted directory is named; --home still works from there."""
    for command in ("status", "init", "list"):
        done = start(command, through='mkdir gone && cd gone && rmdir ../gone && "$@"', cwd=str(tmp_path))
        assert done.returncode == 1
        assert b"no longer exists" in done.stderr
    assert (
        start("list", "--home", layout.root, through='mkdir gone && cd gone && rmdir ../gone && "$@"').returncode == 0
    )


def test_ctrl_c(env, layout) -> None:
    """An interrupt while it waits for input is exit 130, without a trace."""
    command = [sys.executable, "-m", "hipocampus", "checkpoint", "--topic", "x"]
    process = subprocess.Popen(
        command,
        cwd=layout.root,
        env={**env, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # whoever runs the tests in the background of a shell has its children ignore interrupts
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdin is not None
    process.stdin.write(b"x" * 300_000)  # more than a pipe holds: when this returns, the command is reading
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--version",), 0),
        (("--help",), 0),
        (("-h",), 0),
        (("init", "--help"), 0),
        (("nonsense",), 2),
        (("show",), 2),
        (("list", "--type", "nonsense"), 2),
        (("list", "--limit", "-1"), 2),
        (("hook",), 0),
        (("hook", "nonsense", "--host", "nobody", "--more"), 0),
        (("hook", "prompt", "--host"), 0),
    ],
)
def test_exit_codes_of_usage(env, monkeypatch, arguments: tuple[str, ...], code: int) -> None:
    """Help is 0 and wrong usage 2, but for `hook`: a host takes 2 as an order to drop the user's prompt."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert main(arguments) == code


def test_the_version(capsys) -> None:
    """--version says the one version there is."""
    main(["--version"])
    assert capsys.readouterr().out == f"hipocampus {__version__}\n"


@pytest.mark.parametrize(
    "path", [(), ("config",), ("config", "show"), ("config", "set"), *((name,) for name in cli.commands)]
)
def test_help_fits_80_columns(capsys, path: tuple[str, ...]) -> None:
    """No help text is wider than a terminal."""
    main([*path, "--help"])
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_fast_commands_import_little(start) -> None:
    """--version needs neither rich nor YAML nor anything heavier than click."""
    done = start("--version", through='"$1" -X importtime "$2" "$3" "$4"')
    loaded = {line.rsplit(b"|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert b"click" in loaded
    assert not loaded & {b"rich", b"yaml", b"frontmatter", b"filelock", b"anthropic", b"detect_secrets", b"sqlite3"}


def test_started_from_a_directory_with_hostile_modules(layout) -> None:
    """`python -m` puts the working directory on the path, the console script does not: json.py there is not run."""
    for name in ("json.py", "click.py", "sitecustomize.py"):
        Path(layout.root, name).write_text("raise SystemExit('hostile')")
    script = Path(sys.executable).with_name("hipocampus")
    if not script.exists():
        pytest.skip("not installed")
    done = subprocess.run([script, "--version"], cwd=layout.root, capture_output=True, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("given", ["2026-03-15T10:22:03+09:00", "2026-03-15T01:22:03Z", "2026-03-15"])
def test_hooks_and_commands_share_a_clock(given: str) -> None:
    """HIPOCAMPUS_NOW means the same moment, in the same zone, on both sides."""
    env = {"HIPOCAMPUS_NOW": given}
    assert boundary.clock(env).isoformat() == runner.clock(env).isoformat()
    assert boundary.clock({}).tzinfo is not None


def test_every_command_stands_in_one_section_of_the_help(start) -> None:
    """None is left out, none is there twice, and no line is wider than a terminal."""
    assert sorted(cli.list_commands(click.Context(cli))) == sorted(cli.commands)
    out = start("--help").stdout.decode()
    lines = out.split("Daily use:")[1].split("Examples:")[0].splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line.strip()]
    assert listed == cli.list_commands(click.Context(cli))
    assert max(map(len, out.splitlines())) <= 80
