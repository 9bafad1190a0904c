"""An import beside a session that goes on: neither waits for the other for long, and all of both is told once."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

from hipocampus.capture.folding import fold_dead, fold_session
from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.capture.conversation import Conversation
from tests.capture.pasts import PastTalk, told

ROOT = Path(__file__).parents[2]


def test_a_session_goes_on(layout: Layout, env: dict[str, str], tmp_path: Path, now: datetime) -> None:
    """Hooks journal, fold and compact while another process imports a month; another import is refused meanwhile."""
    for number in range(40):
        at = f"2026-02-{number % 28 + 1:02}T{number // 28 + 10}:00:00+09:00"
        past = PastTalk(layout, env, at, f"{number:02}aaa-{number}")
        for step in range(3):
            past.say(f"past {number} asks about step {step}", f"Past {number} did step {step}.")
    command = [sys.executable, "-m", "hipocampus", "import", "--yes"]
    surroundings = {**env, "PYTHONPATH": str(ROOT), "HIPOCAMPUS_NOW": now.isoformat()}
    importing = subprocess.Popen(
        command, cwd=layout.root, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    talk = Conversation(layout, tmp_path, now, "live-session")
    talk.start()
    count = 0
    while importing.poll() is None or count < 3:
        talk.ask(f"live question {count}")
        talk.answer(f"Live answer {count}.")
        fold_session(layout, talk.session, talk.at)
        fold_dead(layout, talk.at, talk.session)
        if count % 3 == 0:
            compact(layout, defaults(), talk.at, force=True)
        count += 1
    out, err = importing.communicate()
    assert (importing.returncode, err) == (0, "")
    assert "Added 40 entries" in out
    expected = [f"past {number} asks about step {step}" for number in range(40) for step in range(3)]
    expected += [f"live question {number}" for number in range(count)]
    assert sorted(told(layout)) == sorted(expected)
    assert len(told(layout, "outcome")) == len(expected)
    compact(layout, defaults(), talk.at, force=True)
    assert verify(layout, defaults(), talk.at) == []
    assert [name for name in os.listdir(layout.journal) if name.endswith(".jsonl")] == ["live-session.jsonl"]
