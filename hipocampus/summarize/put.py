"""Putting a summary into a node: checked against what the node is made from, undoable, and never half."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from hipocampus.budget.snapshots import NODE_PUT, take
from hipocampus.compaction.accepted import Accepted, accepted_in
from hipocampus.compaction.chain import put_node
from hipocampus.compaction.daily import with_text
from hipocampus.core.neutral import one_line
from hipocampus.core.nodes import Node, Status, Summary, parse_node
from hipocampus.core.periods import Period, parse_period
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.config import Config
from hipocampus.store.files import locked, read_exact
from hipocampus.store.layout import Layout
from hipocampus.store.state import update_state
from hipocampus.summarize.matter import matter_of
from hipocampus.summarize.queue import waiting_below
from hipocampus.summarize.refusals import add_refusal, clear_refusals
from hipocampus.summarize.validate import Verdict, validated


@dataclass(frozen=True, slots=True)
class Put:
    """What became of an answer: stored, or not for `reasons`. `put_back` are topics that it had left out and that are
    in the node all the same, `left_out` what it says and its input does not. `is_stale`: its input is another by now,
    and nothing was held against it.
    """

    period: str
    accepted: bool
    reasons: tuple[str, ...] = ()
    put_back: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    is_stale: bool = False


STALE = "its input has changed since it was shown"


def put(layout: Layout, config: Config, period: str, text: str, now: datetime, made_by: str, *, of: str = "") -> Put:
    """Make `text` the summary of the node of `period`, if it passes the check; `made_by` is noted in the node.

    `of` is the input that was shown to its writer, as ``Pending.of`` names it: entries that reached a day's log since
    are added below the text; any other change, and the answer is stale. Without it, the text is held against the input
    as it is now. The node as it was is kept for ``undo``, and the levels above are built anew. UserError where the
    node cannot be given a summary.
    """
    with locked(layout):
        parsed = _parsed(period)
        path = layout.node(parsed.level, parsed.name)
        old = read_exact(path)
        node = _open_node(layout, config, parsed, old, now)
        matter = matter_of(layout, config.policy, parsed, node, of)
        if matter is None:
            return Put(period, accepted=False, reasons=(STALE,), is_stale=True)
        kept = accepted_in(node)
        verdict = validated(matter, text, config.policy, kept.text if kept else node.body)
        if not verdict.text:
            _refuse(layout, now, period, matter.of, verdict)
            return Put(period, False, verdict.reasons)
        take(layout, layout.relative(path), old or "", now, NODE_PUT)
        accepted = Accepted(verdict.text, matter.covers, _name_of(made_by, config))
        put_node(layout, config, now, parsed, with_text(node, accepted, verdict.text, needs=False))
        update_state(layout, now, lambda values: clear_refusals(values, period))
        return Put(period, True, (), verdict.put_back, verdict.left_out)


def _parsed(period: str) -> Period:
    parsed = parse_period(period)
    if parsed is None:
        raise UserError(f"{one_line(period)} is no day (2026-03-15), week (2026-W11), month (2026-03) or ROOT.")
    return parsed


def _open_node(layout: Layout, config: Config, period: Period, text: str | None, now: datetime) -> Node:
    """The node of a period, if it may be given a summary."""
    if text is None:
        raise UserError(f"There is no node for {period.name}; hipocampus pending lists those that wait for a summary.")
    node = parse_node(text)
    if node.status is Status.FIXED:
        raise UserError(f"{period.name} is fixed: what it says changes no more.")
    if node.summary is Summary.VERBATIM:
        raise UserError(f"{period.name} holds its entries word for word and needs no summary.")
    below = waiting_below(layout, period, config, now)
    if below:
        raise UserError(f"{period.name} comes after {below[0]}, which waits for a summary itself.")
    return node


def _refuse(layout: Layout, now: datetime, period: str, of: str, verdict: Verdict) -> None:
    why = "; ".join(verdict.reasons)
    update_state(layout, now, lambda values: add_refusal(values, period, of, why))


_UNFIT = re.compile(r"[^\w ./:-]+")


def _name_of(made_by: str, config: Config) -> str:
    return scrub(_UNFIT.sub("", one_line(made_by))[:60], config.policy)
