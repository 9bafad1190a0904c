"""What recall costs: the prompt hook as a fresh process on a long memory, and the index that it looks into.

    python bench/recall_latency.py SESSIONS [--runs 31] [--copies 10] [--cache FILE]

SESSIONS is what ``bench/history.py`` takes. The hook is measured beside a bare start of Python, with a prompt that gets
a block, one that gets none, and "yes"; the limit is five times the bare start. The index is built from empty, then
after one new entry, and again on the same days repeated `--copies` times. Exit status 1 where a limit is passed.
With the extra ``[neural]``, and a file that ``bench/recall.py --cache`` made on the same sessions, the hook is measured
with the encoder, too; the limits are not meant for that.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from history import make_home
from neural import Kept

from hipocampus.recall.index import refresh_index
from hipocampus.recall.index_file import open_to_read
from hipocampus.store.config import defaults
from hipocampus.store.launcher import own_launcher
from hipocampus.store.layout import Layout, layout_at
from hooks import PYTHON, measured, prepared, quantile

PROMPTS = {
    "with a block": "Which podcasts would suit my daily commute, and when should I leave to be at work by nine?",
    "without one": "What does `git rebase --onto` do, and when would I use it?",
    "yes": "yes",
}
RATIO, MEGABYTES = 5.0, 40.0
FROM_EMPTY, NEW_DAY, GROWTH = 10.0, 0.5, 2.0


def build(layout: Layout) -> float:
    """Seconds that a refresh takes."""
    began = time.perf_counter()
    refresh_index(layout, defaults())
    return time.perf_counter() - began


def index_rows(layout: Layout) -> bool:
    """Print what the index costs; whether the limits held."""
    empty = build(layout)
    day = max((Path(layout.memory)).glob("????-??-??.md"))
    with day.open("a", encoding="utf-8") as file:
        file.write("\n## Rate limiting [project]\n- decisions: token bucket, 429 with Retry-After\n")
    fresh = build(layout)
    base = open_to_read(layout)
    sentences = base.execute("SELECT count(*) FROM sentence").fetchone()[0]
    base.close()
    size = os.path.getsize(layout.index) / 1e6
    print(f"index: {sentences} sentences, {size:.0f} MB; from empty {empty:.1f} s, one new entry {fresh:.2f} s")
    return empty <= FROM_EMPTY and fresh <= NEW_DAY


def hook_rows(env: Mapping[str, str], runs: int) -> tuple[bool, float]:
    """Print what the hook costs for each prompt; whether the limits held, and the median of the first."""
    held, first = True, 0.0
    print("| prompt | median ms | p95 ms | × bare | peak MB |\n|---|---|---|---|---|")
    for name, prompt in PROMPTS.items():
        bare, costs = [], []
        for run in range(runs):
            payload = {"session_id": f"bench-{run}", "prompt": prompt, "hook_event_name": "UserPromptSubmit"}
            bare.append(measured([PYTHON, "-I", "-S", "-c", "pass"], env).seconds)
            command = ["sh", own_launcher(), "prompt", "--host", "claude-code"]
            costs.append(measured(command, env, json.dumps(payload).encode()))
        middle = quantile([cost.seconds for cost in costs], 0.5)
        high = quantile([cost.seconds for cost in costs], 0.95)
        ratio, peak = middle / quantile(bare, 0.5), max(cost.peak for cost in costs) / 1e6
        print(f"| {name} | {middle * 1000:.0f} | {high * 1000:.0f} | {ratio:.1f} | {peak:.0f} |")
        held &= ratio <= RATIO and peak <= MEGABYTES
        first = first or middle
    return held, first


def main(arguments: list[str]) -> int:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--runs", type=int, default=31)
    parser.add_argument(
        "--copies", type=int, default=10, help="how often the days are repeated for the long history; 0: no"
    )
    parser.add_argument("--cache", default="", help="the file of vectors that bench/recall.py keeps")
    options = parser.parse_args(arguments)
    held, medians = True, []
    for copies in (1, options.copies) if options.copies else (1,):
        with tempfile.TemporaryDirectory(prefix="hipocampus-bench-") as folder:
            make_home(options.sessions, Path(folder) / "source", copies, user_only=True)
            built = index_rows(layout_at(str(Path(folder) / "source")))
            layout, env = prepared(folder, str(Path(folder) / "source"))
            kept, median = hook_rows(env, options.runs)
            if options.cache and copies == 1 and Kept.is_there():
                Kept(options.cache).give(layout)
                hook_rows(env, options.runs)
            held &= kept and (built or copies > 1)
            medians.append(median)
    if len(medians) > 1:
        print(f"{options.copies} times the history: {medians[1] / medians[0]:.1f} times the time")
        held &= medians[1] <= GROWTH * medians[0]
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
