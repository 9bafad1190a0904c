"""What summaries of a memory file cost, by the size of the file.

    python bench/dag.py [--runs 3] [--most 10000]

Each row is a fresh process that imports the library and runs once over a file of so many entries of about 400
characters: from nothing, with nothing new, and with twenty more entries. Seconds are of processor time, medians; behind
entries and seconds stands by how much they grew from the row above. The
floor is a pass over the file that splits it into entries and redacts them, without which nothing may be written. Exit
status 1 where the time for an entry grows by more than a half from the smallest file to the largest.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIZES = (1000, 3000, 10_000)
GROWTH = 1.5
RUN = """
import sys, time
from datetime import datetime
from hipocampus.dag.compact import compact
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at
begun = time.process_time()
done = compact(layout_at(sys.argv[1]), defaults(), datetime.fromisoformat("2026-03-15T10:00:00+09:00"), "MEMORY.md")
print(time.process_time() - begun, len(done.made), max((node.depth for node in done.made), default=-1))
"""
FLOOR = """
import sys, time
from hipocampus.core.sections import split
from hipocampus.redaction import scrub
text = open(sys.argv[1] + "/MEMORY.md", encoding="utf-8").read()
begun = time.process_time()
sections = split(text)
for piece in sections.entries:
    scrub(sections.of(piece))
print(time.process_time() - begun, 0, 0)
"""
SUBJECTS = ("Rate limiting", "Retries", "Login form", "Search index", "Payment webhook", "Deploy", "Cache")


def entry(number: int) -> str:
    """An entry as an agent writes it; now and then a rule of the user."""
    if number % 11 == 5:
        return f"## Answers {number} [feedback]\n- rule: keep answer {number} short\n- why: it is read on a phone\n"
    subject = SUBJECTS[number % len(SUBJECTS)]
    return (
        f"## {subject} {number // 50} [project]\n"
        f"<!-- hipocampus: id={number:012x} at=2026-{1 + number % 12:02d}-{1 + number % 28:02d}T10:22:03+09:00 -->\n"
        f"- request: make step {number} of the public API work under load\n"
        f"- decisions: token bucket over leaky bucket because bursts of {number} requests are legitimate traffic\n"
        f"- outcome: middleware in src/part_{number}.py; checked with `pytest tests/test_{number}.py` in {number} ms\n"
        + (f"- open: KeyError: 'user_{number}' is still raised at login\n" if number % 6 == 0 else "")
    )


def seconds(script: str, home: str) -> tuple[float, int, int]:
    """What a script prints of one run over a home."""
    command = [sys.executable, "-c", script, home]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    time, made, depth = done.stdout.split()
    return float(time), int(made), int(depth)


def measured(count: int, runs: int) -> tuple[float, float, float, float, int, int, int]:
    """Floor, from nothing, nothing new, twenty more (seconds), summaries, depth, bytes of the state."""
    rows = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as home:
            os.mkdir(os.path.join(home, "memory"))
            memory = Path(home, "MEMORY.md")
            memory.write_text("# Memory\n\n" + "\n".join(map(entry, range(count))), encoding="utf-8")
            floor = seconds(FLOOR, home)[0]
            whole, made, depth = seconds(RUN, home)
            again = seconds(RUN, home)[0]
            with memory.open("a", encoding="utf-8") as file:
                file.write("\n" + "\n".join(map(entry, range(count, count + 20))))
            more = seconds(RUN, home)[0]
            rows.append((floor, whole, again, more, made, depth, Path(home, "dag", "state.yaml").stat().st_size))
    floor, whole, again, more = (statistics.median(row[at] for row in rows) for at in range(4))
    return floor, whole, again, more, *rows[0][4:]


def main() -> int:
    """Print the table; 1 where time does not grow with the file alone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    options = parser.parse_args()
    print(f"{'entries':>8} {'×':>5} {'floor s':>8} {'from nothing s':>15} {'×':>5} {'ms an entry':>12} "
          f"{'nothing new s':>14} {'20 more s':>10} {'summaries':>10} {'depth':>6} {'state kB':>9}")  # fmt: skip
    each: list[float] = []
    before = (0, 0.0)
    for count in (size for size in SIZES if size <= options.most):
        floor, whole, again, more, made, depth, size = measured(count, options.runs)
        each.append(whole / count)
        larger, longer = (f"{new / old:.1f}" if old else "" for new, old in zip((count, whole), before, strict=True))
        before = (count, whole)
        print(f"{count:>8} {larger:>5} {floor:>8.2f} {whole:>15.2f} {longer:>5} {1000 * each[-1]:>12.2f} "
              f"{again:>14.2f} {more:>10.2f} {made:>10} {depth:>6} {size / 1000:>9.0f}")  # fmt: skip
    grown = each[-1] / each[0]
    print(f"time for an entry, largest to smallest file: {grown:.2f} (limit {GROWTH})")
    return 1 if grown > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
