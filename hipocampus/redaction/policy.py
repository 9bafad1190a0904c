"""What a user allows and adds (`allow`, `allowNames`, `extra` of the config's `redact`), and the pragma comment.

Python's `re` cannot be stopped, and a hook must not hang, so a user's pattern is refused, and named in `problems`, when
it does not compile, is over 500 characters, repeats without bound more than twice, or has a repetition or a choice
inside such a repetition. Extra rules see one line at a time, in pieces of `PIECE` characters that overlap by half.
"""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.core.record import record
from hipocampus.redaction.view import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Mapping

LONGEST_PATTERN = 500
MOST_REPETITIONS = 2
UNBOUNDED = 64
PIECE = 400
_PRAGMA = pattern(r"pragma:\s{0,4}(?:allow|white)list\s{1,4}(nextline\s{1,4})?secret")
_KIND = pattern(r"[a-z0-9][a-z0-9-]{0,39}")


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
        if any(allowed.fullmatch(value[:PIECE]) for allowed in self.allow) and len(value) <= PIECE:
            return True
        return bool(name) and any(allowed.fullmatch(name or "") for allowed in self.allow_names)


DEFAULT = Policy()
_in_force = DEFAULT


def enforce(policy: Policy) -> None:
    """Redact by this policy wherever none is given: a process works on one memory, by that memory's settings."""
    global _in_force
    _in_force = policy


def in_force() -> Policy:
    """The policy that holds where none is given."""
    return _in_force


def make_policy(
    allow: Iterable[object] = (), allow_names: Iterable[object] = (), extra: Iterable[object] = ()
) -> Policy:
    """The policy of a config's lists; whatever is wrong in them is reported in `problems` and left out."""
    problems: list[str] = []
    return Policy(
        tuple(allowed for source in allow if (allowed := _compiled("redact.allow", source, problems))),
        tuple(allowed for source in allow_names if (allowed := _compiled("redact.allowNames", source, problems))),
        tuple(rule for item in extra if (rule := _extra(item, problems))),
        tuple(problems),
    )


def _compiled(key: str, source: object, problems: list[str]) -> re.Pattern[str] | None:
    if not isinstance(source, str) or not 0 < len(source) <= LONGEST_PATTERN:
        problems.append(f"{key}: a pattern must be text of 1 to {LONGEST_PATTERN} characters")
        return None
    import re

    try:
        compiled = re.compile(source)
    except (re.error, RecursionError, OverflowError) as error:
        problems.append(f"{key}: {source!r} is not a regular expression: {error}")
        return None
    if _is_slow(source):
        problems.append(f"{key}: {source!r} could take for ever: too many or nested repetitions without bound")
        return None
    return compiled


def _extra(item: object, problems: list[str]) -> Extra | None:
    rule: Mapping[str, object] = item if isinstance(item, dict) else {}
    kind, group = rule.get("name"), rule.get("group", 0)
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        problems.append("redact.extra: each rule needs a name of small letters, digits and dashes")
        return None
    compiled = _compiled(f"redact.extra {kind}", rule.get("regex"), problems)
    if compiled is None:
        return None
    if not isinstance(group, int) or isinstance(group, bool) or not 0 <= group <= compiled.groups:
        problems.append(f"redact.extra {kind}: there is no group {group!r}")
        return None
    return Extra(kind, compiled, group)


def _is_slow(source: str) -> bool:
    from re import _parser  # type: ignore[attr-defined]

    repetitions = list(_repetitions(_parser.parse(source), False))
    return len(repetitions) > MOST_REPETITIONS or any(repetitions)


def _repetitions(tree: Iterable[object], repeated: bool) -> Iterator[bool]:
    """For each unbounded repetition in a parsed pattern, and each choice in one: does it stand inside another?"""
    for item in tree:
        name = str(item[0]) if isinstance(item, tuple) and item else ""
        unbounded = name in ("MAX_REPEAT", "MIN_REPEAT") and int(item[1][1]) > UNBOUNDED  # type: ignore[index]
        if unbounded or (name == "BRANCH" and repeated):
            yield repeated
        if isinstance(item, tuple | list) or hasattr(item, "data"):
            yield from _repetitions(item, repeated or unbounded)  # type: ignore[arg-type]


def find_extra(text: str, policy: Policy, check: Callable[[], None]) -> list[Span]:
    """The spans of the user's own rules, line by line and piece by piece; `check` may raise between two pieces."""
    spans: list[Span] = []
    start = 0
    for line in text.split("\n"):
        for at in range(0, max(len(line) - PIECE // 2, 1), PIECE // 2):
            check()
            for rule in policy.extra:
                spans += _of_rule(rule, line[at : at + PIECE], start + at)
        start += len(line) + 1
    return spans


def _of_rule(rule: Extra, piece: str, start: int) -> list[Span]:
    matches = (match for match in rule.pattern.finditer(piece) if match[rule.group] and "[REDACTED" not in match[0])
    return [(start + match.start(rule.group), start + match.end(rule.group), rule.kind, "") for match in matches]


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
    for comment in _PRAGMA.finditer(text):
        at = text.find("\n", comment.end()) + 1 if comment[1] else comment.start()
        if at or not comment[1]:
            end = text.find("\n", at)
            lines.append((text.rfind("\n", 0, at) + 1, end if end >= 0 else len(text)))
    return tuple(lines)
