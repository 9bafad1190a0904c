"""Logs of conversations: who said what."""

from __future__ import annotations

import re

_SPEAKER = re.compile(
    r"^(?:[-*] )?\*{0,2}(?P<who>User|Human|Me|Assistant|AI|Agent|Claude|System|Tool|사용자|어시스턴트)"
    r"\*{0,2}:\*{0,2}[ \t]*",
    re.MULTILINE,
)
_USERS = frozenset({"User", "Human", "Me", "사용자"})


def user_turns(body: str) -> list[str] | None:
    """What the user said, turn by turn; None where the text is no conversation (nobody in it is called a user)."""
    marks = list(_SPEAKER.finditer(body))
    if not any(mark["who"] in _USERS for mark in marks):
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    return [body[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True) if mark["who"] in _USERS]
