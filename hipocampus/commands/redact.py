"""``hipocampus redact``: text in, text without secrets out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, BinaryIO

from hipocampus.commands.caller import Caller
from hipocampus.commands.json_lines import BadLineError, answer_lines, encoded
from hipocampus.commands.output import complain, pass_on
from hipocampus.commands.place import open_home
from hipocampus.core.neutral import one_line
from hipocampus.redaction import DEFAULT, Finding, Policy
from hipocampus.redaction import redact as redacted
from hipocampus.store.config import load_lenient
from hipocampus.store.home import Home, find_home


def redact(
    caller: Caller, *, stdin: Callable[[], BinaryIO], jsonl: bool = False, findings: bool = False, home: str = ""
) -> int:
    """Pass standard input on without its secrets, every other byte as it came; with `jsonl` a text in each line.

    `findings` adds kinds and places (in characters of the input): to each line, or without `jsonl` on standard error.
    1 if there were lines that hold no text.
    """
    policy = _policy(caller, home)
    if jsonl:
        return answer_lines(stdin(), lambda line: _answer(line, policy, findings))
    found = redacted(stdin().read().decode("utf-8", "surrogateescape"), policy)
    pass_on([found.text.encode("utf-8", "surrogateescape")])
    for finding in found.findings if findings else ():
        complain(json.dumps(_shown(finding)))
    return 0


def _policy(caller: Caller, home: str) -> Policy:
    """What the memory's config allows and adds; outside a memory the rules as they are."""
    if home or caller.home:
        found: object = open_home(caller, home, quiet=True)
    else:
        found = find_home(caller.cwd, caller.env)
    if not isinstance(found, Home):
        return DEFAULT
    config = load_lenient(found.layout, caller.env)
    for warning in config.warnings:
        if "redact" in warning:
            complain(f"note: {one_line(warning)}")
    return config.policy


def _answer(line: bytes, policy: Policy, findings: bool) -> bytes:
    try:
        return _redact_line(line, policy, findings)
    except Exception as error:
        raise BadLineError(_reason(error)) from None


def _redact_line(line: bytes, policy: Policy, findings: bool) -> bytes:
    """One JSON object with its text redacted. The id is the caller's, whatever it is; nothing else is passed on."""
    record = json.loads(line)
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        raise _NoTextError
    found = redacted(record["text"], policy)
    result: dict[str, Any] = {"id": record["id"]} if "id" in record else {}
    result["text"] = found.text
    if findings:
        result["findings"] = [_shown(finding) for finding in found.findings]
    return encoded(result)


class _NoTextError(ValueError):
    """The line is JSON, but not an object with a text."""


def _reason(error: Exception) -> str:
    """Why a line cannot be used, in words that repeat nothing of it."""
    match error:
        case _NoTextError():
            return 'not an object with a "text"'
        case json.JSONDecodeError():
            return f"not JSON at column {error.colno}"
        case UnicodeDecodeError():
            return "not UTF-8"
        case _:
            return f"could not be redacted ({type(error).__name__})"


def _shown(finding: Finding) -> dict[str, object]:
    return {"kind": finding.kind, "start": finding.start, "end": finding.end}
