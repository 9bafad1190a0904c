"""``hipocampus surface``: the block that a prompt would get, for one prompt or for many."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import BinaryIO

from hipocampus.commands.caller import Caller
from hipocampus.commands.json_lines import BadLineError, answer_lines, encoded
from hipocampus.commands.lookup import opened_index
from hipocampus.commands.output import complain, say
from hipocampus.errors import UserError
from hipocampus.recall.surface import block
from hipocampus.store.files import read_text
from hipocampus.store.prompt_budget import prompt_budget

_SAID = "note: ROOT says already what bears on it"
_SILENT = "note: nothing in memory bears on it, so the prompt is told nothing"


def surface(
    caller: Caller,
    *,
    stdin: Callable[[], BinaryIO],
    prompt: tuple[str, ...] = (),
    jsonl: bool = False,
    tokens: int | None = None,
    home: str = "",
) -> int:
    """Print the block for `prompt`, or with `jsonl` one for each line of standard input; nothing is remembered of it.

    1 if there were lines that hold no prompt. `tokens` stands in for the setting.
    """
    if bool("".join(prompt).strip()) == jsonl:
        raise UserError("Give a prompt, or --jsonl and lines on standard input.")
    with opened_index(caller, home) as index:
        room = prompt_budget(index.layout) if tokens is None else tokens
        if tokens is None and not room:
            complain("note: recall.promptTokens is 0, so no prompt is told anything; --tokens N shows what it would be")
        root = read_text(index.layout.root_md) or ""
        encode = index.encoding()

        def blocked(prompt: str, known: str = root) -> str:
            return index.ask(lambda base: block(base, prompt, room, known, encode=encode).text)

        if jsonl:
            return answer_lines(stdin(), lambda line: _answer(line, blocked))
        words = " ".join(prompt)
        text = blocked(words)
        if room and not text:
            complain(_SAID if blocked(words, known="") else _SILENT)
    if text:
        say(text)
    return 0


def _answer(line: bytes, blocked: Callable[[str], str]) -> bytes:
    try:
        record = json.loads(line)
        prompt = record["prompt"]
        if not isinstance(prompt, str):
            raise TypeError
        prompt = prompt.encode("utf-8", "replace").decode()  # as a hook takes half a character
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadLineError('not an object with a "prompt"') from None
    return encoded({"id": record.get("id"), "text": blocked(prompt)})
