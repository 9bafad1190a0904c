"""What stands against an answer before anything of it is read, whatever it is an answer to."""

from __future__ import annotations

import re
from collections.abc import Callable

from hipocampus.compaction.words import DROPPED, RARE, bare, worth
from hipocampus.core.stems import stem
from hipocampus.core.tokens import utf8_bytes
from hipocampus.redaction import Policy, redact

LEAST_BYTES = 50


def faults_of_form(answer: str, longest: int, policy: Policy) -> tuple[str, ...]:
    """Why an answer of at most `longest` characters is none, each reason a sentence without a word of it."""
    return tuple(reason for rule in _RULES if (reason := rule(answer, longest, policy)))


def _is_empty(answer: str, _longest: int, _policy: Policy) -> str:
    return "" if utf8_bytes(answer) >= LEAST_BYTES else f"it has fewer than {LEAST_BYTES} bytes"


def _is_long(answer: str, longest: int, _policy: Policy) -> str:
    return f"it is longer than what it sums up ({longest:,} characters)" if len(answer) > longest else ""


def _is_fenced(answer: str, _longest: int, _policy: Policy) -> str:
    return "a code fence stands around it" if re.search(r"^\s*(?:`{3}|~{3})", answer, re.MULTILINE) else ""


# A topic may be called "I don't want npm", so that only the beginning of an answer is looked at.
_REFUSAL = re.compile(
    r"\A\W*(?:I(?:'m| am)? (?:sorry|unable|afraid|apologi[sz]e)|"
    r"I (?:can(?:no|')t|can not|do not|don't|won't|will not)\b|(?:Sorry|Apologies)[,.]|As an AI\b|"
    r"죄송|제가 도와드릴 수 없)",
    re.IGNORECASE,
)


def _refuses(answer: str, _longest: int, _policy: Policy) -> str:
    return "it refuses, or speaks of itself" if _REFUSAL.search(answer.replace("’", "'")) else ""


_ERROR = re.compile(
    r"\A\W*(?:(?:API |internal |server |fatal |unexpected )?error\b|traceback \(most recent|exception\b|"
    r"HTTP/?\d?.? ?[45]\d\d|[45]\d\d (?:error|too many|bad|internal|service)|rate limit|overloaded|timed? ?out|"
    r"usage:|command not found|\{\s*\"(?:error|type))",
    re.IGNORECASE,
)


def _is_error(answer: str, _longest: int, _policy: Policy) -> str:
    return "it is an error message" if _ERROR.search(answer) else ""


def _has_secret(answer: str, _longest: int, policy: Policy) -> str:
    return secret_in(answer, policy)


_RULES: tuple[Callable[[str, int, Policy], str], ...] = (
    _is_empty,
    _is_long,
    _is_fenced,
    _refuses,
    _is_error,
    _has_secret,
)


def secret_in(text: str, policy: Policy) -> str:
    """What stands against a text with a secret; empty where it has none."""
    return "it holds what looks like a secret" if redact(text, policy).findings else ""


_WORDS_OF_PROSE, _PART_OF_PROSE = 9, 0.42


def is_prose(text: str) -> bool:
    """Whether a line is a sentence that tells, rather than keywords."""
    words = [word for token in text.split() if (word := bare(token))]
    filler = sum(word.lower() in DROPPED for word in words)
    return len(words) >= _WORDS_OF_PROSE and filler >= _PART_OF_PROSE * len(words)


# A summary that is denser may have fewer words; one with hardly any is a stub.
_WORSE = 0.5


def worse_than(text: str, existing: str) -> str:
    """What stands against a text that would replace an `existing` one: that it says much less."""
    now, before = len(_telling(text)), len(_telling(existing))
    if now < before * _WORSE:
        return f"it says less than the summary that is there ({now:,} telling words for {before:,})"
    return ""


def _telling(text: str) -> set[str]:
    words = (bare(token) for token in text.split())
    return {stem(word.lower()) for word in words if worth(word) >= RARE}
