"""Our own rules over stored files: found, cut out, and the rest of the file as it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.audit.documents import examine
from hipocampus.core.entries import parse_log
from hipocampus.redaction import DEFAULT
from hipocampus.store.holdings import Kind
from tests.audit.conftest import KEY_BLOCK, PASSWORD, TOKEN

TEXT_KINDS = [Kind.LOG, Kind.NODE, Kind.SNAPSHOT, Kind.NOTE]


def clean(kind: Kind, text: str) -> tuple[list[tuple[int, int, str]], str]:
    """What is found, without the values, and the text without it."""
    found = examine(kind, text, DEFAULT, lambda _kind, _value: False)
    return [(hit.line, hit.last, hit.kind) for hit in found.hits], found.text


@pytest.mark.parametrize("kind", TEXT_KINDS)
def test_the_lines_stay_where_they_are(kind: Kind) -> None:
    """A block of many lines leaves as many, so that a pointer into the file still leads to its entry."""
    text = f"# day\r\n\r\n## A [project]\r\n{KEY_BLOCK}\r\nDB_PASSWORD={PASSWORD}\r\n\r\n## B [project]\r\nx"
    hits, left = clean(kind, text)
    assert [(first, kind) for first, _, kind in hits] == [(5, "private-key"), (10, "password")]
    assert left.count("\n") == text.count("\n")
    assert [entry.line for entry in parse_log(left)] == [entry.line for entry in parse_log(text)]
    assert left.endswith("DB_PASSWORD=[REDACTED:password]\r\n\r\n## B [project]\r\nx")


@pytest.mark.parametrize("kind", TEXT_KINDS)
def test_a_clean_file_stays(kind: Kind) -> None:
    """To the character: what UTF-8 cannot hold, the byte-order mark, the last line without its end."""
    text = "\ufeff# day\r\n## 배포 [project]\n- outcome: token bucket, \udcff password rules\n\x00"
    assert clean(kind, text) == ([], text)


def test_a_private_block_ends_with_its_entry() -> None:
    """In a log it would have ended with its message; the next entry is not touched. Notes of the user keep theirs."""
    text = "## A\n<private>mine\n\n## B\nx\n"
    assert clean(Kind.LOG, text) == ([(2, 4, "private")], "## A\n[REDACTED:private]\n\n## B\nx\n")
    assert clean(Kind.NOTE, text) == ([], text)


def test_a_secret_in_a_private_note_is_a_secret() -> None:
    """The tags stay, since they are the user's mark."""
    hits, left = clean(Kind.NOTE, f"<private>{TOKEN}</private>")
    assert hits == [(1, 1, "github-token")]
    assert left == "<private>[REDACTED:github-token]</private>"


def test_ids_of_entries_stay() -> None:
    """Even one that a rule would take for a secret."""
    line = f"<!-- hipocampus: id={TOKEN} at=x -->"
    assert clean(Kind.LOG, f"## A\n{line}\nx")[1] == f"## A\n{line}\nx"


def test_records() -> None:
    """JSON lines stay JSON, in order; a damaged line and a clean one stay as they are."""
    other, torn = '{"k": "turn",  "text": "한글"}', '{"k":"prompt","te'
    record = json.dumps({"k": "prompt", "text": f"use {TOKEN}\nnow", "files": [f"/{TOKEN}"], "n": 3})
    hits, left = clean(Kind.RECORDS, f"{other}\n{record}\n{torn}\n")
    assert hits == [(2, 2, "github-token"), (2, 2, "github-token")]
    first, second, third, _ = left.split("\n")
    assert (first, third) == (other, torn)
    mark = "[REDACTED:github-token]"
    assert json.loads(second) == {"k": "prompt", "text": f"use {mark}\nnow", "files": [f"/{mark}"], "n": 3}


@pytest.mark.parametrize("escaped", [TOKEN.replace("_", "\\u005f"), f"x\\n{TOKEN}", f'\\"{TOKEN}\\"'])
def test_secrets_behind_escapes(escaped: str) -> None:
    """What a reader of the JSON would see is what is searched."""
    _, left = clean(Kind.RECORDS, f'{{"text":"{escaped}"}}')
    assert TOKEN not in json.loads(left)["text"]


def test_a_name_and_its_value() -> None:
    """Two strings of JSON that are a secret only together, on one line or in a file of many."""
    for indent in (None, 2):
        hits, left = clean(Kind.RECORDS, json.dumps({"id": "x", "db": {"password": PASSWORD}}, indent=indent))
        assert [kind for _, _, kind in hits] == ["password"]
        assert json.loads(left) == {"id": "x", "db": {"password": "[REDACTED:password]"}}


def test_what_was_accepted_stays() -> None:
    """It is neither a hit nor cut out."""
    found = examine(Kind.LOG, f"{TOKEN} DB_PASSWORD={PASSWORD}", DEFAULT, lambda kind, _value: kind == "github-token")
    assert [hit.kind for hit in found.hits] == ["password"]
    assert found.text == f"{TOKEN} DB_PASSWORD=[REDACTED:password]"


PIECES = st.sampled_from(
    [
        TOKEN,
        KEY_BLOCK,
        f"DB_PASSWORD={PASSWORD}",
        "## A [project]",
        "<!-- hipocampus: id=3f9c0a1b7d42 -->",
        "```",
        "<private>",
        "</private>",
        "한글",
        '"',
        "\\",
        "{}",
        "\r",
        "\udcff",
    ]
)


@given(st.lists(PIECES | st.text(max_size=6), max_size=10), st.sampled_from([" ", "\n"]), st.sampled_from(list(Kind)))
@settings(max_examples=150, deadline=None)
def test_once_is_enough(pieces: list[str], joint: str, kind: Kind) -> None:
    """A cleaned file is clean, has as many lines, and holds no token and no key."""
    text = joint.join(pieces)
    once = examine(kind, text, DEFAULT, lambda _kind, _value: False).text
    again = examine(kind, once, DEFAULT, lambda _kind, _value: False)
    assert again.hits == ()
    assert again.text == once
    # A state of summaries is written anew.
    assert kind is Kind.SUMMARIES or once.count("\n") == text.count("\n")
    assert TOKEN not in once
