"""Whether what stands beside a name is the secret that the name promises."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction import names, values, words
from hipocampus.redaction.identifiers import Name
from hipocampus.redaction.quoting import Extent
from hipocampus.redaction.view import Span

# The id of a public key, as `gpg` prints it and `git config user.signingkey` holds it.
_KEY_ID = pattern(r"(?:0x)?(?:[0-9A-F]{8}|[0-9A-F]{16}|[0-9A-F]{40})!?")
# The tokens of AWS that tell a repeated request from a new one are UUIDs.
_ASKED_ONCE = pattern(r"(?:lient|Lifecycle-?Action|lifecycle-action|Activity)-?[Tt]oken$")
# A string that began behind the one that really ended there: `")).map(t=>t("`.
_BETWEEN = pattern(r"[),;].*[({]|\{[\"'\w]+:.*\}$")


def judged(text: str, name: Name, extent: Extent | None, syntax: str) -> tuple[Span, ...]:
    """The span of the value, if the verdict is that it is a secret, and not the name again."""
    if extent is None:
        return ()
    start, end, quoted = extent
    value = text[start:end]
    if quoted and value.endswith(("\\r", "\\n")):  # what is sent ends with the key that ends the line
        value = value[:-1].rstrip("\\")
        extent = (start, start + len(value), True)
    if not values.is_secret(name.kind, value, syntax) or _is_no_value(text, name, value, extent):
        return ()
    return ((extent[0], extent[1], name.kind, name.text),)


def _is_no_value(text: str, name: Name, value: str, extent: Extent) -> bool:
    """The name, a placeholder in base64, a public id, half a word of another alphabet, what lies between strings."""
    plain = words.in_base64(value)
    if value.lower() in name.text.lower() or (plain and words.is_placeholder(plain)):
        return True
    if name.kind == names.PRIVATE_KEY and "sign" in name.text.lower() + text[name.start - 8 : name.start].lower():
        return bool(_KEY_ID.fullmatch(value))
    if len(value) == 36 and _ASKED_ONCE.search(name.text):
        return True
    if extent[2]:
        return bool(_BETWEEN.match(value))
    following = text[extent[1] : extent[1] + 1]
    return "\u00c0" <= following <= "\u024f"
