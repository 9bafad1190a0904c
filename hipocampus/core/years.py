"""The years that memory counts in: from the first of the system's clock to well before the last of the calendar."""

from __future__ import annotations

COUNTED = range(1970, 9900)
