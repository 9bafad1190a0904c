"""Build a virtual environment with the packages: under a temporary name, complete or not there at all.

Only its packages directory is used, never a program in its ``bin``: those name their interpreter in a first line, which
has no room for a long path and no way to spell a space.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256

from hipocampus.errors import UserError
from hipocampus.hooks.packages import BELOW, VERSION, holds_packages
from hipocampus.store.disk import TEMPORARY_PREFIX, make_folder
from hipocampus.store.requirements import MARK, is_current, marked, needed
from hipocampus.store.user_state import read_runtime, state_dir

LONGEST = 500.0  # seconds for all of it; the detached child that does it has ten minutes
_NAME = "environment-"

# Settings of pip that say where to install; here that is decided already.
_PLACES = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_DRY_RUN", "PIP_REPORT", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
_CREDENTIAL = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)

_REASONS = (
    (
        r"ensurepip is not available|No module named '?(?:venv|ensurepip)",
        "this Python cannot make virtual environments",
        "install its venv module (on Debian and Ubuntu: apt install python3-venv)",
    ),
    (r"No space left on device|Disk quota exceeded|File too large", "the disk is full", "free some space"),
    (
        r"CERTIFICATE_VERIFY_FAILED|SSLError",
        "the package index has a certificate that is not trusted here",
        "set PIP_CERT",
    ),
    (
        r"NewConnectionError|ConnectTimeout|ReadTimeout|Read timed out|Max retries exceeded|ProxyError|name resolution"
        r"|Network is unreachable|Connection refused|Connection broken|ConnectionResetError",
        "no package index was reached",
        "check the network, the proxy or pip's settings",
    ),
    (
        r"No matching distribution found for (?P<what>[\w.-]+)",
        "the package index has no {what} for this Python",
        "check pip's settings",
    ),
    (
        r"Permission denied|Read-only file system",
        "a directory cannot be written",
        "set HIPOCAMPUS_STATE to one that can",
    ),
)


class BuildError(Exception):
    """Why there is no environment, and what to do about it, in a few words each."""

    def __init__(self, why: str, remedy: str = "") -> None:
        super().__init__(f"{why}; {remedy}" if remedy else why)


def wanted(extras: Sequence[str] = ()) -> str:
    """The name of the environment that this code needs with this Python: another list, another name."""
    digest = sha256(marked(extras).encode()).hexdigest()[:8]
    return f"{_NAME}{VERSION}-{digest}"


def existing(env: Mapping[str, str], name: str) -> str:
    """The packages of the environment with that name, if it is complete; else the empty string."""
    for place in places(env):
        packages = packages_of(os.path.join(place, name))
        if os.path.isfile(os.path.join(packages, MARK)) and is_current(packages) and holds_packages(packages):
            return packages
    return ""


def places(env: Mapping[str, str]) -> list[str]:
    """Where environments may lie: the plugin's data directory, which goes with the plugin, and the user's state."""
    named = [env.get(variable, "") for variable in ("CLAUDE_PLUGIN_DATA", "PLUGIN_DATA")]
    given = [os.path.normpath(path) for path in named if os.path.isabs(path)]
    # The module venv refuses a path with a colon, and the record of the runtime has a path a line.
    return [path for path in (*given[:1], state_dir(env)) if "\n" not in path and os.pathsep not in path]


def packages_of(environment: str) -> str:
    """The packages directory of a virtual environment of this Python."""
    return os.path.join(environment, BELOW)


def build(env: Mapping[str, str], name: str, lock: int, extras: Sequence[str] = ()) -> str:
    """Build the environment `name`, with the packages of `extras`; its packages directory. BuildError, and nothing left
    behind, where that failed.

    The descriptor `lock` is handed to every process that works on it.
    """
    place = _place(env)
    _tidy(place, env)
    draft = os.path.join(place, f"{TEMPORARY_PREFIX}{os.urandom(6).hex()}")
    end = time.monotonic() + LONGEST
    try:
        _run([sys.executable, *_ISOLATED, "-m", "venv", draft], env, lock, end)
        pip = [os.path.join(draft, "bin", "python"), *_ISOLATED, "-m", "pip", *_INSTALL]
        _run([*pip, *needed(extras)], env, lock, end)
        return _finished(draft, os.path.join(place, name), marked(extras))
    except OSError as error:
        raise _explained(f"{error.strerror}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


_ISOLATED = ("-I", "-X", "utf8")  # nothing of the user's is imported, and paths are UTF-8 whatever the locale
_INSTALL = (
    "install",
    "--quiet",
    "--no-input",
    "--disable-pip-version-check",
    "--no-warn-script-location",
    "--prefer-binary",  # an older wheel rather than a compiler
    "--no-compile",  # byte code is kept elsewhere
)


def _finished(draft: str, final: str, mark: str) -> str:
    packages = packages_of(draft)
    if not holds_packages(packages):
        raise BuildError("pip installed them elsewhere", "check pip's settings for target, prefix and root")
    with open(os.path.join(packages, MARK), "w", encoding="utf-8") as file:
        file.write(mark)
    if os.path.lexists(final):  # a broken one
        os.rename(final, f"{draft}-old")
        shutil.rmtree(f"{draft}-old", ignore_errors=True)
    os.rename(draft, final)
    return packages_of(final)


def _place(env: Mapping[str, str]) -> str:
    problem = "its path holds a colon or a line break"
    for place in places(env):
        try:
            make_folder(place)
        except OSError as error:
            problem = error.strerror or ""
            continue
        if os.access(place, os.W_OK | os.X_OK):
            return place
        problem = "it cannot be written"
    raise BuildError(f"there is no directory for them: {problem}", "set HIPOCAMPUS_STATE to one that can be used")


def _tidy(place: str, env: Mapping[str, str]) -> None:
    """Remove what a killed attempt left, and environments other than the one in use. Nobody else works here now."""
    try:
        runtime = read_runtime(env)
    except UserError:
        runtime = None
    used = runtime.packages if runtime is not None else ""
    for name in os.listdir(place):
        path = os.path.join(place, name)
        # A home's own temporary files have the same prefix, and are files.
        if name.startswith((TEMPORARY_PREFIX, _NAME)) and os.path.isdir(path) and not used.startswith(path + os.sep):
            shutil.rmtree(path, ignore_errors=True)


def _run(command: Sequence[str], env: Mapping[str, str], lock: int, end: float) -> None:
    process = subprocess.Popen(  # noqa: S603 - our own words and paths, no shell
        command,
        cwd="/",
        env=surroundings(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=(lock,),
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=max(end - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired as error:
        raise BuildError("it took too long", "check the network, the proxy or pip's settings") from error
    finally:
        _end(process)
    if process.returncode:
        raise _explained(output.decode("utf-8", "replace"))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave no process behind: what pip started has its group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def surroundings(env: Mapping[str, str]) -> dict[str, str]:
    """The environment for venv and pip: the user's own, so that indexes and proxies hold, without what redirects Python
    or pip, and without credentials that are none of pip's."""
    kept = {
        name: value
        for name, value in env.items()
        if not name.startswith("PYTHON")
        and name not in _PLACES
        and (name.startswith("PIP_") or not _CREDENTIAL.search(name))
    }
    return {**kept, "PIP_USER": "0"}


def _explained(output: str) -> BuildError:
    for pattern, why, remedy in _REASONS:
        match = re.search(pattern, output)
        if match is not None:
            return BuildError(why.format(**match.groupdict()), remedy)
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")]
    return BuildError((errors or lines or ["it failed without a word"])[-1][:200])
