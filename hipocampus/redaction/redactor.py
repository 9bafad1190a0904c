"""Text in, text without secrets out: the order of the stages, the time limit, and what is written when they fail."""

from __future__ import annotations

import sys
import time

from hipocampus.core.byte_code import drop_if_damaged
from hipocampus.core.json_text import from_json, to_json
from hipocampus.redaction import anchors, tokens
from hipocampus.redaction import policy as policies
from hipocampus.redaction import spans as spanning
from hipocampus.redaction.findings import Redacted, Redaction
from hipocampus.redaction.policy import Policy
from hipocampus.redaction.private import find_private
from hipocampus.redaction.view import Span, lowered, view_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Of the processor, not of the wall: a busy machine must not turn text into a stub.
SECONDS = 2.0
SECONDS_PER_MEGABYTE = 4.0
DEEPEST = 100
# What was replaced may have hidden another value. Texts up to this size are searched again until nothing more is found.
LONGEST_AGAIN = 200_000
AGAIN = 3


class OutOfTimeError(Exception):
    """The text could not be searched in the time that it may take."""


def redact(text: str, policy: Policy | None = None) -> Redaction:
    """`text` with each secret replaced by ``[REDACTED:<kind>]``, and where they stood, in characters of the input.

    The same text gives the same result at any time; redacting the result changes nothing. Takes whole documents or
    whole messages: a key that is cut in two is not a key to the rules. Without a policy the one in force holds.
    """
    return _redact(text, policy or policies.in_force(), _no_check)


def scrub(
    text: str, policy: Policy | None = None, *, clock: Callable[[], float] = time.process_time, seconds: float = SECONDS
) -> Redacted:
    """`text` without secrets; never raises. What could not be searched, or not in time, becomes a stub that says so."""
    try:
        check = _deadline(clock, seconds, len(text))
        return _redact(text, policy or policies.in_force(), check).text
    except Exception as error:
        drop_if_damaged(error)
        return Redacted(_stub(text, error))


def scrub_json(
    value: object,
    policy: Policy | None = None,
    *,
    clock: Callable[[], float] = time.process_time,
    seconds: float = SECONDS,
) -> Redacted:
    """`value` as one line of compact JSON in which every string, keys too, has been scrubbed; never raises."""
    try:
        policy = policy or policies.in_force()
        check = _deadline(clock, seconds, 0)
        text = to_json(_scrubbed(value, policy, check, 0))
        whole = _redact(text, policy, check).text  # again as one text: a name and its value are two strings
        if whole != text:
            from_json(whole)
        return whole
    except Exception as error:
        drop_if_damaged(error)
        return Redacted(f'"[REDACTED:unscannable value: {type(error).__name__}]"')


def _redact(text: str, policy: Policy, check: Callable[[], None]) -> Redaction:
    spans = _search(text, policy, check)
    redacted = spanning.replace(text, spans)
    for _ in range(AGAIN if spans and len(text) <= LONGEST_AGAIN else 0):
        more = _search(redacted, policy, check)
        if not more:
            break
        places = [(spanning.behind(spans, start), spanning.behind(spans, end)) for start, end, _kind, _name in more]
        found = [(*place, span[2], span[3]) for place, span in zip(places, more)]  # noqa: B905 - of the same length
        spans = spanning.merge(spans + found)
        redacted = spanning.replace(text, spans)
    return Redaction(Redacted(redacted), spanning.findings_of(spans))


def _search(text: str, policy: Policy, check: Callable[[], None]) -> list[Span]:
    """The spans to replace, in order and apart."""
    values = sys.modules.get("hipocampus.redaction.values")  # a text without any name never loads it
    if values:
        values.begin_text()
    found = find_private(text, lowered(text)) + _in_original(text, policy, check)
    spans = spanning.merge(policies.kept(text, spanning.beside_markers(text, found), policy))
    if not spans:
        return spans
    check()
    return spanning.merge(spans + spanning.copies(text, spans))


def _in_original(text: str, policy: Policy, check: Callable[[], None]) -> list[Span]:
    """Every rule over the view, the spans in places of the original text."""
    view = view_of(text)
    check()
    found = tokens.find_tokens(view)
    check()
    found += anchors.find_by_words(view, check)
    if not view.text.isascii():
        from hipocampus.redaction.languages import find_all

        found += find_all(view)
        check()
    if policy.extra:
        found += policies.find_extra(view.text, policy, check)
    spans = [(*view.original(start, end), kind, name) for start, end, kind, name in found]
    return spans + tokens.find_at(text, view.joined)


def _deadline(clock: Callable[[], float], seconds: float, size: int) -> Callable[[], None]:
    """A check that raises when a text of `size` characters has had its seconds."""
    end = clock() + seconds + SECONDS_PER_MEGABYTE * size / 1e6

    def check() -> None:
        if clock() > end:
            raise OutOfTimeError

    return check


def _no_check() -> None:
    pass


def _stub(text: str, error: Exception) -> str:
    size = len(text.encode("utf-8", "surrogatepass"))
    return f"[REDACTED:unscannable {size} bytes: {type(error).__name__}]"


def _scrubbed(value: object, policy: Policy, check: Callable[[], None], depth: int) -> object:
    if depth > DEEPEST:
        return "[REDACTED:unscannable value: too deep]"
    match value:
        case Redacted():
            return str(value)  # and it is searched once more with the whole
        case str():
            return str(_redact(value, policy, check).text)
        case dict():
            return {
                str(_redact(str(key), policy, check).text): _scrubbed(item, policy, check, depth + 1)
                for key, item in value.items()
            }
        case list() | tuple():
            return [_scrubbed(item, policy, check, depth + 1) for item in value]
        case _:
            return value
