"""Adding an entry to a file that has a budget: at its newest end, after making room for it, all under one lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replace_field
from datetime import datetime

from hipocampus.budget.measure import size_of
from hipocampus.budget.places import path_of
from hipocampus.budget.policy import Rule
from hipocampus.budget.rewrite import Prepared, carry_out, prepare, replace
from hipocampus.budget.splitting import put_together, split
from hipocampus.core.neutral import neutralise
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.config import Config
from hipocampus.store.files import locked, read_exact
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of an entry: whether it was there already as the newest one, the compaction that made room (None:
    none was needed, or none was possible) and the size of the file in the unit of its rule.
    """

    is_repeat: bool
    compaction: Prepared | None
    size: int


def save(
    layout: Layout,
    name: str,
    rule: Rule | None,
    entry: str,
    config: Config,
    now: datetime,
    may_compact: Callable[[Prepared], bool],
) -> Saved:
    """Add `entry`; where the file would outgrow its budget it is compacted first, if `may_compact` says so.

    The entry is added in any case: nothing is lost for want of room. The same entry twice in a row is added once.
    UserError where there is no text.
    """
    entry = scrub(neutralise(entry).strip("\n"))
    if not entry.strip():
        raise UserError("There is no entry on standard input; nothing was written.")
    with locked(layout):
        text = read_exact(path_of(layout, name)) or ""
        longer = added(text, entry, rule.marker if rule else "")
        if longer == text or rule is None:
            replace(layout, name, text, longer)
            return Saved(longer == text, None, size_of(longer, rule.unit) if rule else 0)
        needed = size_of(longer, rule.unit) - size_of(text, rule.unit)
        done = _make_room(layout, name, rule, needed, config, now, may_compact)
        if done is not None:
            done = replace_field(done, outcome=replace_field(done.outcome, rule=rule))  # for the report
        text = read_exact(path_of(layout, name)) or ""
        longer = added(text, entry, rule.marker)
        replace(layout, name, text, longer)
        return Saved(False, done, size_of(longer, rule.unit))


def _make_room(
    layout: Layout,
    name: str,
    rule: Rule,
    needed: int,
    config: Config,
    now: datetime,
    may_compact: Callable[[Prepared], bool],
) -> Prepared | None:
    """Compact a file to its budget less what is needed; None where that is not needed, not possible or not allowed.

    Of the entries that are newest now, one will not be when the new one stands there.
    """
    smaller = replace_field(rule, budget=max(rule.budget - needed, 0), newest=max(rule.newest - 1, 0))
    if read_exact(path_of(layout, name)) is None:
        return None
    prepared = prepare(layout, name, smaller, now)
    if prepared is None or prepared.outcome.text is None or not may_compact(prepared):
        return None
    try:
        carry_out(layout, prepared, config, now)
    except (OSError, UserError):  # no snapshot, or not safe to write; the file stays as large as it is
        return None
    return prepared


def added(text: str, entry: str, marker: str) -> str:
    """A text with one more entry at its newest end, parted by a blank line; itself where that is the newest already."""
    document = split(text, marker)
    entry = entry.replace("\n", document.end)
    if document.pieces and document.pieces[-1].text.strip() == entry.strip():
        return text
    end = document.end
    if document.is_newest_first:
        head = len(document.head) if text.startswith(document.head) else 0
        at = max(text.find(document.pieces[-1].text, head), head)
        return put_together([text[:at], entry + end + end, text[at:]], end)
    is_tight = document.marker == "-" and document.pieces[-1:] and not document.pieces[-1].text.endswith(end * 2)
    last_line = text.removesuffix("\n").removesuffix("\r").rpartition("\n")[2]
    gap = "" if is_tight or not text or (text.endswith("\n") and not last_line.strip()) else end
    return put_together([text, gap, entry + end], end)
