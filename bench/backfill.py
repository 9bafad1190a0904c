"""What a back-fill costs, on recorded conversations of 91 days as transcripts of Claude Code.

    python bench/backfill.py SESSIONS [--results 20]

SESSIONS is what ``bench/history.py`` takes. Every conversation becomes one transcript; between the turns stand
``--results`` kilobytes of tool results, as in the transcripts of real work. Each row is a fresh process that runs
``hipocampus import``: everything, again with nothing new, with one session that has grown, and without the file that
keeps the positions. The last row is one session of 300 MB. The floor is a process that only parses every line as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from compaction import ROOT, STARTER, Cost
from history import DATE_LINE, SESSION, TURN

FLOOR = """
import json, sys
for path in sys.argv[1:]:
    with open(path, "rb") as lines:
        for line in lines:
            json.loads(line)
"""
HUGE = 300_000_000


def turns_of(conversation: str) -> list[tuple[str, str]]:
    """Who said what in a recorded conversation."""
    parts = TURN.split(DATE_LINE.sub("", conversation))
    return [(who, said.strip()) for who, said in zip(parts[1::2], parts[2::2], strict=False) if said.strip()]


def transcript_of(turns: list[tuple[str, str]], session: str, cwd: str, at: datetime, result: str) -> Iterator[str]:
    """The lines of one transcript."""
    shared = {"isSidechain": False, "cwd": cwd, "sessionId": session, "version": "2.1.197", "gitBranch": "main"}
    for number, (who, said) in enumerate(turns):
        at += timedelta(seconds=40)
        stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = shared | {"uuid": f"{session}-{number}", "timestamp": stamp}
        if who == "User":
            message = {"role": "user", "content": said}
            yield json.dumps(line | {"type": "user", "promptId": f"{session}-p{number}", "message": message})
            continue
        output = [{"tool_use_id": "toolu_1", "type": "tool_result", "content": result}]
        yield json.dumps(line | {"type": "user", "message": {"role": "user", "content": output}})
        message = {"id": f"msg_{number}", "role": "assistant", "content": [{"type": "text", "text": said}]}
        yield json.dumps(line | {"type": "assistant", "message": message})


def write_all(sessions: Path, folder: Path, cwd: str, result: str) -> int:
    """A transcript for each conversation; how many."""
    count = 0
    for day in sorted(sessions.glob("????-??-??.md")):
        at = datetime.fromisoformat(day.stem).replace(hour=8, tzinfo=UTC)
        for conversation in SESSION.split(day.read_text(encoding="utf-8"))[1:]:
            session = f"{count:08d}-0000-4000-8000-000000000000"
            lines = transcript_of(turns_of(conversation), session, cwd, at, result)
            path = folder / f"{session}.jsonl"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            os.utime(path, (at.timestamp(), at.timestamp()))
            at += timedelta(minutes=20)
            count += 1
    return count


def write_huge(path: Path, cwd: str) -> None:
    """One session of ``HUGE`` bytes, most of them tool results."""
    at = datetime(2023, 7, 2, 8, tzinfo=UTC)
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while file.tell() < HUGE:
            turns = [
                ("User", f"step {number}: look at part {number} of the log"),
                ("Assistant", f"Part {number} is fine."),
            ]
            for line in transcript_of(turns, f"huge-{number}", cwd, at + timedelta(minutes=number), "output " * 30_000):
                file.write(line + "\n")
            number += 1


def measured(env: dict[str, str], *command: str) -> tuple[Cost, str]:
    """One fresh process, and what it printed."""
    starter = [sys.executable, "-I", "-S", "-c", STARTER, sys.executable, *command]
    done = subprocess.run(starter, env=env, capture_output=True, check=True, encoding="utf-8", cwd=env["PROJECT"])
    *said, last = done.stdout.splitlines()
    wall, processor, peak, status = last.split()
    if status != "0":
        raise SystemExit(f"an import failed: {done.stdout}{done.stderr}")
    return Cost(float(wall), float(processor), float(peak)), "\n".join(said)


def row(name: str, size: float, cost: Cost, said: str) -> None:
    """Print one row of the table."""
    try:
        hosts = json.loads(said)["hosts"]
        found = f"{sum(host['sessions'] for host in hosts)} | {sum(host['entries'] for host in hosts)}"
    except ValueError:
        found = "- | -"
    print(f"| {name} | {size:.0f} | {found} | {cost.wall:.2f} | {cost.processor:.2f} | {cost.peak:.0f} |", flush=True)


def run(sessions: Path, work: Path, results: int) -> None:
    """Print the table."""
    project, home = work / "project", work / "user"
    folder = home / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    (project / "memory").mkdir(parents=True)
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PROJECT": str(project)}
    measured(env, "-m", "hipocampus", "init", "--yes")
    count = write_all(sessions, folder, str(project), "x = 1  # a line of output\n" * (results * 40))
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    print(f"{count} sessions\n\n| import | MB | sessions | entries | wall s | processor s | peak MB |")
    print("|---|---|---|---|---|---|---|")
    command = ("-m", "hipocampus", "import", "--yes", "--json")
    floor, _ = measured(env, "-c", FLOOR, *map(str, folder.iterdir()))
    row("floor: parse every line", size, floor, "")
    row("everything", size, *measured(env, *command))
    row("nothing new", size, *measured(env, *command))
    grown = folder / f"{0:08d}-0000-4000-8000-000000000000.jsonl"
    more = [("User", "And what did we decide about the flights?"), ("Assistant", "Morning flights, on the 12th.")]
    with grown.open("a", encoding="utf-8") as file:
        lines = transcript_of(more, "more", str(project), datetime(2023, 7, 1, 8, tzinfo=UTC), "")
        file.write("\n".join(lines) + "\n")
    os.utime(grown, (0, 0))
    row("one session has grown", size, *measured(env, *command))
    (project / "memory" / ".journal" / "imported.json").unlink()
    row("positions lost", size, *measured(env, *command))
    write_huge(folder / "huge.jsonl", str(project))
    row("one session more, huge", HUGE / 1e6, *measured(env, *command))


def main(arguments: list[str]) -> int:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions", type=Path)
    parser.add_argument("--results", type=int, default=20, help="kilobytes of tool results a turn")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        run(options.sessions, Path(folder).resolve(), options.results)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
