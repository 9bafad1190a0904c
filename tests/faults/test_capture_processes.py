"""Folds in real processes: side by side, killed at every write, and while hooks go on writing."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.capture.folding import fold_dead, fold_session
from hipocampus.capture.journal import dead_sessions
from hipocampus.core.entries import entry_id, parse_log
from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation, raw_texts

REPOSITORY = Path(__file__).parents[2]

FOLD = """
import sys
from datetime import datetime
from hipocampus.capture.folding import fold_session
from hipocampus.store.layout import Layout
root, session, now = sys.argv[1:4]
fold_session(Layout(root, root), session, datetime.fromisoformat(now), finished=True)
"""

FOLD_DEAD = """
import sys
from datetime import datetime
from hipocampus.capture.folding import fold_dead
from hipocampus.store.layout import Layout
root, _, now = sys.argv[1:4]
fold_dead(Layout(root, root), datetime.fromisoformat(now), "live")
"""

# The process dies by SIGKILL at its nth write, before it or behind it.
DYING = """
import os, signal, sys
from hipocampus.store import disk
left, behind = int(sys.argv[4]), sys.argv[5] == "behind"
def dying(real):
    def write(*arguments):
        global left
        left -= 1
        if left == 0 and not behind:
            os.kill(os.getpid(), signal.SIGKILL)
        real(*arguments)
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return write
disk.append, disk.replace = dying(disk.append), dying(disk.replace)
"""

PROMPTS = """
import sys
from datetime import datetime
from hipocampus.capture.journal import record_prompt
from hipocampus.hosts.claude_code import parse
from hipocampus.store.layout import Layout
root, session, now = sys.argv[1:4]
for number in range(40):
    words, name = f"please build part{sys.argv[4]}x{number}", f"{sys.argv[4]}-{number}"
    payload = {"session_id": session, "prompt": words, "prompt_id": name}
    record_prompt(Layout(root, root), parse("prompt", payload), datetime.fromisoformat(now))
"""


def run(code: str, layout: Layout, session: str, now: datetime, *more: str) -> subprocess.Popen[bytes]:
    """A process that runs `code` on the home."""
    arguments = [sys.executable, "-c", code, layout.root, session, now.isoformat(), *more]
    return subprocess.Popen(arguments, cwd=REPOSITORY, stderr=subprocess.PIPE)


def finished(process: subprocess.Popen[bytes]) -> int:
    """The exit status, after at most a minute."""
    _, errors = process.communicate(timeout=60)
    assert not errors, errors.decode()
    return process.returncode


def stored(layout: Layout, name: str) -> list[str]:
    """The texts of a field in all whole entries, sorted."""
    entries = [(day, entry) for day, text in raw_texts(layout).items() for entry in parse_log(text)]
    whole = [entry for day, entry in entries if entry.provenance.id == entry_id(day, entry.topic, entry.body)]
    return sorted(text for entry in whole for key, text in entry.fields if key == name)


@pytest.fixture
def talk(layout: Layout, tmp_path: Path, now: datetime) -> Conversation:
    """A session of a dozen turns, so that a fold makes more than one entry."""
    conversation = Conversation(layout, tmp_path, now)
    conversation.start()
    for number in range(12):
        conversation.ask(f"please build part{number}")
        conversation.answer(f"Result{number} is there.")
    return conversation


EXPECTED = sorted(f"Result{number} is there." for number in range(12))


def test_two_folds_at_once_store_once(talk: Conversation) -> None:
    """Several processes that fold one session and a fork of it agree on one result."""
    twin = talk.fork("9d00-fork")
    twin.ask("please build the rest")
    twin.answer("The rest is there.")
    folds = [run(FOLD, talk.layout, session, twin.at) for session in (talk.session, twin.session) * 2]
    assert [finished(process) for process in folds] == [0] * 4
    assert stored(talk.layout, "outcome") == sorted([*EXPECTED, "The rest is there."])


@pytest.mark.parametrize("place", ["before", "behind"])
@pytest.mark.parametrize("write", range(1, 7))
def test_a_fold_that_is_killed_is_done_again(talk: Conversation, write: int, place: str) -> None:
    """SIGKILL at any write of a fold: the next one completes it, and each turn stands once."""
    talk.ask("please build the last part")
    status = finished(run(DYING + FOLD, talk.layout, talk.session, talk.at, str(write), place))
    assert status in (0, -signal.SIGKILL)
    talk.answer("The last part is there.")
    fold_session(talk.layout, talk.session, talk.at)
    assert stored(talk.layout, "outcome") == sorted([*EXPECTED, "The last part is there."])
    assert stored(talk.layout, "request").count("please build the last part") == 1
    assert dead_sessions(talk.layout, talk.at.replace(year=2027), "") == []


def test_a_fold_is_killed_in_this_test(talk: Conversation) -> None:
    """The writes above are really reached: a fold of this session makes five."""
    assert finished(run(DYING + FOLD, talk.layout, talk.session, talk.at, "5", "before")) == -signal.SIGKILL


def test_prompts_that_arrive_during_folds_are_kept(talk: Conversation) -> None:
    """Hooks do not wait for a fold; what they append meanwhile is folded by the next one."""
    writers = [run(PROMPTS, talk.layout, talk.session, talk.at, str(number)) for number in range(2)]
    while any(process.poll() is None for process in writers):
        fold_session(talk.layout, talk.session, talk.at)
    assert [finished(process) for process in writers] == [0, 0]
    fold_session(talk.layout, talk.session, talk.at)
    said = [f"please build part{writer}x{number}" for writer in range(2) for number in range(40)]
    assert [text for text in stored(talk.layout, "request") if "x" in text] == sorted(said)


def test_dead_sessions_are_folded_by_whoever_comes_first(layout: Layout, tmp_path: Path, now: datetime) -> None:
    """Two session starts at once that find the same dead sessions store each of them once."""
    for number in range(6):
        conversation = Conversation(layout, tmp_path, now, f"session-{number}")
        conversation.ask(f"please build part{number}")
    later = now.replace(year=2027)
    assert [finished(process) for process in [run(FOLD_DEAD, layout, "", later) for _ in range(3)]] == [0] * 3
    assert stored(layout, "request") == [f"please build part{number}" for number in range(6)]
    assert fold_dead(layout, later, "").stored == ()
    assert dead_sessions(layout, later.replace(year=2028), "") == []
