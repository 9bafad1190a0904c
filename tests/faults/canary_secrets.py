"""The canaries: one secret of each kind for every way into the program. A new feature adds a row to WAYS.

The values are made at run time, the same at every run; nothing of their shape stands in this file. Each way has values
of its own, so that a leak names the way it came and the kind that got through.
"""

from __future__ import annotations

import base64
import json
import urllib.parse
from collections.abc import Iterator
from functools import cache
from zlib import crc32

from hipocampus.redaction.samples import Sampler

# What a way can carry: a name (no spaces), one line, or a text of many.
NAME, LINE, TEXT = range(3)

_KEY = "-----{} PRIVATE KEY-----"
KINDS: tuple[tuple[str, int, str], ...] = (
    ("provider token", NAME, "ghp_{A36}"),
    ("cloud key", NAME, "AKIA{T16}"),
    ("web token", LINE, "see {jwt}"),
    ("environment line", LINE, "DB_PASSWORD={H20}"),
    ("assignment", LINE, 'api_key = "{A32}"'),
    ("JSON", LINE, '{"client_secret": "{A40}"}'),
    ("bearer", LINE, "Authorization: Bearer {A40}"),
    ("URL", LINE, "postgres://svc:{H20}@db.acme.io/shop"),
    ("webhook", LINE, "https://hooks.slack.com/services/T{U9}/B{U9}/{A24}"),
    ("command line", LINE, "curl -u admin:{H20} https://acme.io"),
    ("hash", LINE, "bob:$2b$12${A53}"),
    ("sentence", LINE, "the password is {H20}"),
    ("Korean sentence", LINE, "비밀번호는 {H20} 입니다"),
    ("cookie", LINE, "Cookie: sessionid={H32}"),
    ("private block", LINE, "<private>{H20}</private>"),
    ("private key", TEXT, "\n".join((_KEY.format("BEGIN"), "{A64}", "{A64}", "{A40}", _KEY.format("END")))),
    ("table", TEXT, "| user | password |\n|---|---|\n| bob | {H20} |"),
    ("below its label", TEXT, "Password:\n{H20}"),
)
_JOINTS = {NAME: ",", LINE: " ; ", TEXT: "\n\n"}

WAYS: dict[str, int] = {
    # what a host tells the hooks
    "prompt": TEXT,
    "assistant text": TEXT,
    "second assistant text": TEXT,
    "tool name": NAME,
    "file name": NAME,
    "transcript garbage": LINE,
    "transcript prompt": TEXT,
    "queued prompt": TEXT,
    "task": TEXT,
    "compact instructions": TEXT,
    "payload cut short": LINE,
    "session id": LINE,
    "start source": LINE,
    "branch": NAME,
    # what is typed
    "checkpoint topic": LINE,
    "checkpoint field": TEXT,
    "checkpoint on stdin": TEXT,
    "remembered": LINE,
    "command argument": LINE,
    "redacted": TEXT,
    "forgotten": LINE,
    "saved entry": TEXT,
    "question": LINE,
    "crash": TEXT,
    # what stands in files of the memory
    "budgeted file": TEXT,
    "summarised file": TEXT,
    "working file": TEXT,
    "scratchpad": TEXT,
    "task queue": TEXT,
    "knowledge": TEXT,
    "plan": TEXT,
    "config value": LINE,
    "config key": LINE,
    "ROOT by hand": LINE,
    "ROOT heading by hand": LINE,
    "raw log by hand": TEXT,
    "node by hand": LINE,
    # what an LLM answers
    "LLM summary": TEXT,
    "LLM bullets": TEXT,
    "anthropic reply": TEXT,
    "anthropic error": TEXT,
    "command reply": TEXT,
    "command error": TEXT,
    # what import reads of the past
    "Claude Code's past": TEXT,
    "Codex's past": TEXT,
    "OpenCode's past": TEXT,
    "OpenClaw's past": TEXT,
    "OpenClaw's notes": TEXT,
}


@cache
def _made(way: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Kind, text and secret values of each kind that the way can carry."""
    sampler = Sampler(crc32(way.encode()))
    rows = []
    for kind, form, template in KINDS:
        if form <= WAYS[way]:
            text, secrets, _pieces = sampler.filled(template)
            # of a web token its signature is the secret: all of them begin alike
            rows.append((kind, text, tuple(value.rpartition(".")[2] for value in secrets)))
    return tuple(rows)


def planted(way: str) -> str:
    """The text that goes in this way, with every kind that it can carry."""
    return _JOINTS[WAYS[way]].join(one_by_one(way))


def one_by_one(way: str) -> list[str]:
    """The same in parts, one for each kind."""
    return [text for _kind, text, _secrets in _made(way)]


def secrets(way: str) -> Iterator[tuple[str, str]]:
    """Kind and value of each secret that went in this way."""
    for kind, _text, values in _made(way):
        for value in values:
            yield kind, value


def traces(value: str) -> set[bytes]:
    """What would be left of a value at rest: itself, the ends of a long one, and the same as other formats write it."""
    parts = {value} if len(value) < 24 else {value, value[:16], value[-16:]}
    found = {part.encode() for part in parts}
    for part in parts:
        found |= {json.dumps(part)[1:-1].encode(), urllib.parse.quote(part, "").encode(), part.encode().hex().encode()}
        # base64 of a text that holds the value, whatever stands before it
        for shift in range(3):
            encoded = base64.b64encode(b"\0" * shift + part.encode())
            found.add(encoded[4 if shift else 0 : len(encoded) - 4])
    return found
