"""The boundary between the tiers, and what is done where it is not enough."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from hipocampus.budget.distil import Bullet, Distilled
from hipocampus.budget.history import TITLE
from hipocampus.budget.measure import Unit, lines_in
from hipocampus.budget.policy import Rule
from hipocampus.budget.sayings import Rank
from hipocampus.budget.splitting import Piece, split
from hipocampus.budget.tiers import compacted, tiers_of

DOCS = Path(__file__).parents[2] / "docs" / "budgets.md"
ROW = re.compile(r"^\| ([A-H]) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
TODAY = date(2026, 3, 15)
SNAPSHOT = "compaction/snapshots/notes-2026-03-15.md"


def lines(budget: int, newest: int = 2) -> Rule:
    """A budget of lines."""
    return Rule("notes.md", Unit.LINES, budget, newest, "##")


def entry(name: str, lines: int, bullets: int) -> str:
    """An entry with so many lines, of which so many are decisions and the rest is code."""
    said = "".join(f"- decisions: {name}{number} because of it\n" for number in range(bullets))
    code = "".join(f"    print('{name}', {number})\n" for number in range(lines - bullets - 3))
    return f"## {name}\n{said}```python\n{code}```\n"


def example() -> str:
    """The file of the documentation, built from its table."""
    rows = ROW.findall(DOCS.read_text(encoding="utf-8"))
    return "# Notes\n\nIntro.\n\n" + "".join(entry(name, int(lines), int(bullets)) for name, lines, _, bullets in rows)


def test_the_documented_example() -> None:
    """Every number that the page works out."""
    text = example()
    rows = ROW.findall(DOCS.read_text(encoding="utf-8"))
    assert [piece.title for piece in split(text).pieces] == list("ABCDEFGH")
    assert [sum(int(row[1]) for row in rows[: at + 1]) for at in range(8)] == [int(row[2]) for row in rows]
    assert lines_in(text) == 100
    assert tiers_of(split(text), 2, 100).oldest == 2
    sizes = {budget: compacted(text, lines(budget), SNAPSHOT, TODAY) for budget in (90, 89, 83, 82, 75, 72)}
    assert [(one.distilled, one.middle, one.sizes[1]) for one in sizes.values()] == [
        (2, 4, 90),
        (3, 3, 83),
        (3, 3, 83),
        (4, 2, 72),
        (4, 2, 72),
        (4, 2, 72),
    ]


@pytest.mark.parametrize(("first", "oldest"), [(30, 1), (31, 0), (1, 3)])
def test_thirty_per_cent(first: int, oldest: int) -> None:
    """Whole entries up to the limit, the limit included."""
    text = "".join(
        f"## {number}\n" + "x\n" * (size - 1) for number, size in enumerate((first, 9, 12, 100 - 21 - first))
    )
    assert tiers_of(split(text, "##"), 0, lines_in(text)).oldest == oldest


def test_bullets_leave_by_rank() -> None:
    """Facts first, then what one looks up, then decisions; what the user said never does."""
    text = (
        "## a\n- the search box shows ten results at a time\n- see src/a.py\n- decisions: b because of c\n"
        "## d [user]\n- terse\n" + "```python\n" + "print(1)\n" * 30 + "```\n## e\nnew\n"
    )
    found = []
    for budget in range(13, 8, -1):
        outcome = compacted(text, lines(budget, 1), SNAPSHOT, TODAY)
        rows = (outcome.text or "").split("\n")
        found.append((outcome.text is not None, [row for row in rows if row.lstrip().startswith("- ")]))
    decision = "decisions: b because of c"
    last = "d [user]: terse; ```python; " + "print(1); " * 30 + "```"
    assert found == [
        (True, ["- **a**: search box shows ten results time", "  - see src/a.py", f"  - {decision}", f"- {last}"]),
        (True, ["- **a**: see src/a.py", f"  - {decision}", f"- {last}"]),
        (True, [f"- **a**: {decision}", f"- {last}"]),
        (True, [f"- {last}"]),
        (False, []),
    ]


def test_what_happened_does_not_outlive_a_decision() -> None:
    """Neither at first, nor where the block is compacted again and a title with a date stands before it."""
    text = (
        "# Notes\n\n## 2026-10-05 Magic links\n- decision: magic links\n\n"
        "## 2026-10-12 Courier API\n- The courier changed their sandbox again and we noticed.\n\n"
        "## 2026-10-19 Limits\n- decision: sliding window\n\n## 2026-10-26 Newest\n- this\n"
    )
    for budget in (14, 13):
        text = compacted(text, lines(budget, 1), SNAPSHOT, TODAY).text or ""
        assert [row for row in text.split("\n") if row.startswith("- **")] == [
            "- **2026-10-05 Magic links**: decision: magic links",
            *(["- **2026-10-12 Courier API**: courier changed sandbox again noticed"] if budget == 14 else []),
            "- **2026-10-19 Limits**: decision: sliding window",
        ]


TITLED = [
    ("##", "## 2026-06-{0:02} Topic {0}: the rest of it\n- "),
    ("##", "## Topic {0}\n- "),
    ("date", "2026-06-{0:02} Topic {0}\n- "),
    ("-", "- Topic {0}\n  - "),
    ("-", "- **Topic {0}**\n  - "),
]


@pytest.mark.parametrize(("marker", "title"), TITLED)
@pytest.mark.parametrize("is_again", [False, True])
def test_what_is_left_of_an_entry_has_its_title(marker: str, title: str, is_again: bool) -> None:
    """Whatever leaves the block, also one that was compacted before: nothing stands below another title, or none."""
    item = title.rpartition("\n")[2]
    said = (
        "looked how parts {0} fit together",
        "see src/part{0}.py",
        "decision: use variant {0}",
        "never use mode {0} again",
    )
    entries = [title + f"\n{item}".join(said) + "\n\n" for _ in range(1, 13)]
    text = "# Notes\n\n" + "".join(entry.format(number) for number, entry in enumerate(entries, 1))
    for budget in range(62, 23, -4):
        outcome = compacted(text, Rule("notes.md", Unit.LINES, budget, 2, marker), SNAPSHOT, TODAY)
        assert outcome.text is not None
        for topic, row in by_topic(outcome.text):
            assert re.findall(r"(?:parts|part|variant|mode) ?(\d+)", row) in ([], [topic])
        text = outcome.text if is_again else text
    assert {"use", "never"} & set(" ".join(row for _, row in by_topic(outcome.text)).split())


def by_topic(text: str) -> list[tuple[str, str]]:
    """The lines of a block, each with the number of the topic that it stands below."""
    topic = ""
    found = []
    for row in text.partition(TITLE)[2].partition("<!-- end")[0].split("\n"):
        if row.startswith("- "):
            topic = "".join(re.findall(r"Topic (\d+)", row))
        found.append((topic, row))
    return found


def test_a_second_time_merges() -> None:
    """One block, the entries counted together, the new bullets behind the old ones, the newest snapshot named."""
    first = compacted(example(), lines(75), SNAPSHOT, TODAY).text
    assert first is not None
    later = first + entry("I", 30, 3)
    second = compacted(later, lines(80), SNAPSHOT.replace("15", "16"), date(2026, 3, 16)).text
    assert second is not None
    assert second.count(TITLE) == 1
    assert "Distilled from 7 entries on 2026-03-16. Full detail in compaction/snapshots/notes-2026-03-16.md\n" in second
    names = re.findall(r"^(?:- \*\*[A-Z]\*\*: |  - )decisions: ([A-Z])", second, re.MULTILINE)
    assert len(names) > 5
    assert names == sorted(names)
    assert compacted(second, lines(80), SNAPSHOT, TODAY).sizes[0] <= 80


def test_what_a_person_wrote_into_the_block_stays() -> None:
    """A bullet of theirs is one of ours from then on."""
    first = compacted(example(), lines(75), SNAPSHOT, TODAY).text or ""
    edited = first.replace("\n<!-- end", "- mine: never on a Friday\n\n<!-- end") + entry("I", 30, 3)
    assert "- mine: never on a Friday\n" in (compacted(edited, lines(80), SNAPSHOT, TODAY).text or "")


def test_newest_first_puts_the_block_at_the_end() -> None:
    """Where the oldest entries were."""
    text = "# C\n\n" + "".join(
        f"## {day} (2026-03-{day:02})\n- decisions: {day}\n" + "x y z\n" * 9 for day in range(9, 0, -1)
    )
    outcome = compacted(text, lines(70, 2), SNAPSHOT, TODAY)
    assert outcome.text is not None
    assert outcome.text.startswith(text[: text.index("## 7 ")])
    assert outcome.text.index(TITLE) > outcome.text.index("## 6 ")
    assert outcome.text.endswith("<!-- end of compacted history; newest first -->\n\n")


def test_another_writer() -> None:
    """Whoever says an entry in few words is asked once for each that goes into the block, and its words are used."""
    asked: list[str] = []

    def written(piece: Piece) -> Distilled:
        asked.append(piece.title)
        return Distilled((Bullet(f"all of {piece.title}", Rank.FACT),))

    outcome = compacted(example(), lines(75), SNAPSHOT, TODAY, written)
    assert asked == list("ABC")
    assert outcome.distilled == 3
    assert "- all of A\n- all of B\n" in (outcome.text or "")


def test_line_ends() -> None:
    """A file from Windows gets a block with its line ends."""
    made = compacted(example().replace("\n", "\r\n"), lines(75), SNAPSHOT, TODAY).text or ""
    assert made.count("\n") == made.count("\r\n") == 72


@pytest.mark.parametrize("newest", [0, 1, 2])
def test_the_next_compaction_divides_the_file_as_the_first_did(newest: int) -> None:
    """However few entries are left to tell how they begin and which end is newest: parts of an entry are none."""
    entries = "".join(
        f"## {day} (2026-03-{day:02})\n\n## New\n- decision: keep {day}\n- it was slow\n\n"
        f"# {day}.1 (2026-03-{day:02})\n- small\n\n"
        for day in range(20, 0, -1)
    )
    first = compacted("# C\n\n" + entries, replace(lines(54, newest), marker=""), SNAPSHOT, TODAY)
    assert (first.marker, first.entries) == ("dated heading", 40)
    document = split(first.text or "")
    assert (document.marker, document.is_newest_first) == ("dated heading", True)
    assert document.pieces == split("# C\n\n" + entries).pieces[first.distilled :]


@pytest.mark.parametrize(
    ("marker", "text"), [("-", "- a {0}\n"), ("", "para {0}\nmore\n\n"), ("date", "2026-01-{0:02} x\n")]
)
def test_any_manner_is_kept(marker: str, text: str) -> None:
    """Bullets, paragraphs and lines with a date."""
    whole = "# T\n\n" + "".join(text.format(day) for day in range(10, 30))
    first = compacted(whole, replace(lines(lines_in(whole) - 8, 1), marker=""), SNAPSHOT, TODAY)
    assert first.text is not None
    assert split(first.text).marker == first.marker == marker
    assert split(first.text).pieces[-1].text == split(whole).pieces[-1].text
