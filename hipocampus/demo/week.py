"""The week as it stands in ``week/*.yaml``, read into values."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from hipocampus.demo.planted import with_secrets

DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "week")


@dataclass(frozen=True, slots=True)
class Turn:
    """One prompt and what the agent does for it; ``week/README.md`` says what each key means."""

    at: datetime
    prompt: str
    reply: str
    tools: tuple[str, ...] = ()
    writes: tuple[tuple[str, str], ...] = ()
    runs: tuple[str, ...] = ()
    task: str = ""
    compact: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """The client from one start to its end."""

    name: str
    begins: datetime
    ends: str
    turns: tuple[Turn, ...]


def week_texts(directory: str = DIRECTORY) -> dict[str, str]:
    """The text of each session file by its name, in order, the secrets still placeholders."""
    texts = {}
    for name in sorted(os.listdir(directory)):
        if name.endswith(".yaml"):
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                texts[name.removesuffix(".yaml")] = file.read()
    return texts


def read_week(secrets: Mapping[str, str], directory: str = DIRECTORY) -> list[Session]:
    """Every session in order, with the secrets in their places. An unknown key is a TypeError."""
    import yaml

    return [_session(name, _filled(yaml.safe_load(text), secrets)) for name, text in week_texts(directory).items()]


def _filled(value: Any, secrets: Mapping[str, str]) -> Any:
    match value:
        case str():
            return with_secrets(value, secrets)
        case list():
            return [_filled(item, secrets) for item in value]
        case dict():
            return {key: _filled(item, secrets) for key, item in value.items()}
    return value


def _session(name: str, content: dict[str, Any]) -> Session:
    begins: datetime = content["begins"]
    turns = tuple(_turn(begins, turn) for turn in content["turns"])
    return Session(name, begins, content["ends"], turns)


def _turn(begins: datetime, content: dict[str, Any]) -> Turn:
    moment = datetime.combine(begins.date(), time.fromisoformat(content.pop("at")), begins.tzinfo)
    tools, runs = tuple(content.pop("tools", ())), tuple(content.pop("runs", ()))
    writes = tuple(content.pop("writes", {}).items())
    return Turn(at=moment, tools=tools, runs=runs, writes=writes, **content)
