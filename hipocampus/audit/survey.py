"""Every file of a memory looked over twice: by our own rules and by a second opinion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hipocampus.audit.baseline import Accepted, hash_of_value, read_accepted
from hipocampus.audit.documents import Hit, Spared, examine
from hipocampus.audit.second_opinion import Opinion, second_opinion
from hipocampus.errors import UserError, reason_of
from hipocampus.recall.index_text import text_of_index
from hipocampus.redaction import Policy, redact, scrub
from hipocampus.store.files import read_exact
from hipocampus.store.holdings import Holding, Kind, holdings
from hipocampus.store.home import Home

OURS, THEIRS, BOTH = "hipocampus", "detect-secrets", "both"
_OUR_TYPE = "hipocampus "

Keys = frozenset[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that looks like a secret: file from the home, line (0: in the file's name, or in no text), kind, who
    found it, and what accepting it would note. The value is not here.
    """

    file: str
    line: int
    kind: str
    by: str
    accepting: tuple[Accepted, ...]

    @property
    def place(self) -> str:
        """File and line as one word."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True, slots=True)
class Survey:
    """The findings in order of files and lines, how many files were read, and files that could not be, with why."""

    findings: tuple[Finding, ...]
    files: int
    unreadable: tuple[tuple[str, str], ...]


def survey(home: Home, policy: Policy, env: Mapping[str, str]) -> Survey:
    """Look over the whole home; what was accepted before does not count. Reads only."""
    accepted = read_accepted(env, home.id)
    findings: list[Finding] = []
    unreadable = []
    held = holdings(home.layout)
    with second_opinion() as opinion:
        for holding in held:
            name = shown_name(holding)
            findings += _named(holding, policy, accepted)
            try:
                findings += _inside(holding, policy, accepted, opinion)
            except (OSError, UserError) as error:
                unreadable.append((name, reason_of(error)))
    return Survey(tuple(findings), len(held), tuple(unreadable))


def shown_name(holding: Holding) -> str:
    """The name of a file as it may be shown: a name can be a secret, too."""
    return str(scrub(holding.name))


def spared_by(accepted: Keys, holding: Holding) -> Spared:
    """Whether a finding of our own rules in this file was accepted."""
    name = shown_name(holding)
    return lambda kind, value: bool(accepted) and (name, _OUR_TYPE + kind, hash_of_value(value)) in accepted


def _named(holding: Holding, policy: Policy, accepted: Keys) -> Iterator[Finding]:
    spared = spared_by(accepted, holding)
    for found in redact(holding.name, policy).findings:
        value = holding.name[found.start : found.end]
        if not spared(found.kind, value):
            yield _ours(shown_name(holding), Hit(0, 0, found.kind, value), OURS)


def _inside(holding: Holding, policy: Policy, accepted: Keys, opinion: Opinion) -> list[Finding]:
    name = shown_name(holding)
    spared = spared_by(accepted, holding)
    if holding.kind is Kind.INDEX:
        found = [(hit.kind, hit.value) for hit in examine(Kind.NOTE, text_inside(holding), policy, spared).hits]
        return [_ours(name, Hit(0, 0, kind, value), OURS) for kind, value in dict(found).items()]
    text = read_exact(holding.path) or ""
    hits = examine(holding.kind, text, policy, spared).hits
    theirs = [(index + 1, kind, value) for index, kind, value in opinion(text.split("\n"))]
    fresh = [hit for hit in theirs if not accepted or (name, hit[1], hash_of_value(hit[2])) not in accepted]
    return _merged(name, hits, fresh)


def text_inside(holding: Holding) -> str:
    """What an index says; of a file that is no database all it holds."""
    found = text_of_index(holding.path)
    return found if found is not None else read_exact(holding.path) or ""


def _merged(name: str, ours: Iterable[Hit], theirs: Sequence[tuple[int, str, str]]) -> list[Finding]:
    """The findings of a file by line; what both see is one finding, of our kind."""
    found = []
    seen = set()
    for hit in ours:
        same = [at for at, other in enumerate(theirs) if _is_same(hit, other)]
        seen.update(same)
        keys = [Accepted(name, kind, hash_of_value(value), line) for line, kind, value in (theirs[at] for at in same)]
        found.append(_ours(name, hit, BOTH if same else OURS, keys))
    for at, (line, kind, value) in enumerate(theirs):
        if at not in seen:
            found.append(Finding(name, line, kind, THEIRS, (Accepted(name, kind, hash_of_value(value), line),)))
    return sorted(found, key=lambda finding: finding.line)


def _is_same(hit: Hit, other: tuple[int, str, str]) -> bool:
    line, _kind, value = other
    return hit.line <= line <= hit.last and (value in hit.value or hit.value in value)


def _ours(name: str, hit: Hit, by: str, keys: Iterable[Accepted] = ()) -> Finding:
    own = Accepted(name, _OUR_TYPE + hit.kind, hash_of_value(hit.value), hit.line)
    return Finding(name, hit.line, hit.kind, by, (own, *keys))
