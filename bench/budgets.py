"""Budgets on real files: long change logs of installed packages, each brought to a part of its lines.

    python bench/budgets.py DIRECTORY... [--files 12] [--percent 50] [--newest 5]

The longest Markdown logs below the directories (``CHANGELOG.md``, ``HISTORY.md``, ``NEWS.md`` and the like, one a
package) are copied into a home of their own and compacted there by the library, as the command does. A decision is a
statement that the program ranks as one (decisions, rules, preferences, corrections); "kept" counts those of the older
entries that stand in the file afterwards in the same words, "by cutting" those that would be left if the file were cut
at its oldest end to as many lines. What must hold for every file ends the run where it does not: the newest entries
keep every byte, the budget is kept, the snapshot is the old file, and restoring it gives its bytes. The second table is
the entries of the longest file once, twice, four and eight times over, for the growth of the time.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hipocampus.budget.measure import Unit, lines_in
from hipocampus.budget.policy import Rule
from hipocampus.budget.restore import bring_back, prepare_return
from hipocampus.budget.rewrite import carry_out, prepare
from hipocampus.budget.sayings import Rank, units
from hipocampus.budget.splitting import Document, Piece, put_together, split
from hipocampus.budget.tiers import tiers_of
from hipocampus.core.neutral import one_line
from hipocampus.redaction import redact
from hipocampus.store.config import defaults
from hipocampus.store.files import read_exact
from hipocampus.store.layout import Layout

LOG = re.compile(r"(?:change(?:s|log)|history|news|releases?(?:[-_]notes)?)[\w.-]*\.md", re.IGNORECASE)
LEAST, MOST = 20_000, 3_000_000
NOW = datetime(2026, 3, 15, 10, tzinfo=UTC)


@dataclass(frozen=True)
class Row:
    """One file: where it came from, lines before, budget and after, decisions of its older entries, seconds."""

    name: str
    entries: int
    before: int
    budget: int
    after: int | None
    least: int
    decisions: int
    kept: int
    cut: int
    seconds: float


def logs(folders: Sequence[str], count: int) -> list[Path]:
    """The longest logs, one for each package, longest last."""
    found: dict[str, Path] = {}
    for folder in folders:
        for path, _, names in os.walk(folder):
            for name in filter(LOG.fullmatch, names):
                file = Path(path, name)
                if LEAST <= file.stat().st_size <= MOST:
                    kept = found.get(file.parent.name)
                    if kept is None or kept.stat().st_size < file.stat().st_size:
                        found[file.parent.name] = file
    return sorted(found.values(), key=lambda file: (file.stat().st_size, str(file)))[-count:]


def decisions(pieces: Sequence[Piece]) -> Iterator[str]:
    """The statements of entries that are decisions, on one line each."""
    for piece in pieces:
        for unit in units(piece.rows[piece.heading :]):
            if unit.rank >= Rank.DECISION:
                yield one_line(unit.text)[:1_400].casefold()


def measured(text: str, name: str, percent: int, newest: int) -> Row:
    """Compact one text in a home of its own, check what must hold, and count what is left."""
    with tempfile.TemporaryDirectory() as folder:
        layout = Layout(os.path.realpath(folder), os.path.realpath(folder))
        Path(layout.config).write_text('{"id": "0123456789abcdef"}')
        file = Path(layout.root, "LOG.md")
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        before = lines_in(text)
        rule = Rule("LOG.md", Unit.LINES, max(before * percent // 100, 1), newest, "")
        began = time.process_time()
        prepared = prepare(layout, "LOG.md", rule, NOW)
        if prepared is None:
            sys.exit(f"{name} is within its budget")
        made = prepared.outcome.text
        if made is not None:
            carry_out(layout, prepared, defaults(), NOW)
        seconds = time.process_time() - began
        clean = redact(text).text
        document = split(clean)
        tiers = tiers_of(document, newest, before)
        older = list(decisions(tiers.older))
        kept = cut = 0
        if made is not None:
            check(layout, clean, made, document, tiers.newest, rule)
            kept = count(older, made)
            cut = count(older, left_by_cutting(document, clean, prepared.outcome.lines[1]))
        after = None if made is None else prepared.outcome.lines[1]
        entries, least = prepared.outcome.entries, prepared.outcome.lines[1]
        return Row(name, entries, before, rule.budget, after, least, len(older), kept, cut, seconds)


def check(layout: Layout, old: str, made: str, document: Document, newest: Sequence[Piece], rule: Rule) -> None:
    """What must hold for every file."""
    file = os.path.join(layout.root, "LOG.md")
    texts = [piece.text for piece in newest]
    snapshot = read_exact(os.path.join(layout.root, "compaction", "snapshots", "LOG-2026-03-15.md"))
    held = {
        "written": read_exact(file) == made,
        "budget": lines_in(made) <= rule.budget,
        "newest": put_together(texts[::-1] if document.is_newest_first else texts, document.end) in made,
        "snapshot": snapshot == old,
    }
    bring_back(layout, prepare_return(layout, "LOG-2026-03-15"), defaults(), NOW)
    held["restored"] = read_exact(file) == old
    if not all(held.values()):
        sys.exit(f"does not hold: {held}")


def left_by_cutting(document: Document, text: str, lines: int) -> str:
    """The floor: as many lines of the file from its newest end."""
    rows = text.split("\n")
    return "\n".join(rows[:lines] if document.is_newest_first else rows[-lines:])


def count(wanted: Sequence[str], text: str) -> int:
    """How many of the statements stand in a text, however its lines are wrapped."""
    said = one_line(re.sub(r"(?m)^\s*(?:[-*+]|\d{1,3}[.)])\s+", "", text)).casefold()
    return sum(statement in said for statement in wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", metavar="DIRECTORY")
    parser.add_argument("--files", type=int, default=12)
    parser.add_argument("--percent", type=int, default=50)
    parser.add_argument("--newest", type=int, default=5)
    wish = parser.parse_args()
    found = logs(wish.folders, wish.files)
    if not found:
        sys.exit("no long Markdown logs there")
    print("| file | entries | lines | budget | after | decisions | kept | by cutting | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for file in found:
        text = read_exact(str(file)) or ""
        row = measured(text, f"{file.parent.name}/{file.name}", wish.percent, wish.newest)
        after = str(row.after) if row.after is not None else f"refused ({row.least})"
        kept = f"{row.kept} | {row.cut}" if row.after is not None else "all | –"
        print(
            f"| {row.name} | {row.entries} | {row.before} | {row.budget} | {after} | {row.decisions} | {kept} | "
            f"{row.seconds:.2f} |"
        )
    print("\n| longest file | lines | seconds | µs a line |")
    print("|---|---|---|---|")
    document = split(read_exact(str(found[-1])) or "")
    entries = "".join(piece.text.rstrip("\n") + "\n\n" for piece in reversed(document.pieces))
    for times in (1, 2, 4, 8):
        row = measured(document.head + entries * times, "", wish.percent, wish.newest)
        print(f"| × {times} | {row.before} | {row.seconds:.2f} | {row.seconds / row.before * 1e6:.0f} |")


if __name__ == "__main__":
    main()
