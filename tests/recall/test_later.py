"""What was written later and speaks against an entry."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.later import Later
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log

OLD = "## Rate limiting [project]\n- decisions: leaky bucket at the nginx gateway\n"
FILLER = "".join(f"## Part {at} [project]\n- outcome: part {at} was polished and shipped\n\n" for at in range(12))


@pytest.fixture
def later(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> Callable[[str, str], tuple[str, str]]:
    """What speaks against the entry of the 1st, by topic and by contradiction, once this was logged."""

    def ask(text: str, old: str = OLD) -> tuple[str, str]:
        log("2026-03-01", old)
        log("2026-03-02", FILLER)
        log("2026-03-09", text)
        built()
        with closing(open_to_read(layout)) as base:
            found = Later(base)
            day, pointer = "2026-03-01", "memory/2026-03-01.md:3"
            return found.same_topic("Rate limiting", "project", day, pointer), found.contradicting(
                "project", day, pointer
            )

    return ask


@pytest.mark.parametrize(
    "text",
    [
        "## Limits [project]\n- decisions: token bucket instead of the leaky bucket at the gateway\n",
        "## Limits [project]\n- outcome: the leaky bucket of nginx was replaced by our own middleware\n",
        "## Limits [project]\n- outcome: nginx is tuned. The leaky bucket at the gateway is no longer used.\n",
        "## Gateway without leaky bucket [project]\n- why: we moved from the leaky bucket of the gateway to tokens\n",
        "## 제한 [project]\n- decisions: leaky bucket 대신 gateway 에 token bucket 을 쓴다\n",
    ],
)
def test_a_later_entry_that_takes_it_back_contradicts_it(later: Callable[..., tuple[str, str]], text: str) -> None:
    """Under any name, in either language: a sentence says that what the entry names no longer holds."""
    assert later(text) == ("", "memory/2026-03-09.md:3")


@pytest.mark.parametrize(
    "text",
    [
        "## Limits [project]\n- decisions: the leaky bucket at the gateway was measured again\n",
        "## Colours [project]\n- decisions: green instead of blue\n",
        "## Limits [feedback]\n- rule: token bucket instead of the leaky bucket at the gateway\n",
        f"## Talk [project]\n- outcome: leaky bucket gateway. {'And so on to others. ' * 60}no tea any more\n",
        f"## Talk [project]\n- outcome: tokens instead of the leaky bucket of the gateway {'and so on ' * 100}\n",
    ],
)
def test_anything_else_does_not(later: Callable[..., tuple[str, str]], text: str) -> None:
    """It says nothing is over, is about something else, of another type, or a long talk that touches on everything."""
    assert later(text) == ("", "")


def test_words_that_half_the_memory_shares_prove_nothing(later: Callable[..., tuple[str, str]]) -> None:
    """It is another matter in the same words."""
    old = "## Part 90 [project]\n- outcome: part 90 was polished and shipped\n"
    assert later("## Part 91 [project]\n- outcome: part 91 was polished and shipped instead of dropped\n", old) == (
        "",
        "",
    )


def test_a_later_entry_on_the_topic_supersedes(later: Callable[..., tuple[str, str]]) -> None:
    """However its name is spelt; the last one counts, and on a day the one below."""
    text = "## rate-limiting [project]\n- outcome: x\n\n## Rate Limiting [project]\n- outcome: y\n"
    assert later(text)[0] == "memory/2026-03-09.md:6"
    same_day = OLD + "\n## Rate limiting [project]\n- outcome: tuned\n"
    assert later("## Other [project]\n- outcome: x\n", same_day)[0] == "memory/2026-03-01.md:6"


def test_neither_is_said_of_the_last_word(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> None:
    """An earlier entry speaks against nothing, nor does an entry against itself."""
    log("2026-03-01", "## Rate limiting [project]\n- decisions: leaky bucket at the nginx gateway\n")
    log(
        "2026-03-09",
        "## Rate limiting [project]\n- decisions: leaky bucket at the gateway was dropped for nginx's own\n",
    )
    built()
    with closing(open_to_read(layout)) as base:
        found = Later(base)
        assert found.same_topic("Rate limiting", "project", "2026-03-09", "memory/2026-03-09.md:3") == ""
        assert found.contradicting("project", "2026-03-09", "memory/2026-03-09.md:3") == ""
