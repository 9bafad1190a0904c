"""The back end ``anthropic`` against an API that says good things and bad ones."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from dataclasses import replace

import pytest

from hipocampus.summarize.anthropic_api import AnthropicApi
from hipocampus.summarize.asking import Answer, AnswerError, BackendError, Prompt

from .messages_api import KEY, MessagesApi, Reply

PROMPT = Prompt("Summarise what follows.", "# 2026-03-15\n- a token bucket")
SOON = {"retry-after-ms": "1"}


@pytest.fixture
def backend(api: MessagesApi) -> AnthropicApi:
    """One that tries twice again."""
    return AnthropicApi(KEY, api.url, "claude-test", 1000, 20, 2)


def test_a_good_answer_comes_with_its_cost(api: MessagesApi, backend: AnthropicApi) -> None:
    """What was written to the cache or read from it is input, too; what was read is named by itself."""
    usage = {
        "input_tokens": 10,
        "output_tokens": 20,
        "cache_creation_input_tokens": 300,
        "cache_read_input_tokens": 4000,
    }
    api.plan(Reply("- a token bucket", usage=usage))
    assert backend.ask(PROMPT) == Answer("- a token bucket", 4310, 20, 4000)


def test_the_fixed_part_may_be_cached_and_the_rest_not(api: MessagesApi, backend: AnthropicApi) -> None:
    """The instructions are the system prompt with a mark for the cache; model and sizes are those of the settings."""
    backend.ask(PROMPT)
    (asked,) = api.asked
    assert asked.body["system"] == [{"type": "text", "text": PROMPT.fixed, "cache_control": {"type": "ephemeral"}}]
    assert asked.body["messages"] == [{"role": "user", "content": PROMPT.matter}]
    assert (asked.body["model"], asked.body["max_tokens"]) == ("claude-test", 1000)
    assert any(KEY in value for value in asked.headers.values())


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
def test_what_may_pass_is_tried_again(api: MessagesApi, backend: AnthropicApi, status: int) -> None:
    """As often as the settings say, which the SDK counts."""
    busy = Reply(status=status, error="busy", headers=SOON)
    api.plan(busy, busy, Reply("at last"))
    assert backend.ask(PROMPT).text == "at last"
    assert len(api.asked) == 3


def test_how_long_to_wait_is_for_the_api_to_say(api: MessagesApi, backend: AnthropicApi) -> None:
    """By retry-after, in seconds: never sooner."""
    api.plan(Reply(status=429, error="slow down", headers={"retry-after": "1"}), Reply("at last"))
    assert backend.ask(PROMPT).text == "at last"
    first, second = api.asked
    assert second.at - first.at >= 1


@pytest.mark.parametrize("status", [429, 529])
def test_in_the_end_it_is_given_up(api: MessagesApi, backend: AnthropicApi, status: int) -> None:
    """With what the API said, in one line."""
    api.plan(Reply(status=status, error="come\nback tomorrow", headers=SOON))
    with pytest.raises(BackendError) as caught:
        backend.ask(PROMPT)
    assert len(api.asked) == 3
    assert str(caught.value) == f"anthropic claude-test: {status}: come back tomorrow"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_what_does_not_pass_is_not_tried_again(api: MessagesApi, backend: AnthropicApi, status: int) -> None:
    """A wrong key is wrong the next time, too."""
    api.plan(Reply(status=status, error="no", headers=SOON))
    with pytest.raises(BackendError, match=f"{status}: no"):
        backend.ask(PROMPT)
    assert len(api.asked) == 1


def test_nothing_that_answers_is_said_in_one_line(backend: AnthropicApi) -> None:
    """No server there."""
    with pytest.raises(BackendError) as caught:
        replace(backend, url="http://127.0.0.1:9", retries=0).ask(PROMPT)
    assert str(caught.value).startswith("anthropic claude-test: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("stop", "why"),
    [
        ("max_tokens", "cut off at 1000 tokens (llm.maxTokens)"),
        ("refusal", "refused to answer"),
        ("model_context_window_exceeded", "larger than what the model can read"),
        ("tool_use", "broke off"),
        ("pause_turn", "broke off"),
        ("something new", "broke off"),
        (None, "broke off"),
    ],
)
def test_an_answer_that_is_not_whole_is_none(
    api: MessagesApi, backend: AnthropicApi, stop: str | None, why: str
) -> None:
    """Whatever its text; what it cost is kept."""
    api.plan(Reply("- a token", stop=stop))
    with pytest.raises(AnswerError) as caught:
        backend.ask(PROMPT)
    assert why in str(caught.value)
    assert (caught.value.tokens_in, caught.value.tokens_out) == (100, 20)
    assert len(api.asked) == 1


@pytest.mark.parametrize("events", range(6))
def test_a_stream_that_breaks_is_no_answer(api: MessagesApi, backend: AnthropicApi, events: int) -> None:
    """After any of its events: half a summary is none."""
    api.plan(Reply("- a token bucket", cut=events))
    with pytest.raises(BackendError):
        backend.ask(PROMPT)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"not a stream",
        b"event: message_start\ndata: {broken\n\n",
        b'event: message_start\ndata: {"type": "message_start", "message": null}\n\n',
        b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}\n\n',
        b'event: message_stop\ndata: {"type": "message_stop"}\n\n',
        b"\xff\xfe\x00" * 100,
    ],
)
def test_a_stream_of_anything_else_is_no_answer(api: MessagesApi, backend: AnthropicApi, raw: bytes) -> None:
    """And no bug of ours: one clear line."""
    api.plan(Reply(raw=raw))
    with pytest.raises(BackendError) as caught:
        backend.ask(PROMPT)
    assert str(caught.value).startswith("anthropic claude-test: ")
    assert "\n" not in str(caught.value)


def test_a_page_instead_of_an_answer_is_called_so(api: MessagesApi, backend: AnthropicApi) -> None:
    """What a proxy or a wrong address answers."""
    api.plan(Reply(raw=b"<html>Please log in</html>"))
    with pytest.raises(BackendError, match="no answer of the Messages API"):
        backend.ask(PROMPT)


ENDLESS = b"event: content_block_delta\ndata: " + b"x" * (32 << 20)


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(
    ("raw", "encoding", "why"),
    [
        (ENDLESS, "identity", "longer than 1000 tokens can be"),
        (b"\n" * len(ENDLESS), "identity", "longer than 1000 tokens can be"),
        (gzip.compress(ENDLESS), "gzip", "compressed"),
        (zlib.compress(ENDLESS), "deflate", "compressed"),
    ],
    ids=["endless", "empty lines", "gzip", "deflate"],
)
def test_a_reply_without_end_is_left_off(
    api: MessagesApi, backend: AnthropicApi, status: int, raw: bytes, encoding: str, why: str
) -> None:
    """An answer or an error, packed or not: one clear line, never asked for again, and little of it is ever held."""
    backend.ask(PROMPT)  # the SDK itself is larger
    api.plan(Reply(status=status, raw=raw, headers={"content-encoding": encoding, **SOON}))
    tracemalloc.start()
    try:
        with pytest.raises(BackendError, match=why):
            backend.ask(PROMPT)
        assert tracemalloc.get_traced_memory()[1] < 12 << 20
    finally:
        tracemalloc.stop()
    assert len(api.asked) == 2


def test_an_answer_of_all_its_tokens_is_whole(api: MessagesApi, backend: AnthropicApi) -> None:
    """An event for each, each of the longest."""
    head, start, delta, *rest = Reply("로" * 12).events
    events = [head, start, *[delta] * 1000, *rest]
    api.plan(Reply(raw="".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode()))
    assert backend.ask(PROMPT).text == "로" * 12_000


@pytest.mark.parametrize(
    "usage",
    [
        {"input_tokens": "many", "output_tokens": -1},
        {"output_tokens": "few"},
        {"input_tokens": 10**9, "output_tokens": 10**30},
    ],
)
def test_counts_that_are_none_count_as_nothing(
    api: MessagesApi, backend: AnthropicApi, usage: dict[str, object]
) -> None:
    """The answer is as good without them."""
    api.plan(Reply("- a token bucket", usage=usage))
    assert backend.ask(PROMPT) == Answer("- a token bucket", 0, 0, 0)


def test_one_who_never_finishes_is_given_up(api: MessagesApi, backend: AnthropicApi) -> None:
    """The time of all attempts together is the end, whatever the other side still promises."""
    api.plan(Reply("- a token bucket", cut=3, pause=True))
    with pytest.raises(BackendError, match="anthropic claude-test"):
        replace(backend, timeout=1, retries=0).ask(PROMPT)


def test_one_who_says_to_wait_for_hours_is_given_up(api: MessagesApi, backend: AnthropicApi) -> None:
    """The SDK would wait as long as it is told; an old one does not listen, and tries again soon."""
    api.plan(Reply(status=429, error="busy", headers={"retry-after": "7200"}))
    with pytest.raises(BackendError, match=r"no answer within 2 s \(llm.timeout, llm.retries\)|429: busy"):
        replace(backend, timeout=1, retries=1).ask(PROMPT)


def test_no_error_says_the_key(api: MessagesApi, backend: AnthropicApi) -> None:
    """Though the API repeats it."""
    api.plan(Reply(status=401, error=f"the key {KEY} is wrong"))
    with pytest.raises(BackendError) as caught:
        backend.ask(PROMPT)
    assert KEY not in str(caught.value)
    assert KEY not in repr(backend)
