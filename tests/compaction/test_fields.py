"""Roles of fields, and whether work is finished."""

from __future__ import annotations

import pytest

from hipocampus.compaction.fields import Role, role_of, standing_of
from hipocampus.core.entries import Entry
from hipocampus.core.topics import Standing, Topic

ROLES = [
    ("decisions", Role.DECISION),
    ("outcome", Role.OUTCOME),
    ("how-to-apply", Role.LESSON),
    ("root cause", Role.LESSON),
    ("next steps", Role.OPEN),
    ("files", Role.REFERENCE),
    ("request", Role.REQUEST),
    ("weather", Role.NOTE),
]


@pytest.mark.parametrize(("name", "role"), ROLES)
def test_a_field_has_a_role_by_its_name(name: str, role: Role) -> None:
    """Spaces and dashes are the same; an unknown name is a note."""
    assert role_of(name) is role


STANDINGS = [
    ("- request: move it", Standing.UNSAID),
    ("- outcome: moved", Standing.OUTCOME),
    ("- outcome: none", Standing.UNSAID),
    ("- outcome: moved\n- open: the docs", Standing.OPEN),
    ("- outcome: moved\n- open: none", Standing.OUTCOME),
    ("- outcome: moved\n- next: 없음", Standing.OUTCOME),
    ("- outcome: moved\n- status: open", Standing.OPEN),
    ("- status: in progress", Standing.OPEN),
    ("- open: the docs\n- status: done", Standing.DONE),
    ("- status: 완료", Standing.DONE),
    ("- status: closed, see #12", Standing.DONE),
]


@pytest.mark.parametrize(("body", "standing"), STANDINGS)
def test_standing_follows_from_the_entry(body: str, standing: Standing) -> None:
    """The status, else an open item, else an outcome."""
    assert standing_of(Entry(Topic("the move"), body)) is standing
