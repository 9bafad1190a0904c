"""Which back end a home has, and what stands before it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.store.asks import asks_file
from hipocampus.store.config import load
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import note_set_here, trust
from hipocampus.summarize.asking import Backend, BackendError, Prompt
from hipocampus.summarize.backends import backend_of

from .messages_api import KEY, MessagesApi, Reply

Env = dict[str, str]
ID = "0123456789abcdef"
PROMPT = Prompt("Summarise what follows.", "- a token bucket")
NOON = 1_800_000_000.0


def written(layout: Layout, **llm: object) -> None:
    """Let the config of the home say this."""
    Path(layout.config).write_text(json.dumps({"id": ID, "llm": llm}), encoding="utf-8")


def set_here(layout: Layout, env: Env, **llm: object) -> None:
    """Let the user of this machine say it."""
    written(layout, **llm)
    for name in ("backend", "model", "command"):
        if name in llm:
            value = llm[name]
            note_set_here(env, layout.root, ID, f"llm.{name}", tuple(value) if isinstance(value, list) else value)


def found(layout: Layout, env: Env, clock: Callable[[], float] = lambda: NOON) -> Backend | None:
    """The back end of the home, as a command finds it."""
    return backend_of(load(layout, env), layout, env, clock)


@pytest.mark.parametrize("backend", [None, "agent", "none"])
def test_nobody_is_asked_unless_somebody_is_set_up(layout: Layout, asking: Env, backend: str | None) -> None:
    """Though there is a key in the environment."""
    if backend:
        set_here(layout, asking, backend=backend)
    assert found(layout, asking) is None


def test_the_api_is_asked_with_what_the_settings_say(layout: Layout, asking: Env, api: MessagesApi) -> None:
    """Model and size; the key is nowhere but in the environment."""
    set_here(layout, asking, backend="anthropic", model="claude-test", maxTokens=500)
    backend = found(layout, asking)
    assert backend is not None
    assert backend.name == "anthropic claude-test"
    assert backend.ask(PROMPT).text == "fine"
    assert (api.asked[0].body["model"], api.asked[0].body["max_tokens"]) == ("claude-test", 500)
    for place in (layout.root, asking["HIPOCAMPUS_STATE"]):
        assert [path for path in Path(place).rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()] == []


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("", "there is no ANTHROPIC_API_KEY in the environment"),
        (" ", "there is no ANTHROPIC_API_KEY in the environment"),
        (f"{KEY}\n{KEY}", "ANTHROPIC_API_KEY holds something else than one key"),
        (f"{KEY} {KEY}", "ANTHROPIC_API_KEY holds something else than one key"),
        (f"{KEY}é", "ANTHROPIC_API_KEY holds something else than one key"),
    ],
)
def test_without_a_key_that_can_be_one_nobody_is_asked(layout: Layout, asking: Env, key: str, why: str) -> None:
    """Said in one line, which does not repeat it."""
    set_here(layout, asking, backend="anthropic")
    with pytest.raises(UserError, match=why) as caught:
        found(layout, {**asking, "ANTHROPIC_API_KEY": key})
    assert KEY not in str(caught.value)


class TestWhatCameWithAClone:
    """A config that somebody else wrote."""

    def test_it_starts_nothing_before_it_is_trusted(self, layout: Layout, asking: Env, tmp_path: Path) -> None:
        """Nor after, by that alone: the line says what to run, and nothing of the command was run."""
        mark = tmp_path / "it-ran"
        written(layout, backend="command", command=["sh", "-c", f"touch {mark}"])
        stranger = {**asking, "HIPOCAMPUS_STATE": str(tmp_path / "another")}
        assert found(layout, stranger) is None
        trust(stranger, layout.root, ID)
        with pytest.raises(UserError) as caught:
            found(layout, stranger)
        assert str(caught.value) == (
            f"{layout.config}: llm.backend was not set on this machine, so it does not hold; "
            "if you want it, run: hipocampus config set llm.backend ..."
        )
        assert not mark.exists()

    @pytest.mark.parametrize(
        ("mine", "theirs", "name"),
        [
            ({"backend": "command", "command": ["cat"]}, {"command": ["sh", "-c", "id"]}, "llm.command"),
            ({"backend": "command", "command": ["cat"]}, {"model": "the-dearest"}, "llm.model"),
            ({"backend": "anthropic"}, {"model": "the-dearest"}, "llm.model"),
            ({"backend": "anthropic"}, {"backend": "command", "command": ["id"]}, "llm.backend"),
        ],
    )
    def test_what_a_pull_changed_does_not_hold(
        self, layout: Layout, asking: Env, mine: dict[str, object], theirs: dict[str, object], name: str
    ) -> None:
        """The home was trusted and set up before."""
        set_here(layout, asking, **mine)
        assert found(layout, asking) is not None
        written(layout, **{**mine, **theirs})
        with pytest.raises(UserError, match=f"{name} was not set on this machine"):
            found(layout, asking)

    def test_what_it_may_not_use_does_not_matter(self, layout: Layout, asking: Env) -> None:
        """A model or command that nobody asks for is in nobody's way."""
        written(layout, model="the-dearest", command=["id"])
        assert found(layout, asking) is None
        set_here(layout, asking, backend="anthropic")
        written(layout, backend="anthropic", command=["id"])
        assert found(layout, asking) is not None


class TestTheGuard:
    """Before every question."""

    def test_the_limit_of_an_hour(self, layout: Layout, asking: Env, api: MessagesApi) -> None:
        """Questions that failed count, and the line says when the next one is free."""
        set_here(layout, asking, backend="anthropic", perHour=2, retries=0)
        now = NOON
        backend = found(layout, asking, lambda: now)
        assert backend is not None
        api.plan(Reply(status=400, error="no"), Reply("fine"))
        with pytest.raises(BackendError, match="400: no"):
            backend.ask(PROMPT)
        assert backend.ask(PROMPT).text == "fine"
        with pytest.raises(BackendError) as caught:
            backend.ask(PROMPT)
        assert str(caught.value).startswith(
            "the limit of 2 questions in an hour (llm.perHour) is reached; the next one"
        )
        assert len(api.asked) == 2
        now += 3600
        assert backend.ask(PROMPT).text == "fine"

    def test_a_limit_of_nothing(self, layout: Layout, asking: Env, api: MessagesApi) -> None:
        """A home may say that nobody is to be asked, and mean it."""
        set_here(layout, asking, backend="anthropic", perHour=0)
        backend = found(layout, asking)
        assert backend is not None
        with pytest.raises(BackendError, match=r"llm\.perHour is 0"):
            backend.ask(PROMPT)
        assert api.asked == []

    def test_nobody_is_asked_from_within_an_answer(self, layout: Layout, asking: Env, api: MessagesApi) -> None:
        """Else a summary could ask for a summary, without end; and that counts as no question."""
        set_here(layout, asking, backend="anthropic")
        backend = found(layout, {**asking, "HIPOCAMPUS_SUMMARIZING": "1"})
        assert backend is not None
        with pytest.raises(BackendError, match="from there it asks nobody"):
            backend.ask(PROMPT)
        assert api.asked == []
        assert not os.path.exists(asks_file(asking, ID))
