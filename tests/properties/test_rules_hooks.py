"""Hooks never hurt, whatever the host or a stranger puts on their input."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.hooks.runner import ENTRIES, run

from .memories import at, memory

bounded = settings(max_examples=15, deadline=None)
# The others start a child of their own, which only real processes can show; see tests/hooks and tests/e2e.
IN_PROCESS = sorted({"session-start", "hot-files", "prompt", "checkpoint"} & ENTRIES.keys())

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("session_id", "transcript_path", "cwd", "prompt", "prompt_id", "source", "last_assistant_message", "agent_id")
PAYLOADS = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6).map(lambda value: json.dumps(value).encode())
INPUTS = PAYLOADS | VALUES.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=200)


def output_of(entry: str, payload: bytes, env: Mapping[str, str]) -> bytes:
    """What a hook prints, run in this process on real descriptors."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        stdin.write(payload)
        stdin.seek(0)
        run(entry, ["--host", "claude-code"], stdin.fileno(), stdout.fileno(), env, at(date(2026, 3, 10)))
        stdout.seek(0)
        return stdout.read()


@pytest.mark.parametrize("entry", IN_PROCESS)
@given(payload=INPUTS)
@bounded
def test_any_input_gives_at_most_one_object(entry: str, payload: bytes) -> None:
    """Rule 9: no exception leaves a hook, and what it prints is nothing or one JSON object."""
    with memory() as found:
        env = {**found.env, "CLAUDE_PROJECT_DIR": found.layout.project}
        printed = output_of(entry, payload, env)
        assert not printed or isinstance(json.loads(printed), dict)


@pytest.mark.parametrize("entry", IN_PROCESS)
@given(payload=INPUTS)
@settings(max_examples=5, deadline=None)
def test_no_hook_creates_anything_without_a_home(entry: str, payload: bytes) -> None:
    """Rule 9: in a project that never asked for memory no hook leaves a file."""
    with memory() as found:
        bare = Path(found.layout.root).parent / "bare"
        bare.mkdir()
        output_of(entry, payload, {**found.env, "CLAUDE_PROJECT_DIR": os.fspath(bare)})
        assert [*bare.iterdir()] == []


@pytest.mark.parametrize("entry", IN_PROCESS)
@given(payload=INPUTS)
@settings(max_examples=5, deadline=None)
def test_switched_off_is_a_no_op(entry: str, payload: bytes) -> None:
    """Rule 9: with HIPOCAMPUS_DISABLE=1 nothing is printed and nothing changes."""
    with memory() as found:
        before = found.files()
        env = {**found.env, "CLAUDE_PROJECT_DIR": found.layout.project, "HIPOCAMPUS_DISABLE": "1"}
        assert output_of(entry, payload, env) == b""
        assert found.files() == before
