"""What the program runs on: the interpreter, the packages, git, SQLite."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping

from hipocampus.core.neutral import one_line
from hipocampus.core.wording import listed
from hipocampus.diagnosis.patient import Patient
from hipocampus.hooks.attempts import FAILED, is_forbidden, is_running, read_attempt
from hipocampus.hooks.packages import packages_folder, suits
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.programs import on_path, run
from hipocampus.store.requirements import REQUIREMENTS, is_current
from hipocampus.store.user_state import read_runtime

INSTALL = "hipocampus init, in the project; it installs them"


def python(patient: Patient) -> Iterator[Check]:
    """The interpreter that runs now."""
    named = patient.env.get("HIPOCAMPUS_PYTHON", "")
    by_name = f"; HIPOCAMPUS_PYTHON names {one_line(named)}" if named else ""
    yield Check(Verdict.OK, "python", f"{platform.python_version()} at {one_line(sys.executable)}{by_name}")


def packages(patient: Patient) -> Iterator[Check]:
    """Whether every requirement can be found in this process, in a version that is new enough."""
    wrong = [problem for requirement in REQUIREMENTS if (problem := _problem(requirement))]
    if not wrong:
        folder = one_line(packages_folder())
        yield Check(Verdict.OK, "packages", f"all {len(REQUIREMENTS)} are there" + (f", in {folder}" if folder else ""))
        return
    if patient.state and is_running(patient.env):
        yield Check(Verdict.WARN, "packages", f"{listed(wrong)}; being installed now", "look again in a minute")
    else:
        yield Check(Verdict.FAIL, "packages", f"{listed(wrong)}; turns are kept but not made into memory", INSTALL)


def _problem(requirement: str) -> str:
    name, _, least = requirement.partition(">=")
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return f"{name} is missing"
    return f"{name} {found} is older than {least}" if _numbers(found) < _numbers(least) else ""


def _numbers(version: str) -> tuple[int, ...]:
    """The release of a version, as far as it is numbers: ``6.0.1rc1`` is (6, 0, 1)."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()


def bootstrap(patient: Patient) -> Iterator[Check]:
    """How the plugin's own installation of its packages stands."""
    if not patient.state:
        return
    attempt, folder = read_attempt(patient.env), packages_folder()
    if is_running(patient.env):
        yield Check(Verdict.INFO, "bootstrap", "the packages are being installed at this moment")
    elif attempt.outcome == FAILED and not (folder and is_current(folder)):
        when = one_line(attempt.at[:16])
        yield Check(Verdict.WARN, "bootstrap", f"failed {when}: {one_line(attempt.reason)}", INSTALL)
    elif folder and not is_current(folder):
        yield Check(
            Verdict.INFO, "bootstrap", "the packages are those of another version; the next session renews them"
        )
    elif is_forbidden(patient.env):
        yield Check(Verdict.INFO, "bootstrap", "nothing is installed by itself, as was wished")
    else:
        yield Check(Verdict.OK, "bootstrap", "nothing to do")


def runtime(patient: Patient) -> Iterator[Check]:
    """Whether what the launcher has recorded for the hooks still works."""
    recorded = read_runtime(patient.env) if patient.state else None
    if recorded is None:
        yield Check(Verdict.INFO, "runtime", "no interpreter is recorded yet; the next hook looks for one")
        return
    where = one_line(recorded.python)
    said = _answer([recorded.python, "-I", "-S", "-c", "import sys; print(*sys.version_info[:2])"], patient.env)
    if said is None:
        yield Check(Verdict.WARN, "runtime", f"{where} does not start", "the next session start looks for another")
    elif recorded.packages and not os.path.isdir(recorded.packages):
        gone = one_line(recorded.packages)
        yield Check(Verdict.FAIL, "runtime", f"its packages are gone: {gone}", INSTALL)
    elif (
        recorded.packages
        and said.split() == [str(part) for part in sys.version_info[:2]]
        and not suits(recorded.packages)
    ):
        yield Check(Verdict.FAIL, "runtime", f"{where} is another version than its packages are for", INSTALL)
    else:
        yield Check(Verdict.OK, "runtime", f"hooks run on {where}")


def git(patient: Patient) -> Iterator[Check]:
    """Whether git is there; only `init` asks it."""
    program = on_path("git", patient.env)
    said = _answer([program, "--version"], patient.env) if program else None
    if said is None:
        yield Check(Verdict.INFO, "git", "not found; `init` then cannot tell which files are tracked")
    else:
        yield Check(Verdict.OK, "git", one_line(said.removeprefix("git version ")))


def sqlite(_patient: Patient) -> Iterator[Check]:
    """Whether this Python's SQLite has full-text search, which the search index is built on."""
    try:
        import sqlite3

        connection = sqlite3.connect(":memory:")
        try:
            connection.execute("CREATE VIRTUAL TABLE found USING fts5(text)")
        finally:
            connection.close()
    except Exception as error:  # no module, no extension: each Python has its own way to say so
        reason = f"no full-text search in this Python's SQLite ({one_line(str(error))}); search is slower"
        yield Check(Verdict.WARN, "sqlite", reason, "use a Python whose sqlite3 has FTS5")
    else:
        yield Check(Verdict.OK, "sqlite", f"{sqlite3.sqlite_version}, with full-text search")


def _answer(command: list[str], env: Mapping[str, str]) -> str | None:
    """What a program prints, or None where it does not start, fails or takes too long."""
    done = run(command, env)
    return done.out.strip() if done is not None and done.code == 0 else None
