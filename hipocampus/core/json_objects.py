"""A JSON object in a line or a file that anybody may have written."""

from __future__ import annotations

from hipocampus.core.json_text import from_json


def json_object(text: str | bytes) -> dict[str, object] | None:
    """The object that a JSON text is; None for any other text. Bytes are UTF-8; a byte-order mark may come first."""
    plain = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    try:
        value = from_json(plain.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
