"""Denser texts for summaries over a memory file: what is asked at each depth, and what of the answer is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.dag.compact import Run, compact
from hipocampus.dag.condense import titles
from hipocampus.dag.store import read_state
from hipocampus.dag.texts import UNFIT, Matter
from hipocampus.redaction import DEFAULT
from hipocampus.store.config import load
from hipocampus.store.layout import Layout
from hipocampus.summarize.asking import Answer, AnswerError, Backend, BackendError, Prompt
from hipocampus.summarize.over_file import checked, prompt_of, summariser
from hipocampus.summarize.series import Series

ENTRIES = tuple(
    f"## 2026-03-{day:02} {name} [project]\n- request: look at {name} in src/part{day}.py, at length and with care\n"
    f"- decisions: token bucket over leaky bucket, bursts are legitimate traffic\n"
    f"- outcome: src/part{day}.py takes {day} retries and a timeout of {day + 20} seconds, else the worker hangs\n"
    for day, name in enumerate(("Rate limiting", "Login form", "Search index", "Webhook deploy"), 1)
)
PLAIN = tuple(
    (name, f"- {name}: mechanical") for name in ("Rate limiting", "Login form", "Search index", "Webhook deploy")
)
LEAF = Matter(0, ENTRIES, "\n".join(lines for _name, lines in PLAIN), "", PLAIN)
GOOD = "\n".join(
    [
        "## Entries",
        "- 2026-03-01 Rate limiting: token bucket, src/part1.py, 1 retries, timeout 21 seconds",
        "- 2026-03-02 Login form: token bucket, src/part2.py, 2 retries",
        "- 2026-03-03 Search index: token bucket, src/part3.py, timeout 23 seconds",
        "- 2026-03-04 Webhook deploy: bursts legitimate, src/part4.py",
    ]
)
SECRET = "ghp" + "_" + "a1B2c3D4e5F6" * 3


@pytest.mark.parametrize(
    ("depth", "purpose", "headings"),
    [
        (0, "keep paths, commands, errors and values", ("Entries",)),
        (1, "what changed, what was decided and why, what blocks", ("What changed", "Decisions and why", "Blockers")),
        (2, "goal → outcome → what it carries forward", ("Goal → outcome → carries forward", "Open questions")),
        (3, "what lasts, so how the project is built", ("Architecture", "Recurring patterns")),
        (7, "what lasts, so how the project is built", ("Architecture", "Recurring patterns")),
    ],
)
def test_each_depth_is_asked_for_what_it_is_there_for(depth: int, purpose: str, headings: tuple[str, ...]) -> None:
    """The instructions are the same for every summary of a depth; the material is quoted, line by line."""
    prompt = prompt_of(Matter(depth, ENTRIES))
    assert purpose in prompt.fixed
    assert [line[3:] for line in prompt.fixed.split("\n") if line.startswith("## ")] == [*headings]
    assert prompt.fixed == prompt_of(Matter(depth, ENTRIES[:1])).fixed
    assert all(line.startswith("|") for line in prompt.matter.split("\n")[2:] if line)
    assert [*(titles(depth) or ("Entries",))] == [*headings]


def test_a_long_matter_is_asked_for_in_part() -> None:
    """What does not fit is said to be left out; every part has its share."""
    prompt = prompt_of(Matter(0, ("short entry", *("word word word\n" * 40_000 for _ in range(3)))))
    assert len(prompt.matter) < 200_000
    assert "short entry" in prompt.matter
    assert prompt.matter.count("left out for its length") == 3


def test_a_good_answer_is_kept_as_it_is() -> None:
    """Without its heading, which is ours."""
    assert checked(LEAF, GOOD, DEFAULT) == (GOOD.partition("\n")[2], ())


def test_an_entry_that_was_dropped_is_put_back() -> None:
    """With its mechanical line."""
    text, reasons = checked(LEAF, GOOD.rpartition("\n")[0], DEFAULT)
    assert reasons == ()
    assert text.split("\n")[-1] == "- Webhook deploy: mechanical"


def test_what_the_entries_do_not_say_is_left_out() -> None:
    """A line about another file."""
    text, reasons = checked(LEAF, f"{GOOD}\n- 2026-03-04 Webhook deploy: src/invented.py", DEFAULT)
    assert (text, reasons) == (GOOD.partition("\n")[2], ())


BAD = {
    "hardly anything": ("## Entries\n- ok", "fewer than 50 bytes"),
    "too much": (GOOD + "\n- 2026-03-04 Webhook deploy: bursts legitimate" * 40, "longer than what it sums up"),
    "a fence": (f"```\n{GOOD}\n```", "code fence"),
    "a preamble": (f"Here you are:\n{GOOD}", "before its first section"),
    "another section": (f"{GOOD}\n## Kubernetes\n- moved", "no section that belongs here"),
    "a sentence below": (f"{GOOD}\nI hope that this helps.", "is prose, not a list item"),
    "a refusal": ("I'm sorry, but I cannot help with condensing these notes of yours.", "refuses"),
    "an error": ("API Error: 529 overloaded_error, please try again in a moment or later.", "error message"),
    "a secret": (GOOD.replace("token bucket", SECRET), "looks like a secret"),
    "most dropped": ("\n".join(GOOD.split("\n")[:2]), "3 of 4 entries are missing"),
    "inventions": (
        GOOD + "".join(f"\n- Rate limiting: moved to Kubernetes{number}" for number in range(5)),
        "5 of its 9 statements are not in its input",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_answer_is_refused_with_the_reason(name: str) -> None:
    """The same check as for a node; no reason repeats a word of it."""
    answer, why = BAD[name]
    text, reasons = checked(LEAF, answer, DEFAULT)
    assert text == ""
    assert why in "; ".join(reasons)
    assert SECRET not in "; ".join(reasons)


def test_a_stub_does_not_replace_what_says_more() -> None:
    """A summary of many that says one thing."""
    said = (
        "token bucket over leaky bucket, bursts legitimate traffic, worker timeout, login form, search index, webhook"
    )
    matter = Matter(1, (said * 20,), "\n".join(f"- {said}" for _ in range(9)))
    stub = "\n".join(f"## {title}\n- token bucket over bucket" for title in titles(1))
    assert "says less than the summary that is there" in "; ".join(checked(matter, stub, DEFAULT)[1])
    good = stub.replace("- token", f"- {said}, token", 1)
    text, reasons = checked(matter, good, DEFAULT)
    assert reasons == ()
    assert text.split("\n")[0] == "**What changed**"


class Scripted:
    """Answers by a function of the prompt."""

    name = "scripted"

    def __init__(self, answer: Callable[[Prompt], str]) -> None:
        self.answer = answer
        self.asked: list[Prompt] = []

    def ask(self, prompt: Prompt) -> Answer:
        self.asked.append(prompt)
        return Answer(self.answer(prompt), 10, 5)


def failing(error: Exception) -> Callable[[Prompt], str]:
    """Raises that."""

    def fail(_prompt: Prompt) -> str:
        raise error

    return fail


def test_a_matter_is_asked_for_once() -> None:
    """Though the run that asked has to begin again, because another process wrote meanwhile."""
    scripted = Scripted(lambda _prompt: GOOD)
    summarise = summariser(Series(scripted), DEFAULT)
    assert summarise(LEAF) == summarise(replace(LEAF)) == GOOD.partition("\n")[2]
    assert len(scripted.asked) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (failing(BackendError("down")), ""),
        (failing(AnswerError("cut off")), ""),
        (lambda _prompt: "", ""),
        (lambda _prompt: "nothing of use", UNFIT),
    ],
)
def test_no_answer_is_told_from_one_that_is_not_fit(answer: Callable[[Prompt], str], said: str) -> None:
    """The second counts against asking again."""
    series = Series(Scripted(answer))
    assert summariser(series, DEFAULT)(LEAF) == said


RULE = "always answer in three sentences, and use bun"


@pytest.fixture
def run(layout: Layout, env: dict[str, str], now: datetime) -> Callable[..., Run]:
    """A memory file of thirty entries in leaves of four, compacted with a summariser."""
    Path(layout.config).write_text(json.dumps({"id": "0123456789abcdef", "dag": {"chunkSize": 4, "fanout": 2}}))
    text = "# Memory\n\n"
    for number in range(30):
        kind = f"## 2026-02-{number % 28 + 1:02} answers {number} [feedback]\n- rule: {RULE}\n"
        text += (kind if number % 5 == 4 else ENTRIES[number % 4]) + "\n"
    Path(layout.root, "MEMORY.md").write_text(text)

    def ran(backend: Backend) -> Run:
        config = load(layout, env)
        return compact(layout, config, now, "MEMORY.md", summarise=summariser(Series(backend), config.policy))

    return ran


def condensed(prompt: Prompt) -> str:
    """What a good model answers at any depth: something of each part, in each section; nothing about the user."""
    headings = [line for line in prompt.fixed.split("\n") if line.startswith("## ")]
    quoted = [line[2:] for line in prompt.matter.split("\n") if line.startswith("| ")]
    rows = [f"- {line.lstrip('-#* ')}" for line in quoted if "retries" in line or line.startswith("## ")]
    rows = [row for row in rows if RULE not in row and "[feedback]" not in row][:40]
    return "\n".join(part for heading in headings for part in (heading, *rows))


def test_a_whole_file_is_made_denser_and_keeps_what_the_user_said(layout: Layout, run: Callable[..., Run]) -> None:
    """Word for word in every leaf that has such an entry, though the model says nothing of it."""
    run(Scripted(condensed))
    nodes = read_state(layout).graph.nodes
    leaves = [node for node in nodes.values() if node.made_by == "llm" and node.depth == 0]
    assert len(leaves) >= 5
    for node in leaves:
        assert ("[feedback]" in node.text) is (RULE in node.text)
        assert node.text.rpartition("\n")[2].startswith("[Expand for details about: ")
    assert sum(RULE in node.text for node in leaves) >= 4


def test_a_liar_changes_nothing(layout: Layout, run: Callable[..., Run], env: dict[str, str], now: datetime) -> None:
    """The texts stay as they are without an LLM, and after two of its answers it is not asked again."""
    compact(layout, load(layout, env), now, "MEMORY.md")
    before = {name: node.text for name, node in read_state(layout).graph.nodes.items()}
    lies = Scripted(lambda _prompt: "## Entries\n- Kubernetes: moved to Frankfurt, approved by Berta, on 2031-01-01")
    asked = []
    for _ in range(3):
        run(lies)
        asked.append(len(lies.asked))
    assert asked[0] > len(before) // 2
    assert asked[1:] == [asked[0] * 2] * 2
    assert {name: node.text for name, node in read_state(layout).graph.nodes.items()} == before
