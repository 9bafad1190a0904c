"""What `doctor` finds about the plugin of OpenCode. Of one that cannot be imported the client itself says nothing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping

from hipocampus.core.neutral import one_line
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.programs import on_path

_SUBJECT = "OpenCode plugin"
_SECONDS = 20
_AGAIN = "run: hipocampus init --host opencode"

# Run by the client's own runtime: what the plugin exports, or why it cannot be imported.
_IMPORT = """\
const say = (found) => console.log("hipocampus:" + JSON.stringify(found));
try { say({ exports: Object.keys(await import({path})) }) } catch (error) { say({ error: `${error}` }) }"""

# Variables with which the client passes our plugin over, and whether only a project's.
_SWITCHES = {"OPENCODE_PURE": False, "OPENCODE_DISABLE_PROJECT_CONFIG": True}
_ON = ("1", "true")


def presence(ours: Mapping[str, str], is_current: Mapping[str, bool]) -> Check:
    """Whether the plugin file is there (`ours`: for the project, for the user), once, and of this version."""
    if not ours:
        return Check(Verdict.FAIL, _SUBJECT, "there is no plugin file, so OpenCode knows nothing of the memory", _AGAIN)
    stale = [one_line(path) for place, path in ours.items() if not is_current[place]]
    if stale:
        return Check(Verdict.WARN, _SUBJECT, f"{stale[0]} is of another version", "run: hipocampus update")
    if len(ours) > 1:
        both = " and ".join(map(one_line, ours.values()))
        return Check(Verdict.WARN, _SUBJECT, f"it is there twice ({both}); one of them serves", "remove one of the two")
    return Check(Verdict.OK, _SUBJECT, one_line(next(iter(ours.values()))))


def loading(ours: Mapping[str, str], env: Mapping[str, str]) -> Iterator[Check]:
    """Whether the client would load them: as it is started in this environment, and as its runtime reads the files.

    Runs the files, so they must hold what we wrote.
    """
    if not ours:
        return
    for name, of_project in _SWITCHES.items():
        if env.get(name, "").lower() in _ON and not (of_project and "user" in ours):
            found = f"{name} is set, and with it OpenCode loads no plugin{' of a project' if of_project else ''}"
            yield Check(Verdict.WARN, _SUBJECT, found, f"start it without {name} (and without --pure)")
    program = on_path("opencode", env)
    if program is None:
        yield Check(Verdict.INFO, _SUBJECT, "opencode is not on PATH, so it was not tried whether it loads")
        return
    for path in ours.values():
        yield _imported(program, path, env)


def _imported(program: str, path: str, env: Mapping[str, str]) -> Check:
    outcome = _try_import(program, path, env)
    match outcome:
        case {"exports": [_]}:
            return Check(Verdict.OK, _SUBJECT, f"OpenCode's runtime loads {one_line(path)}")
        case {"error": str(error)}:
            return Check(Verdict.FAIL, _SUBJECT, f"{one_line(path)} cannot be loaded: {one_line(error)}", _AGAIN)
        case {"exports": _}:
            return Check(Verdict.FAIL, _SUBJECT, f"{one_line(path)} exports more than the plugin", _AGAIN)
        case _:
            return Check(Verdict.WARN, _SUBJECT, f"it could not be tried whether {one_line(program)} loads it")


def _try_import(program: str, path: str, env: Mapping[str, str]) -> object:
    """What the runtime says; None where it says nothing of the kind."""
    script = _IMPORT.replace("{path}", json.dumps(path))
    try:
        done = subprocess.run(  # noqa: S603 - the program that the user starts by this name
            [program, "-e", script],
            cwd="/",  # the runtime would run what a clone's bunfig.toml names
            env={**env, "BUN_BE_BUN": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        if line.startswith("hipocampus:"):
            try:
                return json.loads(line.removeprefix("hipocampus:"))
            except ValueError:
                return None
    return None
