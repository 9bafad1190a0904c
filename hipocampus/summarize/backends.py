"""Who is asked for a denser text: a question, its answer, and the back end that the settings name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from hipocampus.errors import UserError
from hipocampus.store.config import Config
from hipocampus.store.layout import Layout


class BackendError(UserError):
    """There is no answer that could be used; says why in one line. What was to be summarised stays as it is."""


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


class Backend(Protocol):
    """Asks an LLM, whoever runs it."""

    @property
    def name(self) -> str:
        """For the user: ``anthropic claude-…``, ``command claude``."""

    def ask(self, prompt: Prompt) -> Answer:
        """The whole answer; BackendError where there is none."""


def backend_of(config: Config, layout: Layout, env: Mapping[str, str]) -> Backend | None:  # noqa: ARG001
    """The back end that is set up for a home; None where nobody is to be asked from here (``agent``, ``none``).

    UserError where one is set up that cannot work: no key, no model, a command that this machine does not know.
    """
    return None
