"""Logs of conversations."""

from __future__ import annotations

import pytest

from hipocampus.compaction.conversation import user_turns

FORMS = [
    ("**User:** I moved.\n\n**Assistant:** Nice.\n\n**User:** Yes.\nTwice.", ["I moved.", "Yes.\nTwice."]),
    ("User: I moved.\nAssistant: Nice.", ["I moved."]),
    ("- **Human**: I moved.\n- **AI**: Nice.", ["I moved."]),
    ("사용자: 이사했어\n어시스턴트: 네", ["이사했어"]),
    ("**Assistant:** Hello.\n\n**User:**", [""]),
]


@pytest.mark.parametrize(("body", "turns"), FORMS)
def test_the_users_turns_are_found(body: str, turns: list[str]) -> None:
    """With and without bold type, in lists, in Korean; further lines belong to the turn."""
    assert user_turns(body) == turns


@pytest.mark.parametrize("body", ["", "- request: x", "the User: of this", "**Assistant:** alone"])
def test_other_text_is_no_conversation(body: str) -> None:
    """Where nobody is called a user, nothing is."""
    assert user_turns(body) is None
