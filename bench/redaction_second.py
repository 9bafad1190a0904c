"""A second corpus, written from what people and tools write and not from the rules, to see how they generalise.

Longer texts than the first: whole configuration files, logs, dumps and messages, with the syntax of other ecosystems
and with passwords of other forms. Slots are those of `hipocampus.redaction.samples`.
"""

from __future__ import annotations

import json

from bench.redaction_corpus import Row
from bench.redaction_second_lookalikes import NEGATIVES
from bench.redaction_second_templates import POSITIVES
from hipocampus.redaction.samples import WORDS, Sampler

SEED = 77_001


class Fresh(Sampler):
    """The sampler with passwords of other forms: seasons and years, look-alike letters, joined words, all symbols."""

    def password(self) -> str:
        """A password of a form that the first corpus does not have."""
        pick, choice = self.pick, self.random.choice
        word, other = choice(WORDS), choice(WORDS)
        return choice((
            f"{word.capitalize()}{self.random.randint(1990, 2030)}{choice('!@#$')}",
            f"{word}_{other}_{pick('0123456789', 2)}",
            word.replace("a", "@").replace("o", "0").replace("e", "3") + choice("!#&") + pick("123456789", 3),
            f"{word}{choice('#&+*^')}{other}{choice('!^~')}{choice(WORDS)}",
            pick("abcdefghkmnpqrstuvwxyz", 3) + pick("ABCDEFGHJKLMNPQRSTUVWXYZ23456789!%^*=+?", 12) + "b7",
            pick("abcdefghijklmnopqrstuvwxyz", 7) + pick("0123456789", 4) + pick("ABCDEFGHJKLMN", 3),
            word + pick("23456789", 4),
            pick("0123456789abcdef", 15) + choice("abcdef"),
        ))  # fmt: skip


def _row(group: str, template: str, sampler: Sampler) -> Row:
    text, secrets, pieces = sampler.filled(template)
    words = (word for piece in pieces for word in piece.split() if len(word) > 3 and word.isalpha())
    kept = () if group in ("keys", "tokens", "rc files") else tuple(words)
    return Row(group, text, secrets, kept)


def positives(seed: int = SEED) -> list[Row]:
    """Every text with secrets, twice with other values."""
    sampler = Fresh(seed)
    rows = [_row(group, line, sampler) for group, lines in POSITIVES.items() for line in lines for _ in range(2)]
    records = [_recorded(row) for row in rows[::7]]
    return rows + records


def _recorded(row: Row) -> Row:
    """The text as a host's transcript has it: a string inside a string of JSON."""
    inner = json.dumps({"stdout": row.text}, ensure_ascii=False)
    text = json.dumps({"type": "user", "toolUseResult": inner}, ensure_ascii=False)
    plain = all(json.dumps(secret)[1:-1] == secret for secret in row.secrets)
    return Row("in a transcript", text, row.secrets if plain else (), ())


def negatives(seed: int = SEED) -> list[Row]:
    """Every look-alike."""
    sampler = Fresh(seed + 1)
    return [Row(group, sampler.filled(line)[0]) for group, lines in NEGATIVES.items() for line in lines]
