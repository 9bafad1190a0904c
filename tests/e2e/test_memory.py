"""The main job: what is told in one session stands before the model in the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from .client import REMINDER_MODEL, SYSTEM_MODEL, Session
from .injection import injected, injections
from .server import Lane, Request, say, use
from .stage import Stage

TOLD = "Remember for later: the staging database listens on port 6543, not on 5432."
CHECKPOINT = (
    "hipocampus checkpoint --topic 'deploy window' --type feedback "
    "--field 'rule=never deploy after Thursday noon' "
    "--field 'why=the on-call rota ends on Friday' "
    "--field 'how-to-apply=refuse, and offer the Monday window'"
)


@dataclass(frozen=True)
class Story:
    """Four sessions: a fact told, a checkpoint written, and two that only look, one for each form of the request."""

    stage: Stage
    sessions: tuple[Session, ...]
    looks: dict[str, Request]
    tool_result: str


@pytest.fixture(scope="module")
def story(make_stage: Callable[[str], Stage]) -> Story:
    """Two sessions on one morning and two on the next, in a project with a working file of its own text."""
    stage = make_stage("memory")
    stage.init()
    stage.server.plan(
        use("Write", file_path=str(stage.project / "settings.py"), content="PORT = 6543\n", text="I note the port."),
        say("The port is in settings.py."),
    )
    first = stage.client.run(TOLD)
    stage.eventually_indexed("6543")
    stage.server.plan(use("Bash", command=CHECKPOINT, description="Keep the rule"), say("Kept."))
    second = stage.at("2026-03-15T10:40:00+09:00").client.run("We never deploy after Thursday noon.")
    tool_result = stage.server.lane(Lane.MAIN)[-1].messages[-1][1]
    stage.eventually_indexed("deploy window")
    scratchpad = stage.project / "SCRATCHPAD.md"
    scratchpad.write_text(scratchpad.read_text(encoding="utf-8") + "\nHalf-way through the port change.\n", "utf-8")
    next_day = stage.at("2026-03-16T09:05:00+09:00")
    looking = [first, second]
    looks = {}
    for model in (REMINDER_MODEL, SYSTEM_MODEL):
        looking.append(next_day.client.run("Good morning.", model=model))
        looks[model] = stage.server.lane(Lane.MAIN)[-1]
    return Story(next_day, tuple(looking), looks, tool_result)


def test_an_empty_memory_injects_one_short_line_at_most(story: Story) -> None:
    """The first session of a new home pays for no index."""
    text = injected(story.stage.server.lane(Lane.MAIN)[0], "SessionStart")
    assert len(text.splitlines()) <= 1
    assert len(text) < 300


def test_the_very_next_session_knows(story: Story) -> None:
    """Minutes after a session ended, the next one reads what was told in it."""
    requests = [request for request in story.stage.server.lane(Lane.MAIN) if "We never deploy" in request.text]
    assert "6543" in injected(requests[0], "SessionStart")


def test_the_agent_finds_the_command_on_its_path(story: Story) -> None:
    """`hipocampus` runs in the agent's own shell, through the environment file that session start wrote."""
    assert "deploy window" in story.tool_result
    assert "[feedback]" in story.tool_result or "feedback" in story.tool_result


@pytest.mark.parametrize(("model", "form"), [(REMINDER_MODEL, "reminder"), (SYSTEM_MODEL, "system")])
@pytest.mark.parametrize(
    "fact",
    [
        pytest.param("6543", id="a fact told in a prompt"),
        pytest.param("deploy window [feedback", id="a checkpoint, as an index line"),
        pytest.param("Thursday noon", id="a checkpoint's rule"),
        pytest.param("Half-way through the port change", id="a hot file"),
    ],
)
def test_memory_stands_in_the_next_session(story: Story, model: str, form: str, fact: str) -> None:
    """Index and hot files are in the request that the model gets, in the form that the model is given."""
    pieces = [piece for piece in injections(story.looks[model]) if fact in piece.text]
    assert [(piece.form, piece.event) for piece in pieces] == [(form, "SessionStart")]


def test_the_turn_is_kept_with_its_file(story: Story) -> None:
    """A turn without a checkpoint leaves its request, its outcome and the files it touched."""
    log = story.stage.raw_log
    assert log.count("6543, not on 5432") == 1
    assert "settings.py" in log


def test_a_checkpoint_covers_its_turn(story: Story) -> None:
    """What the agent wrote down itself is not stored a second time from the journal."""
    log = story.stage.raw_log
    assert log.count("rule: never deploy after Thursday noon") == 1
    assert "request: We never deploy" not in log


def test_no_hook_misbehaves(story: Story) -> None:
    """Every hook run ended well and quietly, and the client noted no hook error."""
    assert story.stage.faults(*story.sessions) == []


def test_each_event_ran(story: Story) -> None:
    """The hooks that the memory depends on were really run by the client."""
    events = [hook.event for hook in story.sessions[0].hooks]
    assert {event: events.count(event) for event in set(events)} == {
        "SessionStart": 2,
        "UserPromptSubmit": 1,
        "Stop": 1,
        "SessionEnd": 1,
    }


def test_nothing_of_it_shows_in_git(story: Story) -> None:
    """The project's own file is all that git sees."""
    assert story.stage.git("status", "--porcelain").split() == ["??", "settings.py"]


def test_the_memory_is_whole(story: Story) -> None:
    """Every entry is reachable from the index, and each pointer resolves."""
    story.stage.hipocampus("compact", "--force")
    story.stage.hipocampus("verify")
