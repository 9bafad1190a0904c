"""Summaries at night: a back end is asked where one is set up, and nobody where not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest

from hipocampus.compaction.chain import compact
from hipocampus.core.nodes import Summary, parse_node
from hipocampus.dag.store import read_state
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from hipocampus.summarize.asking import Answer, BackendError, Prompt
from hipocampus.summarize.guard import LimitError
from hipocampus.summarize.queue import pending
from hipocampus.upkeep import summaries
from hipocampus.upkeep.summaries import dag, look_dag, look_summarize, summarize
from hipocampus.upkeep.task import Round
from tests.summarize.memory import remember, summed_up


class Scripted:
    """A back end that answers well until it has an error to raise."""

    name = "script"

    def __init__(self, *errors: Exception | None) -> None:
        self.errors = list(errors)
        self.asked = 0

    def ask(self, prompt: Prompt) -> Answer:
        self.asked += 1
        error = self.errors.pop(0) if self.errors else None
        if error is not None:
            raise error
        return Answer(summed_up(prompt.fixed, prompt.matter), 100, 10)


@pytest.fixture
def one(layout: Layout, env: dict[str, str], now: datetime) -> Round:
    """A run over a memory of three long days."""
    remember(layout, date(2026, 3, 12), 3, 60)
    compact(layout, defaults(), now, force=True)
    return Round(layout, replace(defaults(), llm_backend="command"), env, now, lambda: 900.0)


def use(monkeypatch: pytest.MonkeyPatch, backend: object) -> None:
    monkeypatch.setattr(summaries, "backend_of", lambda *_: backend)


@pytest.mark.parametrize("backend", ["agent", "none"])
def test_where_nobody_is_to_be_asked_nobody_is(one: Round, backend: str) -> None:
    """It is said why, and that is no failure."""
    told = summarize(replace(one, config=replace(one.config, llm_backend=backend)))
    assert (told.result.value, told.said) == ("skipped", f"llm.backend is {backend}, so nobody is asked from here")


def test_all_that_waits_is_summarised(one: Round, layout: Layout, now: datetime, monkeypatch) -> None:
    """The days, what is above them, and nothing is left."""
    use(monkeypatch, Scripted())
    waiting = len(pending(layout, one.config, now))
    assert look_summarize(one).said == f"{waiting} nodes at most"
    assert summarize(one).said == "3 of 3 nodes by script"  # a week that is short enough by then waits no more
    node = parse_node(Path(layout.node("daily", "2026-03-12")).read_text())
    assert node.summary is Summary.LLM
    assert pending(layout, one.config, now) == ()
    assert summarize(one).result.value == "nothing to do"
    assert look_summarize(one).result.value == "nothing to do"


def test_a_back_end_that_does_not_work_is_a_failure(one: Round, monkeypatch) -> None:
    """It is said why, and what was accepted before stays."""
    use(monkeypatch, Scripted(None, BackendError("it is down"), BackendError("it is down")))
    told = summarize(one)
    assert told.result.value == "failed"
    assert told.said == "1 of 3 nodes by script, then: it is down"


def test_the_limit_of_an_hour_is_none(one: Round, monkeypatch) -> None:
    """The next run goes on."""
    use(monkeypatch, Scripted(None, LimitError("60 were asked in this hour")))
    told = summarize(one)
    assert (told.result.value, told.said) == ("done", "1 of 2 nodes by script, then: 60 were asked in this hour")
    use(monkeypatch, Scripted(LimitError("60 were asked in this hour")))
    assert summarize(one).result.value == "skipped"


def test_other_steps_have_time_left(one: Round, monkeypatch) -> None:
    """Nobody is asked when an answer might take more than half of it."""
    backend = Scripted()
    use(monkeypatch, backend)
    seconds = one.config.llm_timeout * 2 + 10.0
    left = iter([seconds, *(seconds - 20.0 * at for at in range(1000))])
    assert summarize(replace(one, left=lambda: next(left))).said == "1 of 1 node by script"
    assert backend.asked == 1


def long_file(layout: Layout) -> None:
    """A memory file of 220 entries: eleven leaves, two summaries of leaves."""
    lines = (
        f"- 2026-01-{1 + at % 28:02d} step {at}: made src/part_{at}.py work with 429 and jitter\n" for at in range(220)
    )
    Path(layout.root, "MEMORY.md").write_text("# Memory\n\n" + "".join(lines))


class Listing(Scripted):
    """A back end that repeats what it was given, a part a line, shortened."""

    def ask(self, prompt: Prompt) -> Answer:
        self.asked += 1
        lines = [line[2:80] for line in prompt.matter.splitlines() if line.startswith("| - ")]
        headings = [line for line in prompt.fixed.splitlines() if line.startswith("## ")]
        return Answer("\n".join([headings[0], *lines, *headings[1:]]), 100, 10)


def made_by(layout: Layout) -> list[str]:
    return [node.made_by for node in read_state(layout).graph.nodes.values()]


@pytest.mark.parametrize("backend", ["agent", "none", "command"])
def test_a_long_memory_file_gets_summaries_without_anybody(one: Round, layout: Layout, backend: str) -> None:
    """Mechanical ones, as a session start makes them, also where a back end is set up that cannot work; a short file
    gets none."""
    one = replace(one, config=replace(one.config, llm_backend=backend))
    assert dag(one).result.value == "nothing to do"
    long_file(layout)
    assert look_dag(one).said == "MEMORY.md: 13 to make"
    assert not Path(layout.summaries).exists()
    assert dag(one).said == "MEMORY.md: 13 made"
    assert dag(one).result.value == "nothing to do"
    assert set(made_by(layout)) == {"extractive"}


def test_a_back_end_makes_them_denser(one: Round, layout: Layout, monkeypatch) -> None:
    """Also those that are there already; with nothing new it is not asked again."""
    long_file(layout)
    dag(replace(one, config=replace(one.config, llm_backend="agent")))
    backend = Listing()
    use(monkeypatch, backend)
    assert "written anew" in dag(one).said
    assert "llm" in made_by(layout)
    dag(one)
    asked = backend.asked
    assert dag(one).result.value == "nothing to do"
    assert backend.asked == asked


def test_a_back_end_that_is_down_leaves_the_mechanical_ones(one: Round, layout: Layout, monkeypatch) -> None:
    """They are made all the same, and the step has failed; where only the hour is full it has not."""
    long_file(layout)
    use(monkeypatch, Scripted(*[BackendError("it is down")] * 20))
    told = dag(one)
    assert (told.result.value, told.said) == ("failed", "it is down")
    assert made_by(layout) == ["extractive"] * 13
    use(monkeypatch, Scripted(*[LimitError("60 were asked in this hour")] * 20))
    assert dag(one).result.value == "nothing to do"
