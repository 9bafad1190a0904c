"""Every check there is, in the order in which it is shown. The page ``docs/doctor.md`` explains each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hipocampus.core.neutral import one_line
from hipocampus.diagnosis import files, hosts, journals, memory, neighbours, nightly, programs, versions
from hipocampus.diagnosis.patient import Patient
from hipocampus.install.checks import Check, Verdict


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing to look at: its name, the group it is shown in, and the look."""

    name: str
    group: str
    look: Callable[[Patient], Iterable[Check]]


PROGRAM, MEMORY, HOSTS = "The program", "The memory", "The hosts"

SUBJECTS = (
    Subject("python", PROGRAM, programs.python),
    Subject("packages", PROGRAM, programs.packages),
    Subject("bootstrap", PROGRAM, programs.bootstrap),
    Subject("runtime", PROGRAM, programs.runtime),
    Subject("git", PROGRAM, programs.git),
    Subject("sqlite", PROGRAM, programs.sqlite),
    Subject("version", PROGRAM, versions.versions),
    Subject("home", MEMORY, memory.home),
    Subject("trust", MEMORY, memory.trust),
    Subject("config", MEMORY, memory.config),
    Subject("llm", MEMORY, memory.llm),
    Subject("access", MEMORY, files.access),
    Subject("disk", MEMORY, files.disk),
    Subject("clock", MEMORY, journals.clock),
    Subject("lock", MEMORY, journals.lock),
    Subject("journal", MEMORY, journals.journal),
    Subject("schedule", MEMORY, nightly.schedule),
    Subject("failures", MEMORY, memory.failures),
    Subject("conflicts", MEMORY, files.conflicts),
    Subject("strangers", MEMORY, files.strangers),
    Subject("verify", MEMORY, memory.whole),
    Subject("search", MEMORY, memory.search),
    Subject("qmd", MEMORY, memory.qmd),
    Subject("registration", HOSTS, hosts.registration),
    Subject("launcher", HOSTS, hosts.launcher),
    Subject("events", HOSTS, hosts.events),
    Subject("original", HOSTS, hosts.original),
    Subject("neighbours", HOSTS, neighbours.neighbours),
)

_ORDER = (Verdict.OK, Verdict.INFO, Verdict.WARN, Verdict.FAIL)


def examine(patient: Patient) -> Iterator[tuple[Subject, Check]]:
    """All that is found, subject by subject. Reads only; a look that fails is a finding of its own."""
    for subject in SUBJECTS:
        for check in _looked(subject, patient):
            yield subject, check


def _looked(subject: Subject, patient: Patient) -> Iterator[Check]:
    try:
        yield from subject.look(patient)
    except ModuleNotFoundError as error:
        yield Check(Verdict.INFO, subject.name, f"cannot be looked at without the package {error.name}")
    except Exception as error:  # whatever state things are in, the rest is looked at
        said = f"could not be looked at: {type(error).__name__}: {one_line(str(error))}"
        yield Check(Verdict.WARN, subject.name, said, "look at what it names, or report this line")


def overall(checks: Iterable[Check]) -> Verdict:
    """The verdict on all of it: the worst one; what is only good to know does not count."""
    worst = max((check.verdict for check in checks), key=_ORDER.index, default=Verdict.OK)
    return Verdict.OK if worst is Verdict.INFO else worst
