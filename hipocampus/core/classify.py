"""What kind of knowledge a text is, and what it is about: rules in tables, English and Korean.

The tables aim at remarks: short statements that are true beyond the task at hand ("always use bun here", "저는 백엔드
개발자예요"). A task, a question or a bug report stays `project`, however many of the words occur in it.
"""

from __future__ import annotations

import re

from hipocampus.core.abbreviations import STOP
from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut
from hipocampus.core.topics import EntryType

REMARK_LENGTH = 400
TOPIC_LENGTH = 60

_FAILS = r"(?:fail|crash|return|get|show|error|throw|hang|break|seem|happen|time|die|wrong)"
_TASKS = r"(?:fix|open|read|fetch|check|look|clone|implement|download|summari[sz]e|use|add|see why)"
_PLACE = r"(?:https?://|\S+/\S+)"

# Wherever such a sentence stands in a remark, it is a standing instruction.
_STANDING = (
    r"(?:from now on|going forward|in (?:the )?future|next time|by default)\b",
    r".*\b(?:from now on|going forward|in (?:the )?future|every (?:single )?time)$",
    r".*(?:앞으로|이제부터|다음부터|지금부터)",
)
# The first sentence that says something, without the words that only open it, has the type of the first rule that fits.
_RULES: tuple[tuple[EntryType, tuple[str, ...]], ...] = (
    (EntryType.FEEDBACK, _STANDING),
    (
        EntryType.FEEDBACK,
        (
            rf"(?:always|never)\s(?!{_FAILS})",
            r"(?:whenever|every time|each time) you\b",
            r"(?:do not|don'?t|avoid) [a-z]",
            r"(?:stop|quit|no more) [a-z]+ing\b",
            r"you (?:should|must|need to|have to|are to) (?:always|never|not|first)\b",
            r"(?:you keep|i (?:have |already )?told you|i'?ve told you)\b",
            r"i(?:'d| would)? (?:(?:really|much) )?(?:prefer|rather)\b",
            r"i (?:like|love|want|hate|don'?t (?:like|want)) (?:it when|when you|you to (?:always|never))",
            r"prefer \S",
            r"(?:use|write|choose) \S.{0,60}\b(?:instead of|rather than|over|not|never) \S",
            r"(?:be|keep (?:it|(?:your |the )?\w+)) (?:more |less )?(?:brief|short|terse|concise|careful|small)",
            r"(?:remember|make sure) to (?:always|never)\b",
            r".*(?:항상|언제나|매번|무조건|반드시|절대로?) (?!.*(?:실패|오류|에러|깨|죽|안 ?돼|버그))",
            r".*[가-힣]지\s?(?:마|말)(?:\s|세요|아|라|고|$)",
            r".*(?:말고|대신에?) .*(?:써|쓰|사용|해)",
            r".*(?:선호|편이 좋|게 좋|금지)",
            r".*[은는] (?:[영한]국?어|[영한][문글]|일본어|중국어|존댓말|반말)로만? (?:써|쓰|적어|답|말해|남겨|작성해)",
        ),
    ),
    (
        EntryType.USER,
        (
            r"i(?:'m| am) (?:an?|the|based|located|new to|learning|fluent|responsible|from|in charge)\b",
            r"i(?:'m| am) (?:colou?r[ -]?blind|dyslexic|deaf|left-handed|a? ?beginner)\b",
            r"i(?:'m| am) on (?:an? )?(?:mac(?:os|book)?|windows|linux|ubuntu|debian|fedora|arch|nixos)\b",
            r"i(?:'ve| have)(?: had)? (?:\d+|several|many|some) (?:years|months) (?:of|with|in)\b",
            r"my (?:\w+ )?(?:name|role|job|title|team|company|time ?zone|editor|language|laptop|shell|os)\b.*\bis\b",
            r"(?:call me|i go by) \w",
            r"i (?:(?:mostly|mainly|usually|only|also) )?(?:work|live|use|speak|maintain|lead|manage|study) \S",
            r"(?:저는|나는|난|제가) .*(?:에요|예요|입니다|이야|개발자|[살일써]\w{0,2}요?|합니다|씁니다|삽니다)$",
            r"(?:저는|나는|난|제가) .*(?:처음이|초보)",
            r"(?:제|내|저의|나의) (?:이름|역할|직업|직함|팀|회사|시간대|에디터|언어)(?:은|는|이|가) ",
        ),
    ),
    (
        EntryType.REFERENCE,
        (
            rf"(?!{_TASKS}\b).{{0,120}}\b(?:is|are|lives?|tracked|hosted|found) (?:at|in|on|here:?) {_PLACE}",
            rf"(?!{_TASKS}\b).{{0,60}}\b(?:docs?|documentation|dashboard|wiki|runbook|spec|board):? {_PLACE}",
            r".*(?:문서|대시보드|위키|명세|링크|저장소|이슈)(?:는|은|:)? .*https?://",
        ),
    ),
)
_FIRST = tuple((kind, re.compile("|".join(rules), re.IGNORECASE)) for kind, rules in _RULES)
_LATER = _FIRST[:1]

_OPENING_WORDS = (
    r"(?:hi|hello|hey)(?: there| claude)?|please|pls|kindly|ok(?:ay)?|alright|so|then|now|also|and|but|well|great",
    r"thanks|thank you|(?:next|first)(?=,)|no(?=[,.!:;]|$)|actually|just|hmm",
    r"(?:can|could|would|will) you|go ahead and|we should",
    r"i (?:want|need|would like)(?: you)? to|i'd like(?: you)? to|we (?:need|have|want) to|let'?s|let us",
    r"help me(?: to| with)?|remember(?: that|:)|note(?: that|:)",
    r"안녕(?:하세요)?|혹시|그럼|그러면|이제|먼저|일단|자|좀|음|그리고|참고로|기억해(?: ?줘)?",
)
_OPENING = re.compile(rf"(?:{'|'.join(_OPENING_WORDS)})(?:[\s,.!:;~]+|$)", re.IGNORECASE)
_REJECTION = re.compile(
    r"(?:(?:that|this)(?:'s| is) (?:wrong|not (?:right|what i \w+))|wrong|not like that|아니(?:야|에요)?|틀렸어요?)$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(rf"[^.!?。？！]+(?:(?:{STOP}|[.!?。？！](?!\s|$))[^.!?。？！]*)*[.!?。？！]*")


def guess_type(text: str) -> EntryType:
    """The type of a remark by its wording; `project` where nothing says otherwise."""
    return remark_in(text)[0]


def remark_in(text: str) -> tuple[EntryType, str]:
    """The type of a text and the sentence that decided it; `project` and the empty string where none did."""
    remark = one_line(text).replace("’", "'")
    rules = _FIRST if len(remark) <= REMARK_LENGTH else ()
    for match in _SENTENCE.finditer(remark):
        sentence = _opened(match[0].strip()).rstrip(".!。！ ")
        if not sentence or _REJECTION.match(sentence):
            continue
        kind = None if sentence.endswith(("?", "？")) else _type_by(rules, sentence)
        if kind is not None:
            return kind, sentence
        rules = rules and _LATER
    return EntryType.PROJECT, ""


def _type_by(rules: tuple[tuple[EntryType, re.Pattern[str]], ...], sentence: str) -> EntryType | None:
    return next((kind for kind, rule in rules if rule.match(sentence)), None)


def _opened(text: str) -> str:
    """`text` without the words that only open it."""
    while (match := _OPENING.match(text)) is not None:
        text = text[match.end() :]
    return text


# What names no subject: agreement, thanks, "go on".
_EMPTY_TEXT = """
yes yeah yep y no nope n ok okay sure fine good great perfect nice cool thanks thank you go on ahead continue proceed
resume do it that this now please next again retry try done lgtm right correct exactly and the a hi hello hey
네 예 응 넵 아니 아니요 그래 좋아 좋아요 계속 계속해 계속해줘 진행 진행해 진행해줘 해줘 다시 안녕 안녕하세요
고마워 고마워요 감사 감사합니다 ㅇㅇ ㅇㅋ 오케이
"""
_EMPTY_WORDS = frozenset(_EMPTY_TEXT.split())
_MARKS = re.compile(r"^(?:[#>*+-]+\s+|\d{1,3}[.)]\s+)+")
_REQUEST_ENDINGS = (
    r"해\s?줘요?|해\s?주세요|해\s?줄래요?|해\s?줄\s?수\s?있(?:어|나|을까)요?",
    r"부탁(?:해요?|드려요|드립니다|합니다)?|하자|합시다",
)
_REQUEST_ENDING = re.compile(rf"\s*(?:좀|을|를)?\s*(?:{'|'.join(_REQUEST_ENDINGS)})$")
_WORD = re.compile(r"\w+")


def topic_of(prompt: str) -> str:
    """A short name for what a prompt is about, or the empty string where it says too little ("yes, go on")."""
    for line in _plain_lines(prompt):
        for match in _SENTENCE.finditer(line):
            name = _named(match[0])
            if name:
                return name
    return ""


def _plain_lines(prompt: str) -> list[str]:
    """The lines of a prompt that are prose: outside code fences, not indented code, without list and quote marks."""
    lines, fenced = [], False
    for line in prompt.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not line.startswith(("    ", "\t")):
            lines.append(_MARKS.sub("", one_line(line)))
    return [line for line in lines if line]


def _named(sentence: str) -> str:
    text = _REQUEST_ENDING.sub("", _opened(sentence.strip()).rstrip(".!?。？！:,; "))
    words = [word.casefold() for word in _WORD.findall(text)]
    if _REJECTION.match(text) or all(word in _EMPTY_WORDS or len(word) < 2 for word in words):
        return ""
    # Brackets would be read as a type; a comment would end the heading.
    text = text.translate(_HARMLESS).replace("`", "").strip(" \"'*_")
    return text if len(text) <= TOPIC_LENGTH else _main_clause(text)


# Where a long topic may end without loss of its subject.
_CLAUSE = re.compile(
    r"(?:[:;,—–]|(?<= )(?:because|since|so that|after|before|while|when|but|which|until|unless|and then))(?= )",
    re.IGNORECASE,
)
_SHORTEST_CLAUSE = 15


def _main_clause(text: str) -> str:
    ends = [match.start() for match in _CLAUSE.finditer(text) if _SHORTEST_CLAUSE <= match.start() <= TOPIC_LENGTH]
    return _DANGLING.sub("", text[: ends[-1]]).rstrip(" :;,—–") if ends else cut(text, TOPIC_LENGTH)


# What only leads to the clause that was left out.
_DANGLING = re.compile(r"[\s:;,—–]+(?:not|and|or|but|only|just|even|also|so)[\s:;,—–]*$", re.IGNORECASE)


_HARMLESS = str.maketrans("[]<>", "()‹›")
