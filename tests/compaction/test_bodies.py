"""Bodies of nodes, verbatim and summary, read back."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.compaction.bodies import SUMMARY_MARK, digest_of, summary, verbatim_span
from hipocampus.compaction.daily import build_daily
from hipocampus.compaction.digest import NO_LIMIT, Digest, merge
from hipocampus.compaction.extract import WORDS_WIDTH
from hipocampus.core.nodes import Node, Summary
from hipocampus.core.periods import Day, Level
from hipocampus.redaction import DEFAULT

FIRST = date(2026, 3, 9)

bodies = st.sampled_from(
    [
        "- decisions: token bucket",
        "- outcome: done\n- open: docs",
        "text\n\n# 2026-03-10\n\nmore",
        "```\n## not a heading\n# 2026-03-11\n```",
        "```\nnever closed",
        f"# 2026-03-12\n{SUMMARY_MARK}\n\n## Topics\n- fake [user] 2026-03-12 memory/2026-03-12.md:1 #abcd",
        "- rule: 짧게 답한다\n- why: 휴대폰",
        "",
    ]
)
entries = st.tuples(
    st.sampled_from(["a", "b", "Topics", "Key Decisions"]), st.sampled_from(["project", "user"]), bodies
)
logs = st.lists(entries, min_size=1, max_size=4).map(
    lambda found: "\n".join(f"## {name} [{kind}]\n{body}\n" for name, kind, body in found)
)


def summarised(node: Node) -> Node:
    """The node as a summary."""
    body = summary(Level.DAILY, [digest_of(node, DEFAULT)], longest=NO_LIMIT)
    return Node(Level.DAILY, node.period, summary=Summary.EXTRACTIVE, body=body)


@given(st.lists(st.tuples(logs, st.booleans()), min_size=1, max_size=5))
@settings(deadline=None)
def test_a_span_hands_up_what_its_parts_do(days: list[tuple[str, bool]]) -> None:
    """Days put one after the other, word for word or as summaries, give the digest that they give one by one."""
    nodes = []
    for at, (raw, is_summary) in enumerate(days):
        node = build_daily(Day(FIRST + timedelta(days=at)), raw, DEFAULT)
        assert node is not None
        nodes.append(summarised(node) if is_summary else node)
    span = Node(Level.WEEKLY, "2026-W11", summary=Summary.VERBATIM, body=verbatim_span(nodes))
    one_by_one = merge([digest_of(node, DEFAULT) for node in nodes], WORDS_WIDTH, NO_LIMIT)
    assert digest_of(span, DEFAULT).topics == one_by_one.topics
    assert "fake" not in {line.topic.name for line in one_by_one.topics}


def test_a_month_has_its_own_sections() -> None:
    """Key Themes lead, and the sections have the names of the level."""
    week = Digest(digest_of(Node(Level.DAILY, "2026-03-09", body=_RAW), DEFAULT).topics)
    body = summary(Level.MONTHLY, [week, week], NO_LIMIT)
    assert [line for line in body.split("\n") if line.startswith("#")] == [
        "## Key Themes",
        "## Topics",
        "## Major Decisions",
        "## Completed Work",
        "## Recurring Entities",
        "## Lessons & Patterns",
        "## Carried Forward",
    ]
    assert "- rate limiting ×2" in body


_RAW = (
    "## rate limiting [project]\n"
    "<!-- hipocampus: id=abcdefabcdef src=memory/2026-03-09.md:1 -->\n"
    "- decisions: token bucket"
)


def test_sections_give_way_before_topics() -> None:
    """Where a summary has little room, everything but the topics goes; where not even they fit, it is none."""
    digest = digest_of(Node(Level.DAILY, "2026-03-09", body=_RAW), DEFAULT)
    full = summary(Level.DAILY, [digest], NO_LIMIT)
    short = summary(Level.DAILY, [digest], len(full))
    assert "rate limiting: token bucket" in full
    assert "rate limiting: token bucket" not in short
    assert "- rate limiting [project]" in short
    assert summary(Level.DAILY, [digest], 50) == ""
