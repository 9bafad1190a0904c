"""Full stops that end no sentence, as parts of regular expressions: "Ms. Hartwig", "e.g. bun"."""

from __future__ import annotations

_SHORT = ("Mr", "Ms", "Mrs", "Dr", "Prof", "St", "vs", r"e\.g", r"i\.e")

STOP = "|".join(rf"(?<=\b{one})\." for one in _SHORT)
"""Such a full stop."""
NOT_BEHIND_STOP = "".join(rf"(?<!\b{one}\.)" for one in _SHORT)
"""A place that is not just behind one."""
