"""What Codex's rollouts tell, in each of their forms. ``recorded/codex`` says what real clients wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipocampus.hosts.codex_transcript import head_of, read_transcript
from hipocampus.hosts.readers import reader_of
from hipocampus.hosts.transcript import Item, Part, Prompt, Reply, Tool, fingerprint

RECORDED = Path(__file__).parent / "recorded" / "codex"
NEW, OLD, BARE = "rollout-0.171.jsonl", "rollout-0.144.jsonl", "rollout-bare.jsonl"
FORMS = (NEW, OLD, BARE)
PROJECT = "/home/someone/project"


def read(name: str, **options: int) -> Part:
    return read_transcript(str(RECORDED / name), **options)


def said(items: tuple[Item, ...]) -> list[str]:
    """Prompts and replies in order, marked by who spoke."""
    return [f"> {item.text}" if isinstance(item, Prompt) else item.text for item in items if not isinstance(item, Tool)]


def files(items: tuple[Item, ...]) -> set[str]:
    return {item.file for item in items if isinstance(item, Tool) and item.file}


SAID_IN_BOTH = [
    "> Name the port",
    "The port is 6543.",
    "> patch it",
    "I patch it.",
    "OK",
    "> spawn a helper",
    "> use a tool",
    "OK",
]
CONVERSATIONS = {
    NEW: [*SAID_IN_BOTH, "> go on", "OK"],
    OLD: SAID_IN_BOTH,
    BARE: ["> Name the port", "The port is 6543.", "> patch it", "Patched."],
    "rollout-0.171-fork.jsonl": ["> on another way", "OK"],
    "rollout-0.171-sub-agent.jsonl": [],
}


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_what_was_said_is_read(name: str) -> None:
    """Words of the user and the assistant, each once and in order: no instructions, hook texts, summaries or skills,
    nothing of a sub-agent, and of a fork only what is its own."""
    assert said(read(name).items) == CONVERSATIONS[name]


@pytest.mark.parametrize("name", FORMS)
def test_every_line_is_understood(name: str) -> None:
    """No kind of line that the client writes is unknown."""
    part = read(name)
    assert part.lines == part.understood == len((RECORDED / name).read_bytes().splitlines())
    assert part.complete
    assert part.offset == (RECORDED / name).stat().st_size


@pytest.mark.parametrize(
    ("name", "changed", "tools"),
    [
        (NEW, {"new.py", "README.md"}, {"exec_command", "apply_patch", "spawn_agent"}),
        (OLD, {"new.py", "README.md"}, {"exec_command", "apply_patch", "spawn_agent"}),
        (BARE, {"new.py"}, {"shell", "apply_patch", "local_shell_call"}),
    ],
)
def test_tools_and_changed_files_are_read(name: str, changed: set[str], tools: set[str]) -> None:
    """Which tools a turn used, and which files it changed, each by one path whatever way it was named."""
    items = read(name).items
    assert files(items) == {f"{PROJECT}/{file}" for file in changed}
    assert {item.name for item in items if isinstance(item, Tool)} == tools


@pytest.mark.parametrize("name", [NEW, OLD])
def test_a_prompt_has_the_id_that_the_hooks_give(name: str) -> None:
    """The turn's id, which the prompt hook got as well, and the line's own moment."""
    first, second = [item for item in read(name).items if isinstance(item, Prompt)][:2]
    lines = (RECORDED / name).read_text(encoding="utf-8").splitlines()
    started = [json.loads(line)["payload"] for line in lines if '"task_started"' in line]
    turns = [one.get("turn_attribution", one)["turn_id"] for one in started]
    assert [first.prompt_id, second.prompt_id] == turns[:2]
    assert first.at < second.at


@pytest.mark.parametrize("name", [NEW, OLD])
def test_words_typed_into_a_running_turn_belong_to_it(name: str) -> None:
    """The client gives them the id of that turn; here while a helper was at work."""
    ids = {item.text: item.prompt_id for item in read(name).items if isinstance(item, Prompt)}
    assert ids["spawn a helper"] == ids["use a tool"] != ids["patch it"]


@pytest.mark.parametrize("name", FORMS)
def test_reading_on_reads_each_line_once(name: str) -> None:
    """Stopped after any number of bytes and read on from there, the same is said, by the same view."""
    path = str(RECORDED / name)
    whole = read(name)
    for limit in (1, 700, 5_000):
        items: list[Item] = []
        offset = 0
        while True:
            part = read(name, offset=offset, limit=limit, mark=fingerprint(path, offset))
            assert not part.restarted
            items += part.items
            offset = part.offset
            if part.complete and offset == whole.offset:
                break
        assert said(tuple(items)) == said(whole.items)
        assert files(tuple(items)) == files(whole.items)


@pytest.mark.parametrize("name", FORMS)
def test_a_half_written_last_line_waits(name: str, tmp_path: Path) -> None:
    """It is neither read nor passed over, and read when it is whole."""
    content = (RECORDED / name).read_bytes()
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(content[:-20])
    first = read_transcript(str(path))
    path.write_bytes(content)
    second = read_transcript(str(path), first.offset, mark=fingerprint(str(path), first.offset))
    assert not second.restarted
    assert said(first.items + second.items) == said(read(name).items)


@pytest.mark.parametrize("replaced", [True, False])
def test_another_file_in_its_place_is_read_from_the_beginning(tmp_path: Path, replaced: bool) -> None:
    """A rollout that became shorter or another one is not read from the middle."""
    path = tmp_path / "rollout.jsonl"
    path.write_bytes((RECORDED / NEW).read_bytes())
    offset = read_transcript(str(path)).offset
    mark = fingerprint(str(path), offset)
    other = (RECORDED / OLD).read_bytes()
    path.write_bytes(other * 3 if replaced else other)
    part = read_transcript(str(path), offset, mark=mark)
    assert part.restarted
    assert said(part.items)[:2] == CONVERSATIONS[OLD][:2]


def test_a_file_that_a_newer_client_went_on_with_is_read_through(tmp_path: Path) -> None:
    """Both forms in one file are read, and nothing is said twice."""
    path = tmp_path / "rollout.jsonl"
    path.write_bytes((RECORDED / OLD).read_bytes() + (RECORDED / NEW).read_bytes())
    assert said(read_transcript(str(path)).items) == CONVERSATIONS[OLD] + CONVERSATIONS[NEW]


def test_the_view_is_known_behind_long_instructions(tmp_path: Path) -> None:
    """Where the conversation begins only after megabytes of instructions, the host's text is nobody's word either."""
    first, *rest = (RECORDED / NEW).read_text(encoding="utf-8").splitlines()
    long = json.dumps({"timestamp": "2026-03-15T10:22:03Z", "type": "world_state", "payload": {"text": "x" * 2**20}})
    path = tmp_path / "rollout.jsonl"
    path.write_text("\n".join([first, long, *rest, ""]), encoding="utf-8")
    assert said(read_transcript(str(path)).items) == CONVERSATIONS[NEW]


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[1]",
        b'"text"',
        b"null",
        b"{}",
        b"\xff\xfe",
        b'{"type":"from_the_future","payload":{}}',
        b'{"timestamp":"","type":"event_msg","payload":{"type":"from_the_future"}}',
        b'{"timestamp":"","type":"response_item","payload":{"type":"from_the_future"}}',
    ],
)
def test_an_unknown_line_is_passed_over_and_counted(line: bytes, tmp_path: Path) -> None:
    """It hides nothing of the others, and the count says that it was not understood."""
    content = (RECORDED / NEW).read_bytes().splitlines(keepends=True)
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(b"".join([content[0], line, b"\n", *content[1:]]))
    part = read_transcript(str(path))
    assert said(part.items) == CONVERSATIONS[NEW]
    assert (part.lines, part.understood) == (len(content) + 1, len(content))


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "item_completed"},
        {"type": "item_completed", "item": []},
        {"type": "item_completed", "item": {"type": "UserMessage", "content": 7}},
        {"type": "item_completed", "item": {"type": "AgentMessage", "content": [None, {"text": 7}]}},
        {"type": "item_completed", "item": {"type": "FileChange", "status": "failed", "changes": {"/x": {}}}},
        {"type": "item_completed", "item": {"type": "FileChange", "changes": "x"}},
        {"type": "patch_apply_end", "success": False, "changes": {"/x": {}}},
        {"type": "user_message", "message": None},
        {"type": "agent_message"},
        {"type": "task_started", "turn_attribution": 7},
    ],
)
def test_an_event_of_another_shape_says_nothing(payload: object, tmp_path: Path) -> None:
    """Wrong values are empty ones, and a patch that failed changed no file."""
    path = tmp_path / "rollout.jsonl"
    path.write_text(json.dumps({"timestamp": "t", "type": "event_msg", "payload": payload}) + "\n", encoding="utf-8")
    part = read_transcript(str(path))
    assert part.items == ()
    assert part.lines == part.understood == 1


def test_a_head_tells_where_and_when_it_began() -> None:
    """Of the newest form everything, of the oldest what it has, of no rollout nothing."""
    new, bare = head_of(str(RECORDED / NEW)), head_of(str(RECORDED / BARE))
    assert (new.cwd, new.branch, new.is_sub_agent) == (PROJECT, "main", False)
    assert new.session == "00000000-0000-7000-8000-000000000001"
    assert (bare.cwd, bare.branch, bare.at) == (PROJECT, "main", "2025-09-15T10:22:03.000Z")
    assert head_of(str(RECORDED / "rollout-0.171-sub-agent.jsonl")).is_sub_agent
    assert head_of("/nowhere").session == ""


def test_words_without_a_moment_have_that_of_the_file() -> None:
    """The oldest form dates only its first line, so that back-fill knows at least the day."""
    assert {item.at for item in read(BARE).items if isinstance(item, Prompt | Reply)} == {"2025-09-15T10:22:03.000Z"}


def test_the_reader_is_found_by_the_hosts_name() -> None:
    """The journal knows only the name."""
    assert reader_of("codex") is read_transcript
