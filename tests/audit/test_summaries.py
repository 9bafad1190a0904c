"""The audit looks into the summaries of a memory file, and leaves them readable."""

from __future__ import annotations

from pathlib import Path

from hipocampus.audit.mending import mend
from hipocampus.audit.survey import survey
from hipocampus.dag.compact import compact
from hipocampus.dag.store import read_state
from hipocampus.store.config import load
from tests.audit.conftest import KEY_BLOCK, TOKEN
from tests.dag.conftest import text_of


def test_a_whole_state_has_no_finding(layout, env, now, found_home) -> None:
    """Its ids and hashes are no secrets."""
    Path(layout.root, "MEMORY.md").write_text(text_of(*range(130)), encoding="utf-8")
    config = load(layout, env)
    compact(layout, config, now, "MEMORY.md")
    assert survey(found_home, config.policy, env).findings == ()


def test_a_secret_is_found_and_cut_out(layout, env, now, found_home) -> None:
    """One that an older version left, on one line or several; what is left is a state."""
    Path(layout.root, "MEMORY.md").write_text(text_of(*range(40)), encoding="utf-8")
    config = load(layout, env)
    compact(layout, config, now, "MEMORY.md")
    path = Path(layout.summaries)
    block = KEY_BLOCK.replace("\n", "\n    ")
    text = path.read_text(encoding="utf-8").replace(
        "  text: |2-\n", f"  text: |2-\n    token={TOKEN}\n    {block} after\n", 1
    )
    path.write_text(text, encoding="utf-8")
    assert {finding.file for finding in survey(found_home, config.policy, env).findings} == {"dag/state.yaml"}
    done = mend(found_home, config, env, now)
    assert list(done.lines) == ["dag/state.yaml"]
    assert survey(found_home, config.policy, env).findings == ()
    state = read_state(layout)
    assert state.faults == ()
    assert sorted(state.graph.nodes) == ["s-001", "s-002"]
    assert "[REDACTED" in state.graph.nodes["s-001"].text
