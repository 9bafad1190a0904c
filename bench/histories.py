"""Recall in the histories of real projects: the change that a request leans on, and silence on requests of others.

    python bench/histories.py [--doc /usr/share/doc] [--cache FILE] [--half]

A memory is made of a project's changes, an entry each, and asked what was asked before a later change that leans on
one of them. The first project is this one, from its own git log; the others are those of ``samples/requests.tsv`` whose
change log, as ``git log`` prints it, lies below ``--doc``, where Debian puts them. Each line of that file is a project,
the change that is leaned on, the change that was made, and the request, which a language model wrote from both
messages. Requests of the other projects, and prompts about nothing in particular, should get nothing. With
``[neural]`` an encoder is asked, too; ``--cache`` keeps what it made for the next run. With ``--half`` only the first
half of each request is asked, as by somebody who says less.
"""

from __future__ import annotations

import argparse
import gzip
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import add
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from full_text import full_text
from homes import write_home
from neural import Kept
from recall import coding_prompts, models, pointers

from hipocampus.recall.index import refresh_index
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.surface import block
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at

ROOT = Path(__file__).parents[1]
OURS = "hipocampus"
# Up to here, so that the same memory is asked whatever is added to it.
UNTIL = "e5f371a07102"
# Where Debian has the log of a project.
PACKAGES = {
    "cairo": "libcairo2",
    "fontconfig": "libfontconfig1",
    "harfbuzz": "libharfbuzz0b",
    "libbsd": "libbsd0",
    "libx11": "libx11-6",
    "p11-kit": "libp11-kit0",
    "pixman": "libpixman-1-0",
    "xz": "liblzma5",
}
# Of a longer history so many changes, chosen by hash: arbitrary, and the same in every run.
MOST = 700
FEWEST = 8
_COMMIT = re.compile(
    r"^commit ([0-9a-f]{40})\n((?:[\w-]+:[^\n]*\n)+)\n(.*?)(?=^commit [0-9a-f]{40}\n|\Z)", re.MULTILINE | re.DOTALL
)
_DAY = re.compile(r"^(?:Author)?Date:\s+(?:(\d{4}-\d\d-\d\d)|(\w{3} \w{3} +\d+ [\d:]+ \d{4}))", re.MULTILINE)
_FILE = re.compile(r"^ (\S.*?) +\| +(?:\d+|Bin)")
_NO_TEXT = re.compile(r"^ \d+ files? changed|^(?:Signed-off-by|Reviewed-by|Acked-by|Tested-by|Cc|Co-authored-by):")


@dataclass(frozen=True, slots=True)
class Change:
    """A commit: its hash, the day, and its message with the files that it changed, as `git log --stat` prints them."""

    mark: str
    day: str
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked in a project, and the beginnings of the hashes of what it leans on and of what was made."""

    project: str
    earlier: str
    later: str
    prompt: str


# The pointers that a prompt is shown within so many tokens, best first.
Show = Callable[[str, int], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of a project: its folder, the text behind each pointer, and each request with the pointer to find."""

    home: Path
    texts: Mapping[str, str]
    asked: Sequence[tuple[str, str]]


def requests(*, half: bool = False) -> list[Request]:
    """All of the sample, by project; or the first `half` of each."""
    lines = (Path(__file__).parent / "samples" / "requests.tsv").read_text(encoding="utf-8").splitlines()
    every = sorted((Request(*line.split("\t")) for line in lines), key=lambda one: one.project)
    return [replace(one, prompt=beginning(one.prompt)) for one in every] if half else every


def beginning(prompt: str) -> str:
    """The first half of a prompt's words, `FEWEST` at least."""
    said = prompt.split()
    return " ".join(said[: max(FEWEST, len(said) // 2)])


def log_of(project: str, doc: Path) -> str:
    """A project's log; nothing where it is not there. Ours needs git and the history up to `UNTIL`."""
    if project == OURS:
        plain = ("--no-decorate", "--no-color", "--no-show-signature", "--pretty=medium", "--date=iso-strict")
        command = ["git", "-C", str(ROOT), "log", "--no-merges", "--stat=300", *plain, UNTIL]
        try:
            found = subprocess.run(command, capture_output=True, check=False)
        except OSError:
            return ""
        return found.stdout.decode("utf-8", "replace")
    path = doc / PACKAGES[project] / "changelog.gz"
    return gzip.decompress(path.read_bytes()).decode("utf-8", "replace") if path.exists() else ""


def changes(log: str) -> Iterator[Change]:
    """The commits of a log, the last first."""
    for mark, head, message in _COMMIT.findall(log):
        day = _DAY.search(head)
        if day and not re.search("^Merge:", head, flags=re.MULTILINE):
            written = day[1] or datetime.strptime(day[2], "%a %b %d %H:%M:%S %Y").date().isoformat()
            yield Change(mark, written, re.sub("^    ", "", message, flags=re.MULTILINE).strip("\n"))


def entry(change: Change) -> str:
    """A commit as an entry of a raw log."""
    lines = change.text.split("\n")
    files = [found[1] for line in lines if (found := _FILE.match(line))]
    subject, *rest = [line for line in lines if not _FILE.match(line) and not _NO_TEXT.match(line)]
    said = " ".join(" ".join(rest).split())
    fields = [f"- outcome: {said}\n"] if said else []
    fields += [f"- files: {', '.join(files[:12])}\n"] if files else []
    return f"## {subject.strip()} [project]\n{''.join(fields)}"


def remember(every: Sequence[Change], asked: Sequence[Request], home: Path) -> Memory:
    """A memory of what a project's requests lean on and of other changes, but not of those that they led to."""
    marks = {one.mark: one for one in every}
    found = [(one, _change(marks, one.earlier), _change(marks, one.later)) for one in asked]
    # What a request led to would give it away, also where another request leans on it.
    later = {made.mark for _, _, made in found if made}
    wanted = {leaned.mark for _, leaned, _ in found if leaned} - later
    others = sorted(one.mark for one in every if one.mark not in wanted | later)
    chosen = {*wanted, *others[: max(MOST - len(wanted), 0)]}
    at, texts = written([one for one in reversed(every) if one.mark in chosen], home)
    pairs = [(one.prompt, at[leaned.mark]) for one, leaned, _ in found if leaned and leaned.mark in at]
    return Memory(home, texts, pairs)


def written(kept: Sequence[Change], home: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Write the logs of a home; the pointer of each change, and the entry behind each pointer."""
    at: dict[str, str] = {}
    texts: dict[str, str] = {}
    logs: dict[str, str] = {}
    for one in kept:
        log = logs.get(one.day, f"# {one.day}\n") + "\n"
        at[one.mark] = pointer = f"memory/{one.day}.md:{log.count(chr(10)) + 1}"
        texts[pointer] = entry(one)
        logs[one.day] = log + texts[pointer]
    write_home(home, logs)
    return at, texts


def _change(marks: Mapping[str, Change], beginning: str) -> Change | None:
    return next((one for mark, one in marks.items() if mark.startswith(beginning)), None)


def plain_lines(texts: Mapping[str, str]) -> Show:
    """The floor: what a full-text search over the entries finds, a line of each, as many as a budget holds."""
    pointers = list(texts)
    search = full_text([*texts.values()])

    def show(prompt: str, tokens: int) -> list[str]:
        room, found = tokens * 4, []
        for pointer in (pointers[number] for number in search(prompt)):
            room -= len(f"{' '.join(texts[pointer].split())[:80]} → {pointer}\n")
            if room >= 0:
                found.append(pointer)
        return found

    return show


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int = 0
    whole: int = 0

    def __str__(self) -> str:
        return f"{self.part / self.whole:.1%}" if self.whole else ""

    def __add__(self, other: Share) -> Share:
        return Share(self.part + other.part, self.whole + other.whole)


def share(found: Sequence[bool]) -> Share:
    """How many of these are so."""
    return Share(sum(found), len(found))


@dataclass(frozen=True, slots=True)
class Row:
    """Which requests were shown their change within 500 tokens, within 200 and in the first line, and which prompts of
    other projects and about nothing in particular got nothing.
    """

    large: Share = Share()
    small: Share = Share()
    first: Share = Share()
    others: Share = Share()
    generic: Share = Share()

    def __str__(self) -> str:
        return " | ".join(map(str, (self.large.whole, *self._shares())))

    def __add__(self, other: Row) -> Row:
        return Row(*map(add, self._shares(), other._shares()))

    def _shares(self) -> tuple[Share, ...]:
        return self.large, self.small, self.first, self.others, self.generic


def row(memory: Memory, others: Sequence[str], generic: Sequence[str], show: Show) -> Row:
    """What is shown to the requests of a project, and to prompts that nothing in its memory bears on."""
    found = [(show(prompt, 500), show(prompt, 200), wanted) for prompt, wanted in memory.asked]
    return Row(
        share([wanted in large for large, _, wanted in found]),
        share([wanted in small for _, small, wanted in found]),
        share([large[:1] == [wanted] for large, _, wanted in found]),
        *(share([not show(prompt, 500) for prompt in prompts]) for prompts in (others, generic)),
    )


def ways(memory: Memory, kept: Kept | None) -> Iterator[tuple[str, Show]]:
    """A plain full-text search, and the block by each model."""
    yield "FTS5", plain_lines(memory.texts)
    layout = layout_at(str(memory.home))
    refresh_index(layout, defaults())
    if kept:
        kept.give(layout)
    base = open_to_read(layout)
    for model, encode in models(base, kept):
        yield model, lambda prompt, tokens, encode=encode: pointers(block(base, prompt, tokens, encode=encode).text)
    base.close()


def report(memories: Mapping[str, Memory], kept: Kept | None) -> None:
    """Print the table: each project by itself, then all of them."""
    generic = list(dict.fromkeys(coding_prompts()))
    rows: dict[str, list[tuple[str, Row]]] = {}
    for project, memory in memories.items():
        others = [prompt for name, other in memories.items() if name != project for prompt, _ in other.asked]
        for way, show in ways(memory, kept):
            rows.setdefault(way, []).append((project, row(memory, others, generic, show)))
    print("| by | project | requests | at 500 | at 200 | first line | silent on others | on generic |")
    print("|---|---|---|---|---|---|---|---|")
    for way, these in rows.items():
        for project, one in these:
            print(f"| {way} | {project} | {one} |")
        print(f"| {way} | all | {sum((one for _, one in these), start=Row())} |")


def main(arguments: list[str]) -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--doc", type=Path, default=Path("/usr/share/doc"), help="where change logs lie")
    parser.add_argument("--cache", default=":memory:", help="a file that keeps the vectors of the encoder")
    parser.add_argument("--half", action="store_true", help="ask the first half of each request")
    options = parser.parse_args(arguments)
    kept = Kept(options.cache) if Kept.is_there() else None
    with tempfile.TemporaryDirectory() as folder:
        memories = {}
        for project, asked in groupby(requests(half=options.half), key=lambda one: one.project):
            every = list(changes(log_of(project, options.doc)))
            if not every:
                print(f"{project}: no log, left out")
                continue
            wanted = list(asked)
            memories[project] = memory = remember(every, wanted, Path(folder) / project)
            if len(memory.asked) < len(wanted):
                print(f"{project}: {len(memory.asked)} of {len(wanted)} requests; the others lean on what is not in it")
        report(memories, kept)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
