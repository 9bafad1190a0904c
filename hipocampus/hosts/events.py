"""What a host tells a hook, in one shape for every host."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.core.record import record
from hipocampus.redaction import scrub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.hosts.transcript import Item

SESSION_START = "session-start"
PROMPT = "prompt"
STOP = "stop"
TASK_COMPLETED = "task-completed"
PRE_COMPACT = "pre-compact"
SESSION_END = "session-end"

# The source of a turn that the host could not hand over when it ended.
MISSED = "missed"

KINDS = (SESSION_START, PROMPT, STOP, TASK_COMPLETED, PRE_COMPACT, SESSION_END)
UNKNOWN_SESSION = "unknown"


@record
class Event:
    """One event of a session. Every text is valid Unicode; what the host did not say is empty.

    `session` is safe as a file name. `source` is SessionStart's source, PreCompact's trigger or SessionEnd's reason, or
    with a turn ``MISSED``.
    `prompt` holds the user's own words only. `message` is the assistant's last message. `agent` is set inside a
    sub-agent. `transcript` is an absolute path that need not exist. `start` is the directory the session works in,
    where the payload says so. `items` is the turn itself, from a host that hands it over and names no transcript.
    """

    kind: str
    host: str
    session: str
    source: str = ""
    prompt: str = ""
    prompt_id: str = ""
    message: str = ""
    transcript: str = ""
    agent: str = ""
    task: str = ""
    stop_active: bool = False
    start: str = ""
    items: tuple[Item, ...] = ()


def text_of(value: object) -> str:
    """`value` if it is text, with lone surrogates replaced so that it can be written; otherwise the empty string."""
    if not isinstance(value, str):
        return ""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return value.encode("utf-8", "replace").decode("utf-8")
    return value


_SAFE = pattern(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_UNSAFE = pattern(r"[^A-Za-z0-9_-]+")


def session_name(value: object) -> str:
    """A session id as a file name: unchanged where it is one, else a safe stand-in that no other id shares.

    File names are at rest too: an id that looks like a secret gets a stand-in.
    """
    text = text_of(value)
    if not text:
        return UNKNOWN_SESSION
    clean = scrub(text)
    if clean == text and _SAFE.fullmatch(text):
        return text
    from hashlib import sha256

    readable = _UNSAFE.sub("-", clean[:24]).strip("-")
    return f"id-{readable}-{sha256(text.encode()).hexdigest()[:12]}"


# What a system accepts as a path; resolving a much longer one would take minutes.
_LONGEST_PATH = 4096


def path_of(value: object) -> str:
    """An absolute path a file call accepts, or the empty string."""
    text = text_of(value)
    return text if text.startswith("/") and "\0" not in text and len(text) <= _LONGEST_PATH else ""
