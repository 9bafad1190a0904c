"""Gather the sentences that ``word_moves.py`` learns from, as JSON: a list for each kind of text.

``python bench/sentences.py MEMAWARE DIRECTORY… > sentences.json``: what is said in those conversations, in the manuals
and logs of changes of this machine, and in the readmes below those directories. Nothing of the questions of a benchmark
is read. Other machines have other manuals, so that the vectors come out a little otherwise there.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from conversations import conversations

SEED = 1
MOST = 60_000
_SYSTEM = Path("/usr/share")
# Of one file so many: a few long manuals would be most of all otherwise.
_OF_A_MANUAL, _OF_A_README, _OF_A_LOG = 20, 30, 1_500
# Pages that a program writes by the thousand, all alike.
_GENERATED = re.compile(r"\b(?:gcloud|google-cloud|aws)")
# Projects whose histories recall is measured on are not learned from.
_MEASURED = re.compile(
    r"fontconfig|evdev|findutils|gnupg|gpg|dirmngr|gst|harfbuzz|intel|libbsd|gcrypt|libx11|xcb|openssh|p11|pixman"
    r"|poppler|strace|sudo|xserver|xorg|xz|lzma|scdaemon"
)
_LOG = re.compile(r"^(?:changelog|NEWS|ChangeLog|CHANGES|README)[^/]*\.gz$")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'])")
_WRAPPED = re.compile(r"(?<!\n)\n[ \t]*(?=[^\s*\n-])")


def sentences(text: str) -> list[str]:
    """What reads like a sentence, without marks of lists and emphasis."""
    found = []
    for line in text.split("\n"):
        plain = re.sub(r"[*`]{1,3}", "", re.sub(r"^[\s#>*\-\d.|]+", "", line).strip())
        found += [one for one in _END.split(plain) if 20 <= len(one) <= 300 and len(one.split()) >= 4]
    return found


def _is_prose(text: str) -> bool:
    return sum(mark.isalpha() or mark == " " for mark in text) > 0.75 * len(text)


def _manual(text: str) -> str:
    text = re.sub(r"^\.(?:[BI]|BR|IR|RB|RI|Nm|Fl|Xr|Ar|Pa) ?", "", text, flags=re.MULTILINE)
    text = re.sub(r"\\f.|\\&|\\s-?\d", "", text).replace("\\-", "-")
    text = re.sub(r"^[.'].*$", "\n\n", text, flags=re.MULTILINE)
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text)


def _log(text: str) -> str:
    head = r"^(?:commit|Author|Date|Merge):? .*$|^\s*(?:Signed-off-by|Reviewed-by|Cc|Closes|Fixes):.*$"
    text = re.sub(head + r"|^\d{4}-\d\d-\d\d .*$|^ -- .*$", "\n\n", text, flags=re.MULTILINE)
    return _WRAPPED.sub(" ", re.sub(r"\n\s*\* ", "\n\n* ", text))


def _readme(text: str) -> str:
    return re.sub(r"\n(?=[a-z])", " ", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def gathered(files: Iterable[Path], plain: Callable[[str], str], most: int, chance: random.Random) -> list[str]:
    """Sentences of files, of each file at most so many."""
    found: list[str] = []
    shuffled = sorted(files)
    chance.shuffle(shuffled)
    for file in shuffled:
        try:
            raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        except (OSError, EOFError):
            continue
        said = [one for one in sentences(plain(raw[:3_000_000].decode("utf-8", "ignore"))) if _is_prose(one)]
        found += chance.sample(said, min(most, len(said)))
    return found


def main(sessions: Path, directories: list[Path]) -> None:
    """Print them."""
    chance = random.Random(SEED)  # noqa: S311 - a sample, no secret
    turns = [turn for one in conversations(sessions) for turn in one.turns]
    manuals = [file for file in _SYSTEM.glob("man/man*/*.gz") if not _GENERATED.search(file.name)]
    logs = [
        file for file in _SYSTEM.glob("doc/*/*.gz") if _LOG.match(file.name) and not _MEASURED.search(file.parent.name)
    ]
    readmes = [
        file
        for place in directories
        for name in ("*.md", "METADATA")
        for file in place.rglob(name)
        if not _GENERATED.search(str(file.relative_to(place)))
    ]
    kinds = {
        "asked": [one for who, text in turns if who == "User" for one in sentences(text)],
        "answered": [one for who, text in turns if who != "User" for one in sentences(text)],
        "manuals": gathered(manuals, _manual, _OF_A_MANUAL, chance),
        "logs": gathered(logs, _log, _OF_A_LOG, chance),
        "readmes": gathered(readmes, _readme, _OF_A_README, chance),
    }
    chosen = {}
    for kind, found in kinds.items():
        once = list(dict.fromkeys(found))
        chance.shuffle(once)
        if once:
            chosen[kind] = once[:MOST]
    json.dump(chosen, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
