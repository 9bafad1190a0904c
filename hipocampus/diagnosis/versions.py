"""Which copies of this program there are: the one that runs, the command on PATH, the plugins of the hosts."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator

import hipocampus
from hipocampus.core.neutral import one_line
from hipocampus.diagnosis.patient import Patient
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.plugins import plugins
from hipocampus.install.programs import on_path

_SECONDS = 15.0


def versions(patient: Patient) -> Iterator[Check]:
    """Whether they are of one version: hooks run the plugin's own code, a person's shell the command's."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(hipocampus.__file__)))
    others = list(_others(patient))
    skew = [(what, version, remedy) for what, version, remedy in others if version != hipocampus.__version__]
    for what, version, remedy in skew:
        said = f"{what} is {one_line(version)}, this program is {hipocampus.__version__}"
        yield Check(Verdict.WARN, "version", said, remedy)
    if not skew:
        same = f"; so {'is' if len(others) == 1 else 'are'} " + ", ".join(what for what, *_ in others) if others else ""
        yield Check(Verdict.OK, "version", f"{hipocampus.__version__} in {one_line(here)}{same}")


def _others(patient: Patient) -> Iterator[tuple[str, str, str]]:
    """What, its version, what brings it to this one."""
    program = on_path("hipocampus", patient.env)
    said = _version_of(program, patient) if program else ""
    if program and said:
        yield f"the command {one_line(program)}", said, "upgrade the older one (pipx upgrade, uv tool upgrade, or pip)"
    for plugin in plugins(patient.site) if patient.site else ():
        if plugin.version and plugin.host != "claude-code":  # its registration says that already
            yield f"the {plugin.host} plugin", plugin.version, plugin.update


def _version_of(program: str, patient: Patient) -> str:
    """What it says of itself; empty where it does not answer, or is another program of that name."""
    env = {**patient.env, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - a path and a fixed word, no shell
            [program, "--version"],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ""
    match = re.fullmatch(r"hipocampus (\S+)", done.stdout.decode("utf-8", "replace").strip())
    return match[1] if match else ""
