"""What an entry says, unit by unit: items, paragraphs and commands, each with the rank that decides if it stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from hipocampus.budget.splitting import fence_after
from hipocampus.compaction.fields import Role, role_of
from hipocampus.compaction.statements import traits_of
from hipocampus.compaction.traits import Trait


class Rank(IntEnum):
    """What leaves a history block first, where not all of it has room. What is lasting never does."""

    CHATTER = 0
    CODE = 1
    FACT = 2
    HANDLE = 3
    """A path, a command, a setting, an address."""
    DECISION = 4
    """A decision with its reason, a preference, a rule, a correction, a lesson."""
    LASTING = 5
    """What a user is like or asked for."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A list item or a paragraph on one line, a line of a table, a line of code; `lines` are where it stands in the
    entry, from and to (not included).
    """

    text: str
    rank: Rank
    lines: tuple[int, int]


_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
_RULE = re.compile(r"\s*(?:[-=*_]\s?){3,}\s*|\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
_COMMENT = re.compile(r"\s*<!--.*-->\s*")
_SHELLS = ("", "sh", "bash", "zsh", "shell", "console", "terminal", "powershell", "cmd", "fish", "shell-session")


def units(lines: Sequence[str]) -> Iterator[Unit]:
    """The units of an entry's lines, in order; blank lines, rules and comments say nothing."""
    start = 0
    while start < len(lines):
        line = lines[start]
        if fence := fence_after("", line):
            end = _fence_end(lines, start, fence)
            yield from _code(lines, start, end)
        elif not line.strip() or _RULE.fullmatch(line) or _COMMENT.fullmatch(line):
            end = start + 1
        else:
            end = _unit_end(lines, start)
            text = _plain(lines[start:end])
            yield Unit(text, rank_of(text), (start, end))
        start = end


def _fence_end(lines: Sequence[str], start: int, fence: str) -> int:
    for at in range(start + 1, len(lines)):
        fence = fence_after(fence, lines[at])
        if not fence:
            return at + 1
    return len(lines)


def _code(lines: Sequence[str], start: int, end: int) -> Iterator[Unit]:
    """The lines of a code block: commands stay, other code is in the snapshot."""
    language = lines[start].strip().strip("`~").split(maxsplit=1)[:1]
    is_shell = "".join(language).casefold() in _SHELLS
    for at in range(start + 1, end):
        text = lines[at].strip()
        if text and not fence_after("", lines[at]):
            stays = is_shell or _SETTING.match(text)
            yield Unit(f"`{text}`" if stays else text, Rank.HANDLE if stays else Rank.CODE, (at, at + 1))


def _unit_end(lines: Sequence[str], start: int) -> int:
    """Where the item, the paragraph or the row that begins on a line ends."""
    line = lines[start]
    if _HEADING.match(line) or line.lstrip().startswith("|") or _CHATTER.fullmatch(line.strip()[:_READ_OF_CHATTER]):
        return start + 1
    at = start + 1
    while at < len(lines) and lines[at].strip() and not _begins_unit(lines[at]):
        at += 1
    return at


def _begins_unit(line: str) -> bool:
    is_begun = _ITEM.match(line) or _HEADING.match(line) or _RULE.fullmatch(line) or line.lstrip().startswith("|")
    return bool(is_begun or fence_after("", line))


def _plain(lines: Sequence[str]) -> str:
    """A unit on one line without the mark of its item."""
    first = _HEADING.sub("", _ITEM.sub("", lines[0], count=1), count=1)
    return " ".join(" ".join((first, *lines[1:])).split()).strip("|").strip()


_FIELD = re.compile(r"\**(?P<name>[A-Za-z][A-Za-z -]{0,23})\**:\**\s")
_ROLES = {
    Role.DECISION: Rank.DECISION,
    Role.LESSON: Rank.DECISION,
    Role.REFERENCE: Rank.HANDLE,
}
# What tells of taste or of a finding where people talk; in a log it says that something happened, be it to others.
_HAPPENED = re.compile(
    r"\b(?:noticed|discovered|reali[sz]ed|loved|enjoyed|turns(?! out\b)|(?<!\ba )fan|(?<!\bi )(?<!\bwe )usually|"
    r"switched(?! (?:\w+ ){0,4}(?:to|from|over)\b))\b",
    re.IGNORECASE,
)
_DECIDED = int(Trait.DECIDED | Trait.RULE | Trait.LIKE | Trait.LEARNT)
_REASON = re.compile(
    r"\b(?:because|rather than|instead of|so that|in favou?r of|no longer|do not|don['’]t|must|should(?:n['’]t)?|"
    r"decisions?|correction|corrected|wrong|turned out|root cause|avoid|preferred|prefers?|deprecat\w+|breaking|"
    r"never|always)\b|(?:때문|대신|말고|이유|정정|결정|决定|因为|而不是|決定|代わりに|ため)",
    re.IGNORECASE,
)
_SETTING = re.compile(r"(?:export\s+)?[A-Za-z_][\w.-]{1,60}\s?(?:=|:\s)\s?\S")
_HANDLE = re.compile(
    r"`[^`]+`|\b[a-z]{2,8}://\S|(?:^|\s)[$>] \S|(?<![\w-])--?[a-z][\w-]+|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|"
    r"(?<![\w.])[~.@\w-]{0,80}/[\w@.-]{1,80}(?:/|\.[A-Za-z]\w{0,5}\b)|\b[\w-]{1,80}\.(?:py|js|ts|go|rs|md|json|toml|ya?ml|sh|cfg|ini|"
    r"sql|html|css|java|rb|c|h|cpp|txt|lock|env)\b|\b\w{1,80}\s?==?\s?\S"
)
_CHATTER = re.compile(
    r"(?:(?:thanks?|thank you|ok(?:ay)?|great|perfect|nice|cool|sure|yes|yep|no problem|you'?re welcome|awesome|"
    r"sounds good|got it|done|hello|hi|hey|good (?:morning|evening)|see you|bye|let me know|hope (?:this|that) helps|"
    r"n/?a|none|nothing|tbd|\.{3}|감사합니다|고마워요?|네|좋아요?)\b[\s,.!:)]*"
    r"(?:so much|a lot|again|for (?:that|this|now)|everyone|all|if you (?:have|need) \w+(?: \w+){0,2}|then|there)?"
    r"[\s,.!:)]*){1,3}",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")
_READ_OF_CHATTER = 120
# What a person writes is read so far; the rest of a longer text is pasted.
_READ = 4_000


def handles_in(text: str) -> list[str]:
    """The paths, commands, settings and addresses in a text, in small letters."""
    return [match[0].strip("` ").casefold() for match in _HANDLE.finditer(text[:_READ])]


def rank_of(text: str) -> Rank:
    """How much a unit is worth keeping, by its words."""
    if not _WORD.search(text) or _CHATTER.fullmatch(text[:_READ_OF_CHATTER]):
        return Rank.CHATTER
    read = text[:_READ]
    match = _FIELD.match(read)
    by_field = _ROLES.get(role_of(match["name"].strip().casefold()), Rank.CHATTER) if match else Rank.CHATTER
    if by_field is Rank.DECISION or _REASON.search(read) or traits_of(_HAPPENED.sub("", read)) & _DECIDED:
        return Rank.DECISION
    if by_field is Rank.HANDLE or _HANDLE.search(read) or _SETTING.match(read):
        return Rank.HANDLE
    return Rank.FACT
