"""What a host is answered: a text for the model and a line for its user, in the two shapes that there are."""

from __future__ import annotations

from hipocampus.hosts.events import PROMPT, SESSION_START

_CUT = "\n… (the rest was left out: a hook may show no more)"
_LONGEST_CHARACTER = 4
_SHOWN = {SESSION_START: "SessionStart", PROMPT: "UserPromptSubmit"}


def hook_output(kind: str, text: str, user_line: str, encoding: str, size: int) -> dict[str, object]:
    """The JSON output of a hook of Claude Code or Codex; empty with nothing to show.

    Each part over `size` bytes in `encoding` is cut and says so: the last guard, after the budgets of whoever built it.
    Only two events have an output. The text of a PreCompact would be pasted into the summariser's instructions, that of
    a Stop would make the turn go on, and Codex drops an output whole for a key that its event does not know.
    """
    output: dict[str, object] = {}
    if kind not in _SHOWN:
        return output
    if text.strip():
        shown = _fitted(text, encoding, size)
        output["hookSpecificOutput"] = {"hookEventName": _SHOWN[kind], "additionalContext": shown}
    if user_line.strip():
        output["systemMessage"] = _fitted(user_line, encoding, size)
    return output


def plugin_answer(kind: str, text: str, user_line: str) -> dict[str, object]:
    """The answer to what of ours runs inside OpenCode or OpenClaw; empty with nothing to show."""
    said = {"context": text, "line": user_line} if kind in _SHOWN else {}
    return {name: value for name, value in said.items() if value.strip()}


def _fitted(text: str, encoding: str, size: int) -> str:
    if _LONGEST_CHARACTER * len(text) <= size:
        return text  # whatever the encoding, which would have to be loaded
    content = text.encode(encoding, "replace")
    if len(content) <= size:
        return text
    room = size - len(_CUT.encode(encoding))
    return content[:room].decode(encoding, "ignore") + _CUT
