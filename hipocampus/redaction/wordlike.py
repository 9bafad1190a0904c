"""Is a value made of words, as names are, or of letters by chance, as tokens are?

Each pair of neighbours votes: letters by how much likelier the pair is in identifiers and English than in random text,
changes of case and of class by how rare they are in names. Of random texts of 20 characters in base 62 some 5 in 10,000
come out as words, of 12,000 identifiers in library code 3 in 1,000 as chance.
"""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.patterns import digits_in

# 26 rows of 26 letters: how likely the second letter follows the first, `N` = as by chance, 2.5 steps a bit.
# Counted over the standard library by bench/letter_pairs.py.
_PAIRS = (
    "DNPOEHMDNAJRPQBNASPSKJIIKBRLMKQHGGQNESJJQLCOPJQCECNFRDLIRHEQNAPOJGTHEOLRNGDAJAQJJNUKHDTEENHJPIENPLNHFEIB"
    "OHPRLMKFHAFOMRHMJSRQFKJNIBPGKLQRIDUAAOHIRICQNNOCFDKAOHJIUGMPQABOLPNIAQPLOHGAFFTFIJUHDGRAIKKISGANKOMCDAJD"
    "MLPNMLNADAEPOUPLBMQQBLAJALREMJUIEFPFNJGGSMEKOITEGEIEOJLLVJMLRDFPGNLKGKRLKGNAJCRGJMUHDDSAEQGIRJAFNNMGCAPA"
    "TMFKUGBDQAGKNHQRAFNKNBBAIAQFPQRMSFOCKKGKOJDGQSLKEAGAJLOPGKLDJAKOPTMOASOOPLNHCCSFJJSJEKPAGQFGQOCSMPMEHAMA"
    "KIKJGGFGHFCLGKJJMMOHXGHFCCRHMMUILERAJJNLQJANPOLIGALAMFOITHHORBJLJHNOGHPTPFHDLAQGLJTICPSAELJHPKAQPNMFHDMG"
    "NPNKOMKBNADQPSKPARQREAADAATIJCWHHESABHJHNHAIJIFHGDCCTHKMRJDPSCELGPQJEQPKDGJIABOMQMRPGKQADMKGKRBKLTHHHNKG"
    "LLMLPKJFOACOOQMTFMRRHKLFJIQGJJWJEKRCCJJIQFEIKJGCGCIH"
)
# One digit between words, as in symbol2label, joins them like an underscore.
_JOINED = pattern(r"(?<=[A-Za-z]{3})[0-9](?=[A-Za-z]{4})")
_SAME_CASE, _CAPITAL_INSIDE, _OTHER_CASE = 2, -8, -1
_TO_DIGIT, _FROM_DIGIT, _DIGITS, _SEPARATOR, _SYMBOL = -6, -4, 0, 1, -5
MOST_PAIRS = 20_000


class _Votes(dict[tuple[str, str], int]):
    """What each pair of neighbours votes, worked out when it is first asked for."""

    def __init__(self, mixed: bool) -> None:
        self.mixed = mixed

    def __missing__(self, pair: tuple[str, str]) -> int:
        if len(self) > MOST_PAIRS:
            self.clear()
        vote = self[pair] = _vote(pair[0], pair[1], self.mixed)
        return vote


_votes = {mixed: _Votes(mixed) for mixed in (False, True)}


def is_wordy(value: str) -> bool:
    """Do the neighbours in `value` look more like words than like chance? Hexadecimal of 16 or more is chance."""
    value = _JOINED.sub("_", value)
    lower = value.lower()
    if len(value) >= 16 and not lower.strip("0123456789abcdef") and digits_in(value):
        return False
    votes = _votes[value not in (lower, value.upper())]
    return sum(map(votes.__getitem__, zip(value, value[1:]))) > 0  # noqa: B905, RUF007 - the last has no neighbour


def _vote(first: str, second: str, mixed: bool) -> int:
    if not (first.isascii() and second.isascii()):
        return _SYMBOL
    if first.isalpha() and second.isalpha():
        return _letters(first, second, mixed)
    if first.isalpha():
        return _TO_DIGIT if second.isdigit() else _separator(second)
    if first.isdigit() and second.isdigit():
        return _DIGITS
    return _FROM_DIGIT if first.isdigit() and second.isalpha() else _separator(first if second.isalnum() else second)


def _letters(first: str, second: str, mixed: bool) -> int:
    if first.islower() and second.isupper():
        return _CAPITAL_INSIDE
    pair = ord(_PAIRS[26 * (ord(first) | 32) + (ord(second) | 32) - 97 * 27]) - 78
    if not mixed:
        return pair
    return pair + (_SAME_CASE if first.islower() == second.islower() else _OTHER_CASE)


def _separator(char: str) -> int:
    return _SEPARATOR if char in "_-./: " else _SYMBOL
