"""What the words of a sentence give away about it: tables from words to traits, English and Korean."""

from __future__ import annotations

import re
from enum import IntFlag, auto


class Trait(IntFlag):
    """Something a word, or a short run of words, says about the sentence it stands in."""

    FIRST = auto()  # the speaker
    OWN = auto()  # what belongs to the speaker: "my sister"
    PAST = auto()  # something the speaker did
    LIKE = auto()  # taste and preference
    REQUEST = auto()
    THANKS = auto()  # a reply that only acknowledges
    RESULT = auto()  # something got, joined, finished, changed
    KIN = auto()
    RULE = auto()  # always, never, from now on
    DECIDED = auto()
    COMPLETED = auto()
    LEARNT = auto()
    OPEN = auto()
    ASIDE = auto()
    NUMBER = auto()
    NAME = auto()
    QUOTE = auto()
    QUESTION = auto()


_WORDS = {
    Trait.FIRST: (
        "i i'm i've i'd i'll my mine me myself we we're we've we'd we'll our ours us 저는 제가 나는 내가 우리 저희 나의"
    ),
    Trait.OWN: "my our 제 내 우리 저희",
    Trait.LIKE: (
        "prefer prefers preferred preference love loved loving enjoy enjoys enjoyed enjoying favorite "
        "favourite hate hated dislike obsessed allergic vegan vegetarian fan 선호 좋아 싫어"
    ),
    Trait.REQUEST: (
        "help advice tips recommend recommendations suggest suggestions please wonder wondering explain write "
        "provide tell give generate create"
    ),
    Trait.RESULT: (
        "graduated degree attended finished completed started bought purchased ordered joined moved visited "
        "subscribed upgraded replaced received redeemed cost spent paid won sold volunteered participated "
        "collected adopted switched changed added earned saved harvested planted painted built ran baked"
    ),
    Trait.KIN: (
        "mom mother dad father parents sister brother wife husband partner girlfriend boyfriend friend "
        "friends cousin aunt uncle grandma grandmother grandpa grandfather son daughter kids niece nephew dog "
        "cat puppy boss coworker colleague neighbor team company 아내 남편 엄마 아빠 딸 아들 친구 동생 팀장 회사"
    ),
    Trait.RULE: "always never usually must prefer 항상 절대 반드시 앞으로 이제부터 규칙",
    Trait.DECIDED: (
        "decided decide chose chosen choosing settled opted agreed switched 결정 결정했다 하기로 쓰기로 선택"
    ),
    Trait.COMPLETED: (
        "finished completed fixed merged shipped released deployed implemented done finalized submitted 완료 끝냈 "
        "고쳤 배포했 수정했"
    ),
    Trait.LEARNT: "learned learnt realized realised discovered noticed lesson mistake turns 배웠 알게 교훈 원인",
    Trait.OPEN: "todo pending blocked unresolved remaining upcoming deadline 남은 해야 할일 미정 보류",
}
WORD_TRAITS: dict[str, int] = {}
for _trait, _list in _WORDS.items():
    for _word in _list.split():
        WORD_TRAITS[_word] = WORD_TRAITS.get(_word, 0) | int(_trait)

# Words after "I" that tell a deed though they do not end in -ed.
_PAST = """
got went bought made took had was were did saw met spent came found gave left ran read sent told won wrote ate began
been set paid lost kept built chose drove flew grew held knew sold spoke swam taught thought wore put cut hit
"""
_ACKNOWLEDGING = "thanks thank great that's those this these sounds ok okay yes yeah sure wow perfect"
PAST_VERBS = frozenset(_PAST.split())
ACKNOWLEDGING = frozenset(_ACKNOWLEDGING.split())
SPEAKERS = frozenset({"i", "i've", "i'd", "we", "we've"})

# Runs of words that a table of words cannot tell, in lower case; a space in front begins a word.
PHRASES = {
    Trait.ASIDE: (" by the way", " speaking of", " which reminds me", " incidentally", " fun fact", "참고로"),
    Trait.REQUEST: (
        " can you ",
        " could you ",
        " would you ",
        " do you ",
        " will you ",
        " how do ",
        " how can ",
        " how to ",
    ),
    Trait.OPEN: (" need to ", " have to ", " still need", " still have", " plan to ", " planning to ", " next step"),
    Trait.DECIDED: (
        " i'll go with ",
        " i'll use ",
        " i'll stick ",
        " we'll use ",
        " we'll go ",
        " going with ",
        " instead of ",
    ),
}
KOREAN = (
    (Trait.FIRST, re.compile(r"(?:^|\s)(?:저|제|나|내|우리|저희)(?:는|가|의|도|를)?\s")),
    (Trait.LIKE, re.compile(r"좋아|싫어|선호|즐겨")),
    (Trait.RULE, re.compile(r"항상|절대|반드시|앞으로|이제부터|하지 ?(?:마|말)")),
    (Trait.DECIDED, re.compile(r"기로 ?(?:했|결정|함)|결정|선택했|채택")),
    (Trait.COMPLETED, re.compile(r"완료|끝냈|고쳤|수정했|배포했|추가했|구현했")),
    (Trait.LEARNT, re.compile(r"알게 ?되|배웠|교훈|원인은|때문이었")),
    (Trait.OPEN, re.compile(r"해야|남은|할 ?일|예정|보류|미정")),
    (Trait.PAST, re.compile(r"(?:했|었|았|였|갔|샀|왔)(?:다|어|습니다|어요|음)")),
    (Trait.REQUEST, re.compile(r"주세요|줄래|해줘|알려|부탁|까요\??$")),
)
