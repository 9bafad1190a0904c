"""Tokens without a prefix of their own: known by a mark inside them, by their parts, or by what stands beside them.

A row of MARKED is kind, mark, pattern, an example, and a look-alike that stays. `{A12}` in an example is twelve random
characters of class A of `providers.CLASSES`; tests fill them in.
"""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.view import Span
from hipocampus.redaction.wordlike import is_wordy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_L, _R = r"(?<![A-Za-z0-9_-])", r"(?![A-Za-z0-9_-])"

# The mark stands inside a token-like run of MARKED_FROM characters or more; all marks are in _MARK.
MARKED: tuple[tuple[str, str, re.Pattern[str], str, str], ...] = (
    (
        "terraform-token",
        ".atlasv1.",
        pattern(r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,200}"),
        "token {A14}.atlasv1.{W67}",
        "write <id>.atlasv1.<secret> there",
    ),
    (
        "maxmind-key",
        "_mmk",
        pattern(r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
        "license {A6}_{A29}_mmk",
        "file GeoLite2_City_Blocks_IPv4_20240101_mmk",
    ),
    (
        "openai-key",
        "T3BlbkFJ",
        pattern(r"sk-[A-Za-z0-9_-]{16,160}T3BlbkFJ[A-Za-z0-9_-]{16,160}"),
        "set sk-{A10}-{A12}T3BlbkFJ{A20}",
        "the mark sk-T3BlbkFJ-and-then-something-else",
    ),
    (
        "azure-client-secret",
        "Q~",
        pattern(r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
        "secret {A3}8Q~{A34}",
        "see FAQ~for-more-about-this-and-that-thing",
    ),
    (
        "azure-key",
        "JQQJ99",
        pattern(r"[A-Za-z0-9]{44,60}JQQJ99[A-Za-z0-9]{20,40}={0,2}"),
        "key {A52}JQQJ99BD{A24}",
        "JQQJ99-is-the-mark-of-azure-keys-made-since",
    ),
    (
        "azure-key",
        "+ASt",
        pattern(r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{5}[AQgw]=="),
        "key {A76}+ASt{A5}Q==",
        "math.pi*2+AStarSearchWithHeuristics+Dijkstra",
    ),
    (
        "mailchimp-key",
        "-us",
        pattern(rf"{_L}[0-9a-f]{{32}}-us\d{{1,2}}{_R}"),
        "key {H32}-us14",
        "build {H32}-usual",
    ),
    (
        "new-relic-key",
        "NRAL",
        pattern(r"(?<![A-Za-z0-9])[0-9A-Za-z]{36}NRAL(?![A-Za-z0-9])"),
        "license {H36}NRAL",
        "NRAL-license-keys-are-forty-characters-long",
    ),
)  # fmt: skip
MARKED_FROM = 36
_MARK = pattern(r"\.atlasv1\.|_mmk|T3BlbkFJ|Q~|JQQJ99|\+ASt|-us\d|NRAL")

_JWT = pattern(
    r"e[yw][A-Za-z0-9_-]{10,4096}\.e[yw][A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{6,4096})?"
    r"|ey[A-Za-z0-9_-]{16,4096}(?:\.[A-Za-z0-9_-]{0,8192}){4}"
)
_JSON_BEGINS = ("eyJ", "eyA", "eyI", "ewo", "ew0", "ewk")
_NEXT_LINE = pattern(r"(?:\r?\n[ \t]{0,40}|\\n)([A-Za-z0-9_.-]{16,4096})")
_SIGNATURE_SIZES = frozenset((43, 64, 86, 88, 96, 128, 132, 171, 172, 176, 256, 342, 344, 512, 683, 684))
UUID = pattern(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_DIGITS = r"[MNO][ADQTgjwz][AEIMQUYcgk][012345wxyz]"  # base64 of three digits
_DISCORD = pattern(rf"{_DIGITS}[A-Za-z0-9_-]{{18,24}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,45}}{_R}")
_JIRA = pattern(rf"{_DIGITS}[A-Za-z0-9_-]{{40}}{_R}")

_TELEGRAM = pattern(r"(?<![A-Za-z0-9])(?:bot)?(\d{8,10}:A[A-Za-z0-9_-]{33,34})(?![A-Za-z0-9])")
_SALESFORCE = pattern(r"(?<![A-Za-z0-9])(00D[A-Za-z0-9]{12,15}!A[A-Za-z0-9._]{60,200})")
_ASANA_OR_GHOST = pattern(r"(?:[12]/\d{13,16}(?:/\d{13,16})?:[0-9a-f]{32}|[0-9a-f]{24}:[0-9a-f]{64})(?![0-9A-Za-z])")
_BRAINTREE = pattern(r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}")
_AFTER_AWS = pattern(r"[\"']?[ \t]{0,4}[:,;|/ \t\n]{1,4}[ \t]{0,4}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])")

# The two letters that a token of `by_head` may begin with.
HEADS = frozenset(("ey", "ew", *(first + second for first in "MNO" for second in "ADQTgjwz")))


def marked(text: str, start: int, end: int) -> Span | None:
    """The token with a mark in the run from `start` to `end`, if there is one."""
    if not _MARK.search(text, start, end):
        return None
    for kind, mark, shape, _example, _other in MARKED:
        match = shape.search(text, start, end) if mark in text[start:end] else None
        if match and len(set(match[0])) > 14:
            return match.start(), match.end(), kind, None
    return None


def by_head(text: str, at: int) -> Span | None:
    """A JSON web token, a Discord token or a Jira token that begins at `at`."""
    if text[at] == "e":
        return _web_token(text, at)
    match = _DISCORD.match(text, at)
    if match:
        return at, match.end(), "discord-token", None
    match = _JIRA.match(text, at)
    mixed = match is not None and len(set(match[0])) > 15 and match[0].lower() != match[0]
    return (at, match.end(), "jira-token", None) if match and mixed else None


def _web_token(text: str, at: int) -> Span | None:
    """A token whose head is base64 of JSON, over as many lines as it was broken into."""
    match = _JWT.match(text, at)
    if not match or not match[0].startswith(_JSON_BEGINS) or not _is_json(match[0].partition(".")[0]):
        return None
    end = match.end()
    for _ in range(40):
        rest = _NEXT_LINE.match(text, end)
        if not rest or _is_whole(text[at:end]) or UUID.fullmatch(rest[1]) or is_wordy(rest[1][:64]):
            break
        end = rest.end()
    return at, end, "jwt", None


def _is_json(part: str) -> bool:
    from binascii import Error, a2b_base64

    try:
        head = a2b_base64(part[: len(part) // 4 * 4].replace("-", "+").replace("_", "/"))
    except Error:
        return False
    return head[:1] == b"{" and b'"' in head[:12]


def _is_whole(token: str) -> bool:
    """Has the token a signature of a usual length, so that the next line is not its rest?"""
    parts = token.split(".")
    return len(token) < 60 or len(parts) > 3 or (len(parts) == 3 and len(parts[2]) in _SIGNATURE_SIZES)


def pair_from(text: str, start: int) -> Span | None:
    """`id:secret` of Asana or Ghost, whose id begins at `start`."""
    match = _ASANA_OR_GHOST.match(text, start)
    return (start, match.end(), "token-pair", None) if match else None


def pair_around(text: str, start: int) -> Span | None:
    """A Telegram or Salesforce token, whose second part begins at `start`, after a `:` or `!`."""
    telegram = text[start - 1] == ":"
    match = (_TELEGRAM if telegram else _SALESFORCE).search(text, max(start - 20, 0), start + 300)
    kind = "telegram-token" if telegram else "salesforce-token"
    return (*match.span(1), kind, None) if match and match.start() < start else None


def braintree(text: str, at: int) -> tuple[Span, ...]:
    """`access_token$production$id$secret`, whose word `token` is at `at`."""
    match = _BRAINTREE.match(text, max(at - 7, 0))
    return ((match.start(), match.end(), "braintree-token", None),) if match else ()


def after_aws_key(text: str, end: int) -> Span | None:
    """The secret key right after an AWS key id that ends at `end`, as in credentials.csv."""
    match = _AFTER_AWS.match(text, end)
    return (*match.span(1), "aws-secret-key", None) if match else None
