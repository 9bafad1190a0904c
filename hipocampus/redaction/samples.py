"""Made-up secrets with valid shapes, drawn with a seed: for tests, benches and the demo, so that no file holds one."""

from __future__ import annotations

import base64
import json
import random
import re
import string

from hipocampus.redaction.patterns import vocabulary
from hipocampus.redaction.providers import CLASSES

WORDS = sorted(
    vocabulary(
        "sunshine dragon harbor monkey winter orchid falcon thunder copper velvet rocket saturn maple pepper silver",
        "tiger purple coffee garden summer shadow planet ranger diesel",
    )
)
SEED_WORDS = sorted(
    vocabulary(
        "abandon ability able about above absent absorb abstract absurd abuse access accident acid acoustic acquire",
        "across act action actor actress actual adapt addict address adjust admit adult advance advice aerobic",
    )
)
_SLOT = re.compile(
    r"\{\{([A-Za-z0-9-]+)\}\}|\{(pw|named|plain|uuid|jwt|basic|phrase|aws|quads|b64-\d+|b32-\d+|[A-Zd]\d+)\}"
)
_LETTERS = string.ascii_letters + string.digits


class Sampler:
    """Values of every kind that templates name, from one seeded generator."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - the same values at every run

    def pick(self, letters: str, count: int) -> str:
        """`count` of the letters by chance."""
        return "".join(self.random.choice(letters) for _ in range(count))

    def of_class(self, name: str, count: int) -> str:
        """`count` characters of a class of the provider table (`d`: digits), plain at both ends and varied enough."""
        if name == "d":
            return self.pick(string.digits, count)
        letters = "".join(char for char in map(chr, range(33, 127)) if re.match(f"[{CLASSES[name]}]", char))
        while True:
            value = self.pick(letters, count)
            varied = len(set(value)) >= min(8, count) and (any(map(str.isdigit, value)) or value != value.upper())
            if (varied or count < 8) and value.strip(".=-_~%+/") == value and "..." not in value:
                return value

    def password(self) -> str:
        """A password as people choose or generate them: at least a digit, mostly a symbol."""
        digits, symbol = self.pick(string.digits, self.random.randint(1, 4)), self.random.choice("!@#$%^&*")
        word, other = self.random.choice(WORDS), self.random.choice(WORDS)
        return self.random.choice((
            word + digits + symbol,
            word.capitalize() + symbol + digits,
            word.replace("o", "0").replace("e", "3") + symbol + self.pick(string.ascii_letters, 3) + digits,
            word.capitalize() + "-" + other + digits + symbol,
            self.pick(string.ascii_letters, 6) + digits + self.pick(string.ascii_letters, 4),
            self.pick(string.ascii_letters, 5) + symbol + digits + self.pick(_LETTERS, 6),
        ))  # fmt: skip

    def named(self) -> str:
        """A password that holds a word for one beside another word and a number, as people choose them too."""
        word, name = self.random.choice(WORDS), self.random.choice(("pass", "secret", "token", "key", "admin", "root"))
        year, digits = f"20{self.pick(string.digits, 2)}", self.pick("3456789", 2)
        return self.random.choice((
            word + name.capitalize() + year,
            word + name + digits,
            name + word + digits,
            word.capitalize() + name.capitalize() + digits,
            word + digits[:1] + name + digits[1:],
            name.capitalize() + word.capitalize() + year,
        ))  # fmt: skip

    def uuid(self) -> str:
        """A random UUID."""
        return "-".join(self.pick("0123456789abcdef", size) for size in (8, 4, 4, 4, 12))

    def base64(self, size: int) -> str:
        """Base64 of `size` random bytes."""
        return base64.b64encode(self.random.randbytes(size)).decode()

    def jwt(self) -> str:
        """A signed web token with a random subject."""
        payload = json.dumps({"sub": self.pick(string.digits, 10), "iat": 1700000000}).encode()
        head, body = (
            base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (b'{"alg":"HS256","typ":"JWT"}', payload)
        )
        return ".".join((head, body, self.pick(_LETTERS + "-_", 43)))

    def key_lines(self, lines: int = 6, width: int = 64) -> list[str]:
        """The body of a private key."""
        text = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + self.base64(lines * width)
        return [text[start : start + width] for start in range(0, lines * width, width)]

    def fill(self, slot: str) -> str:
        """The value for a slot: `pw`, `named`, `plain`, `uuid`, `jwt`, `basic`, `aws`, `phrase`, `b64-32`, `A32`."""
        kind, _, size = slot.partition("-")
        match kind:
            case "pw":
                return self.password()
            case "named":
                return self.named()
            case "plain":
                return self.random.choice(WORDS) + self.random.choice(WORDS)
            case "uuid" | "jwt":
                return self.uuid() if kind == "uuid" else self.jwt()
            case "basic":
                return base64.b64encode(f"{self.random.choice(WORDS)}:{self.password()}".encode()).decode()
            case "b64":
                return self.base64(int(size))
            case "b32":
                return self.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", int(size))
            case "aws":
                return self.pick(_LETTERS + "/+", 40)
            case "phrase":
                return " ".join(self.random.sample(SEED_WORDS, 12))
            case "quads":
                return "-".join(self.pick("bcdfghjklmnpqrstvwxz", 4) for _ in range(4))
            case _:
                return self.of_class(slot[0], int(slot[1:]))

    def filled(self, template: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """The text of a template, its secrets (`{pw}`; what fills `{{pw}}` is none), and the pieces around them."""
        secrets: list[str] = []
        pieces: list[str] = []
        parts: list[str] = []
        done = 0
        for slot in _SLOT.finditer(template):
            value = self.fill(slot[1] or slot[2])
            pieces.append(template[done : slot.start()])
            parts += (pieces[-1], value)
            secrets += [value] if slot[2] else []
            done = slot.end()
        pieces.append(template[done:])
        return "".join((*parts, pieces[-1])), tuple(secrets), tuple(pieces)
