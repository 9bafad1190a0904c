"""Of a transcript in its recorded shapes exactly the conversation is read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hipocampus.hosts.claude_transcript import read_transcript, understand
from hipocampus.hosts.transcript import Item, Prompt, Reply, Tool, fingerprint

IDS = {"uuid": "be45", "timestamp": "2026-11-29T23:57:40.517Z", "isSidechain": False, "cwd": "/home/u/proj"}
AT = "2026-11-29T23:57:40.517Z"


def user(content: object, **marks: object) -> dict[str, object]:
    """A line in the user's role."""
    return {"type": "user", "message": {"role": "user", "content": content}, "promptId": "5c18", **IDS, **marks}


def assistant(*blocks: object, **marks: object) -> dict[str, object]:
    """A line of the assistant."""
    message = {"id": "msg_1", "role": "assistant", "content": list(blocks)}
    return {"type": "assistant", "message": message, **IDS, **marks}


def text(words: str) -> dict[str, object]:
    """A text block."""
    return {"type": "text", "text": words}


def use(name: str, **arguments: object) -> dict[str, object]:
    """A tool call."""
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}


ASKED = Prompt("say hi", "be45", "5c18", AT)
SAID = Reply("hi", "msg_1", AT)

# a line as recorded, and the items it holds
LINES: list[tuple[str, dict[str, object], list[Item]]] = [
    ("a typed prompt", user("say hi", promptSource="typed", permissionMode="default"), [ASKED]),
    ("a prompt of an older client", user([text("say hi")]), [ASKED]),
    ("a prompt with an image", user([{"type": "image", "source": {}}, text("say hi")]), [ASKED]),
    ("a prompt beside an editor's note", user([text("<ide_opened_file>x</ide_opened_file>"), text("say hi")]), [ASKED]),
    ("a tool result", user([{"type": "tool_result", "content": "SECRET OUTPUT"}], toolUseResult={"stdout": "x"}), []),
    ("a structured result", user("x", toolUseResult={"stdout": "x"}), []),
    ("a skill's body", user("Base directory …", isMeta=True), []),
    ("a compact summary", user("This session …", isCompactSummary=True, isVisibleInTranscriptOnly=True), []),
    ("a sub-agent's prompt", user("look", isSidechain=True), []),
    ("a slash command", user("<command-name>/x</command-name><command-args>say hi</command-args>"), [ASKED]),
    ("a command without arguments", user("<command-name>/review</command-name>"), [Prompt("", "be45", "5c18", AT)]),
    ("a command's output", user("<local-command-stdout>ok</local-command-stdout>"), []),
    ("an interruption", user([text("[Request interrupted by user]")]), []),
    ("a background task's notice", user("<task-notification>done</task-notification>"), []),
    ("an answer", assistant(text("hi")), [SAID]),
    ("an answer that is a string", assistant() | {"message": {"id": "msg_1", "content": "hi"}}, [SAID]),
    ("thinking", assistant({"type": "thinking", "thinking": "SECRET THOUGHT", "signature": "x"}), []),
    ("a sub-agent's answer", assistant(text("hi"), isSidechain=True), []),
    ("an API error", assistant(text("API Error: 529"), isApiErrorMessage=True), []),
    ("a filler", assistant(text("No response requested.")), []),
    ("an edit", assistant(use("Edit", file_path="/a.py", new_string="SECRET CODE")), [Tool("Edit", "/a.py")]),
    ("a notebook edit", assistant(use("NotebookEdit", notebook_path="/a.ipynb")), [Tool("NotebookEdit", "/a.ipynb")]),
    ("a read", assistant(use("Read", file_path="/a.py")), [Tool("Read")]),
    ("a command", assistant(use("Bash", command="rm -rf x")), [Tool("Bash")]),
    (
        "words queued while the assistant worked",
        {"type": "queue-operation", "operation": "enqueue", "content": "say hi", "timestamp": AT, "sessionId": "s"},
        [Prompt("say hi", at=AT, via="queue")],
    ),
    ("a queue that was emptied", {"type": "queue-operation", "operation": "dequeue", "timestamp": AT}, []),
    (
        "queued words handed over",
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "say hi"}, **IDS},
        [Prompt("say hi", "be45", "", AT, "attached")],
    ),
    (
        "a queued notice",
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "<task-notification>x"}, **IDS},
        [],
    ),
    (
        "our own injected text",
        {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": ["ROOT"]}, **IDS},
        [],
    ),
    ("a compaction", {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}}, []),
    ("bookkeeping", {"type": "file-history-snapshot", "snapshot": {}}, []),
    ("the last prompt", {"type": "last-prompt", "lastPrompt": "say hi"}, []),
    ("a title", {"type": "summary", "summary": "Greeting", "leafUuid": "x"}, []),
]


@pytest.mark.parametrize(("line", "items"), [row[1:] for row in LINES], ids=[row[0] for row in LINES])
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_recorded_lines(line: dict[str, object], items: list[Item], separators: tuple[str, str]) -> None:
    """Each kind of line gives what was said in it and no more, however the JSON is spaced."""
    assert understand(json.dumps(line, separators=separators).encode()) == items


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"not json",
        b"[]",
        b'"user"',
        b'{"type":"user"',
        b"\0\0\0",
        b'{"type":"novelty","x":"user"}',
        b"[" * 9_000 + b'"user"',
    ],
)
def test_unknown_lines_are_not_understood(line: bytes) -> None:
    """A line of a kind we do not know is counted as such, never fatal."""
    assert understand(line) is None


@pytest.mark.parametrize(
    "line", [{"type": "user"}, {"type": "user", "message": 7}, {"type": "assistant", "message": {"content": 7}}]
)
def test_lines_with_wrong_types_hold_nothing(line: dict[str, object]) -> None:
    """A known kind with values of the wrong type has nothing to say."""
    assert understand(json.dumps(line).encode()) == []


def write(path: Path, *lines: dict[str, object]) -> None:
    """Append lines to a transcript."""
    with path.open("ab") as file:
        file.writelines(json.dumps(line).encode() + b"\n" for line in lines)


def test_reading_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """What was read once is not read again, and nothing between is missed."""
    path = tmp_path / "t.jsonl"
    write(path, user("one"))
    first = read_transcript(str(path))
    write(path, user("two"))
    second = read_transcript(str(path), first.offset, mark=fingerprint(str(path), first.offset))
    assert [item.text for item in first.items + second.items if isinstance(item, Prompt)] == ["one", "two"]
    assert (first.lines, first.understood, second.offset) == (1, 1, path.stat().st_size)


def test_text_blocks_of_one_message_are_one_reply(tmp_path: Path) -> None:
    """A message whose blocks stand on lines of their own is put together again."""
    path = tmp_path / "t.jsonl"
    write(path, assistant(text("first")), assistant(use("Bash")), assistant(text("second")))
    assert read_transcript(str(path)).items == (Reply("first\n\nsecond", "msg_1", AT), Tool("Bash"))


def test_a_half_written_line_waits(tmp_path: Path) -> None:
    """The last line is read when it is whole."""
    path = tmp_path / "t.jsonl"
    whole = json.dumps(user("say hi")).encode()
    path.write_bytes(whole[:40])
    first = read_transcript(str(path))
    path.write_bytes(whole + b"\n")
    assert (first.items, first.offset) == ((), 0)
    assert [type(item) for item in read_transcript(str(path), first.offset).items] == [Prompt]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + json.dumps(user("say hi")).encode() + b"\n",
        json.dumps(user("say hi")).encode() + b"\r\n",
        b"\xff\xfe garbage\n" + json.dumps(user("say hi")).encode() + b"\n",
    ],
    ids=["byte-order mark", "CRLF", "not UTF-8"],
)
def test_odd_bytes_do_not_hide_a_prompt(tmp_path: Path, content: bytes) -> None:
    """A byte-order mark, Windows line ends and bytes that are no text leave the prompt readable."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    assert [item.text for item in read_transcript(str(path)).items if isinstance(item, Prompt)] == ["say hi"]


def test_bytes_that_are_not_utf8_inside_a_prompt(tmp_path: Path) -> None:
    """A prompt with a broken character is kept with a replacement for it."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(json.dumps(user("say hi")).encode().replace(b"hi", b"h\xff") + b"\n")
    assert [item.text for item in read_transcript(str(path)).items if isinstance(item, Prompt)] == ["say h\ufffd"]


def test_a_read_is_bounded(tmp_path: Path) -> None:
    """One call reads about its limit, says that more is there, and later calls read all of it once."""
    path = tmp_path / "t.jsonl"
    write(path, *[user(f"prompt {number}") for number in range(50)])
    part = read_transcript(str(path), limit=1_000)
    assert part.offset < 2_000
    assert not part.complete
    seen = list(part.items)
    while not part.complete:
        part = read_transcript(str(path), part.offset, limit=1_000)
        seen += part.items
    assert [item.text for item in seen if isinstance(item, Prompt)] == [f"prompt {number}" for number in range(50)]


@pytest.mark.parametrize("change", ["shorter", "replaced", "other line ends"])
def test_a_rewritten_transcript_is_read_from_its_beginning(tmp_path: Path, change: str) -> None:
    """A file that is not the one read before is not trusted to go on at the old offset."""
    path = tmp_path / "t.jsonl"
    write(path, user("one"), user("two"))
    first = read_transcript(str(path))
    mark = fingerprint(str(path), first.offset)
    match change:
        case "shorter":
            path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n")
        case "replaced":
            lines = path.read_bytes().splitlines(keepends=True)
            path.write_bytes(b"".join(reversed(lines)) + lines[0])
        case _:
            path.write_bytes(b"x" * 7 + path.read_bytes())
    again = read_transcript(str(path), first.offset, mark=mark)
    assert again.restarted
    assert any(isinstance(item, Prompt) and item.text in ("one", "two") for item in again.items)


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A link, a pipe, a directory or nothing at all reads as nothing, at once, and keeps the offset."""
    target, link, pipe = tmp_path / "t.jsonl", tmp_path / "link.jsonl", tmp_path / "pipe.jsonl"
    write(target, user("say hi"))
    link.symlink_to(target)
    os.mkfifo(pipe)
    for path in (link, pipe, tmp_path, tmp_path / "absent", Path("/dev/zero")):
        part = read_transcript(str(path), 7)
        assert (part.items, part.offset, part.restarted) == ((), 7, False)


def test_a_line_without_end_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line longer than any conversation is not held in memory, and what follows it is read."""
    monkeypatch.setattr("hipocampus.hosts.transcript._LONGEST_LINE", 2_000_000)
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"type":"user","x":"' + b"x" * 5_000_000 + b'"}\n')
    write(path, user("say hi"))
    part = read_transcript(str(path))
    assert [item.text for item in part.items if isinstance(item, Prompt)] == ["say hi"]
    assert part.complete
