"""Read what the host says on standard input: within a time, within a size, and whatever it is."""

from __future__ import annotations

import os
import select
import time

from hipocampus.core.json_text import from_json

LIMIT = 8 * 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CHUNK = 256 * 1024
PAUSE = 0.05


def read_payload(number: int, seconds: float, limit: int = LIMIT) -> object:
    """The JSON value on the descriptor `number`; None where there is none, it is broken, too large or too late.

    A host that never closes the pipe is not waited for: a complete value followed by a pause is taken.
    """
    received = bytearray()
    end = time.monotonic() + seconds
    while len(received) <= limit:
        complete = received[-64:].rstrip().endswith(b"}")
        left = end - time.monotonic()
        if left <= 0:
            break
        ready, _, _ = select.select([number], [], [], min(PAUSE, left) if complete else left)
        if not ready:
            value = parse(bytes(received)) if complete else None
            if value is not None:
                return value
            continue
        chunk = os.read(number, CHUNK)
        if not chunk:
            break
        received += chunk
    return parse(bytes(received)) if len(received) <= limit else None


def parse(text: bytes) -> object:
    """The value of a JSON text; None for anything else. Bad UTF-8 and a byte-order mark are tolerated."""
    try:
        value = from_json(text.removeprefix(_BYTE_ORDER_MARK).decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value
