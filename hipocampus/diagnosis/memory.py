"""The memory itself: where it was found, whether it is used, what its settings say, and whether it is whole."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from hipocampus.core.neutral import one_line
from hipocampus.core.wording import counted
from hipocampus.core.zone import moment_of
from hipocampus.diagnosis.patient import Patient
from hipocampus.errors import UserError
from hipocampus.install.checks import Check, Verdict
from hipocampus.store.config import load_lenient
from hipocampus.store.diagnostics import read_failures, read_log
from hipocampus.store.home import Home
from hipocampus.store.user_state import is_never

_SHOWN = 3
_RECENT = timedelta(days=7)


def home(patient: Patient) -> Iterator[Check]:
    """Which memory belongs here, and why that one."""
    place = patient.place
    if isinstance(place, Home):
        yield Check(Verdict.OK, "home", f"{one_line(place.layout.root)}, {patient.why}")
    elif patient.state and patient.project and is_never(patient.env, patient.project):
        yield Check(Verdict.INFO, "home", f"no memory is wanted in {one_line(patient.project)}")
    else:
        where = f" for {one_line(place.project)}" if place.project else ""
        said = f"no memory{where}: {place.reason or patient.why}"
        remedy = "set right what it names" if place.reason else "hipocampus init"
        yield Check(Verdict.FAIL, "home", said, remedy)


def trust(patient: Patient) -> Iterator[Check]:
    """Whether this machine lets the agent see it, and the user wants that."""
    if not isinstance(patient.place, Home):
        return
    if is_never(patient.env, patient.project):
        yield Check(Verdict.INFO, "trust", "turned off here with init --never; `hipocampus init` turns it on again")
    elif patient.place.trusted:
        yield Check(Verdict.OK, "trust", "trusted on this machine")
    elif patient.place.id:
        yield Check(
            Verdict.FAIL, "trust", "it came from elsewhere and is not used", "look at it, then: hipocampus trust"
        )
    else:
        yield Check(Verdict.FAIL, "trust", "it was never set up by this program", "hipocampus init adopts it")


def config(patient: Patient) -> Iterator[Check]:
    """What of the settings cannot be used."""
    if patient.layout is None:
        return
    warnings = load_lenient(patient.layout, patient.env).warnings
    for warning in warnings[:_SHOWN]:
        yield Check(Verdict.WARN, "config", one_line(warning), f"edit {one_line(patient.layout.config)}")
    if not warnings:
        yield Check(Verdict.OK, "config", "every setting is valid")


def llm(patient: Patient) -> Iterator[Check]:
    """Whether whoever is to write summaries can be asked."""
    if patient.layout is None:
        return
    from hipocampus.summarize.backends import backend_of

    config = load_lenient(patient.layout, patient.env)
    try:
        backend = backend_of(config, patient.layout, patient.env)
    except UserError as error:
        found, _, remedy = str(error).partition("; ")
        yield Check(Verdict.WARN, "llm", found, remedy or "hipocampus config set llm.backend agent, if none is wanted")
        return
    asked = f"summaries are asked of {backend.name}" if backend else f"llm.backend is {config.llm_backend}"
    yield Check(Verdict.OK, "llm", asked)


def failures(patient: Patient) -> Iterator[Check]:
    """What went wrong in hooks of late: the last lines of it."""
    waiting = read_failures(patient.layout, patient.env) if patient.state else None
    logged = list(read_log(patient.layout)) if patient.layout else []
    recent = [event for event in logged if event.get("kind") == "failure" and _is_recent(event, patient.now)]
    if not recent and not (waiting and waiting.count):
        yield Check(Verdict.OK, "failures", "none in the last seven days")
        return
    lines = [f"{event.get('at')}: {event.get('where')}: {event.get('error')}" for event in recent[-_SHOWN:]]
    for line in lines or [waiting.last if waiting else ""]:
        yield Check(Verdict.WARN, "failures", one_line(line)[:300], "if it comes again, report it with this line")
    if len(recent) > len(lines):
        yield Check(Verdict.INFO, "failures", f"{len(recent)} in the last seven days; `hipocampus status` counts them")


def _is_recent(event: Mapping[str, object], now: datetime) -> bool:
    at = moment_of(event.get("at"))
    return at is not None and at >= now - _RECENT


def search(patient: Patient) -> Iterator[Check]:
    """What search goes by, and what the settings ask for that is not there."""
    if patient.layout is None:
        return
    from hipocampus.recall.meaning import meaning

    found = meaning(patient.layout, load_lenient(patient.layout, patient.env))
    if found.lacking:
        said, _, remedy = found.lacking.partition(": ")
        yield Check(Verdict.WARN, "search", f"{said}; {found.said}", remedy)
    else:
        yield Check(Verdict.OK, "search", found.said)


def qmd(patient: Patient) -> Iterator[Check]:
    """Whether the program that the settings ask for beside our own search is there, and has this memory."""
    if patient.layout is None:
        return
    from hipocampus.recall import qmd

    if not qmd.is_wanted(load_lenient(patient.layout, patient.env)):
        return
    if not qmd.is_installed(patient.env):
        remedy = f"{qmd.INSTALL}, or hipocampus config set search.qmd false"
        yield Check(Verdict.WARN, "qmd", "search.qmd is on, and qmd is not installed", remedy)
    elif not qmd.is_registered(patient.layout, patient.env):
        yield Check(Verdict.INFO, "qmd", "installed, and knows nothing of this memory yet", "hipocampus maintain")
    else:
        yield Check(Verdict.OK, "qmd", "installed, with collections of this memory")


def whole(patient: Patient) -> Iterator[Check]:
    """Whether every rule of the files holds; what `hipocampus verify` says at length."""
    layout = patient.layout
    if layout is None or not os.path.isdir(layout.memory):
        return
    from hipocampus.compaction.verify import verify, waiting

    findings = verify(layout, load_lenient(layout, patient.env), patient.now)
    for finding in findings[:_SHOWN]:
        yield Check(
            Verdict.WARN, "verify", one_line(str(finding)), "hipocampus verify lists all; compact --force may mend it"
        )
    if len(findings) > _SHOWN:
        yield Check(Verdict.INFO, "verify", f"{len(findings)} findings in all")
    if not findings:
        logs = waiting(layout, patient.now)
        more = f"; new lines in {counted(len(logs), 'raw log')} wait for compaction" if logs else ""
        yield Check(Verdict.OK, "verify", f"every entry is reachable from ROOT{more}")
