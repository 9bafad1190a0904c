"""Which session and which memory a command belongs to, by its environment."""

from __future__ import annotations

from datetime import datetime

import pytest

from hipocampus.commands.caller import Caller

CODEX = {"CODEX_SESSION_ID": "root", "CODEX_THREAD_ID": "thread"}
EXPORTED = {"HIPOCAMPUS_SESSION": "s1", "HIPOCAMPUS_HOME": "/outer"}


@pytest.mark.parametrize(
    ("env", "session", "home"),
    [
        pytest.param({}, "", "", id="a person at a shell"),
        pytest.param({"HIPOCAMPUS_HOME": "/mine"}, "", "/mine", id="a person who named a memory"),
        pytest.param(EXPORTED, "s1", "/outer", id="a host that takes lines for its shell"),
        pytest.param(CODEX, "root", "", id="Codex, in a sub-agent too"),
        pytest.param({"CODEX_THREAD_ID": "thread"}, "thread", "", id="an older Codex"),
        pytest.param({**CODEX, "HIPOCAMPUS_HOME": "/mine"}, "root", "/mine", id="Codex, and a memory that was named"),
        pytest.param({**EXPORTED, **CODEX}, "root", "", id="Codex inside another agent"),
    ],
)
def test_the_innermost_agent_is_the_caller(env: dict[str, str], session: str, home: str, now: datetime) -> None:
    """A command covers the turns of the session it runs in, and works on the memory of that session."""
    caller = Caller("/project", env, now)
    assert (caller.session, caller.home) == (session, home)
