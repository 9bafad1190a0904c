"""Fixed-shape tokens: one scan for token-like runs, then a look at the few rules that begin with the same two letters."""

from __future__ import annotations

import re

from hipocampus.redaction import encoded_keys, shapes, words
from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.providers import CLASSES, PROVIDERS
from hipocampus.redaction.view import Span, View
from hipocampus.redaction.wordlike import is_wordy

# prefix, kind, class, fewest, usual, exact
Provider = tuple[str, str, str, int, int, int]

LONGEST = 4096
MANY = 256
_RUN = pattern(r"[A-Za-z0-9_\-.~+/=%]{18,}")
_INSIDE = pattern(r"[-.~+/=](?=[A-Za-z0-9])|%[0-9A-Fa-f]{2}")
_NEXT_LINE = pattern(r"\r?\n[ \t]{0,40}(?:[>|+#*] ?|//)?[ \t]{0,40}|\\n", re.ASCII)


def _by_head() -> dict[str, tuple[Provider, ...]]:
    heads: dict[str, list[Provider]] = {}
    for kind, name, least, usual, exact, prefixes in PROVIDERS:
        for prefix in prefixes.split():
            heads.setdefault(prefix[:2], []).append((prefix, kind, name, least, usual, exact))
    for head in (*shapes.HEADS, *encoded_keys.HEADS):
        heads.setdefault(head, [])
    return {head: tuple(sorted(rules, key=lambda rule: (-len(rule[0]), -rule[4]))) for head, rules in heads.items()}


_BY_HEAD = _by_head()
_PATTERNS: dict[str, re.Pattern[str]] = {}


def find_tokens(view: View) -> list[Span]:
    """The spans of provider tokens in the view, in no order."""
    text = view.text
    spans: list[Span] = []
    heads = _BY_HEAD
    refused: set[str] = set()  # what was no token is none where it stands again
    done = tried = 0
    inside = _INSIDE.finditer
    for match in _RUN.finditer(text):
        start, end = match.span()
        starts = [start] if text[start - 1 : start] != "\\" else [start, start + 1]
        for at in (*starts, *[part.end() for part in inside(text, start, end)]):
            if text[at : at + 2] in heads and at >= done:
                tried += 1
                around = text[at - 1 : at + 200] if tried > MANY else ""
                if around and around in refused:
                    continue
                found = _tokens_at(text, at)
                spans += found
                done = found[-1][1] if found else done
                if around and not found and len(refused) < 10_000:
                    refused.add(around)
        if end - start >= shapes.MARKED_FROM or text[end : end + 1] == ":":
            spans += _in_run(text, start, end)
    return spans


def _tokens_at(text: str, at: int) -> tuple[Span, ...]:
    head = text[at : at + 2]
    for rule in _BY_HEAD[head]:
        if text.startswith(rule[0], at):
            end = _end_of(text, at, rule)
            if end:
                token: Span = (at, end, rule[1], None)
                after = shapes.after_aws_key(text, end) if rule[1] == "aws-access-key" else None
                return (token, after) if after else (token,)
    span = _shaped(text, at, head)
    return (span,) if span else ()


def _shaped(text: str, at: int, head: str) -> Span | None:
    if not _begins_cleanly(text, at, head, False):
        return None
    if head in encoded_keys.HEADS:
        return encoded_keys.key_at(text, at)
    return shapes.by_head(text, at) if head in shapes.HEADS else None


def _in_run(text: str, start: int, end: int) -> list[Span]:
    found = [shapes.marked(text, start, end) if end - start >= shapes.MARKED_FROM else None]
    if text[end : end + 1] == ":":
        found.append(shapes.pair_after(text, start, end))
    if text[start - 1 : start] in (":", "!"):
        found.append(shapes.pair_before(text, start))
    return [span for span in found if span]


def _starts(text: str, start: int, end: int) -> list[int]:
    """Where a token may begin in a run: at its start, after an escape (`\\n`, `%20`) and after `-`, `.` and `~`."""
    found = [start]
    if text[start - 1 : start] == "\\":
        found.append(start + 1)
    found += [match.end() for match in _INSIDE.finditer(text, start, end)]
    return found


def _end_of(text: str, at: int, rule: Provider) -> int:
    """Where the token of this rule that begins at `at` ends, or 0 if it is none."""
    prefix, _kind, name, least, usual, exact = rule
    if not _begins_cleanly(text, at, prefix, bool(exact)):
        return 0
    body = at + len(prefix)
    end = _run_end(text, body, name)
    if end - body < usual and not exact:
        end = _unwrapped(text, body, end, name, usual)
    value = text[body:end]
    if not least <= len(value) or (
        exact and (len(value) > usual or text[end : end + 1].isalnum() or text[end : end + 1] == "_")
    ):
        return 0
    return end if _is_plausible(value) else 0


def _begins_cleanly(text: str, at: int, prefix: str, exact: bool) -> bool:
    before = text[at - 1 : at]
    if not before or not before.isascii():
        return True
    if before.isalnum():
        escape = text[max(at - 3, 0) : at]
        return (escape[-2:-1] == "\\" and before in "nrtbfv") or (len(escape) == 3 and escape[0] == "%")
    if before in "/+" and text[at - 2 : at - 1].isalnum() and prefix.isalnum():
        return False  # in the middle of base64
    return before not in ("_-.~" if exact else "_")


def _run_end(text: str, start: int, name: str) -> int:
    pattern = _PATTERNS.get(name)
    if pattern is None:
        pattern = _PATTERNS[name] = re.compile(f"[{CLASSES[name]}]{{0,{LONGEST}}}")
    match = pattern.match(text, start)
    end = match.end() if match else start
    while end > start and text[end - 1] in ".=" and _is_sentence_end(text, end):
        end -= 1
    return end


def _is_sentence_end(text: str, end: int) -> bool:
    return text[end - 1] == "." or text[end : end + 1].isalnum()


def _unwrapped(text: str, body: int, end: int, name: str, usual: int) -> int:
    """The end of a token that a hard wrap broke: the next line's run belongs to it while the usual count is not reached."""
    have = end - body
    first = end
    for _ in range(8):
        gap = _NEXT_LINE.match(text, end)
        if have >= usual or not gap or have == 0:
            return end
        more = _run_end(text, gap.end(), name)
        part = text[gap.end() : more]
        if (
            not part
            or have + len(part) > usual + usual // 4
            or not _continues(part, text[more : more + 1], have + len(part), usual)
        ):
            return end
        have += len(part)
        end = more
    return end if have <= LONGEST else first


def _continues(part: str, after: str, total: int, usual: int) -> bool:
    """Is this run the rest of a token, and not the first word of the next line?"""
    if after and after.isalnum():
        return False
    return total == usual or (len(part) >= 6 and any(char.isdigit() for char in part) and not is_wordy(part))


def _is_plausible(value: str) -> bool:
    """Eight different characters, a digit or both cases, no placeholder, no words."""
    head = value[:160]
    if len(set(head)) < 8:
        return False
    digits = sum(char.isdigit() for char in head)
    if not digits and head in (head.lower(), head.upper()):
        return len(head) >= 16 and not is_wordy(head)
    return not words.is_placeholder(head) and (digits > 1 or not is_wordy(head))
