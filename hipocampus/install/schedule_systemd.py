"""systemd: a timer of the user and the service it starts, in files that are wholly ours."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.programs import on_path, run
from hipocampus.install.schedule_nightly import Nightly, Standing, Time, is_key
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import content, removed, written
from hipocampus.store.disk import names_in

NAME = "systemd"
PROGRAM = "systemctl"
_SERVICE = """\
# Written by hipocampus schedule; hipocampus schedule remove takes it away.
# home: {root}
[Unit]
Description=Nightly upkeep of a hipocampus memory

[Service]
Type=oneshot
ExecStart={command}
{variables}
Nice=10
TimeoutStartSec=2h
"""
_TIMER = """\
# Written by hipocampus schedule; hipocampus schedule remove takes it away.
# home: {root}
[Unit]
Description=Nightly upkeep of a hipocampus memory

[Timer]
OnCalendar=*-*-* {at}:00
Persistent=true

[Install]
WantedBy=timers.target
"""
_ROOT = re.compile(r"^# home: (/[^\n]*)$", re.MULTILINE)
_TIME = re.compile(r"^OnCalendar=\*-\*-\* (\d\d):(\d\d):00$", re.MULTILINE)


def is_available(site: Site) -> bool:
    """Whether the user's own systemd answers."""
    return _systemctl(site, "show-environment")


def standing(site: Site) -> Iterator[Standing]:
    """Every run of ours that has a timer."""
    for name in names_in(folder(site)):
        key = name.removesuffix(".timer")
        if key == name or not is_key(key):
            continue
        text = content(site, os.path.join(folder(site), name))
        root, at = _ROOT.search(text), _TIME.search(text)
        problem = "" if os.path.lexists(_wanted(site, key)) else f"the timer {name} is not enabled"
        yield Standing(NAME, key, root[1] if root else "", Time(int(at[1]), int(at[2])) if at else None, problem)


def install(site: Site, nightly: Nightly) -> Iterator[Step]:
    """Steps that write both files, and start the timer where the user's systemd answers."""
    user = replace(site, user=True)
    steps = [
        *written(user, _path(site, nightly.key, "service"), service_of(nightly), "the nightly run"),
        *written(user, _path(site, nightly.key, "timer"), timer_of(nightly), "when it runs"),
    ]
    yield from steps
    if (steps or not os.path.lexists(_wanted(site, nightly.key))) and is_available(site):
        yield Step("start", f"{nightly.key}.timer", "with systemctl --user", partial(_start, site, nightly.key))


def remove(site: Site, scheduled: Standing) -> Iterator[Step]:
    """Steps that stop the timer and take both files away."""
    user, key, answers = replace(site, user=True), scheduled.key, is_available(site)
    if answers:
        yield Step("stop", f"{key}.timer", "with systemctl --user", partial(_stop, site, key))
    else:
        yield from removed(user, _wanted(site, key), "no nightly run any more")
    for kind in ("timer", "service"):
        yield from removed(user, _path(site, key, kind), "no nightly run any more")
    if answers:
        yield Step("reload", f"systemd without {key}", "with systemctl --user", partial(_reload, site))


def notes(site: Site, nightly: Nightly) -> Iterator[str]:
    """What a user should know about it: whether it runs now, and whether it does so when they are logged out."""
    if not is_available(site):
        yield "Your systemd does not answer here; in a session of yours, run:"
        yield f"  systemctl --user daemon-reload && systemctl --user enable --now {nightly.key}.timer"
    if not _lingers(site):
        yield "It runs while you are logged in, and a night that was missed is made up for at the next login."
        yield "To have it run when you are not: loginctl enable-linger"


def secrets(nightly: Nightly) -> str:
    """Where a variable that nobody should write down for them goes."""
    return f"an Environment= line of its own (systemctl --user edit {nightly.key}.service)"


def service_of(nightly: Nightly) -> str:
    """The service: what is run, with what environment."""
    command = " ".join(_word(word).replace("$", "$$") for word in nightly.command)
    variables = "\n".join(f"Environment={_word(f'{name}={text}')}" for name, text in nightly.variables.items())
    return _SERVICE.format(root=nightly.root, command=command, variables=variables)


def timer_of(nightly: Nightly) -> str:
    """The timer."""
    return _TIMER.format(root=nightly.root, at=nightly.at)


def _word(text: str) -> str:
    """`text` as one word of a unit file, where a percent sign is a specifier."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return escaped if re.fullmatch(r"[\w@+:,./=-]+", escaped, re.ASCII) else f'"{escaped}"'


def folder(site: Site) -> str:
    """The directory of the user's units."""
    base = site.env.get("XDG_CONFIG_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(site.home, ".config"), "systemd", "user")


def _path(site: Site, key: str, kind: str) -> str:
    return os.path.join(folder(site), f"{key}.{kind}")


def _wanted(site: Site, key: str) -> str:
    """The link that makes a timer start with the user's systemd."""
    return os.path.join(folder(site), "timers.target.wants", f"{key}.timer")


def _start(site: Site, key: str) -> None:
    for words in (("daemon-reload",), ("enable", f"{key}.timer"), ("restart", f"{key}.timer")):
        if not _systemctl(site, *words):
            raise UserError(f"systemctl --user {' '.join(words)} failed")


def _stop(site: Site, key: str) -> None:
    _systemctl(site, "disable", "--now", f"{key}.timer")  # of one that is not enabled there is nothing to stop


def _reload(site: Site) -> None:
    _systemctl(site, "daemon-reload")


def _systemctl(site: Site, *words: str) -> bool:
    program = on_path(PROGRAM, site.env)
    done = run([program, "--user", "--no-pager", *words], site.env) if program else None
    return done is not None and done.code == 0


def _lingers(site: Site) -> bool:
    program = on_path("loginctl", site.env)
    done = run([program, "show-user", "--property=Linger", "--value", str(os.getuid())], site.env) if program else None
    return done is not None and one_line(done.out).strip() == "yes"
