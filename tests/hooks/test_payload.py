"""Reading what the host says: bounded in time and size, whatever comes."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hooks.payload import parse, read_payload


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe: reading end, writing end."""
    reading, writing = os.pipe()
    yield reading, writing
    for number in (reading, writing):
        try:
            os.close(number)
        except OSError:  # the test has closed it
            continue


def fed(pipe: tuple[int, int], content: bytes, seconds: float = 5.0, limit: int = 1 << 20) -> Any:
    """What is read when a writer sends `content` and closes."""

    def write() -> None:
        with open(pipe[1], "wb") as file:
            file.write(content)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return read_payload(pipe[0], seconds, limit)
    finally:
        os.close(pipe[0])
        writer.join()


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.dictionaries(st.text(), inner))
)
def test_every_json_value_is_read_back(value: Any) -> None:
    """What a host can say arrives as it was said."""
    assert parse(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    "content",
    [b"", b" \n", b"{", b'{"a": ', b"\0", b"not json", b"[" * 100_000, b'{"a": 1} trailing', b"\xff\xfe\x00"],
    ids=lambda content: repr(content[:12]),
)
def test_what_is_no_json_is_none(content: bytes) -> None:
    """Empty, cut off, binary and absurdly nested input is no payload and no error."""
    assert parse(content) is None


def test_a_byte_order_mark_and_bad_utf8_are_tolerated() -> None:
    """Bytes that are not UTF-8 become replacement marks, and a byte-order mark is not part of the text."""
    assert parse(b'\xef\xbb\xbf{"a": "\xff"}') == {"a": "\ufffd"}


def test_a_large_payload_arrives_whole(pipe: tuple[int, int]) -> None:
    """Five megabytes of prompt come through a pipe in many pieces."""
    payload = {"prompt": "가나다 abc " * 400_000}
    assert fed(pipe, json.dumps(payload, ensure_ascii=False).encode(), limit=8 << 20) == payload


def test_more_than_the_limit_is_none(pipe: tuple[int, int]) -> None:
    """Past the limit reading stops; half a payload is none."""
    reader: list[Any] = []
    thread = threading.Thread(target=lambda: reader.append(read_payload(pipe[0], 5.0, 1000)))
    thread.start()
    os.write(pipe[1], b'{"prompt": "' + b"x" * 5000)
    thread.join()
    assert reader == [None]


def test_a_pipe_that_stays_open_is_not_waited_for(pipe: tuple[int, int]) -> None:
    """A complete object on an open pipe is taken long before the time is up."""
    os.write(pipe[1], b'{"a": 1}\n')
    began = time.monotonic()
    assert read_payload(pipe[0], 60.0) == {"a": 1}
    assert time.monotonic() - began < 30


def test_an_object_that_comes_in_pieces_is_not_cut(pipe: tuple[int, int]) -> None:
    """A piece that happens to end in a brace is not taken for the whole."""

    def write() -> None:
        os.write(pipe[1], b'{"a": {"b": 1}')
        time.sleep(0.2)
        os.write(pipe[1], b', "c": 2}')

    writer = threading.Thread(target=write)
    writer.start()
    assert read_payload(pipe[0], 60.0) == {"a": {"b": 1}, "c": 2}
    writer.join()


def test_silence_ends_with_the_time(pipe: tuple[int, int]) -> None:
    """A host that says nothing and closes nothing costs the given time, no more."""
    assert read_payload(pipe[0], 0.1) is None
