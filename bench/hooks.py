"""What each hook costs: wall time and peak memory of fresh processes through the launcher, beside a bare Python.

    python bench/hooks.py [HOME ...] [--runs 31]

Measures on an empty home and on a copy of each HOME that is named (for instance one that ``bench/history.py`` makes). A
round is a small session in Claude Code: start, hot files, prompt, end of turn, end of session; then the start and a
prompt in each other host. The child that finishes a session is waited for before the next. The limits are those of the
project for a machine whose bare Python starts in 11 ms, and grow with it. Exit status 1 where a limit is passed.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import filelock

from hipocampus.store.home import home_id, new_home_id
from hipocampus.store.launcher import own_launcher
from hipocampus.store.layout import Layout, layout_at
from hipocampus.store.user_state import Runtime, record_runtime, trust

BARE_MS = 11.0
MEGABYTES = 60.0
LIMITS = {"session-start": 150.0, "hot-files": 150.0, "prompt": 55.0, "checkpoint": 80.0}
HOST = "claude-code"
OTHER_HOSTS = ("codex", "opencode", "openclaw")
ROUND = ("session-start", "hot-files", "prompt", "checkpoint", "session-end")
# What every host has; of the others this is measured, too.
SHARED = ("session-start", "prompt")
PYTHON = os.path.realpath(sys.executable)
PROMPT = "Choose a rate limiting strategy for the public API, and say in one line why: 버스트 트래픽도 정상이다."
ANSWER = "A token bucket: bursts are legitimate traffic. It is in src/limits.py, and answers 429 with Retry-After."


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one process: seconds of wall time, and the largest resident size in bytes."""

    seconds: float
    peak: int


# A child's peak is at least that of the process which started it, so a small one starts and times it.
STARTER = """
import os, sys, time
null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
began = time.perf_counter()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=null)
_, status, usage = os.wait4(pid, 0)
print(time.perf_counter() - began, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""


def measured(command: Sequence[str], env: Mapping[str, str], payload: bytes = b"") -> Cost:
    """Run one process; what it cost until it ended. Then wait, unmeasured, for the children it left behind."""
    reading, writing = os.pipe()
    done = subprocess.run(
        [PYTHON, "-I", "-S", "-c", STARTER, *command],
        env=dict(env),
        input=payload,
        stdout=subprocess.PIPE,
        pass_fds=(writing,),
        check=True,
    )
    os.close(writing)
    select.select([reading], [], [], 60.0)
    os.close(reading)
    seconds, peak, status = done.stdout.split()
    if int(status):
        raise SystemExit(f"{command} ended with {status.decode()}")
    return Cost(float(seconds), int(peak) * (1 if sys.platform == "darwin" else 1024))


def payload_of(layout: Layout, host: str, number: int) -> bytes:
    """What a hook of a session is sent: each host reads of it what it knows by its own names."""
    prompt = f"{PROMPT} ({number})"
    payload = {
        "session_id": f"bench-{host}-{os.getpid()}-{number}",
        "source": "startup",
        "prompt": prompt,
        "parts": [{"type": "text", "text": prompt}],
        "prompt_id": f"p-{number}",
        "turn_id": f"p-{number}",
        "last_assistant_message": ANSWER,
        "reason": "other",
        "transcript_path": os.path.join(layout.root, "no-transcript.jsonl"),
        **dict.fromkeys(("cwd", "directory", "workspace"), layout.project),
    }
    return json.dumps(payload).encode() + b"\n"


def session_round(layout: Layout, env: Mapping[str, str], number: int) -> dict[str, Cost]:
    """One small session; the cost of each of its hooks."""
    return {entry: hook(layout, env, number, entry, HOST) for entry in ROUND}


def rounds_elsewhere(layout: Layout, env: Mapping[str, str], number: int) -> dict[str, Cost]:
    """A smaller session in each other host, which knows the directory from what it is sent; the cost of two hooks."""
    env = {name: value for name, value in env.items() if not name.startswith("CLAUDE_")}
    costs = {}
    for host in OTHER_HOSTS:
        costs |= {f"{entry}, {host}": hook(layout, env, number, entry, host) for entry in SHARED}
        hook(layout, env, number, "session-end", host)
    return costs


def hook(layout: Layout, env: Mapping[str, str], number: int, entry: str, host: str) -> Cost:
    """One process of a session, as the host starts it."""
    return measured(["sh", own_launcher(), entry, "--host", host], env, payload_of(layout, host, number))


def prepared(folder: str, source: str) -> tuple[Layout, dict[str, str]]:
    """A trusted, compacted copy of the home `source` ("": an empty one), and the environment of its hooks."""
    root = os.path.join(folder, "project")
    if source:
        shutil.copytree(source, root, symlinks=True)
    else:
        os.makedirs(os.path.join(root, "memory"))
    layout = layout_at(root)
    if not home_id(layout):
        Path(layout.config).write_text(json.dumps({"id": new_home_id()}), encoding="utf-8")
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.path.join(folder, "user"),
        "CLAUDE_PROJECT_DIR": root,
        "CLAUDE_ENV_FILE": os.path.join(folder, "shell-lines.sh"),
    }
    trust(env, layout.root, home_id(layout))
    record_runtime(env, Runtime(PYTHON, os.path.dirname(os.path.dirname(os.path.abspath(filelock.__file__)))))
    session_round(layout, env, -1)
    measured(["sh", own_launcher(), "pre-compact"], env, b'{"session_id": "bench", "trigger": "manual"}')
    return layout, env


def table(name: str, source: str, runs: int) -> bool:
    """Print the costs on one home; whether every limit is kept."""
    with tempfile.TemporaryDirectory(prefix="hipocampus-bench-") as folder:
        layout, env = prepared(folder, source)
        costs: dict[str, list[Cost]] = {"bare Python": []}
        for number in range(runs):
            costs["bare Python"].append(measured([PYTHON, "-I", "-S", "-c", "pass"], env))
            costs_of_round = {**session_round(layout, env, number), **rounds_elsewhere(layout, env, number)}
            for entry, cost in costs_of_round.items():
                costs.setdefault(entry, []).append(cost)
    bare = quantile([cost.seconds for cost in costs["bare Python"]], 0.5)
    print(f"\n{name}\n{'hook':<26}{'median ms':>10}{'p90 ms':>9}{'x bare':>8}{'peak MB':>9}{'limit ms':>10}")
    kept = [row(entry, found, bare) for entry, found in costs.items()]
    return all(kept)


def row(entry: str, costs: list[Cost], bare: float) -> bool:
    """Print one line; whether its limits are kept."""
    seconds = [cost.seconds for cost in costs]
    middle, high = quantile(seconds, 0.5), quantile(seconds, 0.9)
    peak = max(cost.peak for cost in costs) / 1e6
    limit = LIMITS.get(entry.partition(",")[0], 0.0) * bare * 1000 / BARE_MS
    kept = peak <= MEGABYTES and (not limit or middle * 1000 <= limit)
    shown = f"{limit:.0f}" if limit else "-"
    print(
        f"{entry:<26}{middle * 1000:>10.1f}{high * 1000:>9.1f}{middle / bare:>8.1f}{peak:>9.1f}{shown:>10}"
        + ("" if kept else "  <- over")
    )
    return kept


def quantile(values: list[float], part: float) -> float:
    """The value below which `part` of the values lie."""
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


def main(arguments: list[str]) -> int:
    """Print one table a home; 1 where a limit was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("homes", nargs="*", metavar="HOME", help="a home to measure on a copy of")
    parser.add_argument("--runs", type=int, default=31, help="rounds on each home")
    options = parser.parse_args(arguments)
    kept = [table("an empty home", "", options.runs)]
    kept += [table(home, home, options.runs) for home in options.homes]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
