"""A nightly run: when, of which memory, started how, whatever the scheduler is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.launcher import launcher_path
from hipocampus.install.programs import on_path
from hipocampus.install.site import Site
from hipocampus.store.config import load_lenient
from hipocampus.store.home import home_id

PREFIX = "hipocampus-"
_KEY = re.compile(rf"{PREFIX}(?P<id>[A-Za-z0-9_-]+)-[0-9a-f]{{8}}")
_AT = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)

#: What a run may start beside the command that summarises, and so must find; `node` starts some of them.
_PROGRAMS = ("claude", "codex", "qmd", "node", "git")
_SYSTEM = ("/usr/local/bin", "/usr/bin", "/bin")
#: What says where things of this user are.
_PASSED_ON = (
    "HIPOCAMPUS_STATE",
    "HIPOCAMPUS_PYTHON",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
)


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day."""

    hour: int
    minute: int

    def __str__(self) -> str:
        return f"{self.hour:02d}:{self.minute:02d}"


DEFAULT = Time(23, 0)


def time_of(text: str) -> Time | None:
    """The time that ``23:00`` or ``7:05`` names; None for anything else."""
    found = _AT.fullmatch(text.strip())
    return Time(int(found[1]), int(found[2])) if found else None


@dataclass(frozen=True, slots=True)
class Nightly:
    """A run to be scheduled. `key` names it, `root` is the home; `command` is started with `variables`, and it cannot
    count on any other."""

    key: str
    root: str
    at: Time
    command: tuple[str, ...]
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Standing:
    """A run that is scheduled: with which scheduler, under which key, of which home.

    `at` is None where somebody gave it a time that we would not; `problem` says why it will not run, "" where it will.
    """

    scheduler: str
    key: str
    root: str
    at: Time | None
    problem: str = ""


def nightly(site: Site, at: Time) -> Nightly:
    """The run for the memory of `site`. UserError where a path cannot be written down for a scheduler."""
    root = site.layout.root
    command = ("/bin/sh", launcher_path(site), "cli", "maintain", "--home", root)
    summarising = load_lenient(site.layout, site.env).llm_command[:1]
    variables = {"HOME": site.home, "PATH": os.pathsep.join(_folders(site.env, (*summarising, *_PROGRAMS)))}
    variables |= {name: site.env[name] for name in _PASSED_ON if os.path.isabs(site.env.get(name, ""))}
    for text in (*command, *variables.values()):
        if not text.isprintable():
            raise UserError(f"{one_line(text)} has characters that no scheduler takes; nothing was scheduled")
    return Nightly(key_of(site), root, at, command, variables)


def key_of(site: Site) -> str:
    """The name of a home's run. The place is part of it: two clones of one shared memory have the same id."""
    place = sha256(os.fsencode(site.layout.root)).hexdigest()[:8]
    return f"{PREFIX}{home_id(site.layout) or 'home'}-{place}"


def is_key(name: str) -> bool:
    """Whether a run of ours could have that name."""
    return _KEY.fullmatch(name) is not None


def is_of(standing: Standing, site: Site) -> bool:
    """Whether a run is that of this home: it names its place, or the place where it was before it was moved."""
    found = _KEY.fullmatch(standing.key)
    has_moved = found is not None and found["id"] == home_id(site.layout) and not os.path.isdir(standing.root)
    return standing.root == site.layout.root or has_moved


def _folders(env: Mapping[str, str], programs: Iterable[str]) -> Iterator[str]:
    """The directories for PATH: those of the programs as they are found now, then the system's."""
    found = (on_path(program, env) for program in programs)
    yield from dict.fromkeys((*(os.path.dirname(path) for path in found if path), *_SYSTEM))
