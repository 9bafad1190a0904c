"""A run over all that waits, against an API that answers well, badly, or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

import pytest

from hipocampus.compaction.chain import compact
from hipocampus.core.nodes import Summary, parse_node
from hipocampus.core.periods import Level
from hipocampus.store.config import Config, defaults
from hipocampus.store.layout import Layout
from hipocampus.summarize.asking import Answer, AnswerError, Backend, BackendError, Prompt
from hipocampus.summarize.backends import backend_of
from hipocampus.summarize.queue import pending, queue_of
from hipocampus.summarize.run import Became, Step, summarized

from .memory import FEEDBACK, remember, summed_up
from .messages_api import Asked, MessagesApi, Reply

EVENING = datetime.fromisoformat("2026-03-15T23:22:03+09:00")
SUNDAY = date(2026, 3, 15)
Run = Callable[..., list[Step]]


def good(asked: Asked) -> Reply:
    """What a good model answers."""
    return Reply(summed_up(asked.fixed, asked.matter))


def lying(change: Callable[[str], str]) -> Callable[[Asked], Reply]:
    """A good answer with something in it that is not."""
    return lambda asked: Reply(change(summed_up(asked.fixed, asked.matter)))


@pytest.fixture
def config() -> Config:
    """The settings of a user who has the API asked."""
    return replace(defaults(), llm_backend="anthropic", llm_model="claude-test", llm_retries=2, llm_timeout=30)


@pytest.fixture
def run(layout: Layout, asking: dict[str, str], config: Config) -> Run:
    """Compact, then ask for all that waits."""

    def ran(**options: object) -> list[Step]:
        backend = backend_of(config, layout, asking)
        assert backend is not None
        return list(summarized(layout, config, EVENING, backend, **options))  # type: ignore[arg-type]

    return ran


def prepared(layout: Layout, days: int = 1, entries: int = 24) -> None:
    """A memory of the last days, whose nodes wait for a summary."""
    remember(layout, SUNDAY.replace(day=16 - days), days, entries)
    compact(layout, defaults(), EVENING, force=True)


def memory_of(layout: Layout) -> dict[str, bytes]:
    """Every file of the home but the counters, by its name."""
    root = Path(layout.root)
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    return {name: content for name, content in files.items() if name != "memory/.compaction-state.json"}


def test_each_level_is_asked_for_after_the_one_below(layout: Layout, run: Run, api: MessagesApi) -> None:
    """The week is made from what its days say by then, and nothing waits afterwards."""
    prepared(layout, days=7, entries=60)
    api.plan(good)
    steps = run()
    assert [step.became for step in steps] == [Became.ACCEPTED] * len(steps)
    assert [step.period for step in steps][:8] == [*(f"2026-03-{day:02}" for day in range(15, 8, -1)), "2026-W11"]
    assert pending(layout, defaults(), EVENING) == ()
    for step in steps[:8]:
        level = "weekly" if "W" in step.period else "daily"
        node = parse_node(Path(layout.node(level, step.period)).read_text())
        assert node.summary is Summary.LLM
        assert FEEDBACK in node.body
    assert {(step.tokens_in, step.tokens_out) for step in steps} == {(100, 20)}
    fixed = {asked.fixed for asked in api.asked[:7]}
    assert len(fixed) == 1


def test_one_level_can_be_asked_for_alone(layout: Layout, run: Run, api: MessagesApi) -> None:
    """Days, and not the week above them."""
    prepared(layout, days=7, entries=60)
    api.plan(good)
    assert {step.period[:8] for step in run(level=Level.DAILY)} == {"2026-03-"}
    assert [one.level for one in pending(layout, defaults(), EVENING)][:1] == [Level.WEEKLY]
    assert run(level=Level.DAILY) == []


SECRET = "ghp" + "_" + "a1B2c3D4e5F6" * 3
BROKEN = {
    "empty": Reply(""),
    "refusing": Reply("I'm sorry, but I can't help with summarising this conversation, as it is private."),
    "refusing in its own way": Reply("## Topics", stop="refusal"),
    "cut off": Reply("## Topics\n- half", stop="max_tokens"),
    "an error as text": Reply("API Error: 529 overloaded. Please try again in a moment, this was not billed to you."),
    "with a secret": lying(lambda text: text.replace("token bucket", SECRET)),
    "inventing topics": lying(
        lambda text: text.replace("## Topics", "## Topics\n- Kubernetes migration — moved to k8s")
    ),
    "dropping most topics": lying(lambda text: "## Topics\n" + text[text.index("## Key Decisions") :]),
    "in a fence": lying(lambda text: f"```markdown\n{text}```"),
    "with a preamble": lying(lambda text: f"Here is the summary you asked for:\n\n{text}"),
    "prose": Reply("The day was spent on the rate limiter, and in the end everybody was happy with how it had gone."),
    "broken off in the stream": Reply("## Topics\n- half", cut=3),
    "no stream": Reply(raw=b"<html>gateway</html>"),
    "429": Reply(status=429, error="slow down", headers={"retry-after-ms": "1"}),
    "529": Reply(status=529, error="overloaded", headers={"retry-after-ms": "1"}),
    "401": Reply(status=401, error="no such key"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_bad_reply_leaves_the_memory_as_it_was(layout: Layout, run: Run, api: MessagesApi, name: str) -> None:
    """Byte for byte; the node still waits, and the next good answer is taken."""
    prepared(layout)
    before = memory_of(layout)
    api.plan(BROKEN[name])
    (step,) = run()
    assert step.became in (Became.REFUSED, Became.UNANSWERED, Became.FAILED)
    assert step.why
    assert memory_of(layout) == before
    assert SECRET not in Path(layout.state).read_text()
    assert SECRET not in step.why
    api.plan(good)
    assert [step.became for step in run()] == [Became.ACCEPTED]


def test_one_that_drops_what_the_user_said_does_not_lose_it(layout: Layout, run: Run, api: MessagesApi) -> None:
    """It is put back word for word, and that is told."""
    prepared(layout)
    api.plan(lying(lambda text: "\n".join(line for line in text.split("\n") if "[feedback]" not in line)))
    (step,) = run()
    assert (step.became, step.put_back) == (Became.ACCEPTED, ("terse answers [feedback]",))
    assert FEEDBACK in Path(layout.node("daily", "2026-03-15")).read_text()


def test_one_that_changes_what_the_user_said_is_not_believed(layout: Layout, run: Run, api: MessagesApi) -> None:
    """The words of the user stay theirs."""
    prepared(layout)
    api.plan(lying(lambda text: text.replace("terse answers, token bucket", "answer at length, and never use bun")))
    assert [step.became for step in run()] == [Became.ACCEPTED]
    text = Path(layout.node("daily", "2026-03-15")).read_text()
    assert FEEDBACK in text
    assert "never use bun" not in text


def test_retries_are_those_of_the_settings(layout: Layout, run: Run, api: MessagesApi) -> None:
    """What passes with the third attempt is one question."""
    prepared(layout)
    busy = Reply(status=529, error="overloaded", headers={"retry-after-ms": "1"})
    api.plan(busy, busy, good)
    assert [step.became for step in run()] == [Became.ACCEPTED]
    assert len(api.asked) == 3


class Scripted:
    """A back end that answers by the number of the question, or raises what it is given."""

    name = "scripted"

    def __init__(self, *answers: Exception | None) -> None:
        self.answers = list(answers)
        self.asked = 0

    def ask(self, prompt: Prompt) -> Answer:
        self.asked += 1
        answer = self.answers.pop(0) if self.answers else None
        if answer is not None:
            raise answer
        return Answer(summed_up(prompt.fixed, prompt.matter), 10, 5)


def became(layout: Layout, backend: Backend, **options: object) -> list[Became]:
    """What becomes of the nodes."""
    steps = summarized(layout, defaults(), EVENING, backend, **options)  # type: ignore[arg-type]
    return [step.became for step in steps]


def test_one_node_that_fails_is_in_nobodys_way(layout: Layout) -> None:
    """The next ones are asked for; it comes again with the next run."""
    prepared(layout, days=4)
    down = BackendError("down")
    scripted = Scripted(None, down, None, AnswerError("cut off", 7, 3))
    assert became(layout, scripted) == [Became.ACCEPTED, Became.FAILED, Became.ACCEPTED, Became.UNANSWERED]
    assert [one.period for one in pending(layout, defaults(), EVENING)] == ["2026-03-14", "2026-03-12"]


def test_a_back_end_that_fails_twice_in_a_row_is_left_alone(layout: Layout) -> None:
    """Each failure may have taken minutes; what was accepted before stays."""
    prepared(layout, days=5)
    scripted = Scripted(None, BackendError("down"), BackendError("down"))
    assert became(layout, scripted) == [Became.ACCEPTED, Became.FAILED, Became.FAILED]
    assert scripted.asked == 3
    assert len(pending(layout, defaults(), EVENING)) == 4


def test_the_limit_of_an_hour_ends_a_run(
    layout: Layout, asking: dict[str, str], config: Config, api: MessagesApi
) -> None:
    """Said once, with what was accepted kept."""
    prepared(layout, days=4)
    api.plan(good)
    backend = backend_of(replace(config, llm_per_hour=2), layout, asking)
    assert backend is not None
    assert became(layout, backend) == [Became.ACCEPTED, Became.ACCEPTED, Became.LIMITED]
    assert len(api.asked) == 2


def test_a_run_ends_when_its_time_does(layout: Layout) -> None:
    """No question is begun that may not be answered in time."""
    prepared(layout, days=4)
    left = iter((1000.0, 1000.0, 100.0))
    assert became(layout, Scripted(), left=lambda: next(left)) == [Became.ACCEPTED] * 2


def test_after_two_refusals_nobody_is_asked_until_the_input_changes(layout: Layout, run: Run, api: MessagesApi) -> None:
    """The same question would get the same answer; it costs nothing more."""
    prepared(layout)
    api.plan(Reply("nothing of use, at some length, so that it is not too short for a summary"))
    assert [[step.became for step in run()] for _ in range(3)] == [[Became.REFUSED], [Became.REFUSED], []]
    assert len(api.asked) == 2
    assert queue_of(layout, defaults(), EVENING).stopped[0].period == "2026-03-15"


@dataclass
class Meanwhile:
    """A back end during whose answer something happens to the memory."""

    happens: Callable[[], object]
    name: str = "slow"

    def ask(self, prompt: Prompt) -> Answer:
        self.happens()
        return Answer(summed_up(prompt.fixed, prompt.matter), 10, 5)


def test_what_changed_while_it_was_asked_is_not_overwritten(layout: Layout) -> None:
    """An entry of the day was changed by hand: the answer is about something else, and is not held against anybody."""
    prepared(layout)
    raw = Path(layout.raw("2026-03-15"))
    slow = Meanwhile(lambda: raw.write_text(raw.read_text().replace("leaky bucket", "fixed window")))
    (step,) = summarized(layout, defaults(), EVENING, slow)
    assert step.became is Became.NOT_STORED
    assert "refusedSummaries" not in json.loads(Path(layout.state).read_text())
    assert parse_node(Path(layout.node("daily", "2026-03-15")).read_text()).summary is Summary.EXTRACTIVE
