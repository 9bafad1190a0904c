"""Prompts as anybody may write them, about work and about life, in English and in Korean.

Of an encoder's vectors a large part says only that a text is a prompt, and in which language: that is what these share.
A memory bears on a prompt where something in it is nearer to that than anything is to one of these.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ENGLISH = """
I'm planning a weekend trip with friends and have no idea where to start. Can you suggest a place and a rough schedule?
I want to cook something special for dinner on Saturday. What would you recommend, and what should I buy for it?
I've been feeling tired lately and would like to sleep better. What habits should I change first?
My old laptop is getting slow and I'm thinking about a new one. Which should I look at for everyday work?
I need to write a short speech for a colleague who is leaving. Can you help me find the right tone?
I'd like to start saving money every month. How much should I put aside, and where?
What's a good way to get back into exercise after a long break without hurting myself?
I'm looking for a present for a family member's birthday. Any ideas that feel personal?
Can you help me organise my home office so that it is a nicer place to work in?
I have an interview next week. What should I prepare, and which questions should I expect?
I'm thinking about learning a new language. How should I plan my time during the week?
My garden doesn't look its best at the moment. What could I plant that needs little care?
Can you recommend a few books or films for the coming holidays?
I want to get to know more people in my area. Which activities would be a good start?
I need to decide between two offers and don't know how to compare them. How would you go about it?
Can you explain in simple words what this function does and where it is called?
Please add validation to the form and show a helpful message when the input is wrong.
The build failed again. Can you find out why, and make it more robust?
I'd like to refactor this module so that it is easier to test. Where would you begin?
The page loads slowly for some users. What can we do about it this month?
Write a unit test for this class that covers the empty list and a very long one.
What is the difference between these two commands, and when would I use which?
"""

_KOREAN = """
주말에 친구들과 여행을 가려고 하는데 어디부터 정해야 할까? 일정을 대강 짜줘
토요일 저녁에 특별한 요리를 하고 싶은데 무엇을 사면 좋을까?
요즘 피곤해서 잠을 더 잘 자고 싶어. 어떤 습관부터 바꿔야 할까?
노트북이 느려져서 새로 사려고 해. 업무용으로 뭘 보면 좋을까?
퇴사하는 동료에게 읽어줄 짧은 글을 써줘
매달 돈을 조금씩 모으고 싶어. 얼마를 어디에 넣으면 좋을까?
오래 쉬었다가 운동을 다시 시작하려면 어떻게 하는 게 좋아?
가족 생일에 줄 선물을 찾고 있어. 좋은 생각 있어?
다음 주에 면접이 있는데 무엇을 준비해야 하지?
쉬는 날 볼 만한 책이나 영화를 추천해줘
이 함수가 무슨 일을 하는지 쉽게 설명해줘
입력 값이 잘못되면 알림을 보여주도록 화면을 고쳐줘
빌드가 또 실패했어. 이유를 찾아서 고쳐줘
이 모듈을 테스트하기 쉽게 리팩터링하고 싶은데 어디서 시작할까?
페이지가 느리다는 말이 있어. 이번 달에 할 수 있는 일을 알려줘
이 클래스에 대한 단위 테스트를 작성해줘
두 명령의 차이가 뭐고 언제 어느 것을 써야 해?
새 기능의 설계 문서를 정리해줘
"""

ENGLISH = tuple(_ENGLISH.strip().split("\n"))
KOREAN = tuple(_KOREAN.strip().split("\n"))


def nearness(numpy: Any, vectors: Any, asked: Any) -> bytes:
    """How near prompts come to any of these vectors, in the mean and at most, as floats of 32 bits; all are unit
    vectors, as the rows of arrays.
    """
    nearest = (vectors @ asked.T).max(0)
    return bytes(numpy.array([nearest.mean(), nearest.max()], numpy.float32).tobytes())
