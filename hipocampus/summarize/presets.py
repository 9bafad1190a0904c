"""How programs are asked: any that reads a text and prints one, and agents by name, without hooks, tools, sessions."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hipocampus.core.json_objects import json_object
from hipocampus.errors import UserError
from hipocampus.store.files import read_text
from hipocampus.summarize.asking import Answer, AnswerError, Prompt, count_of


@dataclass(frozen=True, slots=True)
class Form:
    """How a program is asked: its words for a prompt and a model (empty: its own choice), what goes to standard input,
    and what its output says: an answer whose tokens are 0 where it names none, or AnswerError with the reason, if any.
    """

    words: Callable[[Prompt, str, Mapping[str, str]], tuple[str, ...]]
    said: Callable[[Prompt], str]
    read: Callable[[str], Answer]


def together(prompt: Prompt) -> str:
    """A whole question as one text."""
    return f"{prompt.fixed}\n\n{prompt.matter}"


def plain(words: tuple[str, ...]) -> Form:
    """Any program: the question goes in as one text, the answer comes out as one."""
    return Form(lambda _prompt, _model, _env: words, together, lambda output: Answer(output, 0, 0))


def _claude(prompt: Prompt, model: str, _env: Mapping[str, str]) -> tuple[str, ...]:
    """Claude Code with nothing of the user's or the project's but the account: no hooks, plugins, memory, tools."""
    return (
        *("claude", "-p", "--output-format", "json", "--no-session-persistence", *_model(model)),
        *("--safe-mode", "--settings", '{"disableAllHooks": true}'),
        *("--tools", "", "--strict-mcp-config", "--disable-slash-commands", "--system-prompt", prompt.fixed),
    )


def _read_claude(output: str) -> Answer:
    """The one JSON object that Claude Code prints."""
    found = json_object(output) or {}
    usage = found.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    written, read = count_of(usage.get("cache_creation_input_tokens")), count_of(usage.get("cache_read_input_tokens"))
    tokens_in, tokens_out = count_of(usage.get("input_tokens")) + written + read, count_of(usage.get("output_tokens"))
    text = found.get("result")
    if found.get("is_error") or not isinstance(text, str):
        raise AnswerError(str(text or found.get("subtype") or ""), tokens_in, tokens_out)
    if found.get("stop_reason") in ("max_tokens", "refusal"):
        raise AnswerError(f"the answer ended with {found['stop_reason']}", tokens_in, tokens_out)
    return Answer(text, tokens_in, tokens_out, read)


def _model(model: str) -> tuple[str, ...]:
    return ("--model", model) if model else ()


# As settings, not as `--disable`: a version that has no such feature says so and goes on.
_CODEX_OFF = (
    "hooks",
    "shell_tool",
    "unified_exec",
    "view_image",
    "apps",
    "plugins",
    "multi_agent",
    "goals",
    "memories",
)


def _codex(_prompt: Prompt, model: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """Codex without hooks, tools and instructions of the project; what it could still run could only read."""
    settings = [
        *(f"features.{feature}=false" for feature in _CODEX_OFF),
        f"mcp_servers={{{', '.join(_servers_off(env))}}}",
        'web_search="disabled"',
        "project_doc_max_bytes=0",
    ]
    return (
        *("codex", "exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"),
        *_model(model),
        *(word for setting in settings for word in ("-c", setting)),
        "-",
    )


def _servers_off(env: Mapping[str, str]) -> list[str]:
    """Each server of tools that the user's settings of Codex name, as TOML that leaves it out."""
    place = env.get("CODEX_HOME") or os.path.join(env.get("HOME", ""), ".codex")
    try:
        found = tomllib.loads(read_text(os.path.join(place, "config.toml")) or "").get("mcp_servers")
    except (OSError, UserError, ValueError, RecursionError):
        return []
    names = found if isinstance(found, dict) else {}
    return [f"{json.dumps(name, ensure_ascii=False)}={{enabled=false}}" for name in names]


def _read_codex(output: str) -> Answer:
    """The last message among the events that Codex prints, a line each."""
    text, usage, failed = None, {}, ""
    for event in map(json_object, output.splitlines()):
        match event:
            case {"type": "item.completed", "item": {"type": "agent_message", "text": str(said)}}:
                text = said
            case {"type": "turn.completed", "usage": dict(found)}:
                usage = found
            case {"type": "turn.failed", "error": {"message": str(why)}} | {"type": "error", "message": str(why)}:
                failed = why
    tokens_in, tokens_out = count_of(usage.get("input_tokens")), count_of(usage.get("output_tokens"))
    if text is None or not usage:
        raise AnswerError(failed, tokens_in, tokens_out)
    return Answer(text, tokens_in, tokens_out, count_of(usage.get("cached_input_tokens")))


PRESETS = {
    "claude": Form(_claude, lambda prompt: prompt.matter, _read_claude),
    "codex": Form(_codex, together, _read_codex),
}
