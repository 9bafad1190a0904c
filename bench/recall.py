"""What recall puts in front of the model: on conversations of a life, and on half a year of a software project.

    python bench/recall.py [MEMAWARE] [--sample 0] [--form user|transcript] [--cache FILE]

MEMAWARE is the folder with ``questions.json`` and ``sessions/`` of the benchmark of that name; without it only the
second part runs, on material that lies in ``bench/samples``. `--sample N` asks N questions, drawn with a fixed seed.
Static vectors are used where the extra ``[vector]`` is installed, and beside them an encoder where ``[neural]`` is; it
reads some twenty texts a second, and `--cache` keeps what it made for the next run. Nothing here needs the network.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from conversations import Conversation, Question, conversations, make_home, questions
from full_text import full_text
from homes import write_home
from neural import Kept, korean
from project_history import Asked, make_project
from recall_scorer import Gold, by_tier, fitting, interval, mean, score

from hipocampus.compaction.bodies import digest_of
from hipocampus.compaction.chain import compact
from hipocampus.compaction.room import HOOK_UNITS, Size
from hipocampus.compaction.root import build_root
from hipocampus.core.nodes import parse_node, render_node
from hipocampus.recall.index import refresh_index
from hipocampus.recall.index_file import open_to_read, part
from hipocampus.recall.search import Filters, search
from hipocampus.recall.surface import block
from hipocampus.recall.vectors import STATIC
from hipocampus.redaction import DEFAULT
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.recall.nearness import Encode

SEED = 11
BUDGETS = (500, 1_000, 2_000)
ROOTS = {"ROOT as hooks inject it": HOOK_UNITS, "ROOT 3K": 12_000, "ROOT 10K": 40_000}
Recall = Callable[[str, int, str], Sequence[str]]


def lines_of(text: str) -> list[str]:
    """The lines of a block that point somewhere."""
    return [line for line in text.split("\n") if " → " in line]


def life(data: Path, sample: int, user_only: bool, kept: Kept | None) -> None:
    """The first benchmark; `kept` is the encoder, if there is one."""
    found, asked = conversations(data), questions(data)
    if sample:
        asked = random.Random(SEED).sample(asked, min(sample, len(asked)))  # noqa: S311
    gold = Gold(found, asked)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        make_home(found, home, user_only=user_only)
        layout = layout_at(str(home))
        began = time.perf_counter()
        refresh_index(layout, defaults())
        print(f"\n{'user turns' if user_only else 'transcripts'}: index from empty {time.perf_counter() - began:.1f} s")
        roots = roots_of(home)
        if kept:
            kept.give(layout)
        base = open_to_read(layout)
        print(f"{len(asked)} questions\n")
        print(
            "| shown | tokens | ev_any | bound50 | easy / medium / hard | 95 % of bound50 |\n|---|---|---|---|---|---|"
        )
        for name, other in baselines(found).items():
            row(gold, asked, name, other, "", 1_000)
        for name, root in roots.items():
            row(gold, asked, name, lambda *_: (), root, 0)
        for model, encode in models(base, kept):
            block_rows(base, gold, asked, roots, model, encode)
        base.close()


def block_rows(
    base: sqlite3.Connection,
    gold: Gold,
    asked: Sequence[Question],
    roots: Mapping[str, str],
    model: str,
    encode: Encode | None,
) -> None:
    """Print what the block shows, alone and beside ROOT."""

    def recall(prompt: str, tokens: int, root: str) -> list[str]:
        return lines_of(block(base, prompt, tokens, root, encode=encode).text)

    for tokens in BUDGETS:
        row(gold, asked, f"block, {model}", recall, "", tokens)
        for name in ("ROOT 3K", "ROOT 10K"):
            row(gold, asked, f"{name} + block, {model}", recall, roots[name], tokens)
    print_controls(base, model, encode)


def row(gold: Gold, asked: Sequence[Question], name: str, recall: Recall, root: str, tokens: int) -> None:
    """Print one line of the table."""
    shown = [line for line in root.split("\n") if line.strip()]
    rows = [score(gold, one, fitting(recall(one.prompt, tokens, root), tokens), shown) for one in asked]
    tiers = " / ".join(f"{value:.0f}" for value in by_tier(asked, rows, "bound50"))
    low, high = interval(rows, "bound50")
    print(
        f"| {name} | {mean(rows, 'tokens') / 100:.0f} | {mean(rows, 'ev_any'):.1f} | {mean(rows, 'bound50'):.1f} "
        f"| {tiers} | {low:.0f}–{high:.0f} |"
    )


def roots_of(home: Path) -> dict[str, str]:
    """ROOT in each size, four days after the last entry."""
    last = max(path.stem for path in (home / "memory").glob("????-??-??.md"))
    today = date.fromisoformat(last) + timedelta(days=4)
    layout = layout_at(str(home))
    compact(layout, defaults(), datetime.combine(today, datetime.min.time()).astimezone(), force=True)
    months = sorted((home / "memory" / "monthly").glob("*.md"))
    digests = [digest_of(parse_node(path.read_text(encoding="utf-8")), DEFAULT) for path in months]
    names = [layout.relative(str(path)) for path in months]
    sizes = {name: Size(10**9, units) for name, units in ROOTS.items()}
    return {
        name: render_node(build_root(digests, names, "0" * 16, today, size, frozenset()))
        for name, size in sizes.items()
    }


def baselines(found: Sequence[Conversation]) -> dict[str, Recall]:
    """Nothing, chance, and what a plain full-text search shows."""
    sentences = [(one, line) for one in found for text in one.said for line in text.split("\n") if len(line) > 20]
    whole = [(one, " ".join(text for _, text in one.turns)) for one in found]
    rng = random.Random(SEED)  # noqa: S311
    return {
        "nothing": lambda *_: (),
        "random sentences": lambda *_: [shown(*pair) for pair in rng.sample(sentences, 40)],
        "FTS5 on user lines": plain_lines(sentences),
        "BM25 on conversations": plain_lines(whole),
    }


def shown(one: Conversation, text: str) -> str:
    """A line as a search would show it."""
    return f"[{one.day} {one.anchor}] {' '.join(text.split())[:400]}"


def plain_lines(rows: Sequence[tuple[Conversation, str]]) -> Recall:
    """What a full-text search over them finds."""
    search = full_text([text for _, text in rows])
    return lambda prompt, _tokens, _root: [shown(*rows[at]) for at in search(prompt)]


def coding_prompts(count: int = 120) -> Iterable[str]:
    """Prompts that no memory bears on."""
    lines = (Path(__file__).parent / "samples" / "coding_prompts.txt").read_text(encoding="utf-8").splitlines()
    rng = random.Random(SEED)  # noqa: S311
    for at in range(count):
        yield lines[at % len(lines)].format(
            file=rng.choice(("src/tree.rs", "lib/queue.ts", "app/forms.py", "core/heap.c", "pkg/ring.go")),
            name=rng.choice(("flatten", "load_items", "RingBuffer", "nextToken", "merge_all")),
            number=rng.randrange(3, 90),
        )


def print_controls(base: sqlite3.Connection, model: str, encode: Encode | None) -> None:
    """The share of prompts about nothing in particular that get nothing, and what the others get."""
    texts = [block(base, prompt, 1_000, encode=encode).text for prompt in coding_prompts()]
    silent = sum(not text for text in texts) / len(texts)
    print(f"| coding prompts, {model} | silent {silent:.0%}, mean tokens {sum(map(len, texts)) / 4 / len(texts):.0f} |")


def project(kept: Kept | None) -> None:
    """The second benchmark: the entry that bears on a prompt, in the block of 200 and of 500 tokens."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        asked = make_project(home)
        layout = layout_at(str(home))
        added = refresh_index(layout, defaults()).added
        print(f"\na software project: {added} entries, {sum(one.tier != 'control' for one in asked)} prompts\n")
        if kept:
            kept.give(layout)
        base = open_to_read(layout)
        for model, encode in models(base, kept):
            print(
                f"\n| {model} | shown at 200 | shown at 500 | first line | silent | tokens |\n|---|---|---|---|---|---|"
            )
            for tier in ("easy", "medium", "hard", "control"):
                print(project_row(base, tier, [one for one in asked if one.tier == tier], encode))
            print_controls(base, model, encode)
        base.close()


def models(base: sqlite3.Connection, kept: Kept | None) -> Iterator[tuple[str, Encode | None]]:
    """What recall can go by on this index: with each the encoder that it asks, if it does."""
    yield ("static vectors" if part(base, STATIC.planes) else "words alone"), None
    if kept:
        yield "neural vectors", kept.encode


def project_row(base: sqlite3.Connection, tier: str, asked: Sequence[Asked], encode: Encode | None) -> str:
    """One line of the table."""
    small = [pointers(block(base, one.prompt, 200, encode=encode).text) for one in asked]
    texts = [block(base, one.prompt, 500, encode=encode).text for one in asked]
    large = [pointers(text) for text in texts]
    counts = (
        sum(one.pointer in found for one, found in zip(asked, small, strict=True)),
        sum(one.pointer in found for one, found in zip(asked, large, strict=True)),
        sum(found[:1] == [one.pointer] for one, found in zip(asked, large, strict=True)),
        sum(not found for found in large),
    )
    shares = " | ".join(f"{count / len(asked):.0%}" for count in counts)
    return f"| {tier} | {shares} | {sum(map(len, texts)) / 4 / len(asked):.0f} |"


def korean_check(kept: Kept | None) -> None:
    """Facts in Korean and a prompt for each: how often a search finds the fact, and the block shows it."""
    facts = korean()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        text = "# 2026-03-01\n" + "".join(f"\n## 메모 [user]\n- note: {fact}\n" for fact, _ in facts)
        write_home(home, {"2026-03-01": text})
        layout = layout_at(str(home))
        refresh_index(layout, defaults())
        if kept:
            kept.give(layout)
        base = open_to_read(layout)
        print("\n| Korean | first | among three | in the block |\n|---|---|---|---|")
        for model, encode in models(base, kept):
            first = three = shown = 0
            for at, (_, prompt) in enumerate(facts):
                wanted = f"memory/2026-03-01.md:{3 + 3 * at}"
                best = [hit.pointer for hit in search(layout, base, prompt, Filters(), 3, encode)]
                first += best[:1] == [wanted]
                three += wanted in best
                shown += wanted in pointers(block(base, prompt, 500, encode=encode).text)
            print(f"| {model} | {first / len(facts):.0%} | {three / len(facts):.0%} | {shown / len(facts):.0%} |")
        base.close()


def pointers(text: str) -> list[str]:
    """Where the lines of a block point to."""
    return [line.rpartition(" → ")[2] for line in lines_of(text)]


def main(arguments: list[str]) -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the folder of MemAware's questions and sessions")
    parser.add_argument("--sample", type=int, default=0, help="ask so many questions; 0: all")
    parser.add_argument("--form", choices=("user", "transcript"), help="one form of the logs instead of both")
    parser.add_argument("--cache", default=":memory:", help="a file that keeps the vectors of the encoder")
    options = parser.parse_args(arguments)
    kept = Kept(options.cache) if Kept.is_there() else None
    if options.data:
        for form in ("user", "transcript"):
            if options.form in (None, form):
                life(options.data, options.sample, form == "user", kept)
    project(kept)
    korean_check(kept)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
