"""A memory that is summarised night by night: recorded conversations of 91 days, and a model that is a script.

    python bench/summaries.py SESSIONS [--days 91]

SESSIONS is what ``bench/history.py`` takes. Each night the day's log is compacted and whatever waits is summarised,
each level after the one below it, by a script that says of every topic its first words. It prints what became of each
level, how much shorter it is than what it sums up, and what ROOT holds. Exit status 1 where something still waits that
should not, an answer was refused, or ``verify`` finds anything.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from history import make_home

from hipocampus.compaction.chain import compact
from hipocampus.compaction.verify import verify
from hipocampus.core.nodes import Summary, parse_node
from hipocampus.core.tokens import estimate_tokens
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at
from hipocampus.summarize.put import Put, put
from hipocampus.summarize.queue import matter_at, pending
from tests.summarize.scripted import good

LEVELS = ("daily", "weekly", "monthly")


def nightly(logs: Path, root: Path, days: int) -> tuple[list[Put], dict[str, tuple[int, int]], list[str]]:
    """Let the logs come in day by day; the answers, the sizes (input, summary) in tokens by node, and what is wrong."""
    layout, config = layout_at(str(root)), defaults()
    done: list[Put] = []
    sizes: dict[str, tuple[int, int]] = {}
    for log in sorted(logs.glob("????-??-??.md"))[:days]:
        shutil.copy(log, layout.raw(log.stem))
        now = datetime.fromisoformat(f"{log.stem}T23:00:00+09:00")
        compact(layout, config, now, force=True)
        while ready := [one for one in pending(layout, config, now) if one.is_next]:
            matter = matter_at(layout, config, ready[0])
            if matter is None:
                return done, sizes, [f"{ready[0].period} has no input"]
            done.append(put(layout, config, ready[0].period, good(matter), now, "script", of=ready[0].of))
            text = Path(layout.node(ready[0].level, ready[0].period)).read_text(encoding="utf-8")
            sizes[ready[0].period] = (matter.tokens, estimate_tokens(parse_node(text).body))
    wrong = [str(finding) for finding in verify(layout, config, now + timedelta(minutes=1))]
    return done, sizes, [*wrong, *(one.period for one in pending(layout, config, now))]


def main() -> int:
    """Print the tables; 1 where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions")
    parser.add_argument("--days", type=int, default=91)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, root = Path(folder) / "source", Path(folder) / "home"
        make_home(Path(options.sessions), source)
        (root / "memory").mkdir(parents=True)
        (root / "hipocampus.config.json").write_text('{"id": "0123456789abcdef"}', encoding="utf-8")
        done, sizes, wrong = nightly(source / "memory", root, options.days)
        print(f"{len(done)} answers, {sum(one.accepted for one in done)} accepted")
        for one in done:
            if not one.accepted:
                print(f"  {one.period}: {'; '.join(one.reasons)}")
        for level in LEVELS:
            nodes = [parse_node(path.read_text("utf-8")) for path in (root / "memory" / level).glob("*.md")]
            kinds = Counter(str(node.summary) for node in nodes)
            pairs = [sizes[node.period] for node in nodes if node.summary is Summary.LLM and node.period in sizes]
            part = f", {sum(b for _, b in pairs) / sum(a for a, _ in pairs):.0%} of their input" if pairs else ""
            print(f"{level:<8} {dict(kinds)}{part}")
        text = (root / "memory" / "ROOT.md").read_text("utf-8")
        print(f"ROOT     {estimate_tokens(text)} tokens, {text.count(chr(10))} lines")
        print("wrong:", wrong or "nothing")
    return 0 if not wrong and all(one.accepted for one in done) else 1


if __name__ == "__main__":
    sys.exit(main())
