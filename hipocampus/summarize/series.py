"""Many questions to one back end, for as long as it is of use; whoever asks can always do without an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hipocampus.summarize.asking import Answer, AnswerError, Backend, BackendError, Prompt
from hipocampus.summarize.guard import LimitError

# A back end that fails twice in a row will fail for the next question, too, and each failure may take minutes.
FAILURES = 2


class Series:
    """Keeps count of what the questions cost, and why some have no answer. `broken` says why nobody is asked any more,
    where the back end failed. `before_first` is called when the first question is about to be asked.
    """

    def __init__(self, backend: Backend, before_first: Callable[[], None] = lambda: None) -> None:
        self.name = backend.name
        self.answers: list[Answer] = []
        self.asked = 0
        self.problems: dict[str, int] = {}
        self.broken = ""
        self._backend = backend
        self._before_first = before_first
        self._failures = 0

    def ask(self, prompt: Prompt) -> str:
        """The text of the answer; empty where there is none, or nobody is asked any more."""
        if self._failures >= FAILURES:
            return ""
        if not self.asked:
            self._before_first()
        self.asked += 1
        try:
            answer = self._backend.ask(prompt)
        except AnswerError as error:
            self._failures = 0
            self.answers.append(Answer("", error.tokens_in, error.tokens_out))
            self._note(str(error))
            return ""
        except BackendError as error:
            is_limit = isinstance(error, LimitError)
            self._failures = FAILURES if is_limit else self._failures + 1
            self.broken = str(error) if self._failures >= FAILURES and not is_limit else ""
            self._note(str(error))
            return ""
        self._failures = 0
        self.answers.append(answer)
        return answer.text

    def refuse(self, reasons: Iterable[str]) -> None:
        """Remember why an answer was not taken."""
        for reason in reasons:
            self._note(f"not accepted: {reason}")

    def _note(self, problem: str) -> None:
        self.problems[problem] = self.problems.get(problem, 0) + 1
