"""launchd: an agent of the user, in a property list that is wholly ours."""

from __future__ import annotations

import os
import plistlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from hipocampus.errors import UserError
from hipocampus.install.programs import on_path, run
from hipocampus.install.schedule_nightly import Nightly, Standing, Time, is_key
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import content, removed, written
from hipocampus.store.disk import names_in

NAME = "launchd"
PROGRAM = "launchctl"


def is_available(site: Site) -> bool:
    """Whether this is a system that launchd runs on."""
    return on_path(PROGRAM, site.env) is not None


def standing(site: Site) -> Iterator[Standing]:
    """Every run of ours that has a property list."""
    for name in names_in(folder(site)):
        key = name.removesuffix(".plist")
        if key != name and is_key(key):
            found = _read(content(site, os.path.join(folder(site), name)))
            words = found.get("ProgramArguments")
            root = str(words[-1]) if isinstance(words, list) and words else ""
            yield Standing(NAME, key, root, _time(found.get("StartCalendarInterval")))


def _read(text: str) -> Mapping[str, object]:
    try:
        found = plistlib.loads(text.encode("utf-8", "surrogateescape"))
    except Exception:  # whatever somebody made of it; plistlib has no error of its own
        return {}
    return found if isinstance(found, dict) else {}


def _time(value: object) -> Time | None:
    match value:
        case {"Hour": int(hour), "Minute": int(minute), **rest} if not rest:
            return Time(hour, minute)
        case _:
            return None


def install(site: Site, nightly: Nightly) -> Iterator[Step]:
    """Steps that write the property list, and load it where launchd answers."""
    steps = list(written(replace(site, user=True), _path(site, nightly.key), agent_of(nightly), "the nightly run"))
    yield from steps
    if steps and _answers(site):
        yield Step("start", nightly.key, "with launchctl", partial(_start, site, nightly.key))


def remove(site: Site, scheduled: Standing) -> Iterator[Step]:
    """Steps that unload it and take the property list away."""
    if _answers(site):
        yield Step("stop", scheduled.key, "with launchctl", partial(_stop, site, scheduled.key))
    yield from removed(replace(site, user=True), _path(site, scheduled.key), "no nightly run any more")


def notes(site: Site, nightly: Nightly) -> Iterator[str]:  # noqa: ARG001 - as every scheduler
    """What a user should know about it."""
    if not _answers(site):
        yield "launchd does not answer here; it loads the agent at your next login."
    yield "launchd runs it while you are logged in; a run that the machine slept through follows when it wakes."


def secrets(nightly: Nightly) -> str:  # noqa: ARG001 - as every scheduler
    """Where a variable that nobody should write down for them goes."""
    return "launchctl setenv"


def agent_of(nightly: Nightly) -> str:
    """The property list."""
    agent = {
        "Label": nightly.key,
        "ProgramArguments": list(nightly.command),
        "EnvironmentVariables": dict(nightly.variables),
        "StartCalendarInterval": {"Hour": nightly.at.hour, "Minute": nightly.at.minute},
        "ProcessType": "Background",
        "LowPriorityIO": True,
    }
    return plistlib.dumps(agent, sort_keys=False).decode("utf-8")


def folder(site: Site) -> str:
    """The directory of the user's agents."""
    return os.path.join(site.home, "Library", "LaunchAgents")


def _path(site: Site, key: str) -> str:
    return os.path.join(folder(site), f"{key}.plist")


def _domain() -> str:
    return f"gui/{os.getuid()}"


def _answers(site: Site) -> bool:
    return _launchctl(site, "print", _domain())


def _start(site: Site, key: str) -> None:
    _stop(site, key)
    if not _launchctl(site, "bootstrap", _domain(), _path(site, key)):
        raise UserError(f"launchctl bootstrap {_domain()} failed")


def _stop(site: Site, key: str) -> None:
    _launchctl(site, "bootout", f"{_domain()}/{key}")  # of one that is not loaded there is nothing to stop


def _launchctl(site: Site, *words: str) -> bool:
    program = on_path(PROGRAM, site.env)
    done = run([program, *words], site.env) if program else None
    return done is not None and done.code == 0
