"""The manifest: what there is to choose from, in few tokens whatever the history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.core.tokens import estimate_tokens
from hipocampus.recall.manifest import Listed, fitting, line_of, manifest, manifest_text
from hipocampus.store.layout import Layout

Node = Callable[[str, str, str], Path]


@pytest.fixture
def node(layout: Layout) -> Node:
    """Write a node with its topics, as they stand in the frontmatter."""

    def write(level: str, period: str, topics: str) -> Path:
        path = Path(layout.node(level, period))
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            f"---\ntype: {level}\nperiod: {period}\ntopics: {topics}\n---\n\n## Topics\n- secret body\n", "utf-8"
        )
        return path

    return write


def test_months_come_first_then_weeks_then_days_the_newest_first(layout: Layout, node: Node) -> None:
    """Each with what its frontmatter names; the body is not read."""
    node("daily", "2026-03-14", '["c [user]"]')
    node("weekly", "2026-W10", '["b"]')
    node("weekly", "2026-W11", "[]")
    node("monthly", "2026-02", '["a [project]", "d [feedback]"]')
    node("monthly", "2026-03", '["a [project]"]')
    assert manifest_text(layout).split("\n") == [
        "memory/monthly/2026-03.md: a",
        "memory/monthly/2026-02.md: a; d [feedback]",
        "memory/weekly/2026-W11.md",
        "memory/weekly/2026-W10.md: b",
        "memory/daily/2026-03-14.md: c [user]",
    ]


def test_without_nodes_there_is_nothing_to_choose_from(layout: Layout) -> None:
    """No line, not an empty one."""
    assert fitting(layout) == ([], "")


def test_of_a_long_history_the_last_months_weeks_and_days_are_listed(layout: Layout, node: Node) -> None:
    """A year of months, a month of weeks, a week of days; older months are counted."""
    for back in range(40):
        day = date(2026, 3, 14) - timedelta(days=back)
        node("daily", day.isoformat(), '["x"]')
    for week in range(1, 12):
        node("weekly", f"2026-W{week:02d}", '["x"]')
    for year in range(2020, 2026):
        for month in range(1, 13):
            node("monthly", f"{year}-{month:02d}", '["x"]')
    levels = [one.level for one in manifest(layout)]
    assert levels == ["monthly"] * 12 + ["weekly"] * 4 + ["daily"] * 7
    assert manifest_text(layout).endswith("\n+60 older months: memory/monthly/")


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (100, "m: one; two [user]; three"),
        (20, "m: one; two [user] +1"),
        (5, "m: one +2"),
        (2, "m: o… +2"),
        (0, "m"),
    ],
)
def test_topics_are_whole_as_far_as_there_is_room(width: int, expected: str) -> None:
    """And the others are counted."""
    listed = Listed("m", "monthly", "2026-03", ("one [project]", "two [user]", "three [project]"))
    assert line_of(listed, width) == expected


def test_of_a_sentence_the_keywords_are_shown() -> None:
    """A conversation's topic is how it began."""
    topic = "I'm looking for some advice on how to repair the quince press of my grandmother [project]"
    line = line_of(Listed("m", "monthly", "2026-03", (topic,)), 100)
    assert "quince press" in line
    assert len(line) <= 45


def test_a_week_gets_half_and_a_day_a_quarter_of_a_months_room() -> None:
    """Months are what an old question needs."""
    topics = ("abcdefgh", "abcdefgh", "abcdefgh", "abcdefgh")
    lines = [line_of(Listed("m", level, "", topics), 40) for level in ("monthly", "weekly", "daily")]
    assert [line.count("abcdefgh") for line in lines] == [4, 2, 1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    topics=st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=120), max_size=30),
    months=st.integers(0, 30),
    tokens=st.sampled_from([40, 120, 499]),
)
def test_it_fits_whatever_the_topics_are(
    tmp_path_factory: pytest.TempPathFactory, topics: list[str], months: int, tokens: int
) -> None:
    """In any script, and however many there are; what is listed is what is shown."""
    import json

    root = str(tmp_path_factory.mktemp("home"))
    layout = Layout(root, root)
    folder = Path(layout.memory, "monthly")
    folder.mkdir(parents=True)
    for month in range(months):
        name = f"{2023 + month // 12}-{month % 12 + 1:02d}"
        (folder / f"{name}.md").write_text(
            f"---\ntype: monthly\nperiod: {name}\ntopics: {json.dumps(topics)}\n---\n", encoding="utf-8"
        )
    listed, text = fitting(layout, tokens)
    assert estimate_tokens(text) <= tokens
    assert [line.split(":")[0] for line in text.split("\n") if line.startswith("memory/")] == [
        one.path for one in listed
    ]


def test_a_node_that_cannot_be_read_is_listed_without_topics(layout: Layout, node: Node) -> None:
    """A node without frontmatter, or a directory of that name."""
    node("monthly", "2026-03", "").write_text("# March\n")
    Path(layout.node("monthly", "2026-02")).mkdir(parents=True)
    assert manifest_text(layout).split("\n") == ["memory/monthly/2026-03.md", "memory/monthly/2026-02.md"]


def test_secrets_and_control_characters_stay_out(layout: Layout, node: Node) -> None:
    """What somebody wrote into a node by hand is cleaned on the way out."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    node("monthly", "2026-03", f'["token {secret}", "red\\e[31m\\nline"]')
    text = manifest_text(layout)
    assert secret not in text
    assert "\x1b" not in text
    assert text.count("\n") == 0
