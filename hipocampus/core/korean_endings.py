"""What grows onto Korean words: particles onto nouns, endings onto verbs, and onto nouns that are made verbs.

They are put together as the language does it, so that a combination which nobody thought of is there, too. A syllable
that ends many nouns (인, 일, 라) is no ending here.
"""

from __future__ import annotations

from itertools import product

_CASES = """
에 에서 에게 에게서 한테 한테서 께 께서 으로 로 까지 부터 마다 처럼 보다 만큼 대로 조차 마저 밖에 만 와 과 하고 이랑 랑
"""
_BEHIND_CASES = "는 은 도 만 의"
_OTHER_PARTICLES = "은 는 이 가 을 를 의 도 뿐 씩 들 이나 나 이라도 라도 이든지 든지"
# Behind any stem.
_ENDINGS = """
고 고서 고는 고도 며 면 면서 니 니까 지 지만 지는 게 게끔 기 기로 기는 기가 기를 던 던데 더라 더니 도록 거나 다 다가
다고 다는 다면 다며 라고 라는 자 자고 자는 나 나요 네 네요 군요 거든요 는 는데 는데요 는지 는지도 는다 는다고 는다면
러 려고 려면 려는 시는 세요 셔서 셨어요 자마자
"""
# Behind a stem that ends in a consonant, and behind the past.
_CLOSED = """
은 은데 은지 을 을까 을까요 을지 을지도 을게 을게요 을래 을래요 을수록 으면 으면서 으니 으니까 으며 으려고 으려면
으려는 으러 으세요 어 어요 어서 어야 어도 어줘 어주세요 아 아요 아서 아야 아도 아줘 아주세요 여요 습니다 습니까
"""
_PAST = """
다 다고 다는 다면 다가 어 어요 는데 는데요 는지 는지도 지 지만 고 던 더니 더라 네 네요 나 나요 거든요 을 을까 을까요
을지 으면 으니 으니까 으며 었지 었어 었다 었는데 습니다 습니까
"""
# What 하다, 되다, 시키다 and 이다 become besides their stem with an ending.
_VERBS = {
    "하": """
    한 한다 한다고 한다면 한다는 한데 할 할까 할까요 할지 할지도 할게 할게요 할래 할래요 할수록 함 합니다 합니까
    합시다 해 해서 해야 해도 해요 해라 해줘 해줘요 해줄래 해줄래요 해주세요 해주실래요 해줬으면 해놓은 해둔 해보자
    해볼까
    """,
    "되": """
    된 된다 된다고 된다면 된다는 될 될까 될까요 될지 될지도 됨 됩니다 됩니까 되어 되어서 되어야 되어도
    돼 돼서 돼야 돼도 돼요
    """,
    "시키": "시킨 시킨다 시킬 시킬까 시킴 시켜 시켜서 시켜야 시켜도 시켜줘 시켜주세요",
    "이": """
    이다 입니다 입니까 인데 인데요 인지 인지도 인가 인가요 일까 일까요 일지 일지도 이라 이라고 이라는 이라서 이라면
    이란 이요 이에요 예요 이야 라서 라면 란
    """,
}
_PASTS = "했 하였 됐 되었 시켰 였 이었 었 았"
_GIVING = "줘 줘요 주세요 주십시오 줄래 줄래요 줄까 줄까요"


def _all() -> frozenset[str]:
    found = {*_CASES.split(), *_OTHER_PARTICLES.split(), *_ENDINGS.split(), *_CLOSED.split(), *_GIVING.split()}
    for one, other in (
        (_CASES, _BEHIND_CASES),
        ("들", f"{_CASES} {_OTHER_PARTICLES}"),
        (" ".join(_VERBS), _ENDINGS),
        (_PASTS, _PAST),
    ):
        found |= {"".join(both) for both in product(one.split(), other.split())}
    return frozenset(found.union(*(more.split() for more in _VERBS.values())))


ENDINGS = _all()
_LONGEST = max(map(len, ENDINGS))

_PLAIN = """
이것 그것 저것 이거 그거 저거 여기 거기 저기 이런 그런 저런 이렇 그렇 저렇 어떻 우리 저희 나의 내가 제가 네가 너희
자기 누가 누구 무엇 무슨 뭐야 뭐였 어디 어느 어떤 언제 얼마 왜요 그리고 그런데 근데 그래서 그러 그러면 그럼 그러나
그래 하지만 또는 혹은 혹시 아니면 만약 만일 지금 이제 아직 이미 벌써 다시 먼저 나중 방금 계속 항상 자주 가끔 조금 많이
매우 아주 너무 정말 진짜 제일 가장 모두 전부 모든 각각 함께 같이 바로 그냥 일단 아마 제대로 이번 저번 지난번 다음 관련
때문 경우 정도 방법 대해 대한 관해 관한 위해 위한 통해 따라 있었 없었 같았 싶었 있다 없다 어디서 여기서 거기서 대해서
관해서 위해서 통해서 부탁 도와 알려 보여 필요 가능
"""
PLAIN = frozenset(_PLAIN.split())
"""Words that stand in any text, as they are without an ending."""


def without_ending(word: str) -> str:
    """A word without the longest particle or ending that it ends in, which may be all of it."""
    for size in range(min(len(word), _LONGEST), 0, -1):
        if word[-size:] in ENDINGS:
            return word[:-size]
    return word
