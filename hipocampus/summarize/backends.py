"""The back end that the settings of a home name."""

from __future__ import annotations

import time
from collections.abc import Mapping

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.store.config import NOT_SET_HERE, Config
from hipocampus.store.home import home_id
from hipocampus.store.layout import Layout
from hipocampus.summarize.anthropic_api import DEFAULT_MODEL, DEFAULT_URL, AnthropicApi
from hipocampus.summarize.asking import Backend
from hipocampus.summarize.command import command_of
from hipocampus.summarize.guard import Clock, Guarded

_KEY = "ANTHROPIC_API_KEY"
# What of each back end holds only as it was set on this machine. One that was not counts as "agent".
_OWN = {
    "agent": ("llm.backend",),
    "anthropic": ("llm.model",),
    "command": ("llm.model", "llm.command"),
    "none": (),
}


def backend_of(config: Config, layout: Layout, env: Mapping[str, str], clock: Clock = time.time) -> Backend | None:
    """The back end that is set up for a home; None where nobody is to be asked from here (``agent``, ``none``).

    UserError where one is set up that cannot work: no key, no command, or a setting that was not made on this machine.
    """
    backend: Backend
    _refuse_strangers(config, layout)
    match config.llm_backend:
        case "anthropic":
            backend = _anthropic(config, env)
        case "command":
            backend = command_of(config, env)
        case _:
            return None
    return Guarded(backend, env, home_id(layout), config.llm_per_hour, clock)


def _refuse_strangers(config: Config, layout: Layout) -> None:
    """UserError where the config names a back end, a model or a command that nobody set on this machine."""
    for name in _OWN[config.llm_backend]:
        if config.origins[name] == NOT_SET_HERE:
            raise UserError(
                f"{one_line(layout.config)}: {name} was not set on this machine, so it does not hold; if you want it, "
                f"run: hipocampus config set {name} ..."
            )


def _anthropic(config: Config, env: Mapping[str, str]) -> AnthropicApi:
    key = env.get(_KEY, "").strip()
    if not key:
        raise UserError(f"llm.backend is anthropic, and there is no {_KEY} in the environment.")
    if not key.isascii() or not key.isprintable() or " " in key:  # an error about it would show it
        raise UserError(f"{_KEY} holds something else than one key; look at it, it was not used.")
    return AnthropicApi(
        key=key,
        url=env.get("ANTHROPIC_BASE_URL", "") or DEFAULT_URL,
        model=DEFAULT_MODEL if config.llm_model == "auto" else config.llm_model,
        max_tokens=config.llm_max_tokens,
        timeout=config.llm_timeout,
        retries=config.llm_retries,
    )
