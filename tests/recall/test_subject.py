"""What a short document is about."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.ranking import rank
from hipocampus.recall.subject import by_subject
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log

PROMPT = "The tide offsets of the harbour are wrong in src/feed"
LESS, MORE = "## Tide\n- outcome: done\n", "## Tide offsets\n- outcome: done\n"


@pytest.mark.parametrize(("more", "less"), [
    (MORE, "## Tide winches\n- outcome: done\n"),
    (MORE, "## Tide offsets of vessels and pilots\n- outcome: done\n"),
    (LESS, "## Bollard\n- outcome: done\n"),
    (f"{LESS}- files: src/feed/tide.py\n", f"{LESS}- files: lib/main/tide.py\n"),
    (f"{LESS}- note: {'it was looked at twice, '*9}\n", LESS),
])  # fmt: skip
def test_what_a_prompt_names_is_worth_more(
    layout: Layout, log: Log, built: Callable[[], Refreshed], more: str, less: str
) -> None:
    """More of a topic, all of it before a part of it, a part of the project; and saying more is no fault."""
    log("2026-03-01", f"{less}\n{more}")
    built()
    with closing(open_to_read(layout)) as base:
        worth = by_subject(base, PROMPT, {1, 2})
    assert worth[2] > worth[1]


def test_the_entry_whose_topic_a_prompt_names_comes_before_one_that_mentions_it(
    layout: Layout, log: Log, built: Callable[[], Refreshed]
) -> None:
    """Although that one has more of the prompt's words, and is more recent."""
    log("2026-03-01", "## Tide offsets [project]\n- outcome: taken from the port authority\n")
    log("2026-03-02", "## Painting bollards and cleats of berths [project]\n- outcome: green; wrong tide offsets\n")
    built()
    with closing(open_to_read(layout)) as base:
        assert [one.doc for one in rank(base, "The tide offsets are wrong").found] == [1, 2]
