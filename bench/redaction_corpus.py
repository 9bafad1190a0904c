"""A corpus of texts with secrets and of look-alikes without, made from templates with a seed.

Every value is generated when the corpus is built, so that no file holds anything that looks like a secret to a scanner. A row of
`positives` says which values must not survive; the template's own text around them must.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import random
import re
import string

from bench import redaction_templates as templates
from bench.redaction_lookalikes import NEGATIVES
from hipocampus.redaction.providers import CLASSES, PROVIDERS
from hipocampus.redaction.shapes import MARKED, WEBHOOKS

SEED = 20260315


@dataclasses.dataclass(frozen=True)
class Row:
    """A text, the secrets in it (none for a look-alike) and the pieces around them that must stay."""

    group: str
    text: str
    secrets: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


class Sampler:
    """Values of every kind that the templates name, drawn from one seeded generator."""

    def __init__(self, seed: int = SEED) -> None:
        self.random = random.Random(seed)  # noqa: S311 - values must be the same at every run

    def of_class(self, name: str, count: int) -> str:
        """`count` characters of a class of `providers.CLASSES`; `d` is digits."""
        letters = (
            string.digits
            if name == "d"
            else "".join(chr(code) for code in range(33, 127) if re.match(f"[{CLASSES[name]}]", chr(code)))
        )
        while True:
            value = self.pick(letters, count)
            plausible = count < 8 or (
                len(set(value)) >= min(8, count) and (any(char.isdigit() for char in value) or value != value.upper())
            )
            if plausible and value.strip(".=-_~%") == value and "..." not in value:
                return value

    def pick(self, letters: str, count: int) -> str:
        """`count` letters by chance."""
        return "".join(self.random.choice(letters) for _ in range(count))

    def word(self) -> str:
        """A word that people put into passwords."""
        return self.random.choice(templates.WORDS)

    def password(self) -> str:
        """A password as people choose or generate them."""
        digits, symbol = self.pick(string.digits, self.random.randint(1, 4)), self.random.choice("!@#$%^&*")
        match self.random.randrange(6):
            case 0:
                return self.word() + digits + symbol
            case 1:
                return self.word().capitalize() + symbol + digits
            case 2:
                return (
                    self.word().replace("o", "0").replace("e", "3").capitalize()
                    + symbol
                    + self.pick(string.ascii_letters, 3)
                    + digits
                )
            case 3:
                return self.word().capitalize() + "-" + self.word() + digits + symbol
            case 4:
                return self.pick(string.ascii_letters, 6) + digits + self.pick(string.ascii_letters, 4)
            case _:
                return (
                    self.pick(string.ascii_letters, 5)
                    + symbol
                    + digits
                    + self.pick(string.ascii_letters + string.digits, 6)
                )

    def uuid(self) -> str:
        """A random UUID."""
        return "-".join(self.pick("0123456789abcdef", size) for size in (8, 4, 4, 4, 12))

    def base64(self, size: int) -> str:
        """Base64 of `size` random bytes."""
        return base64.b64encode(self.random.randbytes(size)).decode()

    def jwt(self) -> str:
        """A signed web token with a random subject."""
        head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=").decode()
        body = (
            base64.urlsafe_b64encode(json.dumps({"sub": self.pick(string.digits, 10), "iat": 1700000000}).encode())
            .rstrip(b"=")
            .decode()
        )
        return f"{head}.{body}.{self.pick(string.ascii_letters + string.digits + '-_', 43)}"

    def basic(self) -> str:
        """What follows `Basic`."""
        return base64.b64encode(f"{self.word()}:{self.password()}".encode()).decode()

    def key_lines(self, lines: int = 6, width: int = 64) -> list[str]:
        """The body of a private key."""
        text = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + self.base64(lines * width)
        return [text[start : start + width] for start in range(0, lines * width, width)]

    def fill(self, name: str) -> str:
        """The value for a placeholder: `pw`, `plain`, `A32`, `uuid`, `jwt`, `basic`, `b64-32`, `aws`, `b32-16`, `phrase`."""
        match name.partition("-"):
            case ("pw", _, _):
                return self.password()
            case ("plain", _, _):
                return self.word() + self.word()
            case ("uuid" | "jwt" | "basic" as kind, _, _):
                return str(getattr(self, kind)())
            case ("b64", _, size):
                return self.base64(int(size))
            case ("aws", _, _):
                return self.pick(string.ascii_letters + string.digits + "/+", 40)
            case ("b32", _, size):
                return self.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", int(size))
            case ("phrase", _, _):
                return " ".join(self.random.sample(templates.SEED_WORDS, 12))
            case _:
                return self.of_class(name[0], int(name[1:]))


# In these groups what stands beside a value belongs to the secret.
_PART_OF_IT = frozenset(("shape", "hash", "wrapped", "private"))
_SLOT = re.compile(r"\{\{([a-z0-9A-Z-]+)\}\}|\{(pw|plain|uuid|jwt|basic|phrase|aws|b64-\d+|b32-\d+|[A-Zd]\d+)\}")


def filled(template: str, sampler: Sampler, group: str) -> Row:
    """The row of a template: `{pw}` is a secret, `{{pw}}` is filled but is none."""
    secrets: list[str] = []
    parts: list[str] = []
    kept: list[str] = []
    done = 0
    for slot in _SLOT.finditer(template):
        literal = template[done : slot.start()]
        value = sampler.fill(slot[1] or slot[2])
        parts += (literal, value)
        kept.append(literal)
        if slot[2]:
            secrets.append(value)
        done = slot.end()
    parts.append(template[done:])
    kept.append(template[done:])
    around = () if group in _PART_OF_IT else tuple(piece.strip() for piece in kept if re.search("[A-Za-z]{2}", piece))
    return Row(group, "".join(parts), tuple(secrets), around)


def provider_rows(sampler: Sampler) -> list[Row]:
    """One token of every prefix, each in another place."""
    rows = []
    for _kind, name, _least, usual, _exact, prefixes in PROVIDERS:
        for prefix in prefixes.split():
            value = prefix + sampler.of_class(name, usual)
            carrier = sampler.random.choice(templates.CARRIERS)
            before, _, after = carrier.partition("{}")
            rows.append(
                Row(
                    "provider",
                    before + value + after,
                    (value,),
                    tuple(p.strip() for p in (before, after) if len(p.strip()) > 1),
                )
            )
    return rows


def shape_rows(sampler: Sampler) -> list[Row]:
    """The examples of the shapes without a prefix, and web tokens in all carriers."""
    rows = [filled(row[3], sampler, "shape") for row in (*MARKED, *WEBHOOKS)]
    return rows + [filled(carrier.replace("{}", "{jwt}"), sampler, "shape") for carrier in templates.CARRIERS]


def armour_rows(sampler: Sampler) -> list[Row]:
    """Private keys in every quoting, with and without their ends."""
    rows = []
    for label in (
        "RSA PRIVATE KEY",
        "PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ):
        for style in templates.ARMOUR:
            lines = sampler.key_lines()
            begin, end = f"-----BEGIN {label}-----", f"-----END {label}-----"
            rows.append(Row("armour", style(begin, lines, end), tuple(lines), ("BEGIN",)))
    return rows


def positives(seed: int = SEED) -> list[Row]:
    """Every row that holds a secret."""
    sampler = Sampler(seed)
    rows = provider_rows(sampler) + shape_rows(sampler) + armour_rows(sampler)
    for group, lines in templates.POSITIVES.items():
        for line in lines:
            rows += [filled(line, sampler, group) for _ in range(2)]
    return rows


def negatives(seed: int = SEED) -> list[Row]:
    """Every look-alike."""
    sampler = Sampler(seed + 1)
    rows = []
    for group, lines in NEGATIVES.items():
        for line in lines:
            count = 2 if "{{" in line else 1
            rows += [Row(group, filled(line, sampler, group).text) for _ in range(count)]
    return rows
