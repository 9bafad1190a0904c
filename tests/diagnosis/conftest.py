"""What the tests of the diagnosis share: a patient, and what is found about one subject."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.commands.caller import Caller
from hipocampus.commands.doctor import patient_of
from hipocampus.diagnosis.table import examine
from hipocampus.install.checks import Check, Verdict
from hipocampus.store.layout import Layout

Look = Callable[..., list[Check]]


@pytest.fixture
def look(layout: Layout, env: dict[str, str], now: datetime) -> Look:
    """What is found about one subject, in the fixture's home or elsewhere. A FAIL or WARN says what to do, always."""

    def found(subject: str, *, cwd: str | Path = layout.project, host: str = "", home: str = "") -> list[Check]:
        caller = Caller(os.path.realpath(cwd), env, now)
        checks = [check for one, check in examine(patient_of(caller, host, home)) if one.name == subject]
        for check in checks:
            assert "\n" not in check.found + check.remedy
            assert check.remedy or check.verdict is not Verdict.FAIL, check
            assert "could not be looked at" not in check.found, check
        return checks

    return found


def worst(checks: list[Check]) -> Verdict:
    """The worst verdict among checks of one subject."""
    order = (Verdict.OK, Verdict.INFO, Verdict.WARN, Verdict.FAIL)
    return max((check.verdict for check in checks), key=order.index)


def said(checks: list[Check]) -> str:
    """All that was found, with its remedies."""
    return "\n".join(f"{check.verdict.value} {check.found} → {check.remedy}" for check in checks)
