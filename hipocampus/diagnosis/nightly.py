"""The nightly run: whether there is one, whether it can run, and how it last ended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from hipocampus.core.neutral import one_line
from hipocampus.diagnosis.hosts import ago
from hipocampus.diagnosis.patient import Patient
from hipocampus.install.checks import Check, Verdict
from hipocampus.install.schedule import scheduled
from hipocampus.install.schedule_nightly import Standing
from hipocampus.store.launcher import launcher_path
from hipocampus.upkeep.runs import Last, last_run

_SILENT = timedelta(days=4)
_AGAIN = "hipocampus schedule install"


def schedule(patient: Patient) -> Iterator[Check]:
    """What the system's scheduler holds of this memory, and what became of it."""
    site, layout = patient.site, patient.layout
    if site is None or layout is None:
        return
    found, last = scheduled(replace(site, user=True)), last_run(layout)
    if not found:
        yield Check(Verdict.INFO, "schedule", f"no nightly run; {_AGAIN} makes one")
    for one in found:
        problem = _problem(patient, one)
        when = f"every night at {one.at}" if one.at else "at a time that was set by hand"
        if problem:
            yield Check(Verdict.WARN, "schedule", f"by {one.scheduler}, and it will not run: {problem}", _AGAIN)
        else:
            yield Check(Verdict.OK, "schedule", f"{when}, by {one.scheduler}")
    if last is not None:
        yield _ended(patient, last, bool(found))


def _problem(patient: Patient, one: Standing) -> str:
    if one.problem:
        return one_line(one.problem)
    if patient.layout is not None and one.root != patient.layout.root:
        return f"it names {one_line(one.root)}, where the memory is no more"
    path = launcher_path(patient.env)
    return "" if os.path.isfile(path) else f"there is no {one_line(path)}, which it starts"


def _ended(patient: Patient, last: Last, is_scheduled: bool) -> Check:
    subject, said = "maintenance", f"the last one, at night or by hand, was {ago(patient.now, last.at)}"
    if last.failed:
        said += f" and failed in {', '.join(map(one_line, last.failed))}"
        return Check(Verdict.WARN, subject, said, "hipocampus maintain, and see what it says")
    if is_scheduled and patient.now - last.at > _SILENT:
        return Check(Verdict.WARN, subject, said, f"see that the scheduler runs; {_AGAIN} sets it up again")
    return Check(Verdict.OK, subject, f"{said} and ended well")
