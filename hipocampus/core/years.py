"""The years that memory counts in: nearer to either end of the calendar no weeks or months lie around a day."""

from __future__ import annotations

COUNTED = range(1970, 9900)
