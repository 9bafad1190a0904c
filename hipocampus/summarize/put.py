"""Putting a summary into a node: checked against what the node is made from, undoable, and never half."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from hipocampus.budget.snapshots import NODE_PUT, take
from hipocampus.compaction.accepted import Accepted, accepted_in
from hipocampus.compaction.chain import put_node, put_root_text
from hipocampus.compaction.daily import with_text
from hipocampus.compaction.outline import HISTORY, PATTERNS
from hipocampus.compaction.root_text import RootText
from hipocampus.core.neutral import one_line
from hipocampus.core.nodes import Node, Status, Summary, parse_node, read_sections
from hipocampus.core.periods import Period
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.config import Config
from hipocampus.store.files import locked, read_exact
from hipocampus.store.layout import Layout
from hipocampus.store.state import update_state
from hipocampus.summarize.matter import ROOT, Matter, matter_of, matter_of_root, period_named
from hipocampus.summarize.queue import refuse_before, waiting_below
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
        parsed = period_named(period)
        if parsed is None:
            return _put_root(layout, config, text, now, made_by, of)
        path = layout.node(parsed.level, parsed.name)
        old = read_exact(path)
        node = _open_node(parsed, old)
        refuse_before(period, waiting_below(layout, config, period, now))
        matter = matter_of(layout, config.policy, parsed, node, of)
        if matter is None:
            return Put(period, accepted=False, reasons=(STALE,), is_stale=True)
        kept = accepted_in(node)
        verdict = validated(matter, text, config.policy, kept.text if kept else node.body)
        if not verdict.text:
            return _refused(layout, now, matter, verdict)
        take(layout, layout.relative(path), old or "", now, NODE_PUT)
        accepted = Accepted(verdict.text, matter.covers, _name_of(made_by, config))
        put_node(layout, config, now, parsed, with_text(node, accepted, verdict.text, needs=False))
        return _accepted(layout, now, matter, verdict)


def _put_root(layout: Layout, config: Config, text: str, now: datetime, made_by: str, of: str) -> Put:
    matter = matter_of_root(layout, config.policy)
    if matter is None:
        raise UserError("ROOT says all it can without one: no month has a summary yet, or nothing is finished in it.")
    refuse_before(ROOT, waiting_below(layout, config, ROOT, now))
    if of and of != matter.of:
        return Put(ROOT, accepted=False, reasons=(STALE,), is_stale=True)
    verdict = validated(matter, text, config.policy)
    if not verdict.text:
        return _refused(layout, now, matter, verdict)
    take(layout, layout.relative(layout.root_md), read_exact(layout.root_md) or "", now, NODE_PUT)
    sections = read_sections(verdict.text)
    kept = RootText(matter.of, sections[PATTERNS], sections[HISTORY], matter.covers, _name_of(made_by, config))
    put_root_text(layout, config, now, kept)
    return _accepted(layout, now, matter, verdict)


def _open_node(period: Period, text: str | None) -> Node:
    """The node of a period, if it may be given a summary."""
    if text is None:
        raise UserError(f"There is no node for {period.name}; hipocampus pending lists those that wait for a summary.")
    node = parse_node(text)
    if node.summary is Summary.VERBATIM:
        raise UserError(f"{period.name} holds its entries word for word and needs no summary.")
    if node.status is Status.FIXED:
        raise UserError(f"{period.name} is fixed: what it says changes no more.")
    return node


def _refused(layout: Layout, now: datetime, matter: Matter, verdict: Verdict) -> Put:
    why = "; ".join(verdict.reasons)
    update_state(layout, now, lambda values: add_refusal(values, matter.name, matter.of, why))
    return Put(matter.name, False, verdict.reasons)


def _accepted(layout: Layout, now: datetime, matter: Matter, verdict: Verdict) -> Put:
    update_state(layout, now, lambda values: clear_refusals(values, matter.name))
    return Put(matter.name, True, (), verdict.put_back, verdict.left_out)


_UNFIT = re.compile(r"[^\w ./:-]+")


def _name_of(made_by: str, config: Config) -> str:
    return scrub(_UNFIT.sub("", one_line(made_by))[:60], config.policy)
