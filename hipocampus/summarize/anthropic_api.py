"""The back end ``anthropic``: the Messages API through the SDK, which knows when to try again."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut
from hipocampus.redaction import scrub
from hipocampus.summarize.asking import Answer, AnswerError, BackendError, Prompt, count_of
from hipocampus.summarize.deadline import DeadlineError, deadline

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

DEFAULT_MODEL = "claude-haiku-5-5"
DEFAULT_URL = "https://api.anthropic.com"
_WHOLE = ("end_turn", "stop_sequence")
_BROKEN_OFF = {
    "max_tokens": "the answer was cut off at {tokens} tokens (llm.maxTokens)",
    "model_context_window_exceeded": "the question is larger than what the model can read",
    "refusal": "the model refused to answer",
}
_COUNTS = ("cache_creation_input_tokens", "cache_read_input_tokens", "input_tokens", "output_tokens")
_WHY = 300
# A reply comes in events, at worst one for each token; so large are they at most, and all that is beside them.
_EVENT = 256
_BESIDE = 1 << 20


class _TooMuchError(BaseException):
    """A reply is larger than any answer can be. Not an Exception, so that the SDK does not try it again."""


class _CompressedError(BaseException):
    """A reply is compressed, though that was not asked for: a few of its bytes may be any number of bytes."""


@dataclass(frozen=True, slots=True)
class AnthropicApi:
    """Asks one model. `timeout` are the seconds of one attempt; no question lasts longer than all its attempts may."""

    key: str = field(repr=False)
    url: str
    model: str
    max_tokens: int
    timeout: int
    retries: int

    @property
    def name(self) -> str:
        return f"anthropic {self.model}"

    def ask(self, prompt: Prompt) -> Answer:
        """The whole text of the answer. BackendError where it was refused, cut off, or there is none."""
        longest = self.timeout * (self.retries + 1)
        try:
            client = self._client()
            with deadline(longest), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the SDK, about models and types: nothing that a user could mend
                message = self._message(client, prompt)
        except DeadlineError:
            raise BackendError(f"{self.name}: no answer within {longest} s (llm.timeout, llm.retries)") from None
        except _TooMuchError:
            raise AnswerError(f"{self.name}: what came back is longer than {self.max_tokens} tokens can be") from None
        except _CompressedError:
            raise BackendError(f"{self.name}: what came back is compressed, which it was asked not to be") from None
        # Whatever a stranger's bytes make of the SDK and the libraries below it, it is no answer, and no bug of ours.
        except Exception as error:
            raise BackendError(f"{self.name}: {self._reason(error)}") from None
        return self._accepted(message)

    def _client(self) -> Anthropic:
        # Costs more than a second, so only who asks pays for it.
        from anthropic import Anthropic, DefaultHttpxClient

        return Anthropic(
            api_key=self.key,
            base_url=self.url,
            timeout=float(self.timeout),
            max_retries=self.retries,
            default_headers={"Accept-Encoding": "identity"},
            http_client=DefaultHttpxClient(
                event_hooks={"response": [_bounding(_BESIDE + self.max_tokens * _EVENT)]},
            ),
        )

    def _message(self, client: Anthropic, prompt: Prompt) -> Message:
        with (
            client,
            client.messages.stream(
                model=self.model,
                max_tokens=self.max_tokens,
                system=[{"type": "text", "text": prompt.fixed, "cache_control": {"type": "ephemeral"}}],
                messages=[{"role": "user", "content": prompt.matter}],
            ) as stream,
        ):
            return stream.get_final_message()

    def _accepted(self, message: Message) -> Answer:
        # An SDK may not know one of them.
        written, read, fresh, tokens_out = (count_of(getattr(message.usage, name, 0)) for name in _COUNTS)
        tokens_in = written + read + fresh
        stop = message.stop_reason
        if stop not in _WHOLE:
            why = _BROKEN_OFF.get(str(stop), "the answer broke off").format(tokens=self.max_tokens)
            raise AnswerError(f"{self.name}: {why}", tokens_in, tokens_out)
        text = "".join(block.text for block in message.content if block.type == "text")
        return Answer(text, tokens_in, tokens_out, read)

    def _reason(self, error: Exception) -> str:
        """Why there is no answer, in the words of the API where it has any; never with the key."""
        if isinstance(error, AssertionError):  # of the SDK, where a stream ends that never began
            return "what came back is no answer of the Messages API"
        status, body = getattr(error, "status_code", None), getattr(error, "body", None)
        match body:
            case {"error": {"message": str(said)}}:
                pass
            case _:
                said = str(error.__cause__ or error) or type(error).__name__
        said = f"{status}: {said}" if isinstance(status, int) and str(status) not in said else said
        return cut(one_line(scrub(said.replace(self.key, "(key)"))), _WHY)


def _bounding(most: int) -> Callable[[Any], None]:
    """What is done to each reply before anybody reads of it, the text of an error, too: no more than `most` bytes come.

    The reply is of one of the two libraries that SDKs are built on, and both read by this method.
    """

    def bound(reply: Any) -> None:
        if reply.headers.get("content-encoding", "identity") != "identity":
            raise _CompressedError
        parts = reply.iter_raw
        reply.iter_raw = lambda *sizes: _at_most(most, parts(*sizes))

    return bound


def _at_most(most: int, parts: Iterator[bytes]) -> Iterator[bytes]:
    for part in parts:
        most -= len(part)
        if most < 0:
            raise _TooMuchError
        yield part
