"""Let the agent's own shell find `hipocampus`, the home and the session."""

from __future__ import annotations

import os
import sys

from hipocampus.store.launcher import is_foreign, launcher_path, launcher_script, own_launcher, quoted, started_by
from hipocampus.store.user_state import state_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hipocampus.hooks.call import Call

_SHIM = """\
#!/bin/sh
# Written by hipocampus at session start: the command line of the plugin that is in use.
run={run}
if [ ! -r "$run" ]; then
  echo "hipocampus: the plugin is no longer at $run; start a new session" >&2
  exit 1
fi
exec sh "$run" cli "$@"
"""

_PATH_LINE = 'case ":$PATH:" in *:{bin}:*) ;; *) export PATH="$PATH":{bin} ;; esac\n'


def export_to_shell(call: Call) -> None:
    """Write the shim where the agent's shell will find it, and the lines for that shell where the host takes lines.

    Does nothing for a host that gives its shell nothing of ours.
    """
    if call.event.host == "codex" and os.path.isabs(call.env.get("HOME", "")):
        _keep_launcher(call.env)
    if not call.shell_answer and not os.path.isabs(call.shell_file):
        return
    folder = program_folder(call)
    _keep(os.path.join(folder, "hipocampus"), _SHIM.format(run=quoted(own_launcher())), 0o700)
    if not call.shell_answer:
        lines = [f"export {name}={quoted(text)}\n" if text else f"unset {name}\n" for name, text in _own(call).items()]
        _add(call.shell_file, _PATH_LINE.format(bin=quoted(folder)) + "".join(lines))


def _keep_launcher(env: Mapping[str, str]) -> None:
    """Have one, for the skills of a plugin that was installed without `init`; one that works is left alone, and so is
    what is not ours."""
    path, script = launcher_path(env), ""
    if os.path.lexists(path):
        if not os.path.isfile(path):
            return
        with open(path, "rb") as file:
            script = file.read(8192).decode(sys.getfilesystemencoding(), "surrogateescape")
    if not is_foreign(script) and not os.path.isfile(started_by(script)):
        _keep(path, launcher_script(own_launcher()), 0o755)


def shell_variables(call: Call) -> dict[str, str]:
    """What the agent's shell gets, by name: ``PATH`` is a directory to append, an empty value takes a variable away."""
    return {"PATH": program_folder(call), **_own(call)}


def program_folder(call: Call) -> str:
    """The directory that holds the shim and nothing else."""
    return os.path.join(state_dir(call.env), "bin")


def _own(call: Call) -> dict[str, str]:
    # A client inside another one inherits the outer memory's name: without a memory of its own it must not use that,
    # and a Codex around it is not the caller of its commands.
    home = call.layout.root if call.layout else ""
    own = {"HIPOCAMPUS_HOST": call.event.host, "HIPOCAMPUS_SESSION": call.event.session, "HIPOCAMPUS_HOME": home}
    return own | {"CODEX_SESSION_ID": "", "CODEX_THREAD_ID": ""}


def _bytes(text: str) -> bytes:
    return text.encode(sys.getfilesystemencoding(), "surrogateescape")


def _keep(path: str, text: str, mode: int) -> None:
    """Make `text` the content of a file of ours, written only where it differs."""
    content = _bytes(text)
    try:
        with open(path, "rb") as file:
            if file.read() == content:
                return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with open(descriptor, "wb") as file:
        file.write(content)
    os.replace(draft, path)


def _add(path: str, text: str) -> None:
    """Append to the host's file, once: a session start after a compaction gets the same file again."""
    content = _bytes(text)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with open(descriptor, "r+b", buffering=0) as file:
        if not (file.read() or b"").endswith(content):
            file.write(content)
