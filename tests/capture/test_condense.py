"""An assistant's message comes down to its first and last sentences, on one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.capture.condense import condense

MESSAGES = [
    ("Done.", "Done."),
    ("I added it.\n\nTests pass.", "I added it. Tests pass."),
    (
        "## Summary\n- **added** the limiter\n- fixed 2 tests\n\nAll green.",
        "Summary; added the limiter; fixed 2 tests; All green.",
    ),
    ("Here it is:\n```py\nx = 1\n```\nIt works.", "Here it is: It works."),
    ("| a | b |\n|---|---|\n| 1 | 2 |\nSee the table.", "See the table."),
    ("1. first\n2. second", "first; second"),
    ("속도 제한을 추가했습니다. 테스트도 통과합니다.", "속도 제한을 추가했습니다. 테스트도 통과합니다."),
    ("Version 1.2.3 of src/a.py is out.", "Version 1.2.3 of src/a.py is out."),
    ("```py\nx\n```", ""),
    ("", ""),
]


@pytest.mark.parametrize(("message", "outcome"), MESSAGES)
def test_a_short_message_is_kept_whole(message: str, outcome: str) -> None:
    """Without code, tables and marks, but every sentence."""
    assert condense(message) == outcome


def test_of_a_long_message_beginning_and_end_stay() -> None:
    """Where the answer and the result usually stand; what is between is left out and marked."""
    middle = " ".join(f"Then step {number} was done with care." for number in range(200))
    outcome = condense(f"The race is fixed. {middle} All tests pass now.")
    assert outcome.startswith("The race is fixed. Then step 0")
    assert " … " in outcome
    assert outcome.endswith("All tests pass now.")
    assert len(outcome) <= 800


@given(st.text(max_size=3_000), st.integers(40, 200))
def test_the_outcome_is_one_bounded_line(text: str, length: int) -> None:
    """Whatever the message, one line of the length at most; empty only where there was nothing but code and marks."""
    outcome = condense(text, length)
    assert len(outcome) <= length
    assert len(outcome.splitlines()) <= 1
