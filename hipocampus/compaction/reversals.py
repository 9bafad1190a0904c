"""What a text takes back: the sentences that say that something no longer holds, and what that was."""

from __future__ import annotations

from itertools import islice

from hipocampus.core.native import lru_cache
from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.core.record import record
from hipocampus.core.stems import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Set

# In a sentence of these, what follows or what stands before no longer holds.
_FOLLOWS = (
    r"instead of|rather than|in place of|replac(?:e[sd]?|ing)|supersed(?:e[sd]?|ing)|no longer|revert(?:s|ed)?|"
    r"dropped|removed|abandoned|gave up(?: on)?|deprecated|retired|reversed|undid|"
    r"(?:moved?|moving|migrated?|switch(?:ed)?|changed?|went)\b(?P<what>[^.;\n]{0,60}?) from|"
    r"(?<=, )not(?! only)|(?<=, )never"
)
_BEFORE = (
    r"(?:is|are|was|were|been|be|being|got)\s+(?:now\s+|all\s+)?"
    r"(?:replaced|superseded|retired|dropped|removed|reverted|deprecated|abandoned|undone|rolled back|reversed|"
    r"gone|out(?! of))|"
    r"no longer (?:used|needed|supported|in use|there|maintained|valid|true|required|runs?|exists?|applies|apply)|"
    r"any ?more|rolled back|retired|dropped|removed"
)
_BEFORE_KOREAN = "대신|되돌|철회|폐기|바꿨|바꾼|변경|교체|취소|그만두|않기로"
_REVERSES = pattern(
    rf"(?P<before>\b(?:{_BEFORE})\b|{_BEFORE_KOREAN})|(?P<behind>\b(?:{_FOLLOWS})(?!\w)|더\s+이상)", IGNORECASE
)
# A text without any of these takes nothing back: thousands of texts are looked through.
_MARKS = (
    "instead of|rather than|in place of|replac|supersed|no longer|revert|drop|remov|abandon|gave up|gone| out|from|"
    "deprecat|retired|revers|undid|undone|, not|, never|any more|anymore|rolled back|이상|" + _BEFORE_KOREAN
).split("|")
_EITHER = pattern(rf"\b(?:{_FOLLOWS})(?!\w)", IGNORECASE)
# Who says so of what is rejected, asked or only supposed takes nothing back.
_DENIED = pattern(
    r"\b(?:never|not|don['’]?t|cannot|can['’]?t|rejected|refused?|declined|if|whether|unless)\b", IGNORECASE
)
_ASKED = pattern(r"\?\s*$")
_CHOICES = ("instead of", "rather than", "in place of")
_FIELD = pattern(r"^\s*[-*] [A-Za-z][A-Za-z -]{0,23}: ")
_SENTENCE = pattern(r"\n|(?<=[.!?;])\s")
# What no longer holds ends with its clause, and is named by the words next to the one that says so.
_CLAUSE_END = pattern(
    r"[,:;()]|\s-+\s|\b(?:with|by|to|in|on|at|for|because|since|as|so|and|but|after|when|if)\b", IGNORECASE
)
_CLAUSE_BEGIN = pattern(r"[,:;()]\s|\s-+\s|\b(?:and|but|so|because|since|that)\b", IGNORECASE)
_NAMED_BY = 4
_WORD = pattern(r"[^\W_]+")
# So many words must be shared, and one in so many of a statement.
_LEAST_SHARED, _ONE_IN = 2, 4
# A word is rare that stands in a handful of texts, or in one of so many.
_HANDFUL, _ONE_TEXT_IN = 4, 50
# A conversation touches on anything.
_LONGEST = 4_000
# Nobody takes back more than a handful of things at once.
_MOST = 8


@record
class Reversal:
    """What no longer holds, by the words that name it, and all telling words of the sentence that says so and of its
    topic; as stems.
    """

    left: frozenset[str]
    sentence: frozenset[str]

    def concerns(self, statement: Set[str]) -> bool:
        """Whether a statement with these telling words is what no longer holds: it names that, and is on the matter."""
        shared = len(self.sentence & statement)
        return (
            3 * len(self.left & statement) >= 2 * len(self.left)
            and shared >= _LEAST_SHARED
            and _ONE_IN * shared >= len(statement)
        )

    def by(self, rare: Set[str]) -> Reversal | None:
        """The same by its rare words alone; None where none of them names what no longer holds."""
        return Reversal(self.left, self.sentence & rare) if self.left & rare else None


def few(texts: int) -> int:
    """In so many of the texts of a memory a word stands at most that says by itself that two are on one matter."""
    return max(_HANDFUL, texts // _ONE_TEXT_IN)


def reversals(topic: str, text: str) -> Iterator[Reversal]:
    """What a text on a topic takes back, sentence by sentence; of many the first."""
    low = f"{topic}\n{text}".lower()
    if not any(mark in low for mark in _MARKS):
        return
    found = (one for sentence in (topic, *_sentences(text)) for one in _in_sentence(topic, sentence))
    yield from islice(found, _MOST)


def _in_sentence(topic: str, sentence: str) -> Iterator[Reversal]:
    if _ASKED.search(sentence):
        return
    for match in islice(_REVERSES.finditer(sentence), _MOST):
        before = sentence[: match.start()]
        if match[0].lower() in _CHOICES and _DENIED.search(before):
            continue
        for named, rest in _named(sentence, match):
            kept = telling_stems(f"{topic} {match['what'] or ''} {rest}")
            # What is said of both sides names neither.
            left = frozenset(map(word_stem, named)) - (kept - telling_stems(topic))
            if left:
                yield Reversal(left, kept | left)


def takes_back(over: Iterable[Reversal], topic: str, text: str) -> bool:
    """Whether one of these is about a statement of an older text on a topic, which does not reject the same itself."""
    concerning = [one for one in over if any(map(one.concerns, statements_of(topic, text)))]
    if not concerning:
        return False
    rejected = [one.left for one in reversals(topic, text)]
    return any(not any(left & one.left for left in rejected) for one in concerning)


def statements_of(topic: str, text: str) -> Iterator[frozenset[str]]:
    """The telling words of each sentence of a text and of its topic, as stems."""
    name = telling_stems(topic)
    return (name | telling_stems(sentence) for sentence in _sentences(text))


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, without the names of fields."""
    return (_FIELD.sub("", sentence) for sentence in _SENTENCE.split(text[:_LONGEST]))


def _named(sentence: str, match: re.Match[str]) -> Iterator[tuple[list[str], str]]:
    """The words for what no longer holds, and the rest of the sentence; some phrases stand before it or behind it."""
    before, behind = sentence[: match.start()], sentence[match.end() :]
    if match["behind"] or _EITHER.fullmatch(match[0]):
        clause = _up_to(_CLAUSE_END, behind)
        yield list(telling_words(clause))[:_NAMED_BY], f"{before} {behind[len(clause) :]}"
    if match["before"]:
        *_, clause = _CLAUSE_BEGIN.split(before)
        yield list(telling_words(clause))[-_NAMED_BY:], f"{before[: len(before) - len(clause)]} {behind}"


def _up_to(end: re.Pattern[str], text: str) -> str:
    return next((text[: match.start()] for match in end.finditer(text) if text[: match.start()].strip()), text)


def telling_stems(text: str) -> frozenset[str]:
    """The stems of the words of a text by which one matter is told from another."""
    return frozenset(map(word_stem, telling_words(text)))


def telling_words(text: str) -> Iterator[str]:
    """The words of a text by which one matter is told from another, in lower case."""
    # Most texts take nothing back, and a hook need not load the tables for those.
    from hipocampus.compaction.words import WORN, worth

    return (word for word in islice(_WORD.findall(text.lower()), _LONGEST) if worth(word) > WORN)


@lru_cache(maxsize=1 << 14)
def word_stem(word: str) -> str:
    """A word without what grows onto it, English or Korean."""
    if word.isascii():
        return stem(word)
    from hipocampus.core.korean_endings import without_ending

    return without_ending(word) or word
