"""OpenClaw's transcript files: what is read of them, from where, and what is passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipocampus.hosts.openclaw_transcript import read_transcript, understand
from hipocampus.hosts.readers import reader_of
from hipocampus.hosts.transcript import Prompt, Reply, fingerprint

RECORDED = Path(__file__).parent / "recorded" / "openclaw" / "transcript-2026.9.6.jsonl"


def message(text: str, role: str = "user", entry: str = "e1") -> bytes:
    """A line with one message."""
    said = {"role": role, "content": [{"type": "text", "text": text}]}
    line = {"type": "message", "id": entry, "timestamp": "2026-03-15T10:22:03.000Z", "message": said}
    return json.dumps(line).encode() + b"\n"


def test_a_recorded_transcript() -> None:
    """All lines of the real client are known, and the two messages are read with their ids and moments."""
    part = read_transcript(str(RECORDED))
    asked, answered = part.items
    assert isinstance(asked, Prompt)
    assert isinstance(answered, Reply)
    assert (asked.text, asked.uuid, asked.at) == (
        "We indent with tabs.",
        "654f72c6-630e-4e8e-bb16-294641ef6457",
        "2026-11-30T05:24:50.897Z",
    )
    assert answered.text == "Understood."
    assert part.lines == part.understood == 7


def test_it_is_the_reader_of_the_host() -> None:
    """Back-fill finds it by the host's name."""
    assert reader_of("openclaw") is read_transcript


def test_reading_goes_on_where_it_ended(tmp_path: Path) -> None:
    """From a saved position only what is new is read; a half-written last line waits for its end."""
    path = tmp_path / "one.jsonl"
    path.write_bytes(message("first") + message("second")[:-10])
    first = read_transcript(str(path))
    mark = fingerprint(str(path), first.offset)
    path.write_bytes(message("first") + message("second") + message("third"))
    second = read_transcript(str(path), first.offset, mark=mark)
    assert [item.text for part in (first, second) for item in part.items if isinstance(item, Prompt)] == [
        "first",
        "second",
        "third",
    ]


def test_a_replaced_file_is_read_from_its_beginning(tmp_path: Path) -> None:
    """A position in another file means nothing."""
    path = tmp_path / "one.jsonl"
    path.write_bytes(message("old and rather long, longer than what comes later"))
    mark = fingerprint(str(path), path.stat().st_size)
    offset = path.stat().st_size
    path.write_bytes(message("new"))
    part = read_transcript(str(path), offset, mark=mark)
    assert part.restarted
    assert [item.text for item in part.items if isinstance(item, Prompt)] == ["new"]


KNOWN = [
    {"type": "compaction", "summary": 'a "message" of old'},
    {"type": "custom_message", "content": "not said"},
    {"type": "reset"},
    {"type": "label", "label": "x"},
    {"type": "message", "message": {"role": "toolResult", "content": "output"}},
    {"type": "message", "message": "broken"},
]


@pytest.mark.parametrize("line", KNOWN)
def test_lines_without_conversation(line: object) -> None:
    """Known lines without a message of user or assistant hold nothing, whatever words stand in them."""
    assert understand(json.dumps(line).encode()) == []


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"7", b'{"type": "of another version"}', b"\xff\xfe"])
def test_unknown_lines(line: bytes) -> None:
    """Anything else is counted as not understood, and is no error."""
    assert understand(line) is None
