"""Escapes, entities and colours: rules read past them, and places stay those of the original."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.redaction.view import lowered, view_of


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        (r"a\u003db", "a=b"),
        (r"a\\u003db", "a=b"),
        (r"\ube44\ubc88", "비번"),
        ("&quot;a&quot; &amp; &lt;b&gt; &#39; &#x22;", '"a" & <b> \' "'),
        ("\x1b[1;32ma\x1b[0m", "a"),
        (r"\u001b[32ma\x1b[0m\033[m", "a"),
        ("a%3Db%22", 'a=b"'),
        (r"C:\users\u12", r"C:\users\u12"),
        ("&copy; 100% of it", "&copy; 100% of it"),
    ],
)
def test_a_view_has_the_characters_that_escapes_stand_for(text, seen):
    """JSON escapes of punctuation and Korean, HTML entities, percent codes and colours, and nothing else."""
    assert view_of(text).text == seen


@pytest.mark.parametrize("hidden", [
    "\u00ad", "\u034f", "\u17b4", "\u180b", "\u180e", "\u200b", "\u200d", "\u2060", "\ufe00", "\ufe0f", "\ufeff",
    "\U000e0100", "\U000e01ef",
])  # fmt: skip
def test_what_takes_no_room_is_not_in_a_view(hidden):
    """Nobody sees that it stands within a word: a key with some inside looks like the key."""
    assert view_of(f"a{hidden}b {hidden}❤{hidden}").text == "ab ❤"
    assert view_of(f"a{hidden}b").original(0, 2) == (0, 3)


PIECES = st.lists(
    st.sampled_from(["a", "é", "비", "🔑", r"\u003d", "&quot;", "\x1b[31m", "%3D", "\\", "\n"]), max_size=20
)


@given(PIECES)
def test_a_span_of_the_view_covers_the_same_characters_of_the_original(pieces):
    """Each character of the view leads back to the piece that it came from, in order and without overlap."""
    text = "".join(pieces)
    view = view_of(text)

    places = [view.original(at, at + 1) for at in range(len(view.text))]

    assert all(0 <= start < end <= len(text) for start, end in places)
    assert all(first[1] <= second[0] for first, second in pairwise(places))
    assert all(view_of(text[start:end]).text == char for (start, end), char in zip(places, view.text, strict=True))


@given(st.text())
def test_lowered_text_keeps_every_offset(text):
    """The narrow text has one character for each of the original."""
    lower = lowered(text)

    assert len(lower) == len(text)
    assert all(low == char.lower() for low, char in zip(lower, text, strict=True) if char.isascii())
