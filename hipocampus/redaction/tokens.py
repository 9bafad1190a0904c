"""Fixed-shape tokens: one scan for token-like runs, then a look at the few rules with the same first two letters."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.core.record import record
from hipocampus.redaction import encoded_keys, shapes
from hipocampus.redaction.patterns import Later, digits_in, vocabulary
from hipocampus.redaction.providers import CLASSES, PROVIDERS
from hipocampus.redaction.view import Span, View
from hipocampus.redaction.wordlike import is_wordy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from hipocampus.redaction import words
else:
    words = Later("words")

# prefix, kind, class, fewest, usual, exact
Rule = tuple[str, str, str, int, int, int]

LONGEST = 4096
MANY = 256
_RUN = pattern(r"[A-Za-z0-9_\-.~+/=%]{18,}")
# Where in a run a token may begin again: after what joins words, and after an escaped byte.
_INSIDE = pattern(r"[-.~+/=_](?=[A-Za-z0-9])|%[0-9A-Fa-f]{2}")
# Prefixes that begin names too (`cache-key-`, `col-md-`, `_re_`, `first.st.`), or base64 of nothing but zeros.
_ORDINARY = vocabulary("key- API- sdk- md- ico- fc- re_ st. sl. pat. EAAA AAAAAAAAAAAAAAAAAAAAA")
_SHORT = vocabulary("SK SU oy2 A3T")  # what follows them is unusual enough
_BASE64_BEFORE = 24
_NO_BASE64 = pattern(r"[^A-Za-z0-9+/]")
# What stands between the pieces of a token that two strings of a list or an object, or two lines, share.
BETWEEN_STRINGS = (
    r"\\{0,7}[\"'`](?:\s{0,3},\s{0,40}|\s{1,40})\\{0,7}[\"'`](?:\w{1,20}\\{0,7}[\"']\s{0,3}:\s{0,3}\\{0,7}[\"'])?"
)
BETWEEN_LINES = r"\\?\r?\n[ \t]{0,40}(?:[>|+#*] ?|//)?[ \t]{0,40}"
_NEXT_STRING = pattern(BETWEEN_STRINGS)
_NEXT_LINE = pattern(rf"{BETWEEN_LINES}|\\n")
_BODIES: dict[str, re.Pattern[str]] = {name: pattern(f"[{chars}]{{0,{LONGEST}}}") for name, chars in CLASSES.items()}


@record
class Body:
    """What follows a prefix: its place, its class, how many characters it usually has."""

    start: int
    end: int
    chars: str
    usual: int


class _Rules(dict[str, "tuple[Rule, ...] | None"]):
    """By the two letters that a token begins with: its rules, the longest prefix first; None where none does so.

    They are gathered when two letters are first met: a prompt meets a few.
    """

    def __missing__(self, head: str) -> tuple[Rule, ...] | None:
        if len(head) < 2 or not head.isascii():
            return None
        rules = [
            (prefix, kind, chars, least, usual, exact)
            for kind, chars, least, usual, exact, prefixes in (PROVIDERS if f" {head}" in _PREFIXES else ())
            for prefix in prefixes.split()
            if prefix.startswith(head)
        ]
        rules.sort(key=lambda rule: (-len(rule[0]), -rule[4]))
        is_begun = rules or head in shapes.HEADS or head in encoded_keys.HEADS
        found = self[head] = tuple(rules) if is_begun else None
        return found


_PREFIXES = f" {' '.join([prefixes for *_, prefixes in PROVIDERS])}"
_RULES = _Rules()


def find_tokens(view: View) -> list[Span]:
    """The spans of fixed-shape tokens in the view, in no order."""
    text, rules, inside = view.text, _RULES, _INSIDE.finditer
    spans: list[Span] = []
    refused: set[str] = set()  # behind many, what was no token is none where it stands again
    done = tried = 0
    for match in _RUN.finditer(text):
        start, end = match.span()
        escaped = text[start - 1 : start] == "\\"  # the first letter may belong to the escape
        for at in (start, *((start + 1,) if escaped else ()), *[part.end() for part in inside(text, start, end)]):
            if rules[text[at : at + 2]] is None or at < done:
                continue
            tried += 1
            around = text[at - 1 : at + 200] if tried > MANY else ""
            found = () if around and around in refused else _tokens_at(text, at)
            spans += found
            done = found[-1][1] if found else done
            if around and not found and len(refused) < 10_000:
                refused.add(around)
        if end - start >= shapes.MARKED_FROM or text[end : end + 1] == ":":
            spans += _in_run(text, start, end)
    return spans


def find_at(text: str, places: Iterable[int]) -> list[Span]:
    """The spans of the tokens that begin at one of the places of `text`."""
    return [span for at in places if _RULES[text[at : at + 2]] is not None for span in _tokens_at(text, at)]


def _tokens_at(text: str, at: int) -> tuple[Span, ...]:
    """The token that begins at `at`, and the secret key beside it if it is the id of an AWS key."""
    head = text[at : at + 2]
    for rule in _RULES[head] or ():
        end = _end_of(text, at, rule) if text.startswith(rule[0], at) else 0
        if end:
            token: Span = (at, end, rule[1], None)
            beside = shapes.after_aws_key(text, end) if rule[1] == "aws-access-key" else None
            return (token, beside) if beside else (token,)
    if not _begins_cleanly(text, at, text[at : at + 4] if head == "ey" else head, False):
        return ()
    shape = encoded_keys.key_at if head in encoded_keys.HEADS else shapes.by_head if head in shapes.HEADS else None
    span = shape(text, at) if shape else None
    return (span,) if span else ()


def _in_run(text: str, start: int, end: int) -> list[Span]:
    """A token with a mark in the run, or a pair of which the run is one half."""
    found = [shapes.marked(text, start, end) if end - start >= shapes.MARKED_FROM else None]
    if text[end : end + 1] == ":":
        found.append(shapes.pair_from(text, start))
    if text[start - 1 : start] in (":", "!"):
        found.append(shapes.pair_around(text, start))
    return [span for span in found if span]


def _end_of(text: str, at: int, rule: Rule) -> int:
    """Where the token of this rule that begins at `at` ends, or 0 if it is none."""
    prefix, _kind, chars, least, usual, exact = rule
    if not _begins_cleanly(text, at, prefix, bool(exact)):
        return 0
    start = at + len(prefix)
    end = _body_end(text, start, chars)
    if exact:
        after = text[end : end + 1]
        clean = end - start <= usual and (not _is_word(after) or (after == "_" and _is_distinctive(prefix)))
        return end if clean and end - start >= least and _is_plausible(text[start:end]) else 0
    if end - start < usual:
        end = _unwrapped(text, Body(start, end, chars, usual))
    return end if end - start >= least and _is_plausible(text[start:end]) else 0


def _begins_cleanly(text: str, at: int, prefix: str, exact: bool) -> bool:
    """A token does not begin inside a word, nor in the middle of base64; an escape before it may end in a letter.

    A distinctive prefix may follow whatever joins words: `feat/`, `tool_`, `conf.`; any other only what ends them.
    """
    before = text[at - 1 : at]
    if not before or not before.isascii():
        return True
    if before.isalnum():
        escape = text[max(at - 3, 0) : at]
        return (escape[-2:-1] == "\\" and before in "nrtbfv") or (len(escape) == 3 and escape[0] == "%")
    joined = before in "/+" and prefix.isalnum() and text[at - 2 : at - 1].isalnum()
    if _is_distinctive(prefix):
        return not joined or exact or not _is_base64(text[max(at - _BASE64_BEFORE, 0) : at])
    return not joined and before not in ("_-.~" if exact else "_")


def _is_distinctive(prefix: str) -> bool:
    """Does nothing but tokens begin like this: with four characters and more, a separator, or what follows alone?"""
    return ((len(prefix) > 3 or not prefix.isalnum()) and prefix not in _ORDINARY) or prefix in _SHORT


def _is_base64(before: str) -> bool:
    """Is this the inside of a long run of base64, rather than the end of a path?"""
    mixed = before.lower() != before and before.upper() != before and digits_in(before) > 0
    return len(before) == _BASE64_BEFORE and mixed and not _NO_BASE64.search(before) and not is_wordy(before)


def _is_word(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


def _body_end(text: str, start: int, chars: str) -> int:
    """Where the characters of the class end, without the full stop of a sentence and an `=` inside a pair."""
    match = _BODIES[chars].match(text, start)
    end = match.end() if match else start
    while end > start and (text[end - 1] == "." or (text[end - 1] == "=" and _is_word(text[end : end + 1]))):
        end -= 1
    return end


def _unwrapped(text: str, body: Body) -> int:
    """The end of a token that hard wraps broke: the next line's run belongs to it until the usual count is reached.

    So does the next string of a list or an object, if it makes the count exact.
    """
    end, have = body.end, body.end - body.start
    for _ in range(8):
        if not 0 < have < body.usual:
            break
        line = _NEXT_LINE.match(text, end)
        gap = line or _NEXT_STRING.match(text, end)
        if not gap:
            break
        more = _body_end(text, gap.end(), body.chars)
        part = text[gap.end() : more]
        total = have + len(part)
        goes_on = total == body.usual or (line is not None and _continues(part, total, body.usual))
        if _is_word(text[more : more + 1]) or not goes_on:
            break
        have += len(part)
        end = more
    return end


def _continues(part: str, total: int, usual: int) -> bool:
    """Is this run some of the rest of a token, and not the first word of the next line?"""
    return total <= usual + usual // 4 and len(part) >= 6 and any(map(str.isdigit, part)) and not is_wordy(part)


def _is_plausible(value: str) -> bool:
    """Eight different characters, a digit or both cases, no placeholder, no words."""
    head = value[:160]
    if len(set(head)) < 8:
        return False
    digits = digits_in(head)
    if not digits and head in (head.lower(), head.upper()):
        return len(head) >= 16 and not is_wordy(head)
    return not words.is_placeholder(head) and (digits > 1 or not is_wordy(head))
