"""The hosts: whether each is set up in the right shape, and when something last came from it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from hipocampus.core.neutral import one_line
from hipocampus.diagnosis.patient import Patient
from hipocampus.errors import UserError
from hipocampus.hosts.events import SESSION_START, STOP
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.original import leftovers
from hipocampus.install.registry import HOSTS, NAMES, installer_of
from hipocampus.install.site import Site
from hipocampus.store.config import load_lenient
from hipocampus.store.files import read_exact
from hipocampus.store.launcher import launcher_path, own_launcher, started_by
from hipocampus.store.layout import Layout

_SILENT_TURNS = timedelta(hours=12)
_NEW = timedelta(days=1)


def registration(patient: Patient) -> Iterator[Check]:
    """What each host's own installer finds; of a host that this memory does not serve nothing is said.

    A host that the memory does not reach is a WARN as long as it works in another one.
    """
    site = patient.site
    if site is None:
        return
    found = {host: list(_checks(host, site)) for host in _hosts(patient, site)}
    works = [host for host, checks in found.items() if _is_set_up(site, host) and not _fails(checks)]
    for host, checks in found.items():
        yield from (_softened(check, host) for check in checks) if works else checks


def _checks(host: str, site: Site) -> Iterator[Check]:
    try:
        yield from installer_of(host).checks(site)
    except UserError as error:
        yield Check(Verdict.WARN, host, f"could not be looked at: {one_line(str(error))}")


def _is_set_up(site: Site, host: str) -> bool:
    return any(installer_of(host).is_installed(replace(site, user=user)) for user in (False, True))


def _fails(checks: Iterable[Check]) -> bool:
    return any(check.verdict is Verdict.FAIL for check in checks)


def _softened(check: Check, host: str) -> Check:
    if check.verdict is not Verdict.FAIL:
        return check
    return replace(check, verdict=Verdict.WARN, found=f"memory does not reach {NAMES[host]}: {check.found}")


def _hosts(patient: Patient, site: Site) -> Iterator[str]:
    """The hosts that the memory is for, and those that have something of ours; with --host that one alone.

    Claude Code's plugin is there for all projects, so that it says nothing about this one's.
    """
    if patient.host:
        yield patient.host
        return
    layout = patient.layout
    served = load_lenient(layout, patient.env, trusted=True).all_hosts if layout else frozenset()
    for host in HOSTS:
        if host in served or ((host != "claude-code" or not layout) and installer_of(host).is_installed(site)):
            yield host


def launcher(patient: Patient) -> Iterator[Check]:
    """Whether what the hooks of most hosts name is there and leads to a program: where it does not, they are silent."""
    site = patient.site
    if site is None:
        return
    named_by = [
        host for host in _hosts(patient, site) if host != "claude-code" and installer_of(host).is_installed(site)
    ]
    path = launcher_path(site.env)
    text = _text(path)
    others = [host for host in _hosts(patient, site) if host not in named_by and _is_set_up(site, host)]
    bad = Verdict.FAIL if named_by and not others else Verdict.WARN
    if text is None:
        if named_by:
            said = f"there is no {one_line(path)}, which the hooks of {_named(named_by)} name"
            yield Check(bad, "launcher", said, "hipocampus update")
        return
    run = started_by(text)
    if not os.path.isfile(run):
        said = f"{one_line(path)} leads to {one_line(run) or 'nothing'}, which is gone"
        yield Check(bad, "launcher", said, "hipocampus update")
    elif os.path.realpath(run) != os.path.realpath(own_launcher()):
        yield Check(
            Verdict.INFO,
            "launcher",
            f"hooks start another copy, {one_line(run)}; `hipocampus update` makes it this one",
        )
    else:
        yield Check(Verdict.OK, "launcher", one_line(path))


def _named(hosts: Iterable[str]) -> str:
    return ", ".join(NAMES[host] for host in hosts)


def _text(path: str) -> str | None:
    try:
        return read_exact(path)
    except (OSError, UserError):
        return None


def events(patient: Patient) -> Iterator[Check]:
    """When a session start and the end of a turn last arrived from each host."""
    layout, site = patient.layout, patient.site
    if layout is None or site is None:
        return
    for host in _hosts(patient, site):
        start, stop = (last_seen(layout, host, kind) for kind in (SESSION_START, STOP))
        if start is None and stop is None:
            yield _silence(patient, layout, host)
        elif stop is None and start is not None and patient.now - start > _SILENT_TURNS:
            said = f"{NAMES[host]}: a session started {ago(patient.now, start)}, and no turn ever ended"
            yield Check(Verdict.WARN, "events", said, f"see that {NAMES[host]} runs all hooks, not only the first")
        else:
            yield Check(Verdict.OK, "events", f"{NAMES[host]}: {_times(patient.now, start, stop)}")


def _silence(patient: Patient, layout: Layout, host: str) -> Check:
    """Nothing ever arrived: that is as it should be in a new home, until the host has had a session in it."""
    said = f"nothing ever arrived from {NAMES[host]}"
    made = _made_at(layout)
    if patient.now - made < _NEW and not _had_session(patient, host, made):
        return Check(
            Verdict.INFO,
            "events",
            f"nothing has arrived from {NAMES[host]} yet, and the memory is new; its next session should",
        )
    return Check(Verdict.WARN, "events", said, f"start a session with {NAMES[host]} here, then look again")


def _made_at(layout: Layout) -> datetime:
    """When the home was made, as the oldest of what `init` writes says."""
    made = [os.stat(path).st_mtime for path in (layout.config, layout.plans, layout.task_queue) if os.path.exists(path)]
    return datetime.fromtimestamp(min(made, default=0)).astimezone()


def _had_session(patient: Patient, host: str, since: datetime) -> bool:
    """Whether the host's own files show a session here that went on after the home was made."""
    from hipocampus.hosts.past import past_sessions

    with suppress(Exception):  # another program's files
        return any(past.touched > since.timestamp() for past in past_sessions(host, patient.env, patient.project))
    return False


def last_seen(layout: Layout, host: str, kind: str) -> datetime | None:
    """When an event of this kind last arrived from this host; None where none did."""
    try:
        return datetime.fromtimestamp(os.lstat(layout.sign(host, kind)).st_mtime).astimezone()
    except OSError:
        return None


def _times(now: datetime, start: datetime | None, stop: datetime | None) -> str:
    named = (("session start", start), ("end of a turn", stop))
    return ", ".join(f"{name} {ago(now, at)}" for name, at in named if at is not None)


def ago(now: datetime, at: datetime) -> str:
    """How long ago a moment was, in words."""
    minutes = max(int((now - at).total_seconds() // 60), 0)
    for unit, length in (("day", 1440), ("hour", 60)):
        if minutes >= length:
            count = minutes // length
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return f"{minutes} min ago"


def original(patient: Patient) -> Iterator[Check]:
    """What the original hipocampus left that still works on this memory."""
    if patient.layout is None:
        return
    found = list(leftovers(patient.layout, patient.env))
    yield from found or [Check(Verdict.OK, "original", "nothing of the original hipocampus is in use")]
