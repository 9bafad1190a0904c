"""Events hold only what can be written and used as a file name."""

from __future__ import annotations

import pytest

from hipocampus.hosts.events import UNKNOWN_SESSION, path_of, session_name, text_of
from hipocampus.store.layout import is_safe_name


@pytest.mark.parametrize("value", [None, 7, [], {}, True, b"x"])
def test_what_is_no_text_is_empty(value: object) -> None:
    """A value of another type never reaches the code behind as text."""
    assert text_of(value) == ""


def test_lone_surrogates_can_be_written() -> None:
    """Text with half a surrogate pair, as JSON may hold it, is made encodable."""
    assert text_of("a\ud800b").encode() == b"a?b"


@pytest.mark.parametrize(
    "value",
    [
        "565e2c52-1b2c-4d3e-8f90-abcdefabcdef",
        "a/b",
        "../../etc/passwd",
        ".hidden",
        "세션",
        "x" * 500,
        "a b",
        "-",
        "a\0b",
    ],
)
def test_a_session_is_safe_as_a_file_name(value: str) -> None:
    """Whatever the host calls a session, its journal is one plain file in the journal's directory."""
    assert is_safe_name(session_name(value))


def test_a_plain_session_id_stays() -> None:
    """Ids as the hosts make them are not changed."""
    assert session_name("565e2c52-1b2c") == "565e2c52-1b2c"


def test_unsafe_ids_do_not_collide() -> None:
    """Two unsafe ids that look alike when cleaned stay two sessions."""
    assert session_name("a/b") != session_name("a:b")


@pytest.mark.parametrize("value", [None, "", 7])
def test_a_missing_session_has_a_name_of_its_own(value: object) -> None:
    """Turns of a session without an id are kept under one name."""
    assert session_name(value) == UNKNOWN_SESSION


@pytest.mark.parametrize(
    ("value", "expected"),
    [("/a/b", "/a/b"), ("a/b", ""), ("/a\0b", ""), (7, ""), ("", ""), ("~/x", ""), ("/x" * 2500, "")],
    ids=lambda value: repr(value)[:10],
)
def test_only_absolute_paths_are_paths(value: object, expected: str) -> None:
    """A relative path would mean another file in another directory; no system takes one of thousands of characters."""
    assert path_of(value) == expected
