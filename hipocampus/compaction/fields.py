"""What the fields of an entry are for: a table from names to roles, and whether the work is finished."""

from __future__ import annotations

import re
from enum import StrEnum

from hipocampus.core.entries import Entry
from hipocampus.core.topics import Standing


class Role(StrEnum):
    """What a piece of an entry contributes."""

    DECISION = "decision"
    OUTCOME = "outcome"
    LESSON = "lesson"
    OPEN = "open"
    REFERENCE = "reference"
    REQUEST = "request"
    NOTE = "note"


_NAMES = {
    Role.DECISION: "decision decisions decided choice choices conclusion approach",
    Role.OUTCOME: "outcome outcomes result results done completed work-done tasks-completed fix fixed",
    Role.LESSON: "lesson lessons lessons-learned learned learnt rule why how-to-apply insight root-cause cause gotcha",
    Role.OPEN: "open open-items next next-steps todo todos blocker blockers blocked pending remaining follow-up",
    Role.REFERENCE: "file files reference references ref refs link links path paths url urls see source",
    Role.REQUEST: "request requests task goal asked context analysis",
}
ROLES = {name: role for role, names in _NAMES.items() for name in names.split()}
_DONE = re.compile(r"(?:done|closed|complete[d]?|finished|resolved|merged|완료)\b", re.IGNORECASE)
_STILL_OPEN = re.compile(r"(?:open|in[ -]progress|wip|todo|blocked|pending|paused|진행|보류)", re.IGNORECASE)
_NOTHING = re.compile(r"\W{0,20}(?:none|nothing|n/?a|no|-|없음|없다)?\W{0,20}", re.IGNORECASE)


def role_of(name: str) -> Role:
    """The role of a field by its name; `note` for a name that is not in the table."""
    return ROLES.get(name.strip().replace(" ", "-"), Role.NOTE)


def is_nothing(text: str) -> bool:
    """Whether a field says that there is nothing ("none", "-", "없음")."""
    return _NOTHING.fullmatch(text) is not None


def standing_in(status: str) -> Standing | None:
    """How far the work is by the field `status` alone; None where that says neither open nor done."""
    if _DONE.match(status):
        return Standing.DONE
    return Standing.OPEN if _STILL_OPEN.match(status) else None


def standing_of(entry: Entry) -> Standing:
    """How far the work is by the entry's own words: its status, else an open item, else an outcome."""
    standing = standing_in(entry.field("status"))
    if standing is not None:
        return standing
    filled = {role_of(name) for name, text in entry.fields if not is_nothing(text)}
    if Role.OPEN in filled:
        return Standing.OPEN
    return Standing.OUTCOME if Role.OUTCOME in filled else Standing.UNSAID
