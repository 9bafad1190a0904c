"""Words as the index keeps them, and what of a prompt is worth looking up.

SQLite's tokenizer splits at punctuation and stems English. What it cannot do is done before: Hangul, Chinese and
Japanese become pairs of characters, since particles grow onto words, and ``buildIndex`` is also "build index".
"""

from __future__ import annotations

from math import log

from hipocampus.core.patterns import ASCII, pattern
from hipocampus.core.stems import is_identifier, stem
from hipocampus.recall.everyday import RAREST, share_of
from hipocampus.recall.translations import same_meaning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = pattern(r"[^\W_]+")
_CJK = pattern("[\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
# These look at each place of a long word once.
_CAMEL = pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# A path, an option, a name from code, a number with a unit: looked up as a whole besides its parts.
_TOKEN = pattern(r"[\w./~#@:+-]+", ASCII)
_CODE = pattern(r"\b(?:\w*[a-z0-9][A-Z]\w*|\w+\(\))", ASCII)
# A name of somebody or something: with a capital where no sentence begins, or with another within.
_PROPER = pattern(
    r"(?:(?<=[\w,;:'\"] )|(?<=\())[A-Z][a-z]+(?!\w|[./]\w)|(?<![\w./])[A-Z][a-z]+[A-Z][a-z]+(?!\w|[./]\w)", ASCII
)

MOST_TERMS = 30
READ = 6_000
"""So many characters of a prompt are read: what comes behind them is mostly pasted."""


def indexed(text: str) -> str:
    """`text` as the index takes it in."""
    if not text.isascii():
        text = _CJK.sub(lambda run: f" {' '.join(_pairs(run[0]))} ", text)
    return _apart(text) + _whole(text)


def _is_cjk(word: str) -> bool:
    return not word.isascii() and _CJK.fullmatch(word) is not None


def _whole(text: str) -> str:
    """The words that were taken apart, behind the text as they were, on a line of their own: no sentence of it."""
    words = " ".join(dict.fromkeys(_CODE.findall(text)))
    return f"\n{words}" if words else ""


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


_HANGUL = pattern("[\u1100-\u11ff\uac00-\ud7af]")
# A name from code is in no prompt by chance; a pair of Hangul or Chinese characters easily is, and a word of a group.
_NAME_SHARE, _PAIR_SHARE, _PLAIN_PAIR_SHARE, _GROUP_SHARE = 1e-5, 0.004, 0.1, 0.03
_PLAIN = """
하는 하기 하고 해서 해야 해줘 했다 했어 합니 습니 니다 주세 세요 어요 아요 에서 으로 에게 까지 부터 있는 있어
없는 어떻 떻게 무엇 이것 그것 지금 오늘 다시 추가 수정 코드 파일 함수 작성 알려 려줘 설명 명해 만들 들어 어줘
보여 여줘 확인 인해 고쳐 쳐줘 되는 되어 하면 려면 싶어 은데 는데 을까 할까
のは です ます して する した から まで この その 这个 那个 什么 怎么 一个 可以 我们
"""
_PLAIN_PAIRS = frozenset(_PLAIN.split())
# What a word tells grows with its rarity, from nothing for words that stand in every sixth paragraph.
_MOST_TOLD, _UNTOLD = -log(RAREST), 0.25


class Term:
    """Something to look up: an FTS5 phrase, how often it is met anywhere (a share of paragraphs), how much it tells (0
    to 1), whether it is a name from code, whether that it is missing says nothing (half a word), whether it is another
    word for one of the prompt, of which the same is true, and whether it is what somebody or something rare is called.
    """

    __slots__ = ("is_echo", "is_maybe", "is_name", "is_proper", "phrase", "share", "weight")

    def __init__(self, words: str, share: float, *, is_name: bool = False, is_maybe: bool = False) -> None:
        self.phrase = f'"{words}"'
        self.share = share
        self.weight = _telling(share)
        self.is_name = is_name
        self.is_maybe = is_maybe
        self.is_echo = False
        self.is_proper = False


def _telling(share: float) -> float:
    told = min(1.0, -log(share) / _MOST_TOLD)
    return max(told - _UNTOLD, 0.0) / (1 - _UNTOLD)


def weighed(words: str) -> dict[str, float]:
    """The words of a text as the index holds it, by their stems, with how much each tells (0 to 1)."""
    found = {}
    for word in _WORD.findall(words.lower()):
        if _is_cjk(word):
            found[word] = _telling(_PLAIN_PAIR_SHARE if word in _PLAIN_PAIRS else _PAIR_SHARE)
        elif len(word) > 1:
            found[stem(word)] = _telling(share_of(stem(word)))
    return found


def terms_of(prompt: str, most: int = MOST_TERMS) -> list[Term]:
    """What of a prompt is worth looking up, at most `most` terms, those that tell most."""
    text = prompt[:READ]
    found: dict[str, Term] = {}
    for token in _TOKEN.findall(text):
        word = token.strip("./~#@:+-")
        parts = [part.lower() for part in _WORD.findall(_apart(word))]
        if len(parts) > 1 and ("/" in word or is_identifier(word) or is_identifier(token) or _is_type(word, parts)):
            found.setdefault(word.lower(), Term(" ".join(parts), _NAME_SHARE, is_name=True))
    for word in _WORD.findall(_apart(text)):
        for run in () if word.isascii() else _CJK.findall(word):
            found |= {term.phrase: term for term in _terms_of_run(run)}
        plain = (word if word.isascii() else _CJK.sub("", word)).lower()
        # A number of one or two digits is in any memory, and says nothing.
        if len(plain) > (2 if plain.isdigit() else 1):
            found.setdefault(plain, Term(plain, share_of(stem(plain))))
    for name in _PROPER.findall(text):
        term = found.setdefault(name.lower(), Term(name.lower(), share_of(stem(name.lower())), is_maybe=True))
        term.is_proper = term.share <= RAREST
    before = ""
    for word in _WORD.findall(text.lower()):
        for other in same_meaning(word):
            found.setdefault(other, _echo(other, word))
        for other in _other_spellings(before, word):
            found.setdefault(other, _spelling(other))
        before = word
    telling = [term for term in found.values() if term.weight > 0]
    return sorted(telling, key=lambda term: -term.weight)[:most]


def in_other_script(prompt: str) -> Iterator[str]:
    """The words of a prompt that has Korean ones in the other language."""
    for word in () if prompt.isascii() else _WORD.findall(prompt[:READ].lower()):
        yield from (other for other in same_meaning(word) if other.isascii() != word.isascii())


def _terms_of_run(run: str) -> list[Term]:
    """The pairs of a run of Hangul, Chinese or Japanese, of a Korean word without its ending; and what goes with it."""
    if not _HANGUL.match(run):
        return [_pair(pair) for pair in _pairs(run)]
    from hipocampus.recall.korean import related, root_of

    root = root_of(run)
    return [_pair(pair) for pair in _pairs(root) if root] + [_group(words) for words in related(root)]


def _pair(pair: str) -> Term:
    term = Term(pair, _PLAIN_PAIR_SHARE if pair in _PLAIN_PAIRS else _PAIR_SHARE, is_maybe=True)
    term.phrase = _run_phrase(pair)
    return term


def _group(words: tuple[str, ...]) -> Term:
    """Any word of a group: it tells something about what a prompt is about."""
    term = Term("", _GROUP_SHARE, is_maybe=True)
    term.phrase = " OR ".join(_run_phrase(word) for word in words)
    term.is_echo = True
    return term


def _run_phrase(run: str) -> str:
    """The pairs of a run, one behind the other; one syllable stands at the beginning of a pair."""
    return f'"{" ".join(_pairs(run))}"' + (" *" if len(run) == 1 else "")


def _is_type(word: str, parts: list[str]) -> bool:
    """Whether a word is a name like "SeatMapCache"; "YouTube" is none from code."""
    return len(parts) > 2 and _CODE.fullmatch(word) is not None


# What grows together with a verb where it is a noun: to back up, a backup.
_GROWN = ("up", "in", "out", "off", "down", "back", "over")


def _other_spellings(before: str, word: str) -> Iterator[str]:
    """A word with the verb before it as one word, and one word as the two that it is made of."""
    if word in _GROWN and len(before) > 2 and before.isascii():
        yield before + word
    for end in _GROWN:
        if word.endswith(end) and len(word) - len(end) > 2 and word.isascii():
            yield f"{word.removesuffix(end)} {end}"


def _spelling(words: str) -> Term:
    """A word of the prompt as it may be spelled elsewhere: it tells as much, and that it is missing says nothing."""
    term = Term(words, share_of(stem(words)), is_maybe=True)
    term.is_echo = True
    return term


def _echo(word: str, of: str) -> Term:
    """Another word for one of the prompt: it tells about half as much; of an English one for a Korean one it is known
    how rare it is.
    """
    share = share_of(stem(word)) if word.isascii() and not of.isascii() else _PAIR_SHARE
    term = Term(" ".join(_pairs(word)) if _is_cjk(word) else word, share, is_maybe=True)
    term.weight *= 0.6
    term.is_echo = True
    return term


def _apart(text: str) -> str:
    return _CAMEL.sub(" ", text)
