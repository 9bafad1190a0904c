"""What a memory put in front of the model, scored without a model: is the evidence pointed at, and are its facts there?

* ``ev_any``, ``ev_all``: one, or every conversation that bears on the question is pointed at or quoted.
* ``fact50``: at least half of the words that should be recalled stand anywhere in what is shown.
* ``bound50``: the same, but only in lines that point at, or quote, a conversation that bears on it. The headline.

A line points at a conversation by its number (``s-0001``), and quotes it by two runs of six words that stand in no
other. Tokens are characters / 4. Words are compared by a light stem, without stop words and those of the prompt.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from conversations import TIERS, Conversation, Question

_ANCHOR = re.compile(r"\bs-\d{4}\b")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_RUN = 6
_STOP_WORDS = """
a an the is are was were be been being have has had having do does did doing will would could should may might shall can
need dare ought used to of in for on with at by from as into through during before after above below between out off
over under again further then once here there when where why how all both each few more most other some such no nor not
only own same so than too very just because but and or if while that this these those it its i me my we our you your he
him his she her hers they them their what which who whom whose am us im ive id ill dont about up down get got also any
like one ones let s t re ve d ll m don didn doesn isn won can't it's i'm i've
"""
# What the source's prose about answers holds without telling a fact.
_PROSE = """
user users previous previously answer question conversation mention mentioned information provided enough response
responses prefer would recall past context session based specifically currently appreciate might may assistant told said
asked listed listing including include likely also existing personal recently recent
"""
_NUMBER_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
_STOP = frozenset(_STOP_WORDS.split())
_NUMBERS = {word: str(number) for number, word in enumerate(_NUMBER_WORDS.split())}
_NUMBERS |= {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60"}
_ENDINGS = ("'s", "’s", "ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "ly", "s", "e")


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """A word without its ending: enough to see that commute and commuting are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + ("y" if ending in ("ies", "ied") else "")
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] + "i" if len(word) > 3 and word[-1] == "y" else word


def words(text: str) -> list[str]:
    """The words of a text in lower case; 1,000 is one."""
    return [word.lower() for word in _WORD.findall(text.replace(",", "") if re.search(r"\d,\d", text) else text)]


def stems(text: str) -> list[str]:
    """The stems of the words that are no stop words; numbers as digits."""
    return [stem(_NUMBERS.get(word, word)) for word in words(text) if word not in _STOP]


def tokens(text: str) -> int:
    """The size of a text by which budgets go."""
    return (len(text) + 3) // 4


_BARE_PROSE = frozenset(stem(word) for word in _PROSE.split())


@dataclass(frozen=True, slots=True)
class Line:
    """What one line of a block says: the conversations it points at or quotes, and its stems."""

    anchors: frozenset[str]
    stems: frozenset[str]


class Gold:
    """The evidence of every question, the facts it holds, and whose words a text quotes."""

    def __init__(self, found: Sequence[Conversation], asked: Sequence[Question]) -> None:
        self.questions = list(asked)
        self._owner: dict[int, str] = {}
        for one in found:
            for run in set(_runs(words(" ".join(text for _, text in one.turns)))):
                self._owner[run] = one.anchor if run not in self._owner else ""
        by_source = {one.source: one for one in found}
        for question in self.questions:
            _complete(question, [by_source[source] for source in question.sources])

    @lru_cache(maxsize=1 << 18)  # noqa: B019 - lives as long as the program
    def line(self, text: str) -> Line:
        """What a line says."""
        quoted: dict[str, int] = {}
        for run in set(_runs(words(text))):
            owner = self._owner.get(run, "")
            quoted[owner] = quoted.get(owner, 0) + 1
        anchors = {owner for owner, times in quoted.items() if owner and times >= 2}
        return Line(frozenset(anchors | set(_ANCHOR.findall(text))), frozenset(stems(text)))


def _runs(found: Sequence[str]) -> Iterable[int]:
    return (hash(tuple(found[at : at + _RUN])) for at in range(len(found) - _RUN + 1))


def _complete(question: Question, evidence: Sequence[Conversation]) -> None:
    """Fill in what the question's evidence is, and which of the wanted words it holds; too few of them: no facts."""
    question.evidence = {one.anchor for one in evidence}
    question.days = {one.day for one in evidence}
    has_marker = "— Answer:" in question.wanted
    wanted = re.sub(r".*Answer:", "", question.wanted) if has_marker else question.wanted
    says_nothing = re.search(r"not (?:mention|enough)|did not", question.answer)
    answer = question.answer if len(question.answer.split()) <= 12 and not says_nothing else ""
    sought = set(stems(f"{wanted} {answer}")) - set(stems(question.prompt)) - _BARE_PROSE
    said = {word for one in evidence for _, text in one.turns for word in stems(text)}
    literal = sought & said
    question.facts = literal if len(literal) * 2 >= len(sought) else set()


def fitting(lines: Sequence[str], budget: int) -> list[str]:
    """The lines that fit in so many tokens; the first that does not is cut where the budget ends."""
    kept = []
    for line in lines:
        size = tokens(line) + 1
        if size > budget:
            if budget > 20:
                kept.append(line[: budget * 4 - 4])
            break
        kept.append(line)
        budget -= size
    return kept


MEASURES = ("ev_any", "ev_all", "fact50", "bound50")


def score(gold: Gold, question: Question, lines: Sequence[str], root: Sequence[str] = ()) -> dict[str, float]:
    """The measures of one question; those of facts are missing where it has none."""
    told = [gold.line(line) for line in (*lines, *root)]
    seen = {anchor for line in told for anchor in line.anchors}
    found = {"ev_any": float(bool(seen & question.evidence)), "ev_all": float(question.evidence <= seen)}
    found["tokens"] = float(sum(tokens(line) + 1 for line in lines))
    if question.facts:
        anywhere = {word for line in told for word in line.stems}
        bound = {word for line in told if line.anchors & question.evidence for word in line.stems}
        found["fact50"] = float(len(question.facts & anywhere) * 2 >= len(question.facts))
        found["bound50"] = float(len(question.facts & bound) * 2 >= len(question.facts))
    return found


def mean(rows: Iterable[dict[str, float]], measure: str) -> float:
    """The mean of a measure in per cent, over the rows that have it."""
    values = [row[measure] for row in rows if measure in row]
    return 100 * sum(values) / len(values) if values else float("nan")


def by_tier(asked: Sequence[Question], rows: Sequence[dict[str, float]], measure: str) -> list[float]:
    """The mean of a measure in each tier."""
    pairs = list(zip(asked, rows, strict=True))
    return [mean((row for question, row in pairs if question.tier == tier), measure) for tier in TIERS]


def interval(rows: Sequence[dict[str, float]], measure: str, rounds: int = 500) -> tuple[float, float]:
    """The middle 95 % of the means of samples drawn with replacement."""
    rng = random.Random(7)  # noqa: S311
    values = [row[measure] for row in rows if measure in row]
    if not values:
        return float("nan"), float("nan")
    means = sorted(100 * sum(rng.choices(values, k=len(values))) / len(values) for _ in range(rounds))
    return means[int(rounds * 0.025)], means[int(rounds * 0.975)]
