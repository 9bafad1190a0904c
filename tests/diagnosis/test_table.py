"""The table of checks, and the page that explains them."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.diagnosis import table
from hipocampus.diagnosis.patient import Patient
from hipocampus.diagnosis.table import SUBJECTS, Subject, examine, overall
from hipocampus.install.checks import Check, Verdict
from hipocampus.store.home import NoHome

PAGE = Path(__file__).parents[2] / "docs" / "doctor.md"


@pytest.mark.skipif(not PAGE.exists(), reason="docs are not in the wheel")
def test_the_page_explains_every_check() -> None:
    """Group by group, in the order of the table: what it looks at and what to do, and no check that does not exist."""
    explained = []
    group = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        group = line.removeprefix("## ") if line.startswith("## ") else group
        row = re.fullmatch(r"\| `(\w+)` \| (.+) \| (.+) \|", line)
        if row and group:
            explained.append((group, row[1]))
            assert len(row[2]) > 20
            assert len(row[3]) > 4
    assert explained == [(subject.group, subject.name) for subject in SUBJECTS]


def patient(env: dict[str, str], now: datetime) -> Patient:
    return Patient("/", env, now, NoHome("/"), "", "")


def test_a_look_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch, env: dict[str, str], now: datetime) -> None:
    """Whatever goes wrong in one look, the others go on; a missing package is no fault of the memory's."""

    def broken(_: Patient) -> list[Check]:
        raise RuntimeError("a surprise\nin two lines")

    def bare(_: Patient) -> list[Check]:
        raise ModuleNotFoundError("no", name="yaml")

    fine = Check(Verdict.OK, "fine", "all is well")
    looks = (Subject("broken", "g", broken), Subject("bare", "g", bare), Subject("fine", "g", lambda _: [fine]))
    monkeypatch.setattr(table, "SUBJECTS", looks)
    found = [check for _, check in examine(patient(env, now))]
    assert [check.verdict for check in found] == [Verdict.WARN, Verdict.INFO, Verdict.OK]
    assert "a surprise" in found[0].found
    assert "yaml" in found[1].found


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [("", "OK"), ("OK INFO", "OK"), ("INFO WARN OK", "WARN"), ("WARN FAIL OK", "FAIL")],
)
def test_the_verdict_on_all_of_it(verdicts: str, expected: str) -> None:
    """The worst one counts; what is only said does not."""
    checks = [Check(Verdict(word), "x", "x") for word in verdicts.split()]
    assert overall(checks) is Verdict(expected)
