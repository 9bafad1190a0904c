"""Codex: what is told in one session stands before the model in the next, and no hook ever hurts one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from .codex_client import CodexSession
from .codex_server import CodexRequest
from .codex_stage import CodexStage
from .server import Lane, refuse, say, use
from .stage import BROKEN_PYTHONS, copy_plugin

CLIENT_CAP = 10_000  # bytes; of more the client cuts the middle out
TOLD = "Remember for later: the staging database listens on port 6543, not on 5432."
PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: settings.py\n+PORT = 6543\n*** End Patch\nEOF"
RUN = '"$HOME/.local/share/hipocampus/run" cli'
CHECKPOINT = (
    f"{RUN} checkpoint --topic 'deploy window' --type feedback --field 'rule=never deploy after Thursday noon' "
    "--field 'why=the on-call rota ends on Friday' --field 'how-to-apply=refuse, and offer the Monday window'"
)
PROBES = 'touch "$HOME/probe" "$HOME/.local/state/hipocampus/probe" .git/probe'
NEXT_DAY = "2026-03-16T09:05:00+09:00"


@dataclass(frozen=True)
class Story:
    """Three sessions: a fact told, a checkpoint that the model writes in its sandbox, and one that only looks."""

    stage: CodexStage
    sessions: tuple[CodexSession, ...]
    tool_result: str
    look: CodexRequest


@pytest.fixture(scope="module")
def story(make_codex: Callable[[str], CodexStage]) -> Story:
    """Two sessions on one morning and one on the next, in a project with a working file of its own text."""
    stage = make_codex("codex")
    stage.init()
    stage.trust()
    stage.server.plan(use("exec_command", cmd=PATCH, text="I note the port."), say("The port is in settings.py."))
    first = stage.client.run(TOLD)
    stage.eventually_indexed("6543")
    stage.server.plan(use("exec_command", cmd=f"{PROBES}; {CHECKPOINT}"), say("Kept."))
    second = stage.at("2026-03-15T10:40:00+09:00").client.run("We never deploy after Thursday noon.")
    tool_result = stage.server.last.messages[-1][1]
    stage.eventually_indexed("deploy window")
    scratchpad = stage.project / "SCRATCHPAD.md"
    scratchpad.write_text(scratchpad.read_text(encoding="utf-8") + "\nHalf-way through the port change.\n", "utf-8")
    stage = stage.at(NEXT_DAY)
    third = stage.client.run("Good morning.")
    return Story(stage, (first, second, third), tool_result, stage.server.last)


def test_an_empty_memory_injects_one_short_line(story: Story) -> None:
    """The first session of a new home pays for no index."""
    first = story.stage.server.lane(Lane.MAIN)[0]
    assert isinstance(first, CodexRequest)
    (line,) = first.injected
    assert len(line.splitlines()) == 1


def test_the_very_next_session_knows(story: Story) -> None:
    """Minutes after a session ended, the next one reads what was told in it."""
    requests = [one for one in story.stage.server.lane(Lane.MAIN) if "We never deploy" in one.text]
    assert isinstance(requests[0], CodexRequest)
    assert "6543" in "\n".join(requests[0].injected)


@pytest.mark.parametrize(
    "fact",
    [
        pytest.param("6543", id="a fact told in a prompt"),
        pytest.param("deploy window [feedback", id="a checkpoint, as an index line"),
        pytest.param("Thursday noon", id="a checkpoint's rule"),
        pytest.param("Half-way through the port change", id="a hot file"),
    ],
)
def test_memory_stands_in_the_next_session(story: Story, fact: str) -> None:
    """Index and hot files are in the request that the model gets, each in a message of its own, and once."""
    assert len([text for text in story.look.injected if fact in text]) == 1


def test_the_sandbox_is_a_real_one(story: Story) -> None:
    """The model's shell could write neither the home directory, nor the user state, nor what git keeps."""
    assert story.tool_result.count("cannot touch") == 3


def test_a_checkpoint_from_the_sandbox_reaches_the_raw_log(story: Story) -> None:
    """All that it needs to write lies in the memory, and it covers the turn it was written in."""
    assert "Stored: deploy window [feedback]" in story.tool_result
    log = story.stage.raw_log
    assert log.count("rule: never deploy after Thursday noon") == 1
    assert "request: We never deploy" not in log


def test_the_turn_is_kept_with_its_file(story: Story) -> None:
    """A turn without a checkpoint leaves its request, its outcome and the files it touched."""
    log = story.stage.raw_log
    assert log.count("6543, not on 5432") == 1
    assert "settings.py" in log


def test_each_event_ran_and_no_hook_misbehaves(story: Story) -> None:
    """The client ran every hook, was content with each output, and warned of nothing."""
    events = [hook.event for hook in story.sessions[0].hooks]
    assert {event: events.count(event) for event in set(events)} == {
        "sessionStart": 2,
        "userPromptSubmit": 1,
        "stop": 1,
    }
    assert story.stage.faults(*story.sessions) == []


def test_the_memory_is_whole(story: Story) -> None:
    """Every entry is reachable from the index, and each pointer resolves."""
    story.stage.hipocampus("compact", "--force")
    story.stage.hipocampus("verify")


def test_a_large_memory_arrives_whole(make_codex: Callable[[str], CodexStage]) -> None:
    """A year of Korean notes and a long working file fit the client's cap in bytes, so it cuts nothing out."""
    stage = make_codex("large")
    stage.init()
    stage.trust()
    day = "## 주제 {0} [project]\n- request: 속도 제한 {0} 을 고른다\n- outcome: 토큰 버킷 {0} 을 쓴다 limits{0}.py\n\n"
    for number in range(1, 29):
        log = "".join(day.format(f"{number}-{entry}") for entry in range(12))
        (stage.memory / f"2026-02-{number:02}.md").write_text(f"# 2026-02-{number:02}\n\n{log}", encoding="utf-8")
    (stage.project / "WORKING.md").write_text("# Working\n\n" + "- 지금 하는 일\n" * 4_000, encoding="utf-8")
    stage.hipocampus("compact", "--force")
    session = stage.client.run("안녕하세요.")
    root, hot = stage.server.last.injected
    assert "cli …`.\n" in root
    assert root.endswith("follow the skill hipocampus-compaction.")
    assert hot.endswith("</hipocampus-working-files>")
    for text in (root, hot):
        assert CLIENT_CAP * 0.6 < len(text.encode()) <= CLIENT_CAP
    assert stage.faults(session) == []


def test_the_same_tree_is_a_plugin_of_codex(make_codex: Callable[[str], CodexStage], plugin: str) -> None:
    """Added from a directory and reviewed, it works in a project that has a memory and no hooks of its own."""
    stage = make_codex("plugin")
    stage.hipocampus("init", "--host", "claude-code", "--yes")
    stage.hipocampus("remember", "--type", "feedback", RULE)
    stage.hipocampus("compact", "--force")
    stage.client.manage("plugin", "marketplace", "add", str(copy_plugin(plugin, stage.root / "tree")))
    stage.client.manage("plugin", "add", "hipocampus@hipocampus")
    assert [hook["trustStatus"] for hook in stage.client.hooks()] == ["untrusted"] * 6
    stage.client.trust_hooks()
    session = stage.client.run("The staging port is 6543.")
    assert shown(stage) == 1
    names = ("core", "recall", "remember", "search")
    assert [name for name in names if f"- hipocampus:{name}: " not in stage.server.last.text] == []
    stage.eventually("The staging port is 6543.")
    assert [hook["trustStatus"] for hook in stage.client.hooks()] == ["trusted"] * 6
    assert stage.faults(session) == []


@pytest.fixture
def stage(make_codex: Callable[[str], CodexStage]) -> CodexStage:
    """A project whose memory holds one rule."""
    made = make_codex("rule")
    made.init()
    made.hipocampus("remember", "--type", "feedback", RULE)
    made.hipocampus("compact", "--force")
    return made


RULE = "tabs and never spaces in makefiles"


def shown(stage: CodexStage) -> int:
    """How often the index stands before the model."""
    return sum(RULE in text for text in stage.server.last.injected)


def test_after_a_compaction_the_memory_is_back(stage: CodexStage) -> None:
    """The client drops what hooks said; what was told before is stored and shown, once, with the next prompt."""
    stage.trust()
    session = stage.client.start()
    session.ask("The staging port is 6543.")
    session.ask("/compact")
    session.ask("And now?")
    session.end()
    assert shown(stage) == 1
    assert "6543" in "\n".join(stage.server.last.injected)
    assert [hook.event for hook in session.hooks].count("preCompact") == 1
    assert stage.faults(session) == []


def test_a_compaction_in_mid_turn_brings_it_back_too(stage: CodexStage) -> None:
    """When the client runs out of room by itself, the turn goes on with the memory in front of it."""
    stage = stage.with_settings("model_auto_compact_token_limit=5000").trust()
    stage.server.plan(use("exec_command", cmd="true", input_tokens=6_000), say("Done."))
    session = stage.client.run("Work for long.")
    assert session.hooks[-1].event == "stop"
    assert shown(stage) == 1
    assert stage.faults(session) == []


def test_resuming_shows_nothing_twice(stage: CodexStage) -> None:
    """A conversation that was resumed holds the index of its first start; its turns are folded once."""
    stage.trust()
    stage.server.plan(say("Answer one."), say("Answer two."))
    first = stage.client.run("Name the retry policy.")
    stage.eventually("Name the retry policy.")
    second = stage.client.run("Name the timeout.", resume=first.id)
    stage.eventually("Name the timeout.")
    assert second.id == first.id
    assert shown(stage) == 1
    assert [hook.said for hook in second.hooks if hook.event == "sessionStart"] == [(), ()]
    texts = ("Name the retry policy.", "Name the timeout.", "Answer one.", "Answer two.")
    assert [stage.raw_log.count(text) for text in texts] == [1, 1, 1, 1]
    assert stage.faults(first, second) == []


@pytest.mark.parametrize("trusted", ["nothing", "the project"])
def test_without_trust_the_session_goes_on_and_knows_where_to_look(stage: CodexStage, trusted: str) -> None:
    """Hooks nobody reviewed are left out in silence; the block in AGENTS.md still leads to the index."""
    if trusted == "the project":
        stage.client.trust_project()
    done = stage.client.run_exec("Hello.")
    assert (done.returncode, done.stdout.strip()) == (0, "Understood.")
    assert stage.server.last.injected == []
    assert "memory/ROOT.md" in stage.server.last.text
    assert not (stage.memory / ".journal").exists()


def test_a_headless_run_remembers(stage: CodexStage) -> None:
    """`codex exec` with reviewed hooks is a session like any other, to its end."""
    stage.trust()
    done = stage.client.run_exec("The staging port is 6543.")
    assert (done.returncode, done.stdout.strip()) == (0, "Understood.")
    assert shown(stage) == 1
    stage.eventually_indexed("6543")


def test_a_session_without_a_transcript_is_remembered(stage: CodexStage) -> None:
    """`--ephemeral` writes no file; prompt and answer reach the memory through the hooks."""
    stage.trust()
    stage.server.plan(say("A token bucket."))
    done = stage.client.run_exec("Which limiter?", "--ephemeral")
    assert done.returncode == 0
    stage.eventually("A token bucket.")
    assert stage.raw_log.count("Which limiter?") == 1


def test_a_prompt_that_the_api_refused_is_kept(stage: CodexStage) -> None:
    """A turn that ends in an error has no Stop; its prompt is folded all the same, and the error is nobody's words."""
    stage.trust()
    stage.server.plan(refuse(400, "nothing today"))
    assert stage.client.run_exec("Rename the orders table.").returncode == 1
    stage.eventually("Rename the orders table.")
    assert "nothing today" not in stage.raw_log


def test_a_sub_agent_is_not_journalled(stage: CodexStage) -> None:
    """What the agent tells its helper, and what that answers, are not the user's conversation."""
    stage.trust()
    stage.server.plan(
        use("spawn_agent", message="Count the blue files."), use("exec_command", cmd="sleep 1"), say("It counted.")
    )
    session = stage.client.run("Let a helper count.")
    stage.eventually("It counted.")
    assert stage.server.lane(Lane.SUBAGENT)
    assert "Count the blue files" in stage.server.lane(Lane.SUBAGENT)[0].text
    told = stage.raw_log + "".join(path.read_text("utf-8") for path in stage.memory.glob(".journal/*.jsonl"))
    assert "Count the blue files" not in told
    assert "sub-agent is finished" not in told
    assert stage.faults(session) == []


@pytest.mark.parametrize("state", BROKEN_PYTHONS)
def test_a_broken_program_costs_the_session_nothing(stage: CodexStage, state: str) -> None:
    """Program gone, crashing, failing or asleep: the prompt is answered, and no prompt is refused or repeated."""
    stage.trust()
    python = stage.root / "python"
    if (script := BROKEN_PYTHONS[state]) is None:
        (stage.client.home / ".local" / "share" / "hipocampus" / "run").unlink()
    else:
        python.write_text(script, encoding="utf-8")
        python.chmod(0o755)
        stage = stage.with_environment(HIPOCAMPUS_PYTHON=str(python))
    session = stage.client.start()
    assert session.ask("Hello.") == "Understood."
    session.end()
    assert len(stage.server.lane(Lane.MAIN)) == 1
    assert state == "slow" or stage.faults(session) == []


def test_where_the_sandbox_may_not_write_it_says_so(stage: CodexStage) -> None:
    """In a read-only sandbox (an untrusted project has one) a checkpoint fails with one clear line, and the turn is
    kept by the hooks."""
    stage = stage.with_settings('sandbox_mode="read-only"').trust()
    stage.server.plan(use("exec_command", cmd=f"{CHECKPOINT}; echo status $?"), say("I could not."))
    session = stage.client.run("We never deploy after Thursday noon.")
    result = stage.server.last.messages[-1][1]
    said = result.partition("Output:\n")[2].strip().splitlines()
    assert len(said) == 2
    assert "nothing was written" in said[0]
    assert said[1] == "status 1"
    stage.eventually("We never deploy after Thursday noon.")
    assert stage.faults(session) == []


def test_a_worktree_works_on_the_memory_of_its_main_checkout(stage: CodexStage) -> None:
    """Hooks of a linked worktree read and fill that memory; the sandbox of the worktree may not, and says so.

    The client takes the hooks of the main checkout, but only for a worktree that has a ``.codex`` of its own.
    """
    tree = stage.root / "tree"
    stage.git("worktree", "add", "-q", str(tree), "-b", "side")
    (tree / ".codex").mkdir()
    stage.trust()
    below = stage.in_project(tree)
    below.client.trust_project()
    below.server.plan(use("exec_command", cmd=f"{CHECKPOINT}; echo status $?"), say("I could not."))
    session = below.client.run("Which makefile style?")
    stage.eventually("Which makefile style?")
    assert RULE in stage.server.lane(Lane.MAIN)[0].text
    assert "nothing was written" in stage.server.last.messages[-1][1]
    assert not (tree / "memory").exists()
    assert stage.faults(session) == []
