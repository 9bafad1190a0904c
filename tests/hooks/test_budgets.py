"""What a session start says about files that are over their budget."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.hooks import session_start
from hipocampus.install.templates import POLICY, template
from hipocampus.store.layout import Layout
from tests.hooks.conftest import MakeCall

ROWS = "| file | unit | budget | newest |\n|---|---|---|---|\n"


@pytest.fixture
def policy(layout: Layout) -> Path:
    """Where the policy lies; MEMORY.md has thirty lines."""
    Path(layout.root, "MEMORY.md").write_text("- a line\n" * 30)
    path = Path(layout.root, "compaction", POLICY)
    path.parent.mkdir()
    return path


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{ROWS}| MEMORY.md | lines | 30 | 5 |\n", ""),
        (template(POLICY), ""),
        (
            f"{ROWS}| MEMORY.md | lines | 20 | 5 |\n",
            "hipocampus: over budget: MEMORY.md 30/20 lines (`hipocampus budget compact --all`)",
        ),
        (
            f"<!-- {ROWS} -->\n{ROWS}| *.md | chars | 20 | 5 |\n",
            "hipocampus: over budget: MEMORY.md 270/20 chars (`hipocampus budget compact --all`)",
        ),
        (
            f"{ROWS}| MEMORY.md | pages | 20 | 5 |\n",
            "hipocampus: compaction/compaction-policy.md line 3, column unit: must be one of lines, chars, tokens, "
            "not 'pages'",
        ),
    ],
)
def test_the_line(make_call: MakeCall, policy: Path, text: str, line: str) -> None:
    """Names the files that are over, or the row that cannot be used; the example that `init` writes says nothing."""
    policy.write_text(text)
    assert session_start.handle(make_call("session-start", source="startup")).line == line


def test_more_than_have_room(make_call: MakeCall, policy: Path) -> None:
    """Three are named, the rest is counted."""
    for number in range(9):
        (policy.parent.parent / f"{number}.md").write_text("x" * 99)
    policy.write_text(f"{ROWS}| ?.md | chars | 20 | 5 |\n")
    assert " and 6 more (`hipocampus" in session_start.handle(make_call("session-start", source="startup")).line


@pytest.mark.parametrize("text", [None, template(POLICY), "# Budgets\n"])
def test_a_home_without_budgets_loads_nothing_for_them(layout: Layout, policy: Path, text: str | None) -> None:
    """Whether there is no policy, or only its example: the room of budgets is not even imported."""
    if text is not None:
        policy.write_text(text)
    code = (
        "import sys; from hipocampus.hooks import notices; from hipocampus.store.layout import Layout; "
        f"assert notices._over_budget(Layout({layout.root!r}, {layout.root!r})) == []; print(*sys.modules)"
    )
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert "hipocampus.hooks.notices" in done.stdout
    assert "hipocampus.budget" not in done.stdout
