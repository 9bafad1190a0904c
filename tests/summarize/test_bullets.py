"""Denser bullets for the history block: only facts are told in other words."""

from __future__ import annotations

from hipocampus.budget.distil import Bullet, distil, said_in_few_words
from hipocampus.budget.sayings import Rank
from hipocampus.budget.splitting import Piece, split
from hipocampus.redaction import DEFAULT
from hipocampus.summarize.asking import Answer, BackendError, Prompt
from hipocampus.summarize.bullets import distiller
from hipocampus.summarize.series import Series

FACTS = (
    "The timetable of the ferries came in as three tables with headings in two languages, and the second of them had "
    "one column more than the others, with the name of the harbour in it. Each of the tables was read by itself and "
    "then joined by the name of the harbour and by the day, which took some forty minutes on the old machine."
)
ENTRY = (
    f"## 2026-03-01 Import of the timetable\n{FACTS}\n\n"
    "- decided: keep the harbour as the key, because names of ships change\n"
    "- file: src/ferry/tables.py\n"
)
GOOD = (
    "## Facts\n- ferries timetable: three tables, headings in two languages, second one column more, name of harbour\n"
    "- tables joined by harbour and day, forty minutes on old machine\n"
)
SECRET = "ghp" + "_" + "a1B2c3D4e5F6" * 3


class Scripted:
    """Says one thing, or fails."""

    name = "scripted"

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.asked: list[Prompt] = []

    def ask(self, prompt: Prompt) -> Answer:
        self.asked.append(prompt)
        if self.answer is None:
            raise BackendError("down")
        return Answer(self.answer, 10, 5)


def piece_of(entry: str) -> Piece:
    """The one entry of a text."""
    return split(entry, "##").pieces[0]


def told(entry: str, answer: str | None) -> tuple[tuple[Bullet, ...], Scripted]:
    """The bullets that stand for an entry, as a compaction takes them, and what was asked."""
    backend = Scripted(answer)
    return said_in_few_words(piece_of(entry), distiller(Series(backend), DEFAULT)).bullets, backend


def test_facts_are_said_in_the_words_of_the_answer() -> None:
    """And what was decided and where it is stays in its own words."""
    bullets, backend = told(ENTRY, GOOD)
    texts = [bullet.text for bullet in bullets]
    assert texts[0].startswith("ferries timetable: three tables, headings")
    assert texts[1] == "tables joined by harbour and day, forty minutes on old machine"
    stay = [bullet for bullet in distil(piece_of(ENTRY)).bullets if bullet.rank is not Rank.FACT]
    assert len(stay) == 2
    assert set(stay) <= set(bullets)
    assert "\n| - decided: keep the harbour" in backend.asked[0].matter


def test_nobody_is_asked_where_nothing_is_to_be_gained() -> None:
    """A short entry, one without facts, and what a user asked for, which keeps its words."""
    for entry in (
        "## Short\nThe ferry leaves at nine.\n",
        "## Commands\n" + "".join(f"- run `make step-{number} --fast`\n" for number in range(40)),
        ENTRY.replace("timetable\n", "timetable [user]\n", 1),
    ):
        bullets, backend = told(entry, GOOD)
        assert backend.asked == []
        assert bullets == distil(piece_of(entry)).bullets


def test_an_answer_that_is_none_leaves_the_mechanical_bullets() -> None:
    """The same check as for a node: nothing, too much, a fence, an invention, a secret, a stub, a failure."""
    mechanical = distil(piece_of(ENTRY)).bullets
    for answer in (
        None,
        "",
        "## Facts\n- ferries",
        GOOD + GOOD.partition("\n")[2] * 20,
        f"```\n{GOOD}```",
        f"Sure!\n{GOOD}",
        GOOD.replace("harbour", "airport of Frankfurt, runway 27"),
        GOOD.replace("three tables", SECRET),
        "## Facts\n- ferries: tables joined by harbour and day of ferries tables",
        "I'm sorry, but I cannot help with condensing this entry of your memory file.",
    ):
        assert told(ENTRY, answer)[0] == mechanical
