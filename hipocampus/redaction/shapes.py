"""Tokens without a prefix of their own: known by a mark inside, by their parts, or by the place that a URL ends with.

Rows are data: kind, where to look, pattern (its first group is the secret, else the whole match), an example, a look-alike that
stays. In examples `{A12}` stands for twelve random characters of class A of `providers.CLASSES`, and `{jwt}` for a token made of
random parts; tests fill them in.
"""

from __future__ import annotations

import re

from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.view import Span, View
from hipocampus.redaction.wordlike import is_wordy

Row = tuple[str, str, str, str, str]

_L, _R = r"(?<![A-Za-z0-9_-])", r"(?![A-Za-z0-9_-])"

# The mark stands inside a token-like run; the pattern is searched in that run. All marks are in _MARK below.
MARKED: tuple[Row, ...] = (
    ("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,200}", "token {A14}.atlasv1.{W67}", "write <id>.atlasv1.<secret> there"),
    ("maxmind-key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", "license {A6}_{A29}_mmk", "file GeoLite2_City_Blocks_IPv4_20240101_mmk"),
    ("openai-key", "T3BlbkFJ", r"sk-[A-Za-z0-9_-]{16,160}T3BlbkFJ[A-Za-z0-9_-]{16,160}", "set sk-{A20}T3BlbkFJ{A20}", "the mark sk-T3BlbkFJ-and-then-something-else"),
    ("azure-client-secret", "Q~", r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}", "secret {A3}8Q~{A34}", "see FAQ~for-more-about-this-and-that-thing"),
    ("azure-key", "JQQJ99", r"[A-Za-z0-9]{44,60}JQQJ99[A-Za-z0-9]{20,40}={0,2}", "key {A52}JQQJ99BD{A24}", "JQQJ99-is-the-mark-of-azure-keys-made-since"),
    ("azure-key", "+ASt", r"[A-Za-z0-9+/]{76}\+ASt[A-Za-z0-9+/]{5}[AQgw]==", "key {A76}+ASt{A5}Q==", "math.pi*2+AStarSearchWithHeuristics+Dijkstra"),
    ("mailchimp-key", "-us", rf"{_L}[0-9a-f]{{32}}-us\d{{1,2}}{_R}", "key {H32}-us14", "build {H32}-usual"),
    ("new-relic-key", "NRAL", rf"{_L}[0-9A-Za-z]{{36}}NRAL{_R}", "license {H36}NRAL", "NRAL-license-keys-are-forty-characters-long"),
)  # fmt: skip
_MARK = pattern(r"\.atlasv1\.|_mmk|T3BlbkFJ|Q~|JQQJ99|\+ASt|-us\d|NRAL")
MARKED_FROM = 36

# Places that a URL ends with; looked for from the word `hook` on, in lower case, from `before` characters in front of it.
WEBHOOKS: tuple[Row, ...] = (
    ("slack-webhook", "hooks.slack", r"hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{16,200})", "https://hooks.slack.com/services/T{U8}/B{U8}/{A24}", "https://hooks.slack.com/services/YOUR/WEBHOOK/URL"),
    ("discord-webhook", "hooks/", r"hooks/(\d{10,22}/[A-Za-z0-9_-]{40,120})", "https://discord.com/api/webhooks/{d18}/{W68}", "GET /repos/acme/shop/webhooks/12345678901/deliveries"),
    ("teams-webhook", "hookb2/", r"hookb2/([A-Za-z0-9@/-]{40,300})", "https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{H32}/{uuid}", "https://acme.webhook.office.com/webhookb2/<id>"),
    ("teams-webhook", "hook/", r"hook/([A-Za-z0-9@-]{0,80}/?(?:IncomingWebhook/)?[A-Fa-f0-9]{32}/[A-Za-z0-9/-]{30,100})", "https://outlook.office.com/webhook/{uuid}@{uuid}/IncomingWebhook/{H32}/{uuid}", "docs at /IncomingWebhook/overview"),
    ("zapier-webhook", "hooks.zapier", r"hooks\.zapier\.com/hooks/(?:catch|standard)/(\d{4,12}/[A-Za-z0-9_]{5,40})", "https://hooks.zapier.com/hooks/catch/{d7}/{N7}/", "https://hooks.zapier.com/hooks/catch/ID/NAME"),
    ("webhook", "hooks/", r"hooks/([A-Za-z0-9]{20,64}(?:/[A-Za-z0-9_-]{20,64})?)(?![\w-])", "https://chat.acme.io/hooks/{N26}", "https://acme.io/hooks/useInfiniteScrollPosition"),
    ("webhook", "hook.", r"hook\.[a-z0-9]{2,6}\.make\.com/([a-z0-9]{24,40})", "https://hook.eu1.make.com/{N32}", "https://hook.eu1.make.com/docs"),
)  # fmt: skip
_TELEGRAM = pattern(rf"(?<![A-Za-z0-9_-])(?:bot)?(\d{{8,10}}:A[A-Za-z0-9_-]{{33,34}}){_R}")
_BRAINTREE = pattern(r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}")
_SALESFORCE = pattern(r"(?<![A-Za-z0-9])(00D[A-Za-z0-9]{12,15}!A[A-Za-z0-9._]{60,200})")

_JWT = pattern(
    r"e[yw][A-Za-z0-9_-]{10,4096}\.e[yw][A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{6,4096})?|ey[A-Za-z0-9_-]{16,4096}(?:\.[A-Za-z0-9_-]{0,8192}){4}"
)
_JWT_REST = pattern(r"(?:\r?\n[ \t]{0,40}|\\n)([A-Za-z0-9_.-]{16,4096})")
_SIGNATURES = frozenset((43, 64, 86, 88, 96, 128, 132, 171, 172, 176, 256, 342, 344, 512, 683, 684))
_UUID = pattern(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_SNOWFLAKE = pattern(
    rf"[MNO][ADQTgjwz][AEIMQUYcgk][012345wxyz][A-Za-z0-9_-]{{18,24}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,45}}{_R}"
)
_LONG_LIVED = pattern(rf"[MNO][ADQTgjwz][AEIMQUYcgk][012345wxyz][A-Za-z0-9_-]{{40}}{_R}")
_PAIR = pattern(r"[12]/\d{13,16}(?:/\d{13,16})?:[0-9a-f]{32}(?![0-9A-Za-z])|[0-9a-f]{24}:[0-9a-f]{64}(?![0-9A-Za-z])")
_AFTER_AWS = pattern(r"[\"']?[ \t]{0,4}[:,;|/ \t\n]{1,4}[ \t]{0,4}[\"']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])")
_JSON_STARTS = ("eyJ", "eyA", "ewo", "ew0", "ewk", "eyI")

# The two letters that a token of `by_head` may begin with.
HEADS = frozenset(("ey", "ew", *(first + second for first in "MNO" for second in "ADQTgjwz")))

_compiled: dict[str, re.Pattern[str]] = {}


def find(view: View, at: int) -> tuple[Span, ...]:
    """The secret path of the webhook URL that has the word `hook` at `at`."""
    for kind, literal, source, _example, _other in WEBHOOKS:
        match = view.lower.startswith(literal, at) and _pattern(source).match(view.text, at)
        if match and any(char.isdigit() for char in match[1]) and not is_wordy(match[1]):
            return ((match.start(1), match.end(1), kind, None),)
    return ()


def marked(text: str, start: int, end: int) -> Span | None:
    """The token with a mark in the run from `start` to `end`, if there is one."""
    if not _MARK.search(text, start, end):
        return None
    for kind, mark, source, _example, _other in MARKED:
        match = mark in text[start:end] and _pattern(source).search(text, start, end)
        if match:
            return match.start(), match.end(), kind, None
    return None


def by_head(text: str, at: int) -> Span | None:
    """A JSON web token, a Discord token or a Jira token that begins at `at`."""
    if text[at] == "e":
        return _web_token(text, at)
    match = _SNOWFLAKE.match(text, at)
    if match:
        return at, match.end(), "discord-token", None
    match = _LONG_LIVED.match(text, at)
    mixed = match and len(set(match[0])) > 15 and match[0].lower() != match[0]
    return (at, match.end(), "jira-token", None) if match and mixed else None


def _web_token(text: str, at: int) -> Span | None:
    match = _JWT.match(text, at)
    if not match or match[0][:3] not in _JSON_STARTS or not _is_json(match[0].partition(".")[0]):
        return None
    end = match.end()
    for _ in range(40):
        rest = _JWT_REST.match(text, end)
        if not rest or _is_whole(text[at:end]) or _UUID.fullmatch(rest[1]) or is_wordy(rest[1][:64]):
            break
        end = rest.end()
    return at, end, "jwt", None


def _is_whole(token: str) -> bool:
    """Has the token a signature of a usual length, so that the next line is not its rest?"""
    parts = token.split(".")
    return len(token) < 60 or (len(parts) == 3 and len(parts[2]) in _SIGNATURES) or len(parts) > 3


def _is_json(part: str) -> bool:
    from binascii import Error, a2b_base64

    try:
        head = a2b_base64(part[: len(part) // 4 * 4].replace("-", "+").replace("_", "/"))
    except Error:
        return False
    return head[:1] == b"{" and b'"' in head[:12]


def pair_after(text: str, start: int, end: int) -> Span | None:
    """`id:secret` where the run from `start` to `end` is the id and both have fixed lengths (Asana, Ghost)."""
    match = _PAIR.match(text, start)
    return (start, match.end(), "token-pair", None) if match else None


def pair_before(text: str, start: int) -> Span | None:
    """A Telegram or Salesforce token, whose second part begins at `start`, after a `:` or `!`."""
    telegram = text[start - 1] == ":"
    match = (_TELEGRAM if telegram else _SALESFORCE).search(text, max(start - 20, 0), start + 300)
    kind = "telegram-token" if telegram else "salesforce-token"
    return (match.start(1), match.end(1), kind, None) if match and match.start() < start else None


def braintree(text: str, at: int) -> tuple[Span, ...]:
    """`access_token$production$id$secret`, whose word `token` is at `at`."""
    match = _BRAINTREE.match(text, max(at - 7, 0))
    return ((match.start(), match.end(), "braintree-token", None),) if match else ()


def after_aws_key(text: str, end: int) -> Span | None:
    """The secret key that stands right after an AWS key id, as in credentials.csv."""
    match = _AFTER_AWS.match(text, end)
    return (match.start(1), match.end(1), "aws-secret-key", None) if match else None


def _pattern(source: str) -> re.Pattern[str]:
    pattern = _compiled.get(source)
    if pattern is None:
        pattern = _compiled[source] = re.compile(source)
    return pattern
