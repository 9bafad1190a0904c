"""Make text harmless to show: memory is notes, not orders.

Stored text is shown to a model and to terminals. Control characters, direction overrides, this program's own markers
and the hosts' tags are changed to look-alikes that mean nothing to a machine, when text is written, so that a reader of
the file (some hosts read it directly) is as safe as a reader of an injected block.
"""

from __future__ import annotations

from hipocampus.core.patterns import ASCII, IGNORECASE, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_ESCAPES = pattern(r"\x1b(?:\[[0-?]{0,16}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)|[@-_])")
# C0 but tab and newline, DEL, C1, zero-width spaces, direction marks and overrides, line and paragraph separators,
# tag characters, byte-order mark, lone surrogates.
_INVISIBLE = pattern(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff]"
)
# Emoji have one variation selector at a time, and joiners between characters that are not ASCII; the rest hides text.
_SELECTORS = pattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
_JOINERS = pattern("(?<=[!-~])[\u200c\u200d]+(?=[!-~])")
_TAG_NAMES = (
    "system-reminder|hipocampus[a-z-]{0,20}|command-[a-z]{1,20}|local-command-[a-z]{1,20}|task-notification|"
    "user-prompt-submit-hook|function_[a-z]{1,12}|tool_[a-z]{1,12}|persisted-output|antml:[a-z_]{1,20}|"
    "environment_context|user_instructions|instructions|permissions[a-z_ ]{0,20}|hook_[a-z]{1,20}|"
    "subagent_notification|turn_aborted"
)
# "<System.String>" is code, so that one name is matched as hosts write it.
_TAG = pattern(rf"<(?=/?(?:(?i:{_TAG_NAMES})|system|SYSTEM)\b)", ASCII)
_MARKER = pattern(r"<!--(?=\s{0,8}/?\s{0,8}(?:hipocampus|end hipocampus)\b)", IGNORECASE)


def neutralise(text: str) -> str:
    """`text` with nothing in it that a terminal, a host or this program would obey.

    Idempotent. No line is lost or made: what is a line end elsewhere (a lone carriage return, U+2028) becomes a space.
    """
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    text = text.replace("\r\n", "\n")
    # All that is invisible is not printable; what else is not (a rare space, say) stays as it is.
    if not text.replace("\n", "").replace("\t", "").isprintable():
        text = _INVISIBLE.sub(_replacement, text)
    if not text.isascii():
        text = _SELECTORS.sub("", text)
    if "\u200c" in text or "\u200d" in text:
        text = _JOINERS.sub("", text)
    if "<" in text:
        text = _MARKER.sub("‹!--", text)
        text = _TAG.sub("‹", text)
    return text


def _replacement(match: re.Match[str]) -> str:
    char = match[0]
    if char in "\r\x0b\x0c\x85\u2028\u2029":
        return " "
    return "\ufffd" if "\ud800" <= char <= "\udfff" else ""


def one_line(text: str) -> str:
    """`text` neutralised, as one line with single spaces."""
    return " ".join(neutralise(text).split())
