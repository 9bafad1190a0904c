"""``hipocampus doctor``: what is wrong, and what to do about it."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping

from hipocampus import __version__
from hipocampus.commands.caller import Caller
from hipocampus.commands.output import is_terminal, line_width, say, say_json
from hipocampus.core.neutral import one_line
from hipocampus.diagnosis.patient import Patient
from hipocampus.diagnosis.table import Subject, examine, overall
from hipocampus.errors import UserError
from hipocampus.install.checks import Check, Verdict
from hipocampus.store.home import Home, NoHome, find_home
from hipocampus.store.layout import FOLDED_HOME

Found = list[tuple[Subject, Check]]
Paint = Callable[[Verdict, str], str]

_COLOURS = {Verdict.OK: "32", Verdict.INFO: "36", Verdict.WARN: "33", Verdict.FAIL: "1;31"}
_MARGIN = 8  # the verdict and the space around it
_SUBJECT = 14
_NARROWEST, _WIDEST = 60, 120


def doctor(caller: Caller, *, as_json: bool = False, host: str | None = None, home: str = "") -> int:
    """Print what is found, a line a check with its remedy; 1 where memory does not work. Reads only."""
    patient = patient_of(caller, host or "", home)
    found = list(examine(patient))
    verdict = overall(check for _, check in found)
    if as_json:
        say_json(_as_tree(patient, found, verdict))
    else:
        _print(found, verdict, _painter(caller.env))
    return 1 if verdict is Verdict.FAIL else 0


def patient_of(caller: Caller, host: str, option: str) -> Patient:
    """Which memory is looked at, and why that one: named, exported by session start, or found from here upwards."""
    exported = caller.home
    named = option or exported
    if not named and not caller.cwd:
        place: Home | NoHome = NoHome("", "the working directory no longer exists")
        return Patient(caller.cwd, caller.env, caller.now, place, "", host)
    start = os.path.realpath(os.path.join(caller.cwd, os.path.expanduser(named))) if named else caller.cwd
    if os.path.basename(start) == FOLDED_HOME:
        start = os.path.dirname(start)
    try:
        place = find_home(start, caller.env)
    except UserError as error:  # there is no HOME
        place = NoHome(start, str(error))
    why = "none was set up"
    if isinstance(place, Home):
        why = "which HIPOCAMPUS_HOME names" if exported and not option else "as --home says"
        if not named:
            here = place.layout.project == os.path.realpath(caller.cwd)
            why = "found in this directory" if here else "found above this directory, or in its main checkout"
    return Patient(caller.cwd, caller.env, caller.now, place, why, host)


def _as_tree(patient: Patient, found: Found, verdict: Verdict) -> dict[str, object]:
    layout = patient.layout
    return {
        "verdict": verdict.value,
        "version": __version__,
        "home": layout.root if layout else None,
        "checks": [
            {
                "group": subject.group,
                "check": subject.name,
                "verdict": check.verdict.value,
                "subject": check.subject,
                "found": check.found,
                "remedy": check.remedy,
            }
            for subject, check in found
        ],
    }


def _print(found: Found, verdict: Verdict, paint: Paint) -> None:
    say(f"{paint(verdict, verdict.value)}  {_in_words([check for _, check in found])}")
    group = ""
    for subject, check in found:
        if subject.group != group:
            group = subject.group
            say(f"\n{group}")
        for line in _lines(check, paint):
            say(line)


def _in_words(checks: list[Check]) -> str:
    failing, warning = (sum(check.verdict is verdict for check in checks) for verdict in (Verdict.FAIL, Verdict.WARN))
    parts = []
    if failing:
        parts.append(f"{failing} {'thing keeps' if failing == 1 else 'things keep'} memory from working")
    if warning:
        parts.append(f"{warning} {'thing' if warning == 1 else 'things'} should be looked at")
    return f"hipocampus {__version__}: " + (", ".join(parts) or "all is well")


def _lines(check: Check, paint: Paint) -> Iterator[str]:
    """The check, folded under itself, and below it what to do."""
    subject = one_line(check.subject)
    indent = " " * (_MARGIN + _SUBJECT)
    width = min(max(line_width(), _NARROWEST), _WIDEST)
    first = " " * _MARGIN + (f"{subject:<{_SUBJECT - 1}} " if len(subject) < _SUBJECT else f"{subject}: ")
    text = textwrap.wrap(one_line(check.found), width, initial_indent=first, subsequent_indent=indent) or [first]
    word = f"{check.verdict.value:<{_MARGIN - 3}}"
    yield f"  {paint(check.verdict, word)} {text[0][_MARGIN:]}"
    yield from text[1:]
    if check.remedy:
        remedy = one_line(check.remedy)
        yield from textwrap.wrap(remedy, width, initial_indent=f"{indent}→ ", subsequent_indent=f"{indent}  ")


def _painter(env: Mapping[str, str]) -> Paint:
    """Colour on a terminal that wants any; the word says the same without it."""
    if not is_terminal(sys.stdout) or env.get("NO_COLOR") or env.get("TERM") == "dumb":
        return lambda _, text: text
    return lambda verdict, text: f"\x1b[{_COLOURS[verdict]}m{text}\x1b[0m"
