"""Search by keywords: what holds them, best first, with the line to show, and nothing where nothing is relevant."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from hipocampus.core.topics import EntryType
from hipocampus.recall.excerpts import Excerpts
from hipocampus.recall.held import Held, stems_of
from hipocampus.recall.index_terms import Term, terms_of
from hipocampus.recall.later import Later
from hipocampus.recall.nearness import may_encode
from hipocampus.recall.ranking import Ranking, rank
from hipocampus.store.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.recall.nearness import Encode

LIMIT = 10
_CANDIDATES = 1_000
_SUPERSEDED = 0.85
# What somebody only said, beside what was stored: all words of a query there are less than a relevant part here.
_SAID = 0.25
# Who searches asks outright: less than at a prompt will do.
_BEARING = -0.5
# Words that tell less stand in any text.
_TELLING = 0.2


@dataclass(frozen=True, slots=True)
class Filters:
    """What may be found: entries of a type, from a day on, up to a day, of one tier; None and "" are no limit."""

    kind: EntryType | None = None
    since: date | None = None
    until: date | None = None
    tier: str = ""

    @property
    def narrow(self) -> bool:
        """Whether there is any limit."""
        return self != Filters()

    def allow(self, row: Hit) -> bool:
        """Whether a hit is within the limits."""
        return (
            (self.kind is None or row.type == self.kind.value)
            and (self.since is None or row.day >= self.since.isoformat())
            and (self.until is None or row.day <= self.until.isoformat())
            and (not self.tier or row.tier == self.tier)
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found. `similar` counts others that say the same; `newer` is the pointer of an entry on the same topic
    that was written later, `contradicted` of a later one that takes back what this one says. `in_other_words`: it holds
    no telling word of the query itself.
    """

    day: str
    tier: str
    type: str
    topic: str
    pointer: str
    id: str
    score: float
    excerpt: str = ""
    similar: int = 0
    newer: str = ""
    contradicted: str = ""
    in_other_words: bool = False


@dataclass(frozen=True, slots=True)
class Hits:
    """What is shown of what was found, and how many more there are."""

    shown: list[Hit]
    more: int = 0


def search(
    layout: Layout,
    base: sqlite3.Connection,
    query: str,
    filters: Filters,
    limit: int = LIMIT,
    encode: Encode | None = None,
) -> list[Hit]:
    """At most `limit` hits (0: all), best first; near-duplicates folded into the first of them."""
    return hits_of(layout, base, query, candidates(base, query, encode), filters, limit).shown


def candidates(
    base: sqlite3.Connection,
    query: str,
    encode: Encode | None = None,
    *,
    words_only: bool = False,
    every: bool = False,
) -> dict[int, float]:
    """Documents that are relevant, with their scores: what holds the words, the first of them or `every` one, then what
    bears on it in meaning.
    """
    found = by_words(base, terms_of(query), None if every else _CANDIDATES)
    if words_only:
        return found
    ranking = rank(base, query, encode=encode, outright=True)
    found = _bearing_on(ranking) | found
    return _as_read(ranking, found) if may_encode(base, encode) else found


def _as_read(ranking: Ranking, found: dict[int, float]) -> dict[int, float]:
    """In the order that an encoder's ranking has, which weighs words, too; what it did not look at comes last."""
    least = min((one.score for one in ranking.found), default=0.0)
    most = max(found.values(), default=1.0)
    last = {doc: score / (most + 1.0) for doc, score in found.items()}
    return last | {one.doc: one.score - least + 1.0 for one in ranking.found if one.doc in found}


def hits_of(
    layout: Layout, base: sqlite3.Connection, query: str, found: Mapping[int, float], filters: Filters, limit: int
) -> Hits:
    """At most `limit` of the documents `found` (0: all) as they are written now, the highest scores first; an entry has
    the whole name of its topic.
    """
    terms = terms_of(query)
    later = Later(base)
    excerpts = Excerpts(layout, terms)
    kept: list[Hit] = []
    said = _Said()
    for hit in _in_order([_superseded(later, hit) for hit in _hits(base, found, terms) if filters.allow(hit)]):
        written = excerpts.at(hit.pointer)
        hit = replace(hit, topic=(hit.tier == "log" and written.topic) or hit.topic, excerpt=written.text)
        same = said.again(stems_of(f"{hit.topic} {written.body}"))
        if same is not None:
            kept[same] = replace(kept[same], similar=kept[same].similar + 1)
        else:
            kept.append(hit)
    shown = kept[: limit or None]
    return Hits([_contradicted(later, hit) for hit in shown], len(kept) - len(shown))


class _Said:
    """What was said, as sets of stems, numbered."""

    def __init__(self) -> None:
        self._every: list[set[str]] = []
        self._having: dict[str, list[int]] = {}

    def again(self, own: set[str]) -> int | None:
        """The number of the first that shares four fifths of its words with `own`; None adds `own` as a new one."""
        # Of a fifth of the words and one more, whichever these are, such a one has one.
        rarest = sorted(own, key=lambda word: (len(self._having.get(word, ())), word))[: len(own) // 5 + 1]
        near = sorted({at for word in rarest for at in self._having.get(word, ())})
        same = next((at for at in near if len(own & self._every[at]) * 5 >= len(own | self._every[at]) * 4), None)
        if same is None:
            for word in own:
                self._having.setdefault(word, []).append(len(self._every))
            self._every.append(own)
        return same


def _superseded(later: Later, hit: Hit) -> Hit:
    newer = later.same_topic(hit.topic, hit.type, hit.day, hit.pointer) if hit.tier == "log" else ""
    return replace(hit, newer=newer)


def _contradicted(later: Later, hit: Hit) -> Hit:
    contradicted = later.contradicting(hit.type, hit.day, hit.pointer) if hit.tier == "log" else ""
    return replace(hit, contradicted=contradicted)


def _in_order(hits: list[Hit]) -> list[Hit]:
    """The best first; one that a later entry supersedes counts less, and of equals the newest is first."""
    newest_first = sorted(hits, key=lambda hit: (hit.day, hit.pointer), reverse=True)
    return sorted(newest_first, key=lambda hit: -hit.score * (_SUPERSEDED if hit.newer else 1.0))


def by_words(base: sqlite3.Connection, terms: list[Term], most: int | None = None) -> dict[int, float]:
    """At most `most` documents that hold enough of what the query says, with the points of its words."""
    stored, said = Held(terms), Held(terms)
    turns = {number for (number,) in base.execute("SELECT id FROM doc WHERE kind = 'turn'")}
    points: dict[int, float] = {}
    rows = "SELECT rowid, bm25(doc_text, 3.0, 1.0) FROM doc_text WHERE doc_text MATCH ?"
    for term in terms:
        for number, score in base.execute(rows, (term.phrase,)):
            (said if number in turns else stored).note(number, term)
            points[number] = points.get(number, 0.0) - score * term.weight * (_SAID if number in turns else 1.0)
    # A question that was asked a moment ago holds all of its words, and is no answer to it.
    relevant = {number: part * _SAID for number, part in said.relevant().items()} | stored.relevant()
    best = sorted(relevant, key=lambda number: (-relevant[number], -points[number]))[:most]
    return {number: relevant[number] * 10 + points[number] for number in best}


def _bearing_on(ranking: Ranking) -> dict[int, float]:
    """Documents that bear on the query as on a prompt, behind those that hold its words."""
    if ranking.bearing < _BEARING:
        return {}
    best = ranking.found[0].score
    return {one.doc: one.score / 100 for one in ranking.found[:LIMIT] if one.score >= best * 0.6}


def _hits(base: sqlite3.Connection, found: Mapping[int, float], terms: list[Term]) -> list[Hit]:
    literal = _holding(base, terms)
    marks = ",".join("?" * len(found))
    rows = base.execute(
        f"SELECT id, day, kind, type, source, line, label, entry FROM doc WHERE id IN ({marks})",  # noqa: S608
        list(found),
    )
    return [
        Hit(
            day,
            _tier(kind, source),
            type_,
            label,
            f"{source}:{line}",
            "" if kind == "turn" else entry,
            found[number],
            in_other_words=number not in literal,
        )
        for number, day, kind, type_, source, line, label, entry in rows
    ]


def _holding(base: sqlite3.Connection, terms: list[Term]) -> set[int]:
    """The documents that hold a word of the query itself, one that tells something."""
    holds = "SELECT rowid FROM doc_text WHERE doc_text MATCH ?"
    own = [term.phrase for term in terms if not term.is_echo and term.weight >= _TELLING]
    return {number for phrase in own for (number,) in base.execute(holds, (phrase,))}


def _tier(kind: str, source: str) -> str:
    if kind == "turn":
        return "journal"
    return source.partition("/")[0] if kind == "note" else "log"
