"""A question to an LLM, its answer, and what becomes of a question that has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from hipocampus.errors import UserError


class BackendError(UserError):
    """There is no answer that could be used; says why in one line. What was to be summarised stays as it is."""


class AnswerError(BackendError):
    """This question has no answer that could be used; another one may have. What it cost is not free of charge."""

    def __init__(self, why: str, tokens_in: int = 0, tokens_out: int = 0) -> None:
        super().__init__(why)
        self.tokens_in = tokens_in
        self.tokens_out = tokens_out


@dataclass(frozen=True, slots=True)
class Prompt:
    """What an LLM is asked. `fixed`, the instructions, is the same for every question of its kind, so that a back end
    may have it cached; `matter` is what the answer is made from. Both have been through the redactor.
    """

    fixed: str
    matter: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, as it came: nothing of it was checked. Tokens are those that the back end says, or estimates;
    `cached` are those of `tokens_in` that came out of a cache.
    """

    text: str
    tokens_in: int
    tokens_out: int
    cached: int = 0


# More than anybody is ever asked or answers.
_COUNTED = 10**9


def count_of(value: object) -> int:
    """A count of tokens as somebody else's program or server says it; whatever is none counts as 0."""
    return value if type(value) is int and 0 < value < _COUNTED else 0


class Backend(Protocol):
    """Asks an LLM, whoever runs it."""

    @property
    def name(self) -> str:
        """For the user: ``anthropic claude-…``, ``command claude``."""

    def ask(self, prompt: Prompt) -> Answer:
        """The whole answer; BackendError where there is none."""
