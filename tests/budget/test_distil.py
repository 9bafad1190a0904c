"""What stays of an entry in the history block, and in the middle of a file."""

from __future__ import annotations

import pytest

from hipocampus.budget.distil import Bullet, Distilled, distil, said_in_few_words, shorten
from hipocampus.budget.sayings import Rank, rank_of
from hipocampus.budget.splitting import Piece, split


def piece(text: str) -> Piece:
    """The only entry of a text."""
    (found,) = split(text, "##").pieces
    return found


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("token bucket rather than leaky bucket", Rank.DECISION),
        ("decisions: token bucket", Rank.DECISION),
        ("Decided to ship on Friday", Rank.DECISION),
        ("never push to main", Rank.DECISION),
        ("Correction: the port is 8443", Rank.DECISION),
        ("I prefer tabs", Rank.DECISION),
        ("결정: 토큰 버킷", Rank.DECISION),
        ("因为突发是正常的", Rank.DECISION),
        ("see src/limits.py", Rank.HANDLE),
        ("run `make test`", Rank.HANDLE),
        ("$ make test", Rank.HANDLE),
        ("DEPLOY_REGION is eu", Rank.HANDLE),
        ("timeout = 30", Rank.HANDLE),
        ("with --verbose it says more", Rank.HANDLE),
        ("https://example.org/wiki", Rank.HANDLE),
        ("Rule: no release on a Friday", Rank.DECISION),
        ("**Why**: the office is closed then", Rank.DECISION),
        ("File: the big one", Rank.HANDLE),
        ("we switched from npm to bun", Rank.DECISION),
        ("I usually work at night", Rank.DECISION),
        ("a fan of short answers", Rank.DECISION),
        ("it turns out that the port is 8443", Rank.DECISION),
        ("we learned that the hard way", Rank.DECISION),
        ("the build takes forty seconds", Rank.FACT),
        ("The courier changed their sandbox again and we noticed.", Rank.FACT),
        ("they switched the sandbox off again", Rank.FACT),
        ("a customer discovered the old page", Rank.FACT),
        ("nobody realised or realized it for a week", Rank.FACT),
        ("the light turns red at night", Rank.FACT),
        ("the fan of the server is loud", Rank.FACT),
        ("the build usually takes a minute", Rank.FACT),
        ("the visitors loved and enjoyed the demo", Rank.FACT),
        ("Thanks!", Rank.CHATTER),
        ("ok", Rank.CHATTER),
        ("Great, thank you so much!", Rank.CHATTER),
        ("...", Rank.CHATTER),
        ("네, 감사합니다", Rank.CHATTER),
    ],
)
def test_ranks(text: str, rank: Rank) -> None:
    """Decisions, preferences, rules, corrections and lessons; then what one looks up; then facts, which what happened
    is, whoever noticed it; chatter is nothing.
    """
    assert rank_of(text) is rank


def test_the_bullets_of_an_entry() -> None:
    """The title stands by itself; wrapped lines are one; commands and settings of a code block stay."""
    text = (
        "## 2026-01-05 Rate limiting\nThanks!\n- decisions: token bucket,\n  because bursts are legitimate\n"
        "```sh\nmake limits\n```\n```python\nprint(1)\nLIMIT = 3\n```\n<!-- note -->\n| a | `b` |\n|---|---|\n"
    )
    found = distil(piece(text))
    assert [bullet.text for bullet in found.bullets] == [
        "decisions: token bucket, because bursts are legitimate",
        "`make limits`",
        "`LIMIT = 3`",
        "a | `b`",
    ]
    assert (found.title, found.dropped) == ("2026-01-05 Rate limiting", ("Thanks!", "print(1)"))


def test_an_entry_about_the_user_keeps_its_words() -> None:
    """All of them, chatter too, on one line."""
    (bullet,) = distil(piece("## Editor [user]\n- I use vim,\n  thanks\n\n- and tabs\n")).bullets
    assert bullet == Bullet("Editor [user]: I use vim,; thanks; and tabs", Rank.LASTING)


def test_an_entry_that_is_only_a_title() -> None:
    """Is one bullet without a text."""
    assert distil(piece("## Only this\nok\n")) == Distilled((Bullet("", Rank.FACT, 0),), ("ok",), "Only this")


@pytest.mark.parametrize(
    ("title", "said", "ranks"),
    [
        ("Search box", "it shows ten results", [Rank.FACT]),
        ("Never push to main", "it shows ten results", [Rank.DECISION, Rank.FACT]),
        ("Never push to main", "decision: use a branch", [Rank.DECISION]),
        ("See src/search.py", "it shows ten results", [Rank.HANDLE, Rank.FACT]),
    ],
)
def test_a_title_lifts_nothing(title: str, said: str, ranks: list[Rank]) -> None:
    """One that is worth more than all below it has a bullet of its own, and a fact below it stays a fact."""
    assert [bullet.rank for bullet in distil(piece(f"## {title}\n- {said}\n")).bullets] == ranks


@pytest.mark.parametrize(
    ("text", "title", "bullets"),
    [
        ("- Limits\n  - never raise them\n", "Limits", ["never raise them"]),
        ("- use bun, never npm\n  - because it is slow\n", "", ["use bun, never npm", "because it is slow"]),
        ("- the search box is slow\n  - ok\n", "", ["search box slow"]),
        (f"- {'it was slow and ' * 5}\n  - never again\n", "", ["slow slow slow slow slow", "never again"]),
        ("2026-01-05 Limits\n- never raise them\n", "2026-01-05 Limits", ["never raise them"]),
    ],
)
def test_a_first_line_without_a_heading(text: str, title: str, bullets: list[str]) -> None:
    """Is a title where it is a short fact and something stands below it; else it is a bullet."""
    found = distil(split(text, "-" if text.startswith("-") else "date").pieces[0])
    assert (found.title, [bullet.text for bullet in found.bullets]) == (title, bullets)


def test_a_long_paste_ends() -> None:
    """A line of fifty thousand characters takes no more room than a page; the snapshot has it."""
    found = distil(piece(f"## paste\n{'see src/a.py and ' * 3000}\n"))
    assert sum(len(bullet.text) for bullet in found.bullets) < 2_000


def test_shortening_is_light() -> None:
    """Chatter, repetition, white space at line ends and surplus blank lines; code keeps every byte."""
    again = "The search box highlights matches in long pages now."
    text = f"## a  \n\n\nThanks!\nKept as it is.\n- {again}\n- {again}\n```\nok\n\n\nx  \n```\n\n"
    found = shorten(piece(text), set())
    assert found.text == f"## a\n\nKept as it is.\n- {again}\n```\nok\n\n\nx  \n```\n\n"
    assert found.dropped == ("Thanks!", again)


def test_what_a_newer_entry_says_is_not_said_twice() -> None:
    """In the same words; an entry about the user is left alone."""
    said = {"the deploy needs the vpn and a ticket from operations"}
    text = "- The deploy needs the VPN and a ticket from operations\n"
    assert shorten(piece(f"## a\n{text}- b c\n"), said).text == "## a\n- b c\n"
    assert shorten(piece(f"## a [user]\n{text}\n\n\n"), said).text == f"## a [user]\n{text}\n\n\n"


@pytest.mark.parametrize(
    "bullets",
    [
        [],
        ["Editor [user]: vim"],
        ["Editor [user]: I use vim", "and " * 40],
        ["Editor [user]: I use vim", "two\nlines"],
        ["Editor [user]: I use vim", "key " + "ghp_" + "a1B2c3D4" * 4 + "e5F6"],
    ],
)
def test_what_another_writer_says_is_checked(bullets: list[str]) -> None:
    """A text that changes what the user said, has lines or secrets in it or grows is not taken; a good one is."""
    entry = piece(f"## Editor [user]\n- I use vim\n{' ' * 100}\n")
    made = Distilled(tuple(Bullet(text, Rank.LASTING) for text in bullets))
    assert said_in_few_words(entry, lambda _piece: made) == distil(entry)
    good = Distilled((Bullet("Editor [user]: I use vim", Rank.LASTING), Bullet("short", Rank.FACT)))
    assert said_in_few_words(entry, lambda _piece: good) == good


def test_what_another_writer_leaves_out_is_put_back() -> None:
    """Paths, commands and settings, in the words of the entry; another statement may be said in any words, or not."""
    entry = piece(
        "## Deploy\n- it runs on a Friday\n- config in `deploy/prod.toml`\n```sh\nmake deploy REGION=eu\n```\n"
    )
    made = Distilled((Bullet("Deploy: Fridays, deploy/prod.toml", Rank.FACT),))
    said = said_in_few_words(entry, lambda _piece: made)
    assert [bullet.text for bullet in said.bullets] == ["Deploy: Fridays, deploy/prod.toml", "`make deploy REGION=eu`"]


def test_an_entry_is_not_silenced() -> None:
    """Whoever has nothing to say about it is not believed."""
    entry = piece("## Limits\n- decision: token bucket, because bursts are legitimate\n")
    assert said_in_few_words(entry, lambda _piece: Distilled(())) == distil(entry)
