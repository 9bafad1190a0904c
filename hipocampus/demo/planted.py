"""Made-up secrets for the demo, and the search that shows none of them was written."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = UPPER + UPPER.lower()
DIGITS = "0123456789"

#: Name in the week's files, and the parts a value is joined from: text, or (alphabet, length). The text of a prefix is
#: in two parts, so that no file of this project looks like a leak to a scanner.
_SHAPES: Mapping[str, tuple[str | tuple[str, int], ...]] = {
    "aws-access-key": ("AK", "IA", (UPPER + DIGITS, 16)),
    "database-password": ((LETTERS + DIGITS, 14),),
    "feed-key": ((DIGITS + "abcdef", 32),),
    "github-token": ("gh", "p_", (LETTERS + DIGITS, 36)),
    "npm-token": ("np", "m_", (LETTERS + DIGITS, 36)),
    "private-key": (
        "-----BEGIN ",
        "OPENSSH PRIVATE KEY-----\n",
        (LETTERS + DIGITS, 70),
        "\n",
        (LETTERS + DIGITS, 70),
        "\n",
        (LETTERS + DIGITS, 44),
        "\n-----END OPENSSH ",
        "PRIVATE KEY-----",
    ),
    "slack-token": ("xox", "b-", (DIGITS, 12), "-", (DIGITS, 12), "-", (LETTERS + DIGITS, 24)),
}


def planted_secrets() -> dict[str, str]:
    """Each secret by its name, the same ones every time."""
    return {
        name: "".join(_part(f"{name} {place}", part) for place, part in enumerate(parts))
        for name, parts in _SHAPES.items()
    }


def _part(seed: str, part: str | tuple[str, int]) -> str:
    if isinstance(part, str):
        return part
    alphabet, length = part
    number = int.from_bytes(hashlib.shake_256(seed.encode()).digest(length), "big")
    return "".join(alphabet[number // len(alphabet) ** place % len(alphabet)] for place in range(length))


_PLACEHOLDER = re.compile(r"\{\{([a-z-]+)\}\}")


def with_secrets(text: str, secrets: Mapping[str, str]) -> str:
    """`text` with each ``{{name}}`` replaced by the secret of that name; KeyError where there is none."""
    return _PLACEHOLDER.sub(lambda match: secrets[match[1]], text)


def count_planted(texts: Iterable[str]) -> int:
    """How many ``{{name}}`` places `texts` hold."""
    return sum(len(_PLACEHOLDER.findall(text)) for text in texts)


@dataclass(frozen=True, slots=True)
class Leak:
    """A planted secret that was found in a file."""

    name: str
    path: str


def find_leaks(directories: Iterable[str], secrets: Mapping[str, str]) -> list[Leak]:
    """Every file under `directories` whose bytes or path hold a secret, or one line of a secret with several lines."""
    needles = {
        name: [line.encode() for line in value.split("\n") if "-----" not in line] for name, value in secrets.items()
    }
    leaks = []
    for path in sorted(path for directory in directories for path in _files(directory)):
        with open(path, "rb") as file:
            content = os.fsencode(path) + b"\n" + file.read()
        leaks += [Leak(name, path) for name, lines in needles.items() if any(line in content for line in lines)]
    return leaks


def _files(directory: str) -> Iterable[str]:
    for parent, _, names in os.walk(directory):
        yield from (os.path.join(parent, name) for name in names if os.path.isfile(os.path.join(parent, name)))
