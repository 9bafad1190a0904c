"""OpenClaw's messages: what was said and done in them.

One message has the same shape in the Gateway's history and in a transcript line: ``{"role", "content", "timestamp"}``,
with the identity of its transcript entry beside it (in the history under ``__openclaw``). Much of what stands in the
user's role was said by nobody: wake-ups, the greeting after a reset, envelopes around a channel's message.
"""

from __future__ import annotations

from hipocampus.core.patterns import DOTALL, IGNORECASE, MULTILINE, pattern
from hipocampus.hosts.enclosed import Enclosed
from hipocampus.hosts.events import text_of
from hipocampus.hosts.moments import iso, milliseconds
from hipocampus.hosts.patches import APPLY_PATCH, patched_files
from hipocampus.hosts.transcript import Item, Prompt, Reply, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Tools that change a file, and the arguments that may name it.
_CHANGES = {"write": ("path", "file_path"), "edit": ("path", "file_path")}

# Whole texts that are the host's, by their beginning.
_NOT_SAID = (
    "[OpenClaw heartbeat poll]",
    "[OpenClaw exec completion]",
    "[OpenClaw cron wake]",
    "[OpenClaw session event]",
    "A new session was started via /new or /reset",
    "Pre-compaction memory flush.",
    "Read HEARTBEAT.md if it exists",
)
_SILENT = pattern(r"\W*(?:NO_REPLY|HEARTBEAT_OK)\W*", IGNORECASE)
# Blocks and lines that the host or this program put beside the user's words.
_BLOCKS = (
    pattern(r"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?(?:<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|\Z)", DOTALL),
    pattern(r"^[A-Z][^\n]{0,60} \(untrusted[^\n)]{0,60}\):\n```json\n.*?\n```\n*", DOTALL | MULTILINE),
    pattern(r"^[ \t]*\[message_id:[^\]\n]+\][ \t\r]*$\n?", IGNORECASE | MULTILINE),
)
_OURS = Enclosed("hipocampus[a-z-]{0,20}")
# "[WhatsApp +1555… 2026-03-15 10:22 UTC] ", "[Sun 2026-03-15 10:22 UTC] "
_ENVELOPE = pattern(r"\[([^\]\n]*)\]")
_MOMENT = pattern(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_COMMAND = pattern(r"/[a-z][a-z_-]{0,40}(?=\s|\Z)")


def items_of(history: object) -> tuple[Item, ...]:
    """What the messages of a history tell, in their order; what is not of a known shape tells nothing."""
    messages = history if isinstance(history, list) else []
    return tuple(item for one in messages if isinstance(one, dict) for item in _from_history(one))


def items_in(message: object, entry: str, at: str, start: int) -> Iterator[Item]:
    """The items of one message: `entry` is the identity of its transcript entry, `at` its moment, `start` its place."""
    if not isinstance(message, dict):
        return
    match message.get("role"):
        case "user":
            # What woke the agent says nothing, but what follows is its turn and not that of the prompt before it.
            text = "\n".join(_texts(message.get("content")))
            yield Prompt(said_by_user(text), uuid=entry, at=at, start=start)
        case "assistant":
            yield from _turn(message.get("content"), entry, at)


def said_by_user(text: str) -> str:
    """The user's own words in a text of the user's role: of a command its arguments, of the host's text nothing."""
    for block in _BLOCKS:
        text = block.sub("", text)
    text = _OURS.cut_from(text).strip()
    envelope = _ENVELOPE.match(text)
    if envelope is not None and _MOMENT.search(envelope[1]):
        text = text[envelope.end() :].strip()
    if text.startswith(_NOT_SAID):
        return ""
    command = _COMMAND.match(text)
    return text[command.end() :].strip() if command is not None else text


def _from_history(message: dict[str, object]) -> Iterator[Item]:
    told = message.get("__openclaw")
    entry = text_of(told.get("id")) if isinstance(told, dict) else ""
    moment = message.get("timestamp")
    yield from items_in(message, entry, iso(moment), int(milliseconds(moment)))


def _turn(content: object, entry: str, at: str) -> Iterator[Item]:
    said = "\n\n".join(text for text in map(str.strip, _texts(content)) if text and not _SILENT.fullmatch(text))
    if said:
        yield Reply(said, entry, at)
    for block in _blocks(content):
        if block.get("type") == "toolCall":
            yield from _tools(text_of(block.get("name")), block.get("arguments"))


def _tools(name: str, arguments: object) -> Iterator[Item]:
    """The call of a tool; more than one where it changed several files."""
    if name:
        for file in _files(name, arguments if isinstance(arguments, dict) else {}) or [""]:
            yield Tool(name, file)


def _files(name: str, arguments: dict[str, object]) -> list[str]:
    if name == APPLY_PATCH:
        return patched_files(text_of(arguments.get("input")))
    return [file for key in _CHANGES.get(name, ()) if (file := text_of(arguments.get(key)))][:1]


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [text_of(content)]
    return [text_of(block.get("text")) for block in _blocks(content) if block.get("type") == "text"]


def _blocks(content: object) -> list[dict[str, object]]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
