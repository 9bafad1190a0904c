"""What comes back: names, paths and identifiers in several topics, topics in several periods."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from hipocampus.compaction.digest import Digest
from hipocampus.compaction.words import DROPPED, RARE, bare, worth
from hipocampus.core.stems import is_identifier
from hipocampus.core.topics import TopicLine, topic_key

_NAME = re.compile(r"[A-Z][\w'’&-]+")
# Words that have a capital for another reason: days, units beside a number, and what every project has.
_NO_NAMES_TEXT = """
monday tuesday wednesday thursday friday saturday sunday ok tv am pm utc b kb mb gb tb kib mib gib tib kbit mbit gbit
kbps mbps gbps hz khz mhz ghz cpu gpu ram usd eur krw gbp jpy api apis cli http https url urls uri json yaml xml html
css sql db ui ux id ids ci pr prs todo faq
"""
_NO_NAMES = frozenset(_NO_NAMES_TEXT.split())


def recurring(topics: Iterable[TopicLine], least: int, most: int) -> list[tuple[str, int]]:
    """Entities that at least `least` topics mention, the most mentioned first, at most `most` of them."""
    counts: Counter[str] = Counter()
    for line in topics:
        counts.update(set(_entities(line.words)))
    found = [(name, count) for name, count in counts.items() if count >= least]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:most]


def themes(digests: Iterable[Digest], most: int) -> list[tuple[str, int]]:
    """Topics that several periods name, else the telling words that several topics share, the most frequent first."""
    names: dict[str, str] = {}
    periods: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for digest in digests:
        here = {topic_key(line.topic.name): line.topic.name for line in digest.topics}
        names |= here
        periods.update(here.keys())
        for line in digest.topics:
            words.update({word.lower() for token in line.words.split() if worth(word := bare(token)) >= RARE})
    found = [(names[key], count) for key, count in periods.items() if count > 1] or [
        (word, count) for word, count in words.items() if count > 2
    ]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:most]


def _entities(words: str) -> Iterable[str]:
    """Identifiers, and capitalised words that do not begin a statement."""
    for part in words.split("; "):
        for at, token in enumerate(part.split()):
            word = bare(token)
            if len(word) < 2 or word.lower() in _NO_NAMES:
                continue
            if is_identifier(word) or (at and _is_name(word)):
                yield word


def _is_name(word: str) -> bool:
    return _NAME.fullmatch(word) is not None and word.lower() not in DROPPED
