"""Nodes: what is written is valid YAML and reads back equal; what others wrote is understood."""

from __future__ import annotations

from datetime import date

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.nodes import Node, Status, Summary, body_of, parse_node, read_sections, render_node
from hipocampus.core.periods import Level
from hipocampus.core.topics import EntryType, Topic

WEEK = Node(
    type=Level.WEEKLY,
    period="2026-W11",
    status=Status.FIXED,
    dates="2026-03-09 to 2026-03-15",
    source_files=("memory/daily/2026-03-10.md", "memory/daily/2026-03-12.md"),
    source_hash="9b1d0c",
    topics=(Topic("rate limiting"), Topic("terse answers", EntryType.FEEDBACK)),
    summary=Summary.EXTRACTIVE,
    needs_summarization=True,
    body="## Topics\n- rate limiting [project] 2026-03-10 memory/2026-03-10.md:3 #3f9c0a1b",
)


def test_a_node_is_written_as_the_documentation_says() -> None:
    """The frontmatter is short, in a fixed order, and readable."""
    assert render_node(WEEK).split("## Topics")[0] == (
        "---\n"
        "type: weekly\n"
        "status: fixed\n"
        "period: 2026-W11\n"
        "dates: 2026-03-09 to 2026-03-15\n"
        "source-files: [memory/daily/2026-03-10.md, memory/daily/2026-03-12.md]\n"
        'source-hash: "9b1d0c"\n'
        'topics: ["rate limiting [project]", "terse answers [feedback]"]\n'
        "summary: extractive\n"
        "needs-summarization: true\n"
        "---\n\n"
    )


names = st.text(max_size=30).map(lambda text: " ".join(text.split())).filter(bool)
topics = st.builds(Topic, names.map(lambda name: name.replace("[", "(").replace("]", ")")), st.sampled_from(EntryType))
bodies = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=200).map(str.strip)
nodes = st.builds(
    Node,
    type=st.sampled_from([Level.DAILY, Level.WEEKLY, Level.MONTHLY]),
    period=st.sampled_from(["2026-03-15", "2026-W11", "2026-03"]),
    status=st.sampled_from(Status),
    dates=st.sampled_from(["", "2026-03-09 to 2026-03-15"]),
    source_files=st.lists(st.sampled_from(["memory/2026-03-15.md", "memory/daily/2026-03-15.md"]), max_size=3).map(
        tuple
    ),
    source_hash=st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
    topics=st.lists(topics, max_size=4).map(tuple),
    summary=st.sampled_from(Summary),
    needs_summarization=st.booleans(),
    body=bodies,
)


@given(nodes)
def test_what_is_written_reads_back_equal(node: Node) -> None:
    """Any node survives a round trip, and writing it again gives the same bytes."""
    text = render_node(node)
    assert parse_node(text) == node
    assert render_node(parse_node(text)) == text
    assert body_of(text) == node.body


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.integers(), st.booleans())
def test_unknown_keys_survive(text: str, number: int, flag: bool) -> None:
    """Keys of another version or another program are kept, whatever their values."""
    node = Node(Level.DAILY, "2026-03-15", extra={"note": text, "n": number, "f": flag, "list": [text], "none": None})
    assert parse_node(render_node(node)).extra == node.extra


HARD = ["yes", "2026-03-15", "1e5", "- a", "a: b", "#x", "🦛", "\u2028", 'say "no"', "back\\slash", "\x07", "~", " x "]


@pytest.mark.parametrize("text", HARD)
def test_every_scalar_is_valid_yaml(text: str) -> None:
    """What looks like another type, a comment or a control character is still that string to any YAML reader."""
    post = frontmatter.loads(render_node(Node(Level.DAILY, "2026-03-15", topics=(Topic("t"),), extra={"key": text})))
    assert post["key"] == text
    assert post["period"] == date(2026, 3, 15)


OLD_FORMS = [
    ("topics: [a [project], b]", (Topic("a"), Topic("b"))),
    ("topics: a [feedback], b", (Topic("a", EntryType.FEEDBACK), Topic("b"))),
    ("topics:\n  - a [user]\n  - b", (Topic("a", EntryType.USER), Topic("b"))),
    ("topics:\n  - a: [x\n  - b", (Topic("a: [x"), Topic("b"))),
    ('topics: ["a [reference, 45d, ?]"]', (Topic("a", EntryType.REFERENCE),)),
    ("topics:", ()),
]


@pytest.mark.parametrize(("line", "topics"), OLD_FORMS)
def test_topics_of_the_original_are_understood(line: str, topics: tuple[Topic, ...]) -> None:
    """Unquoted lists, which no YAML reader takes, and comma strings are topics too."""
    node = parse_node(f"---\ntype: daily\nstatus: fixed\nperiod: 2026-03-15\n{line}\n---\n\nbody\n")
    assert node.topics == topics
    assert (node.type, node.status, node.period, node.body) == (Level.DAILY, Status.FIXED, "2026-03-15", "body")


@pytest.mark.parametrize(
    ("text", "status", "needs"),
    [
        ("---\nstatus: needs-summarization\n---\n\nx", Status.TENTATIVE, True),
        ("---\nstatus: tentative\n---\n\nstatus: fixed\nneeds-summarization: true", Status.TENTATIVE, False),
        ("---\nstatus: fixed\nneeds-summarization: true\n---\n\nx", Status.FIXED, True),
        ("status: fixed", Status.TENTATIVE, False),
        ("", Status.TENTATIVE, False),
        ("---", Status.TENTATIVE, False),
        ("---\n- a list\n---\nx", Status.TENTATIVE, False),
        ("\ufeff---\r\nstatus: fixed\r\n---\r\nx", Status.FIXED, False),
    ],
)
def test_status_is_read_from_frontmatter_only(text: str, status: Status, needs: bool) -> None:
    """Words of the body never count, and nothing that is no node raises."""
    node = parse_node(text)
    assert (node.status, node.needs_summarization) == (status, needs)


def test_sources_under_the_old_name_are_sources() -> None:
    """A monthly node of the original names its weeks."""
    assert parse_node("---\nperiod: 2026-03\nweeks: [2026-W10, 2026-W11]\n---\n").source_files == (
        "2026-W10",
        "2026-W11",
    )


@pytest.mark.parametrize(
    ("period", "level"),
    [("2026-03-15", Level.DAILY), ("2026-W11", Level.WEEKLY), ("2026-03", Level.MONTHLY), ("", Level.ROOT)],
)
def test_a_missing_type_follows_from_the_period(period: str, level: Level) -> None:
    """The name of a period says which level it is."""
    assert parse_node(f"---\nperiod: {period}\n---\nx").type is level


def test_root_says_nothing_twice() -> None:
    """ROOT has neither an empty list of topics nor the kind of its summary, and reads back equal."""
    root = Node(
        Level.ROOT, source_files=("memory/monthly/2026-03.md",), summary=Summary.EXTRACTIVE, body="## Topics Index"
    )
    assert "topics" not in render_node(root).split("---")[1]
    assert parse_node(render_node(root)) == root


def test_sections_are_read_by_title() -> None:
    """Lines belong to the heading above; empty sections have none."""
    body = "lost\n## Topics\n- a\n\n- b\n## Open Items\n## Topics\n- c"
    assert read_sections(body) == {"Topics": ("- a", "- b", "- c"), "Open Items": ()}
