"""How much a single word tells: words that only hold a sentence together, worn words, common words, and the rest."""

from __future__ import annotations

import re
from functools import lru_cache

from hipocampus.core.patterns import pattern
from hipocampus.core.stems import is_identifier

_DROPPED = """
a about absolutely actually all also am an and any are as at be because been being bit both but by can could definitely
did do does doing each either etc even ever for from get getting got had has have having he
her here here's hers him his how i i'd i'll i'm i've if in into is it it's its itself just kind kinda know let
let's like lot lots may me might mine most much must my myself of oh on one or our ours out own pretty quite rather
really she should so some someone something sort such than that that's the their theirs them then there there's these
they they're thing things think this those though through thus to too truly up us very was way we we'd we'll we're we've
well were what what's when where which while who whom whose why will with would yeah yes yet you you'd you'll you're
you've your yours
은 는 이 가 을 를 에 의 도 로 으로 와 과 그 저 것 수 좀 더 등 및 그리고 그래서 하지만 그런데 있는 있다 합니다 입니다
"""
_WORN = """
able advice already amazing another anything anyway appreciate around available awesome away back best better change
check come comes consider considering cool couple curious currently different ensure especially everything excited
experience explore far feel feeling few find finding fine first focus following forward fun give given giving glad go
going gonna good great guess happy hear heard help helped helpful helping hey hi hope hoping huge idea ideas
information instead interested interesting keep keeping last lately later learn least less little long look looking
looks love lovely made main make makes making many maybe mean mention mentioned mind more need needed needs new next
nice now ok okay option options other over part people perfect perhaps place plan planning plus point possible
probably provide question questions quick quickly recently recommend recommendation recommendations remember right
same say see seem seems seen share since sounds specific start started starting still stuff suggest suggestion
suggestions super sure take taking talk tell thank thanks thinking thought tips today together told tried try trying
type types understand unique use used useful uses using usually want wanted wants whole wonder wondering wonderful
work working works worth
"""
_COMMON = """
access account activities activity add added adding additional advanced affordable after afternoon again against ago
allow allows along always among amount app apps area areas around article ask asked based basic become before began
begin below benefits between big bought break bring brought budget build building business buy buying call called care
case cause certain challenge changed changes choice choose city class classes clean clear close collection color
common community company compare complete completed complex consistent content continue control cost country course
create created creating creative current customer daily data date day days deal decided decision design details
develop development difference difficult dinner discuss done down drive during easier easily easy effective else end
enjoy enjoyed enjoying enough environment evening event events every example examples exercise extra eye fact family
favorite favourite feature features felt finally fit food free fresh friend friends full future game general gift goal
goals group growth hand hands happen hard health healthy hear high history hold home hour hours house however
important improve include included includes including increase inside issue issues item items job join kids large
learned learning left level life light list living local long looked lunch management market matter meal meet meeting
method minute minutes mix money month months morning move music name natural near night noticed number offer old once
online open order organize outside page paid past pay per person personal phone photos pick picked plans platform play
playing popular practice prepare present price problem process product products professional program project projects
provide put quality read reading ready real reason recent recipe regular related research resource resources rest
result results review road room routine run running safe save says schedule school section sell sense service set
setting several short show simple single site size skills small social sometimes soon space special spend spent spot
staff stage stay step steps stick stop store story strategies strategy strong style support system table team
techniques technology term test text themed thinking thoughts three time times topic total touch track training travel
trip turn two under understanding until update upon visit visited wait walk watch water weather website week weekend
weeks went wish within without world write writing wrong year years yesterday
"""
_NEGATIONS = """
abandoned cannot deprecated dropped except gave|up|on instead|of less neither never no nobody none nor not nothing
nowhere rather|than retired reverted unless without 안 못
"""
_BE = "is|are|was|were|been"
_OVER = "dropped|removed|replaced|retired|reverted|abandoned|deprecated|superseded|out"
IS_OVER = f"(?:{_BE}) (?:{_OVER})"
"""That what stands before it no longer holds, as a regular expression; two words that are one."""
# They stand behind what they negate, the Korean ones with many endings.
_NEGATIONS_BEHIND = (
    *("않", "없", "아니", "아닌", "말고", "대신", "금지"),
    *(f"{be} {over}" for be in _BE.split("|") for over in _OVER.split("|")),
)
_EDGES = ".!?*_`'’,;:()[]{}\"“”~<>|…"
_NUMBER_WORDS = """
zero two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty fifty hundred
thousand million dozen half twice
"""
DROPPED = frozenset(_DROPPED.split())
WORN = 2.0
RARE = 7.5
TELLING = 9.0
# Without its negation a statement says the opposite.
NEGATION = TELLING + 3
# "PROJ-482", "#482": what a thing is found by.
HANDLE = TELLING + 2
NEGATIONS = frozenset(one.replace("|", " ") for one in _NEGATIONS.split())
_WORTH = (
    dict.fromkeys(_COMMON.split(), 5.0)
    | dict.fromkeys(_WORN.split(), WORN)
    | dict.fromkeys(DROPPED, 0.0)
    | dict.fromkeys(_NUMBER_WORDS.split(), TELLING)
)


_HANDLE = pattern(r"[A-Za-z]+[-_#]\d+[A-Za-z]*|#\d+", re.ASCII)


def bare(token: str) -> str:
    """A token without the punctuation around it; a path keeps its dots and slashes inside."""
    return token.strip(_EDGES)


@lru_cache(maxsize=1 << 16)
def worth(word: str) -> float:
    """How much `word` (bare, in its own case) tells, from 0 up; numbers, identifiers, names, rare words tell most."""
    if not word:
        return 0.0
    lower = word.lower().replace("’", "'")
    if any(char.isdigit() for char in word):
        return HANDLE if _HANDLE.fullmatch(word) else TELLING
    if lower in NEGATIONS or lower.endswith("n't") or negates_before(word):
        return NEGATION
    value = _WORTH.get(lower)
    if value is None:
        value = TELLING if is_identifier(word) else RARE
    return value + 1 if value and word[0].isupper() else value


def negates_before(word: str) -> bool:
    """Whether a word negates the one before it, as in Korean."""
    return word.startswith(_NEGATIONS_BEHIND)


def negates_behind(word: str) -> bool:
    """Whether a word negates what follows it."""
    return worth(bare(word)) == NEGATION and not negates_before(word)


def tells(word: str, least: float) -> bool:
    """Whether a word tells more than `least`; "US" and "AM" are no small words."""
    return bool(word) and (worth(bare(word)) > least or (len(word) > 1 and word.isupper()))
