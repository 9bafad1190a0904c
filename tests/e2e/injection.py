"""Finds in a request what hooks put there, in both forms that the client uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .server import Request

_REMINDER = re.compile(r"<system-reminder>\n?(.*?)\n?</system-reminder>", re.DOTALL)
_HOOK = re.compile(r"^(\w+)(?::\w+)? hook (?:additional context|success): ", re.MULTILINE)
# What the client itself says after hook text in one system message.
_CLIENT_SECTION = re.compile(r"\n\n(?:Available agent types|The following skills|As you answer the user's questions)")


@dataclass(frozen=True)
class Injection:
    """Hook text as the model gets it: `form` is ``reminder`` (in a user message) or ``system``."""

    form: str
    event: str
    text: str


def injections(request: Request) -> list[Injection]:
    """Every piece of hook text in a request, in order."""
    return [*_injections(request)]


def injected(request: Request, event: str = "") -> str:
    """All hook text in a request, of one event if it is named."""
    return "\n".join(piece.text for piece in injections(request) if event in ("", piece.event))


def _injections(request: Request) -> Iterator[Injection]:
    for role, text in request.messages:
        runs = [text] if role == "system" else _REMINDER.findall(text)
        for run in runs:
            for event, piece in _pieces(run):
                yield Injection("system" if role == "system" else "reminder", event, piece)


def _pieces(run: str) -> Iterator[tuple[str, str]]:
    marks = [*_HOOK.finditer(run)]
    ends = [*(mark.start() for mark in marks[1:]), len(run)]
    for mark, end in zip(marks, ends, strict=False):
        yield mark[1], _CLIENT_SECTION.split(run[mark.end() : end])[0].strip("\n")
