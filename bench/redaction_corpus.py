"""A corpus of texts with secrets and of look-alikes without, made from templates with a seed.

Every value is generated when the corpus is built, so that no file holds anything that looks like a secret to a scanner.
A row of `positives` says which values must not survive; the template's own text around them must.
"""

from __future__ import annotations

import dataclasses
import re

from bench import redaction_templates as templates
from bench.redaction_lookalikes import NEGATIVES
from hipocampus.redaction.providers import PROVIDERS
from hipocampus.redaction.samples import Sampler
from hipocampus.redaction.shapes import MARKED
from hipocampus.redaction.webhooks import WEBHOOKS

SEED = 20260315
# In these groups what stands beside a value belongs to the secret.
_PART_OF_IT = frozenset(("shape", "hash", "wrapped", "private"))
_LABELS = ("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK")


@dataclasses.dataclass(frozen=True)
class Row:
    """A text, the secrets in it (none for a look-alike) and the pieces around them that must stay."""

    group: str
    text: str
    secrets: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def _row(group: str, template: str, sampler: Sampler) -> Row:
    text, secrets, pieces = sampler.filled(template)
    kept = () if group in _PART_OF_IT else tuple(piece.strip() for piece in pieces if re.search("[A-Za-z]{2}", piece))
    return Row(group, text, secrets, kept)


def _provider_rows(sampler: Sampler) -> list[Row]:
    """One token of every prefix, each in another place."""
    rows = []
    for _kind, name, _least, usual, _exact, prefixes in PROVIDERS:
        for prefix in prefixes.split():
            value = prefix + sampler.of_class(name, usual)
            before, _, after = sampler.random.choice(templates.CARRIERS).partition("{}")
            kept = tuple(piece.strip() for piece in (before, after) if len(piece.strip()) > 1)
            rows.append(Row("provider", before + value + after, (value,), kept))
    return rows


def _shape_rows(sampler: Sampler) -> list[Row]:
    """The examples of the shapes without a prefix, and web tokens in all carriers."""
    examples = [row[3] for row in (*MARKED, *WEBHOOKS)]
    examples += [carrier.replace("{}", "{jwt}") for carrier in templates.CARRIERS]
    return [_row("shape", example, sampler) for example in examples]


def _armour_rows(sampler: Sampler) -> list[Row]:
    """Private keys in every quoting, with and without their ends."""
    rows = []
    for label in _LABELS:
        for style in templates.ARMOUR:
            lines = sampler.key_lines()
            text = style(f"-----BEGIN {label}-----", lines, f"-----END {label}-----")
            rows.append(Row("armour", text, tuple(lines), ("BEGIN",)))
    return rows


def positives(seed: int = SEED) -> list[Row]:
    """Every row that holds a secret."""
    sampler = Sampler(seed)
    rows = _provider_rows(sampler) + _shape_rows(sampler) + _armour_rows(sampler)
    for group, lines in templates.POSITIVES.items():
        rows += [_row(group, line, sampler) for line in lines for _ in range(2)]
    return rows


def negatives(seed: int = SEED) -> list[Row]:
    """Every look-alike."""
    sampler = Sampler(seed + 1)
    rows = []
    for group, lines in NEGATIVES.items():
        for line in lines:
            rows += [Row(group, sampler.filled(line)[0]) for _ in range(2 if "{{" in line else 1)]
    return rows
