"""Many questions to one back end, and when nobody is asked any more."""

from __future__ import annotations

from hipocampus.summarize.asking import Answer, AnswerError, BackendError, Prompt
from hipocampus.summarize.guard import LimitError
from hipocampus.summarize.series import Series

PROMPT = Prompt("fixed", "matter")
DOWN = BackendError("down")
CUT = AnswerError("cut off", 7, 3)


class Scripted:
    """Answers, or raises, what it is given, one after the other."""

    name = "scripted"

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)

    def ask(self, _prompt: Prompt) -> Answer:
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Answer(answer, 10, 5, 2)


def asked(*answers: str | Exception, times: int) -> tuple[Series, list[str]]:
    """A series of so many questions, and what came of each."""
    series = Series(Scripted(*answers))
    return series, [series.ask(PROMPT) for _ in range(times)]


def test_what_it_cost_is_kept_and_why_some_have_no_answer() -> None:
    """A question without an answer costs, too."""
    series, texts = asked("one", CUT, "three", CUT, times=4)
    assert texts == ["one", "", "three", ""]
    assert [(answer.tokens_in, answer.tokens_out) for answer in series.answers] == [(10, 5), (7, 3), (10, 5), (7, 3)]
    assert (series.asked, series.problems) == (4, {"cut off": 2})


def test_after_two_failures_in_a_row_nobody_is_asked() -> None:
    """One that comes and goes is still of use; a question that has no answer is no failure of the back end."""
    series, texts = asked(DOWN, "two", DOWN, CUT, DOWN, DOWN, times=8)
    assert texts == ["", "two", *[""] * 6]
    assert series.asked == 6


def test_a_limit_that_is_reached_ends_it_at_once() -> None:
    """There is no use in asking for leave again."""
    series, texts = asked("one", LimitError("enough"), times=4)
    assert texts == ["one", "", "", ""]
    assert (series.asked, series.problems) == (2, {"enough": 1})


def test_an_answer_that_is_not_taken_is_no_failure_of_the_back_end() -> None:
    """Why it was not is counted by its words, and the next question is asked."""
    series = Series(Scripted("one", "two", "three", "four"))
    for _ in range(3):
        series.ask(PROMPT)
        series.refuse(["too long", "prose"])
    assert series.problems == {"not accepted: too long": 3, "not accepted: prose": 3}
    assert series.ask(PROMPT) == "four"
