"""The text of a summary by its depth, out of the entries that it stands for. No LLM.

Each depth has a purpose of its own: the first keeps what can be looked up, the next what changed and why, the next how
things ended, the last what lasts. All read the entries themselves, so nothing is told from hearsay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from hipocampus.compaction.digest import Item, Section
from hipocampus.compaction.entities import recurring, themes
from hipocampus.compaction.words import bare, worth
from hipocampus.core.tokens import cut
from hipocampus.core.topics import EntryType, topic_key
from hipocampus.dag.facts import Fact
from hipocampus.dag.gist import Gist

Lines = Callable[[Sequence[Gist], int], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a summary: its title, how many lines it may have, and where they come from. One that `stays` says what
    a user is like or asked for, and is never told in other words.
    """

    title: str
    most: int
    lines: Lines
    stays: bool = False


_LASTING = frozenset({EntryType.USER, EntryType.FEEDBACK})
_LINE, _RULE_LINE = 180, 400
_NAME = 80
# Of an entry a third is said in words, within these.
_FEWEST_WORDS, _MOST_WORDS = 40, 120
_EXPAND_TOPICS, _EXPAND_WIDTH = 8, 48


def extract(depth: int, gists: Sequence[Gist]) -> str:
    """The summary of that depth of entries, oldest first, ending in what it can be expanded for."""
    body = "\n".join(_entries(gists)) if depth == 0 else "\n".join(_parts(_parts_of(depth), gists))
    return f"{body}\n{expand_line(gists)}"


def lasting(depth: int, gists: Sequence[Gist]) -> str:
    """What of that summary stands in it word for word, whoever writes the rest."""
    if depth == 0:
        return "\n".join(_entries(gist for gist in gists if gist.line.topic.type in _LASTING))
    return "\n".join(_parts([part for part in _parts_of(depth) if part.stays], gists))


def titles(depth: int) -> tuple[str, ...]:
    """The titles of the other parts; none at depth 0, where each entry has its line."""
    return tuple(part.title for part in _parts_of(depth) if not part.stays)


def by_entry(gists: Sequence[Gist]) -> tuple[tuple[str, str], ...]:
    """The name of each entry that does not last, with its lines at depth 0."""
    others = [gist for gist in gists if gist.line.topic.type not in _LASTING]
    return tuple((gist.line.topic.name, "\n".join(_entries([gist]))) for gist in others)


def _parts_of(depth: int) -> Sequence[Part]:
    return PARTS[min(depth, len(PARTS)) - 1] if depth else ()


_EXPAND, _END = "[Expand for details about: ", "]"


def expand_line(gists: Sequence[Gist]) -> str:
    """``[Expand for details about: …]``: the topics that weigh most, in their order."""
    names: dict[str, tuple[int, int, str]] = {}
    for at, gist in enumerate(gists):
        name = gist.line.topic.name.replace("[", "(").replace("]", ")").replace(",", " ")
        weight, place, shown = names.get(topic_key(name), (-1, at, cut(" ".join(name.split()), _EXPAND_WIDTH)))
        # What lasts is said whole in every summary; what else there is to look up counts for more.
        mine = 0 if gist.line.topic.type in _LASTING else gist.line.weight
        names[topic_key(name)] = (max(weight, mine), place, shown)
    foremost = sorted(names.values(), key=lambda one: (-one[0], -one[1]))[:_EXPAND_TOPICS]
    topics = [name for _, _, name in sorted(foremost, key=lambda one: one[1])]
    more = [f"+{len(names) - len(topics)} more"] if len(names) > len(topics) else []
    return f"{_EXPAND}{', '.join([*topics, *more])}{_END}"


def expandable(text: str) -> str:
    """The topics that the last line of a summary names."""
    return text.rpartition("\n")[2].removeprefix(_EXPAND).removesuffix(_END)


def _entries(gists: Iterable[Gist]) -> Iterator[str]:
    """Depth 0: a line an entry, and below it the facts that the line does not say."""
    for gist in gists:
        words = min(max(gist.length // 3, _FEWEST_WORDS), _MOST_WORDS)
        head = _named(gist, _RULE_LINE if gist.line.topic.type in _LASTING else words, _NAME)
        head = f"{gist.at} {head}" if gist.at else head
        yield f"- {head}"
        for fact, found in gist.facts.items():
            fresh = [one for one in found if one not in head]
            if fact is not Fact.COMMAND:
                fresh = [
                    one for one in fresh if not any(one in command for command in gist.facts.get(Fact.COMMAND, ()))
                ]
            if fresh:
                yield f"  {fact}: {', '.join(fresh)}"


def _named(gist: Gist, words: int, name: int) -> str:
    """``name [type]: words``, without either where the other says as much; a short name is always said."""
    topic, said = gist.line.topic, gist.line.words
    tag = "" if topic.type is EntryType.PROJECT else f" [{topic.type}]"
    in_name, in_said = (set(_bare(text)) for text in (topic.name, said))
    if in_said <= in_name:
        return cut(topic.name, name) + tag
    if len(in_name) > 4 and len(in_name & in_said) * 10 >= len(in_name) * 6:
        return cut(said, name + words) + tag
    return f"{cut(topic.name, name)}{tag}: {cut(said, words)}"


def _bare(text: str) -> Iterator[str]:
    return (word for word in (bare(token.casefold()) for token in text.split()) if worth(word))


def _parts(parts: Sequence[Part], gists: Sequence[Gist]) -> Iterator[str]:
    said: set[str] = set()
    for part in parts:
        kept: list[str] = []
        for line in part.lines(gists, part.most):
            key = line.casefold()
            if key not in said and len(kept) < part.most:
                said.add(key)
                kept.append(f"- {line}")
        if kept:
            yield f"**{part.title}**"
            yield from kept


def _items(*sections: Section) -> Lines:
    """The weightiest items of sections, oldest first."""

    def lines(gists: Sequence[Gist], most: int) -> Iterator[str]:
        found = [(item, at, gist) for at, gist in enumerate(gists) for one in sections for item in _of(gist, one)]
        ranked = sorted(found, key=lambda one: (-one[0].points, -one[1]))[: most * 2]
        kept = {_item(item, gist): at for item, at, gist in ranked}
        yield from sorted(list(kept)[:most], key=kept.__getitem__)

    return lines


def _of(gist: Gist, section: Section) -> tuple[Item, ...]:
    return gist.digest.items.get(section, ())


def _item(item: Item, gist: Gist) -> str:
    text = item.text if item.text.casefold().startswith(item.topic.casefold()) else f"{item.topic}: {item.text}"
    return _dated(text, gist)


def _dated(text: str, gist: Gist) -> str:
    return cut(text, _LINE) + (f" ({gist.day})" if gist.day else "")


def _changed(gists: Sequence[Gist], most: int) -> Iterator[str]:
    """What was completed, and where that is little, what else the entries are about."""
    done = list(_items(Section.COMPLETED)(gists, most))
    yield from done
    plain = [gist for gist in gists if not gist.digest.items and gist.line.topic.type not in _LASTING]
    foremost = sorted(plain, key=lambda gist: -gist.line.weight)[: most - len(done)]
    chosen = {id(gist) for gist in foremost}
    yield from (_dated(_named(gist, 110, 60), gist) for gist in plain if id(gist) in chosen)


def _typed(*types: EntryType) -> Lines:
    """What entries of these types say, the newest ones, oldest first."""

    def lines(gists: Sequence[Gist], most: int) -> Iterator[str]:
        found = {
            cut(gist.line.words or gist.line.topic.name, _RULE_LINE): None
            for gist in gists
            if gist.line.topic.type in types
        }
        yield from list(found)[-most:]

    return lines


def _threads(gists: Sequence[Gist], most: int) -> Iterator[str]:
    """Goal → outcome → what it carries forward, a line a topic, the weightiest."""
    threads: dict[str, list[Gist]] = {}
    for gist in gists:
        if gist.line.topic.type not in _LASTING:
            threads.setdefault(topic_key(gist.line.topic.name), []).append(gist)
    ranked = sorted(threads.values(), key=lambda thread: -max(gist.line.weight for gist in thread))[:most]
    places = {id(gist): at for at, gist in enumerate(gists)}
    for thread in sorted(ranked, key=lambda thread: places[id(thread[0])]):
        yield cut(" → ".join(_steps(thread)), _LINE * 2) + (f" ({thread[-1].day})" if thread[-1].day else "")


def _steps(thread: Sequence[Gist]) -> list[str]:
    goal = thread[0].goal
    outcome = _last(thread, Section.COMPLETED) or cut(thread[-1].line.words, 120)
    forward = _last(thread, Section.OPEN) or _last(thread, Section.DECISIONS) or _last(thread, Section.LESSONS)
    said: list[str] = []
    for step in (cut(goal, 100), outcome, forward):
        if step and not any(step.casefold() in one.casefold() for one in said):
            said.append(step)
    return said


def _last(thread: Sequence[Gist], section: Section) -> str:
    return next((item.text for gist in reversed(thread) for item in reversed(_of(gist, section))), "")


def _questions(gists: Sequence[Gist], most: int) -> Iterator[str]:
    """What was left open, and what was asked, the newest."""
    opened = list(_items(Section.OPEN)([gist for gist in gists if not gist.questions], most))
    asked = [_dated(question, gist) for gist in gists for question in gist.questions]
    yield from (asked[-(most - len(opened)) :] if len(opened) < most else [])
    yield from opened


def _patterns(gists: Sequence[Gist], most: int) -> Iterator[str]:
    """Names and topics that come back, then lessons."""
    back = [f"{name} (in {count} entries)" for name, count in recurring((gist.line for gist in gists), 3, most)]
    again = [f"{name} ({count} times)" for name, count in themes((gist.digest for gist in gists), most // 2)]
    for title, found in (("mentioned again and again", back), ("topics that return", again)):
        if found:
            yield cut(f"{title}: {', '.join(found)}", _LINE * 2)
    yield from _items(Section.LESSONS)(gists, most)


_RULES = Part("Rules and preferences", 5, _typed(EntryType.USER, EntryType.FEEDBACK), stays=True)
PARTS: tuple[tuple[Part, ...], ...] = (
    (
        Part("What changed", 8, _changed),
        Part("Decisions and why", 8, _items(Section.DECISIONS, Section.LESSONS)),
        Part("Blockers", 5, _items(Section.OPEN)),
        _RULES,
    ),
    (
        Part("Goal → outcome → carries forward", 10, _threads),
        Part("Open questions", 5, _questions),
        _RULES,
    ),
    (
        Part("Identity", 6, _typed(EntryType.USER), stays=True),
        Part("Architecture", 8, _items(Section.DECISIONS)),
        Part("Preferences", 8, _typed(EntryType.FEEDBACK), stays=True),
        Part("Recurring patterns", 6, _patterns),
    ),
)
"""The parts of a summary of depth 1, 2, and 3 or more."""
