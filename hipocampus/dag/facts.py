"""The hard facts of a text that a summary of the first depth must not lose: a table of what they look like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut


class Fact(StrEnum):
    """A kind of fact, by the name it has in a summary."""

    TIME = "times"
    PATH = "paths"
    COMMAND = "commands"
    ERROR = "errors"
    VALUE = "values"


# Of a longer entry the beginning is read: what follows is pasted material.
_READ = 12_000
_EACH, _WIDTH = 6, 90

_EXTENSIONS = (
    "py|pyi|md|js|mjs|cjs|ts|tsx|jsx|json|jsonl|ya?ml|toml|ini|cfg|conf|lock|txt|csv|sql|sh|bash|zsh|go|rs|rb|java|kt|swift|"
    "c|h|cc|cpp|hpp|cs|php|vue|svelte|html?|css|scss|xml|env|log|proto|graphql|tf|ipynb|sqlite|db|png|svg|pdf"
)
_PROGRAMS = (
    "git|gh|npm|npx|pnpm|yarn|bun|bunx|node|deno|python3?|pip3?|pipx|uv|uvx|poetry|pytest|ruff|mypy|tox|make|cmake|ninja|"
    "cargo|rustc|go|mvn|gradle|java|docker|docker-compose|podman|kubectl|helm|terraform|aws|gcloud|az|psql|mysql|sqlite3|"
    "redis-cli|curl|wget|ssh|scp|rsync|systemctl|journalctl|crontab|brew|apt|apt-get|sudo|chmod|chown|sed|awk|grep|rg|find|"
    "hipocampus|claude|codex|opencode"
)
_UNITS = (
    "ns|µs|us|ms|s|sec|secs|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|%|[kKMGT]i?B|bytes?|px|rem|em|rps|qps|Hz|kHz|"
    "MHz|GHz|tokens?|lines?|rows?|requests?|retries|threads?|workers?|users?|USD|EUR|원|개|초|분|시간|일|줄|건"
)

# What an error says goes to the end of its sentence: the dot of a file's name ends nothing.
_SAID = r"(?:[^\n;.`]|\.(?!\s|$)){2,200}"
_NAMED_ERROR = r"[A-Z]\w{0,40}(?:Error|Exception|Failure|Timeout)\b"

_TABLE: tuple[tuple[Fact, tuple[str, ...]], ...] = (
    (
        Fact.TIME,
        (
            r"(?<!\d)\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)",
            r"(?<![\d:.])\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?(?![\d:])",
        ),
    ),
    (
        Fact.PATH,
        (
            r"https?://[^\s<>()\"'`\]]{3,200}",
            r"(?<![\w/@:.-])(?:~|\.{1,2})?/?(?:[\w.@+-]{1,80}/){1,12}[\w.@+-]{0,80}(?::\d+)?",
            rf"(?<![\w/.-])[\w-]{{1,60}}(?:\.[\w-]{{1,30}}){{0,3}}\.(?:{_EXTENSIONS})\b(?::\d+)?",
        ),
    ),
    (
        Fact.COMMAND,
        (
            r"(?m)^[ \t]*\$ +(?P<shell>\S.{1,200})$",
            rf"`(?P<code>(?:{_PROGRAMS}) [^`\n]{{1,160}})`",
            rf"(?m)^[ \t]*(?P<line>(?:{_PROGRAMS}) [a-z-][^\n]{{1,160}})$",
        ),
    ),
    (
        Fact.ERROR,
        (
            # Before names alone, which then stand in it already; the word "error" is said by the summary.
            rf"\b(?i:error)(?: ?[:=] ?| (?={_NAMED_ERROR}))(?P<said>{_SAID})|"
            rf"(?i:\b(?:error|fatal|panic|failed|exit (?:code|status))\b)(?: ?[:=] ?| ){_SAID}",
            rf"\b{_NAMED_ERROR}(?::{_SAID})?",
            r"\bE[A-Z]{3,12}\b(?=[^A-Z]|$)",
            rf"(?:오류|에러|실패)(?:: ?|가 |는 )?(?:{_SAID})?",
        ),
    ),
    (
        Fact.VALUE,
        (
            r"(?<![\w-])[A-Za-z_][\w.-]{1,40} ?= ?[^\s,;`]{1,60}",
            rf"(?<![\w.])\d[\d,_]*(?:\.\d+)? ?(?:{_UNITS})(?![\w%])",
            r"(?<![\w.])v?\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?(?![\w.])",
            r"(?<![\w.:#/-])[1-5]\d\d(?= [A-Z][a-z])[ A-Za-z]{2,30}",
        ),
    ),
)
_RULES = tuple((fact, tuple(re.compile(rule) for rule in rules)) for fact, rules in _TABLE)


def facts_in(text: str) -> dict[Fact, tuple[str, ...]]:
    """The facts of a scrubbed text by kind, in their order, a few of each; none is said twice."""
    read = text[:_READ]
    return {fact: found for fact, rules in _RULES if (found := _first(_found(read, rules)))}


def _found(text: str, rules: tuple[re.Pattern[str], ...]) -> Iterator[str]:
    for rule in rules:
        for match in rule.finditer(text):
            yield cut(one_line(match[match.lastgroup or 0]).strip(" .,;:*"), _WIDTH)


def _first(found: Iterator[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for one in found:
        if one and not any(one in other for other in kept):
            kept.append(one)
            if len(kept) == _EACH:
                break
    return tuple(kept)
