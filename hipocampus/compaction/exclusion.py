"""What a summary leaves out: code, stack traces, diffs of the moment, and what is marked as temporary.

Only summaries; raw logs and verbatim nodes keep everything.
"""

from __future__ import annotations

import re

from hipocampus.core.entries import Entry
from hipocampus.core.topics import EntryType

# A mark says that the rest may go; in the middle of a sentence the same words are only words.
_MARKS = r"임시(?:로)?|테스트 ?중|나중에 ?삭제|temporary|temporarily|test run|delete (?:me )?later"
_MARKED = re.compile(
    rf"^[-*\s]*(?:[\w-]{{1,24}}:\s*)?(?:{_MARKS})\b|[\[(#]\s*(?:{_MARKS})\b|(?:{_MARKS})\s*[\])]|(?:{_MARKS})\W*$|"
    r"\bdelete (?:me )?later\b|나중에 ?삭제",
    re.IGNORECASE,
)
_QUICK = re.compile(r"임시|테스트|나중에|tempor|test run|delete", re.IGNORECASE)
_ONLY_A_MARK = re.compile(rf"[-*\s]*(?:status|note|mark|tag|상태)\s*:\s*(?:{_MARKS})\W*", re.IGNORECASE)


def is_marked(text: str) -> bool:
    """Whether a line is marked as something to be thrown away."""
    return _QUICK.search(text) is not None and _MARKED.search(text) is not None


def is_excluded(entry: Entry) -> bool:
    """Whether a summary leaves out the whole entry. What a user said about themselves or asked for always stays."""
    if entry.topic.type in (EntryType.USER, EntryType.FEEDBACK):
        return False
    if is_marked(entry.topic.name):
        return True
    if not _QUICK.search(entry.body):
        return False
    lines = [line for line in entry.body.split("\n") if line.strip()]
    return any(_ONLY_A_MARK.fullmatch(line) for line in lines) or all(is_marked(line) for line in lines)


# What stands around a key that was cut out looks like the key itself.
_ENVELOPE = re.compile(r"-----(?:BEGIN|END) [A-Z0-9 ]{1,60}-----", re.ASCII)
_HAS_NOISE = re.compile(r"```|~~~|Traceback|^\s+at \S", re.MULTILINE)


def without_noise(body: str) -> str:
    """`body` with code as ``→ path:lines``, a stack trace as its one telling line, and without marked lines and those
    around a key.
    """
    if "-----" in body:
        body = _ENVELOPE.sub("", body)
    if _QUICK.search(body):
        body = "\n".join(line for line in body.split("\n") if not is_marked(line))
    if not _HAS_NOISE.search(body):
        return body
    return _without_traces(_without_code(body))


_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(?P<info>.*)")
_PATH = re.compile(r"[\w@~.-]*/[\w./@-]*\w|\b[\w-]+\.[a-z]{1,5}\b")


def _without_code(body: str) -> str:
    kept: list[str] = []
    fence, path, count = "", "", 0
    for line in body.split("\n"):
        match = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if not fence and match is not None:
            fence, count = match[1], 0
            path = _path_in(match["info"]) or (_path_in(kept[-1]) if kept else "")
        elif fence and match is not None and match[1].startswith(fence) and not match["info"].strip():
            kept.append(_reference(path, count))
            fence = ""
        elif fence:
            count += 1
        else:
            kept.append(line)
    return "\n".join([*kept, _reference(path, count)] if fence else kept)


def _path_in(text: str) -> str:
    found = _PATH.findall(text)
    return str(found[-1]) if found else ""


def _reference(path: str, count: int) -> str:
    return f"→ {path or 'code'}:{count} lines"


_TRACE_START = re.compile(r"(?P<indent>\s*)(?:[-*|+\w:]+\s+)*Traceback \(most recent call last\):.*")
_FRAME = re.compile(r"\s+at \S.*|\s+\.\.\. \d+ more")


def _without_traces(body: str) -> str:
    """Python frames go up to the line that names the exception; ``at`` frames of other languages go alone."""
    kept: list[str] = []
    indent = None
    for line in body.split("\n"):
        start = _TRACE_START.fullmatch(line)
        if start is not None:
            indent = len(start["indent"])
        elif indent is not None and (not line.strip() or len(line) - len(line.lstrip()) > indent):
            continue
        elif not _FRAME.fullmatch(line):
            indent = None
            kept.append(line)
    return "\n".join(kept)
