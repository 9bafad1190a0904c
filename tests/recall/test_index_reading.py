"""Files are read into the index whatever is odd about one of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hipocampus.recall import index_reading
from hipocampus.recall.index import Refreshed, outdated
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.index_units import Document
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log, matching, rows

Built = Callable[[], Refreshed]
ONE = "## Rate limiting [project]\n- decisions: token bucket, bursts are legitimate\n"
TWO = "## Deploy days [feedback]\n- rule: deploy on Tuesdays only\n"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (os.fsdecode(b"knowledge/n\xe9.md"), "knowledge/n\ufffd.md"),
        ("knowledge/two\nlines.md", "knowledge/two lines.md"),
        ("knowledge/\u202edm.md", "knowledge/dm.md"),
        ("knowledge/ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8.md", "knowledge/[REDACTED:github-token].md"),
    ],
)
def test_a_file_that_no_pointer_can_name_is_left_out(
    layout: Layout, log: Log, built: Built, name: str, shown: str
) -> None:
    """It is named as well as can be, and everything else is found."""
    log("2026-03-15", ONE)
    Path(layout.knowledge).mkdir()
    Path(layout.root, name).write_text("# Odd\n\n## Tides\nThe tide turns.\n", "utf-8")
    Path(layout.knowledge, "plain.md").write_text("# Plain\n\n## Tides\nThe tide turns.\n", "utf-8")
    for added in (2, 0):
        assert built() == Refreshed(added=added, unreadable=(shown,))
    assert [source for source, _, _ in rows(layout)] == ["knowledge/plain.md", "memory/2026-03-15.md"]


@pytest.mark.parametrize("moment", [-(10**10), 0, 10_413_792_000, 200_000_000_000])
def test_a_file_may_be_of_any_time(layout: Layout, built: Built, moment: int) -> None:
    """A clock was wrong when it was written, by centuries."""
    Path(layout.knowledge).mkdir()
    path = Path(layout.knowledge, "tides.md")
    path.write_text("# Tides\n\n## Turn\nThe tide turns.\n", "utf-8")
    os.utime(path, (moment, moment))
    assert built().added == 1
    assert outdated(layout, defaults()) == 0
    assert built() == Refreshed()


def test_a_file_that_cannot_be_taken_in_keeps_no_other_out(
    layout: Layout, log: Log, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is odd about it: half of it is not there either."""
    log("2026-03-14", TWO)
    log("2026-03-15", ONE + "\n" + TWO)
    real = index_reading.text_rows

    def odd(document: Document) -> tuple[str, str, str]:
        return ("\ud800", "", "") if document.day == "2026-03-15" and document.line > 3 else real(document)

    with monkeypatch.context() as once:
        once.setattr(index_reading, "text_rows", odd)
        assert built().unreadable == ("memory/2026-03-15.md",)
        assert [source for source, _, _ in rows(layout)] == ["memory/2026-03-14.md"]
    assert built().added == 2


@pytest.mark.parametrize("at", ["\\ud800", "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8", "2026-3-1", ""])
def test_a_turn_of_no_day_is_found_by_its_words(layout: Layout, built: Built, at: str) -> None:
    """What a journal says of the time is no more than a day, or nothing."""
    Path(layout.journal).mkdir()
    record = f'{{"k":"prompt","at":"{at}","pid":"1","text":"where is the limiter configured?"}}\n'
    Path(layout.journal_file("s1")).write_text(record, encoding="utf-8")
    assert built() == Refreshed(added=1)
    assert matching(layout, '"configured"') == 1
    with closing(open_to_read(layout)) as base:
        assert base.execute("SELECT day FROM doc").fetchone() == ("",)
