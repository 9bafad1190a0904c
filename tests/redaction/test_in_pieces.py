"""Secrets that are written in pieces: strings in a row, two fields, lines that go on."""

import pytest

from hipocampus.redaction import redact
from hipocampus.redaction.samples import Sampler

SAMPLER = Sampler(7)
AWS = "AKIA" + "Z7Q2X9K4M1B6N3V8"
GITHUB = "ghp_" + SAMPLER.of_class("A", 36)
RANDOM = SAMPLER.of_class("A", 32)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (f'["{AWS[:12]}", "{AWS[12:]}"]', (AWS[:12], AWS[12:])),
        (f'{{"head":"{AWS[:9]}","tail":"{AWS[9:]}"}}', (AWS[:9], AWS[9:])),
        (f"'{AWS[:7]}' '{AWS[7:14]}' '{AWS[14:]}'", (AWS[:7], AWS[7:14], AWS[14:])),
        (f"id: {AWS[:15]}\n    {AWS[15:]}\n", (AWS[:15], AWS[15:])),
        (f"'{GITHUB[:20]}' '{GITHUB[20:]}'", (GITHUB[:20], GITHUB[20:])),
        (f"curl -H {GITHUB[:11]}\\\n{GITHUB[11:25]}\\\n{GITHUB[25:]}", (GITHUB[:11], GITHUB[11:25], GITHUB[25:])),
        (f'token = (\n    "{RANDOM[:16]}"\n    "{RANDOM[16:]}"\n)', (RANDOM[:16], RANDOM[16:])),
        (f'PASSWORD = "{RANDOM[:9]}" "{RANDOM[9:18]}"', (RANDOM[:9], RANDOM[9:18])),
    ],
)
def test_each_piece_goes(text, pieces):
    """No piece is left, and a second pass changes nothing."""
    redacted = redact(text).text

    assert not [piece for piece in pieces if piece in redacted]
    assert redact(redacted).text == redacted


@pytest.mark.parametrize(
    "text",
    [
        '["AKIA", "ASIA"]',
        f'["{AWS[:12]}", "{AWS[12:]}", "{AWS[4:]}X"]'.replace("3V8", "3V8Q"),
        "ASIA PACIFIC\nREGION 2024",
        '"PASSWORD" "must be set"',
        'message = "password" "is wrong"',
        'print("token: " "value")',
        "make all\\\ntest2",
    ],
)
def test_other_neighbours_stay(text):
    """Strings in a row and long lines are not secrets by themselves."""
    assert redact(text).text == text
