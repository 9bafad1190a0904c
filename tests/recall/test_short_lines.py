"""Short documents in a block: which of their sentences a line tells."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest

from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.surface import block
from hipocampus.store.layout import Layout
from tests.recall.conftest import NOTES, Log, entries

STATE = """## Terraform state [project]
- request: two people applied at once and the state was corrupted
- decisions: the state lives in a bucket with locking
- outcome: never run terraform apply from laptops
"""


@pytest.fixture
def lines(layout: Layout, log: Log, built: Callable[[], Refreshed]) -> Callable[..., list[str]]:
    """The lines that a prompt gets from a memory with this entry and some others."""

    def ask(entry: str, prompt: str, root: str = "") -> list[str]:
        log("2026-03-01", entry)
        for number, other in enumerate(entries(*NOTES), 10):
            log(f"2026-03-{number}", other)
        built()
        with closing(open_to_read(layout)) as base:
            return block(base, prompt, 500, root).text.split("\n")[2:-1]

    return ask


@pytest.mark.parametrize(
    ("prompt", "begins"),
    [
        ("May I run terraform apply from my laptop?", "never run terraform apply laptops; "),
        ("Does the bucket of the Terraform state have locking?", "state lives bucket locking; "),
    ],
)
def test_a_line_begins_with_what_answers_the_prompt(lines: Callable[..., list[str]], prompt: str, begins: str) -> None:
    """Of several sentences that with the words of the prompt, not the one that holds most fact by itself."""
    assert lines(STATE, prompt)[0].startswith(begins)


def test_the_first_line_tells_as_much_as_one_sentence_may_be_long(lines: Callable[..., list[str]]) -> None:
    """The problem and what came of it where they are short; no more of an entry of many words, and nothing twice."""
    (first, *_) = lines(STATE, "May I run terraform apply from my laptop?")
    assert "two people applied" in first
    assert "bucket locking" in first
    long = STATE + f"- note: {'the modules of the network team keep their outputs ' * 2}\n"
    (first, *_) = lines(long, "May I run terraform apply from my laptop?")
    assert len(first.partition(" → ")[0]) <= 110 + len("Terraform state: ") + 2 * 8
    assert first.count("laptops") == 1


def test_what_root_says_of_an_entry_does_not_hide_what_answers(lines: Callable[..., list[str]]) -> None:
    """ROOT has another sentence of it; and where it has that one, nothing is told."""
    prompt = "May I run terraform apply from my laptop?"
    assert lines(STATE, prompt, "- Terraform state: two people applied at once, state corrupted\n")
    assert not lines(STATE, prompt, "- Terraform state: never run terraform apply from laptops\n")


def test_a_sentence_that_names_its_topic_is_told_once(lines: Callable[..., list[str]]) -> None:
    """Also in few words, in which not all of the name is left."""
    moved = "We gave up on Mailchimp for the harbour newsletter, and take Buttondown from the first of May"
    entry = f"## {moved[:60]}… [project]\n- fact: {moved}\n\n" + STATE.replace("Terraform", "Newsletter")
    told = [line for line in lines(entry, "Which newsletter state do we have?") if "Mailchimp" in line]
    assert [line.count("Mailchimp") for line in told] == [1]


def test_one_word_of_what_is_said_is_left_out(lines: Callable[..., list[str]]) -> None:
    """In little room the topic alone tells as much."""
    entry = "## Berth list of quay {0} [project]\n- outcome: rewritten by the dockers' union\n"
    entry = "".join(map(entry.format, range(9)))
    told = [line.partition(" → ")[0] for line in lines(entry, "Where is the berth list of the quay?")]
    listed = [line for line in told if line.startswith("Berth list")]
    assert len(listed) > 4
    assert not any("rewritten" in line for line in listed[3:])
