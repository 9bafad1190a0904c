"""The hosts: whether each is set up in the right shape, and when something last came from it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta

from hipocampus.core.neutral import one_line
from hipocampus.diagnosis.patient import Patient
from hipocampus.errors import UserError
from hipocampus.hosts.events import SESSION_START, STOP
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.original import leftovers
from hipocampus.install.registry import HOSTS, installer_of
from hipocampus.install.site import Site
from hipocampus.store.config import load_lenient
from hipocampus.store.files import read_exact
from hipocampus.store.launcher import launcher_path, own_launcher, started_by
from hipocampus.store.layout import Layout

_SILENT_TURNS = timedelta(hours=12)


def registration(patient: Patient) -> Iterator[Check]:
    """What each host's own installer finds; of a host that this memory does not serve nothing is said."""
    site = patient.site
    if site is None:
        return
    for host in _hosts(patient, site):
        try:
            yield from installer_of(host).checks(site)
        except UserError as error:
            yield Check(Verdict.WARN, host, f"could not be looked at: {one_line(str(error))}")


def _hosts(patient: Patient, site: Site) -> Iterator[str]:
    """The hosts that the memory is for, and those that have something of ours; with --host that one alone."""
    if patient.host:
        yield patient.host
        return
    served = load_lenient(patient.layout, patient.env).all_hosts if patient.layout else frozenset()
    for host in HOSTS:
        if host in served or installer_of(host).is_installed(site):
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
    bad = Verdict.FAIL if named_by else Verdict.WARN
    if text is None:
        if named_by:
            said = f"there is no {one_line(path)}, which the hooks of {', '.join(named_by)} name"
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
            said = f"nothing ever arrived from {host}"
            yield Check(Verdict.WARN, "events", said, f"start a session with {host} here, then look again")
        elif stop is None and start is not None and patient.now - start > _SILENT_TURNS:
            said = f"{host}: a session started {_ago(patient.now, start)}, and no turn ever ended"
            yield Check(Verdict.WARN, "events", said, f"see that {host} runs all hooks, not only the first")
        else:
            yield Check(Verdict.OK, "events", f"{host}: {_times(patient.now, start, stop)}")


def last_seen(layout: Layout, host: str, kind: str) -> datetime | None:
    """When an event of this kind last arrived from this host; None where none did."""
    try:
        return datetime.fromtimestamp(os.lstat(layout.sign(host, kind)).st_mtime).astimezone()
    except OSError:
        return None


def _times(now: datetime, start: datetime | None, stop: datetime | None) -> str:
    named = (("session start", start), ("end of a turn", stop))
    return ", ".join(f"{name} {_ago(now, at)}" for name, at in named if at is not None)


def _ago(now: datetime, at: datetime) -> str:
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
