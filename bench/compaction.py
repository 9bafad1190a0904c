"""What compaction costs, on recorded conversations of 91 days and of three years.

    python bench/compaction.py SESSIONS [--runs 5] [--copies 12]

SESSIONS is what ``bench/history.py`` takes. Each row is a fresh process that imports the library and runs one cycle, as
the child of a hook does: from empty nodes, with nothing new, and with one new entry. Wall time and processor time are
medians; a bare start of the interpreter is the floor. A second table says what ROOT holds at several budgets. Exit
status 1 where a limit (for a machine whose bare Python starts in 11 ms) is passed; limits grow with the machine.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from history import make_home

from hipocampus.compaction.bodies import digest_of
from hipocampus.compaction.room import Size
from hipocampus.compaction.root import build_root
from hipocampus.core.nodes import parse_node, render_node
from hipocampus.core.tokens import estimate_tokens
from hipocampus.redaction import DEFAULT

ROOT = Path(__file__).parents[1]
BARE_MS = 11.0
LIMITS = {"from empty": 10.0, "nothing new": 0.2, "one new entry": 0.5}
NODES = ("daily", "weekly", "monthly")
CYCLE = """
import sys
from datetime import datetime
from hipocampus.compaction.chain import compact
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at
compact(layout_at(sys.argv[1]), defaults(), datetime.fromisoformat(sys.argv[2]), force=True)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of wall time and of processor time, and the largest resident size in megabytes."""

    wall: float
    processor: float
    peak: float


# A child's peak is at least that of the process which started it, so a small one starts and times it.
STARTER = """
import os, sys, time
began = time.perf_counter()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, status)
"""


def measured(*command: str) -> Cost:
    """One fresh process."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    starter = [sys.executable, "-I", "-S", "-c", STARTER, sys.executable, *command]
    done = subprocess.run(starter, env=env, capture_output=True, check=True, encoding="utf-8")
    wall, processor, peak, status = done.stdout.split()
    if status != "0":
        raise SystemExit(f"a cycle failed: {done.stderr}")
    return Cost(float(wall), float(processor), float(peak))


def median(costs: Sequence[Cost]) -> Cost:
    """The medians of each measure."""
    return Cost(
        *(statistics.median(values) for values in zip(*((c.wall, c.processor, c.peak) for c in costs), strict=True))
    )


def last_day(home: Path) -> date:
    """The last day that has a log."""
    return date.fromisoformat(max(path.stem for path in (home / "memory").glob("????-??-??.md")))


def forget(home: Path) -> None:
    """Take every node away."""
    for name in NODES:
        shutil.rmtree(home / "memory" / name, ignore_errors=True)
    for path in (home / "memory").glob(".*.json"):
        path.unlink()


def add_entry(home: Path) -> None:
    """One more entry in the last log."""
    path = home / "memory" / f"{last_day(home)}.md"
    with path.open("a", encoding="utf-8") as file:
        file.write(
            f"\n## Rate limiting [project]\n- decisions: token bucket {path.stat().st_size}\n- outcome: src/limits.py\n"
        )


def nothing(_home: Path) -> None:
    """Leave the home as it is."""


def costs_of(home: Path, prepare: Callable[[Path], None], runs: int) -> Cost:
    """A cycle, each time after `prepare`."""
    now = datetime.combine(last_day(home) + timedelta(days=4), datetime.min.time()).astimezone().isoformat()
    costs = []
    for _ in range(runs):
        prepare(home)
        costs.append(measured("-c", CYCLE, str(home), now))
    return median(costs)


def time_table(homes: dict[str, Path], runs: int) -> bool:
    """Print what cycles cost; whether every limit held."""
    bare = median([measured("-I", "-S", "-c", "pass") for _ in range(runs)])
    print(f"bare start: {bare.wall * 1000:.0f} ms\n")
    print("| history | cycle | wall s | processor s | limit s | × bare | peak MB |\n|---|---|---|---|---|---|---|")
    held = True
    for name, home in homes.items():
        size = sum(path.stat().st_size for path in (home / "memory").glob("????-??-??.md")) / 1e6
        for cycle, prepare, times in (
            ("from empty", forget, 1),
            ("nothing new", nothing, runs),
            ("one new entry", add_entry, runs),
        ):
            cost = costs_of(home, prepare, times)
            # The limit from empty is for the 16 MB of 91 days.
            limit = LIMITS[cycle] * max(bare.wall * 1000 / BARE_MS, 1) * (size / 16 if cycle == "from empty" else 1)
            held &= cost.wall <= max(limit, LIMITS[cycle])
            print(
                f"| {name} ({size:.0f} MB) | {cycle} | {cost.wall:.2f} | {cost.processor:.2f} | {limit:.2f} "
                f"| {cost.wall / bare.wall:.0f} | {cost.peak:.0f} |"
            )
    return held


def root_table(home: Path) -> None:
    """Print what ROOT holds at several sizes in characters."""
    months = sorted((home / "memory" / "monthly").glob("*.md"))
    digests = [digest_of(parse_node(path.read_text(encoding="utf-8")), DEFAULT) for path in months]
    names = [f"memory/monthly/{path.name}" for path in months]
    print("\n| ROOT, characters | tokens | lines | by day | in Active Context |\n|---|---|---|---|---|")
    for units in (8_300, 12_000, 40_000):
        today = last_day(home) + timedelta(days=4)
        text = render_node(build_root(digests, names, "0" * 16, today, Size(10**9, units), frozenset()))
        active = sum(line.count(" | ") + 1 for line in text.split("\n") if re.match(r"- \d{4}-\d\d-\d\d: ", line))
        by_day = len(re.findall(r"\(:\d+\)", text))
        print(f"| {len(text)} | {estimate_tokens(text)} | {text.count(' → memory/')} | {by_day} | {active} |")


def main(arguments: list[str]) -> int:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--copies", type=int, default=12, help="how often the days are repeated for the long history")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        homes = {"91 days": Path(folder) / "short", f"{91 * options.copies} days": Path(folder) / "long"}
        for home, copies in zip(homes.values(), (1, options.copies), strict=True):
            make_home(options.sessions, home, copies)
        held = time_table(homes, options.runs)
        root_table(homes["91 days"])
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
