"""Make text harmless to show: memory is notes, not orders.

Stored text is shown to a model and to terminals. Control characters, direction overrides, this program's own markers and
the hosts' tags are changed to look-alikes that mean nothing to a machine, when text is written, so that a reader of the
file (some hosts read it directly) is as safe as a reader of an injected block.
"""

from __future__ import annotations

import re

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]{0,16}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)|[@-_])")
# C0 but tab and newline, DEL, C1, direction marks and overrides, tag characters, byte-order mark, lone surrogates.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
_TAG_NAMES = (
    "system-reminder|system|hipocampus[a-z-]{0,20}|command-[a-z]{1,20}|local-command-[a-z]{1,20}|task-notification|"
    "user-prompt-submit-hook|function_[a-z]{1,12}|tool_[a-z]{1,12}|persisted-output|antml:[a-z_]{1,20}|environment_context|"
    "user_instructions|INSTRUCTIONS|permissions[a-z_ ]{0,20}|hook_[a-z]{1,20}|subagent_notification|turn_aborted"
)
_TAG = re.compile(rf"<(?=/?(?:{_TAG_NAMES})\b)", re.ASCII)
_MARKER = re.compile(r"<!--(?=\s{0,8}/?\s{0,8}(?:hipocampus|end hipocampus)\b)", re.IGNORECASE)


def neutralise(text: str) -> str:
    """`text` with nothing in it that a terminal, a host or this program would obey. Idempotent; keeps line structure."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    text = _INVISIBLE.sub(_replacement, text)
    if "<" in text:
        text = _MARKER.sub("‹!--", text)
        text = _TAG.sub("‹", text)
    return text


def _replacement(match: re.Match[str]) -> str:
    char = match[0]
    if char in "\u2028\u2029":
        return "\n"
    return "\ufffd" if "\ud800" <= char <= "\udfff" else ""


def one_line(text: str) -> str:
    """`text` neutralised, as one line with single spaces."""
    return " ".join(neutralise(text).split())
