"""What this program remembers of this user and machine, outside every project.

The directory is ``$HIPOCAMPUS_STATE``, else ``$XDG_STATE_HOME/hipocampus``, else ``$HOME/.local/state/hipocampus``, on
every platform: the launcher, a shell script, must find it before there is a Python. A relative path in one of the first
two counts as absent, as the XDG specification asks.
"""

from __future__ import annotations

import os

from hipocampus.core.json_text import from_json
from hipocampus.core.record import record
from hipocampus.errors import UserError
from hipocampus.store import disk
from hipocampus.store.layout import is_safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LIMIT = 8 * 1024 * 1024
_SESSIONS_KEPT = 512


@record
class Runtime:
    """The interpreter that runs our code, and the directory that holds its packages (empty: none yet)."""

    python: str
    packages: str


def state_dir(env: Mapping[str, str]) -> str:
    """The user state directory; it need not exist. UserError where the environment names no home directory."""
    for name, below in (("HIPOCAMPUS_STATE", ""), ("XDG_STATE_HOME", "hipocampus")):
        value = env.get(name, "")
        if os.path.isabs(value):
            return os.path.normpath(os.path.join(value, below))
    home = env.get("HOME", "")
    if not os.path.isabs(home):
        raise UserError("HOME is not set to an absolute path; set it, or HIPOCAMPUS_STATE")
    return os.path.normpath(os.path.join(home, ".local", "state", "hipocampus"))


def read_runtime(env: Mapping[str, str]) -> Runtime | None:
    """The recorded runtime, or None where there is none or the record is damaged."""
    lines = content(os.path.join(state_dir(env), "runtime")).split("\n")
    if len(lines) != 3 or not os.path.isabs(lines[0]) or lines[2]:
        return None
    return Runtime(lines[0], lines[1])


def record_runtime(env: Mapping[str, str], runtime: Runtime) -> None:
    """Record the runtime for the launcher: two lines. UserError where a path holds a newline."""
    if "\n" in runtime.python + runtime.packages:
        raise UserError("the path of the interpreter or of its packages holds a newline; install it elsewhere")
    _write(env, "runtime", f"{runtime.python}\n{runtime.packages}\n")


def is_trusted(env: Mapping[str, str], root: str, home_id: str) -> bool:
    """Whether the home with this id was trusted at this place on this machine.

    Places are compared as directories, so that spelling, links and Unicode composition of the path do not count.
    """
    if not home_id:
        return False
    trusted = {}
    for line in records(env, "trust.jsonl"):
        if line.get("id") == home_id and isinstance(path := line.get("path"), str):
            trusted[path] = line.get("trusted") is True
    return any(allowed and _same(path, root) for path, allowed in trusted.items())


def trust(env: Mapping[str, str], root: str, home_id: str) -> None:
    """Trust the home with this id at this place, from now on."""
    if not home_id:
        raise UserError("this home has no id; run `hipocampus init` in it first")
    if not is_trusted(env, root, home_id):
        _add(env, "trust.jsonl", {"id": home_id, "path": os.path.realpath(root), "trusted": True})


def is_known(env: Mapping[str, str], root: str) -> bool:
    """Whether a home at this place was set up on this machine, trusted or not."""
    place = os.path.realpath(root)
    return any(line.get("path") == place for line in records(env, "trust.jsonl"))


def note_home(env: Mapping[str, str], root: str, home_id: str) -> None:
    """Note that the home at this place was set up here; it is not trusted by that."""
    if not is_known(env, root):
        _add(env, "trust.jsonl", {"id": home_id, "path": os.path.realpath(root), "trusted": False})


def is_set_here(env: Mapping[str, str], root: str, home_id: str, key: str, value: object) -> bool:
    """Whether this value of a setting was set on this machine for the home with this id at this place."""
    last = ""
    for line in records(env, "settings.jsonl"):
        if home_id and line.get("id") == home_id and line.get("key") == key and _same(str(line.get("path")), root):
            last = str(line.get("value"))
    return last == _hash_of(value)


def note_set_here(env: Mapping[str, str], root: str, home_id: str, key: str, value: object) -> None:
    """Note the value of a setting that was set here; as a hash, so that nothing of it stands in the user state."""
    place = os.path.realpath(root)
    _add(env, "settings.jsonl", {"id": home_id, "path": place, "key": key, "value": _hash_of(value)})


def _hash_of(value: object) -> str:
    import hashlib
    import json

    return hashlib.sha256(json.dumps(value).encode("ascii")).hexdigest()


def was_told(env: Mapping[str, str], project: str) -> bool:
    """Whether the user was told once how to turn memory on in this project."""
    return _project(env, project).get("told") is True


def is_never(env: Mapping[str, str], project: str) -> bool:
    """Whether the user wants no memory in this project and no word about it."""
    return _project(env, project).get("never") is True


def mark_told(env: Mapping[str, str], project: str) -> None:
    """Note that the user was told."""
    _add(env, "projects.jsonl", {"project": os.path.realpath(project), "told": True})


def mark_never(env: Mapping[str, str], project: str, never: bool = True) -> None:
    """Note that the user wants no memory here, or (`never` false) that they changed their mind."""
    _add(env, "projects.jsonl", {"project": os.path.realpath(project), "never": never})


def record_start(env: Mapping[str, str], session: str, project: str) -> None:
    """Remember in which directory a session began; the oldest records go when there are many."""
    if not is_safe_name(session):
        return
    _write(env, os.path.join("sessions", f"{session}.json"), _as_ascii({"project": project}), sync=False)
    _drop_oldest(os.path.join(state_dir(env), "sessions"))


def recorded_start(env: Mapping[str, str], session: str) -> str | None:
    """The directory in which a session began, or None where that is not known."""
    if not is_safe_name(session):
        return None
    found = as_object(content(os.path.join(state_dir(env), "sessions", f"{session}.json"))).get("project")
    return found if isinstance(found, str) and os.path.isabs(found) else None


def read_baseline(env: Mapping[str, str], home_id: str) -> str:
    """What was accepted in audits of the home with this id, as it was written; empty where nothing was."""
    return content(baseline_file(env, home_id)) if is_safe_name(home_id) else ""


def write_baseline(env: Mapping[str, str], home_id: str, text: str) -> str:
    """Keep what was accepted in audits; the path of the file. It holds hashes of values, so it is never in the home."""
    if not is_safe_name(home_id):
        raise UserError("this home has no id; run `hipocampus init` in it first")
    _write(env, os.path.join("audit", f"{home_id}.json"), text)
    return baseline_file(env, home_id)


def baseline_file(env: Mapping[str, str], home_id: str) -> str:
    """Where that is kept."""
    return os.path.join(state_dir(env), "audit", f"{home_id}.json")


def was_made(env: Mapping[str, str], path: str) -> bool:
    """Whether this program made the file or directory outside a home, so that it may go when nothing else is in it."""
    return os.path.abspath(path) in made(env)


def made(env: Mapping[str, str]) -> frozenset[str]:
    """Every file and directory that this program made outside a home."""
    found = {str(line.get("path")): line.get("made") is True for line in records(env, "made.jsonl")}
    return frozenset(path for path, stands in found.items() if stands)


def note_made(env: Mapping[str, str], path: str, made: bool = True) -> None:
    """Note that the file or directory was made, or (`made` false) that it is gone."""
    _add(env, "made.jsonl", {"path": os.path.abspath(path), "made": made})


def _drop_oldest(folder: str) -> None:
    names = os.listdir(folder)
    if len(names) <= _SESSIONS_KEPT:
        return
    paths = [os.path.join(folder, name) for name in names]
    paths.sort(key=_modified)
    for path in paths[: len(paths) // 2]:
        try:
            os.unlink(path)
        except FileNotFoundError:  # another session start was faster
            continue


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except FileNotFoundError:
        return 0.0


def _project(env: Mapping[str, str], project: str) -> dict[str, object]:
    place = os.path.realpath(project)
    found: dict[str, object] = {}
    for line in records(env, "projects.jsonl"):
        if line.get("project") == place:
            found.update(line)
    return found


def _same(path: str, root: str) -> bool:
    try:
        return path == root or os.path.samefile(path, root)
    except (OSError, ValueError, RecursionError):
        return False


def records(env: Mapping[str, str], name: str) -> Iterator[dict[str, object]]:
    """The records of one of the ``.jsonl`` files here, a damaged line as an empty one."""
    for line in content(os.path.join(state_dir(env), name)).split("\n"):
        if line:
            yield as_object(line)


def as_object(text: str) -> dict[str, object]:
    """The object that a text is as JSON; an empty one where it is none."""
    try:
        value = from_json(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def content(path: str) -> str:
    """What a file of the user state holds; empty where there is none."""
    descriptor = disk.open_regular(path)
    if descriptor is None:
        return ""
    try:
        return disk.read_range(descriptor, 0, _LIMIT).decode("utf-8", "surrogateescape")
    finally:
        os.close(descriptor)


# Names of directories and programs are written as they are: a redacted path would lead nowhere.


def _write(env: Mapping[str, str], name: str, text: str, sync: bool = True) -> None:
    disk.replace(os.path.join(state_dir(env), name), text.encode("utf-8", "surrogateescape"), 0o600, sync)


def _add(env: Mapping[str, str], name: str, value: dict[str, object]) -> None:
    disk.append(os.path.join(state_dir(env), name), f"{_as_ascii(value)}\n".encode("ascii"), sync=True)


def _as_ascii(value: dict[str, object]) -> str:
    import json

    return json.dumps(value)
