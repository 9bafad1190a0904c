"""What a user allows and adds: `redact.allow`, `redact.allowNames`, `redact.extra` of the config, and the pragma comment.

A pattern that does not compile, is over 500 characters, or nests one unbounded repetition in another (which can take for ever) is
left out and named in `problems`. Extra patterns see one line at a time and at most 2,000 characters of it.
"""

from __future__ import annotations

import re

from hipocampus.core.record import record
from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.view import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

LONGEST_PATTERN = 500
LONGEST_LINE = 2_000
_PRAGMA = pattern(r"pragma:\s{0,4}(?:allow|white)list\s{1,4}(nextline\s{1,4})?secret")


@record
class Extra:
    """A rule of the user: the kind to write, the pattern, and the group that is the secret (0: the whole match)."""

    kind: str
    pattern: re.Pattern[str]
    group: int


@record
class Policy:
    """Values and names that stay (full matches), rules that were added, and what was wrong with the user's patterns."""

    allow: tuple[re.Pattern[str], ...] = ()
    allow_names: tuple[re.Pattern[str], ...] = ()
    extra: tuple[Extra, ...] = ()
    problems: tuple[str, ...] = ()

    def allows(self, value: str, name: str | None) -> bool:
        """Did the user say that this value, or the value of this name, may stay?"""
        return any(pattern.fullmatch(value[:LONGEST_LINE]) for pattern in self.allow) or bool(
            name and any(pattern.fullmatch(name) for pattern in self.allow_names)
        )


DEFAULT = Policy()


def make_policy(
    allow: Iterable[object] = (), allow_names: Iterable[object] = (), extra: Iterable[object] = ()
) -> Policy:
    """The policy of a config's lists; whatever is wrong in them is reported in `problems` and left out."""
    problems: list[str] = []
    return Policy(
        tuple(_patterns("redact.allow", allow, problems)),
        tuple(_patterns("redact.allowNames", allow_names, problems)),
        tuple(rule for item in extra if (rule := _extra(item, problems))),
        tuple(problems),
    )


def _patterns(key: str, sources: Iterable[object], problems: list[str]) -> list[re.Pattern[str]]:
    return [pattern for source in sources if (pattern := _compiled(key, source, problems))]


def _compiled(key: str, source: object, problems: list[str]) -> re.Pattern[str] | None:
    if not isinstance(source, str) or not source or len(source) > LONGEST_PATTERN:
        problems.append(f"{key}: a pattern must be text of 1 to {LONGEST_PATTERN} characters")
        return None
    try:
        pattern = re.compile(source)
    except (re.error, RecursionError, OverflowError) as error:
        problems.append(f"{key}: {source!r} is not a regular expression: {error}")
        return None
    if _nests(source):
        problems.append(f"{key}: {source!r} repeats a repetition without bound and could take for ever")
        return None
    return pattern


def _extra(item: object, problems: list[str]) -> Extra | None:
    rule: Mapping[str, object] = item if isinstance(item, dict) else {}
    kind, source, group = rule.get("name"), rule.get("regex"), rule.get("group", 0)
    if not isinstance(kind, str) or not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", kind):
        problems.append("redact.extra: each rule needs a name of small letters, digits and dashes")
        return None
    pattern = _compiled("redact.extra", source, problems)
    if pattern is None:
        return None
    if not isinstance(group, int) or isinstance(group, bool) or not 0 <= group <= pattern.groups:
        problems.append(f"redact.extra: {kind} has no group {group!r}")
        return None
    return Extra(kind, pattern, group)


def _nests(source: str) -> bool:
    """Does an unbounded repetition stand inside another?"""
    from re import _parser as parser  # type: ignore[attr-defined]

    return _depth(parser.parse(source)) > 1


def _depth(tree: Iterable[object]) -> int:
    """How deep repetitions without bound are nested in a parsed pattern."""
    deepest = 0
    for item in tree:
        if isinstance(item, tuple):
            unbounded = len(item) == 2 and str(item[0]) in ("MAX_REPEAT", "MIN_REPEAT") and int(item[1][1]) > 64
            deepest = max(deepest, _depth(item) + unbounded)
        elif isinstance(item, list) or hasattr(item, "data"):
            deepest = max(deepest, _depth(item))  # type: ignore[arg-type]
    return deepest


def find_extra(text: str, policy: Policy, check: Callable[[], None]) -> list[Span]:
    """The spans of the user's own rules, line by line."""
    spans: list[Span] = []
    for rule in policy.extra:
        start = 0
        for line in text.split("\n"):
            for match in rule.pattern.finditer(line[:LONGEST_LINE]):
                if match.end(rule.group) > match.start(rule.group) and "[REDACTED" not in match[rule.group]:
                    spans.append((start + match.start(rule.group), start + match.end(rule.group), rule.kind, None))
            start += len(line) + 1
            check()
    return spans


def kept(text: str, spans: list[Span], policy: Policy) -> list[Span]:
    """The spans without what the policy allows, and without context findings on a line that a pragma covers."""
    if policy.allow or policy.allow_names:
        spans = [span for span in spans if not policy.allows(text[span[0] : span[1]], span[3])]
    lines = _covered(text) if "pragma:" in text else ()
    if not lines:
        return spans
    return [span for span in spans if span[3] is None or not any(start <= span[0] < end for start, end in lines)]


def _covered(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of each line that an `allowlist secret` comment speaks of."""
    lines = []
    for match in _PRAGMA.finditer(text):
        at = text.find("\n", match.end()) + 1 if match[1] else match.start()
        if match[1] and not at:
            continue
        end = text.find("\n", at)
        lines.append((text.rfind("\n", 0, at) + 1, end if end >= 0 else len(text)))
    return tuple(lines)
