"""What is not worth saving becomes one line: long code, stack traces, diffs, log output.

The code is in the repository and the log is gone tomorrow; a pointer, or the line that says what went wrong, is what a
later session can use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

LONGEST_CODE = 5
SHORTEST_LOG = 6


def normalise(text: str) -> str:
    """`text` with code blocks over five lines, stack traces, diffs and log output each made one line. Idempotent."""
    while (shorter := _pass(text)) != text:
        # What is left of one trace may stand before the frames of another.
        text = shorter
    return text


def _pass(text: str) -> str:
    lines = text.split("\n")
    kept: list[str] = []
    index = 0
    while index < len(lines):
        end, line = _unit(lines, index, kept)
        if line is None:
            kept += lines[index:end]
        else:
            kept.append(line)
        index = end
    return "\n".join(kept)


def _unit(lines: Sequence[str], start: int, before: Sequence[str]) -> tuple[int, str | None]:
    """Where the unit that starts here ends, and its one line; None where it stays as it is."""
    if _FENCE.match(lines[start]):
        return _fenced(lines, start, before)
    for recognise in _RECOGNISERS:
        end, line = recognise(lines, start)
        if end > start:
            return end, line
    return start + 1, None


# --- code between fences ----------------------------------------------------------------------------------------------

_FENCE = re.compile(r"\s*(`{3,}|~{3,})(?P<info>[^`]*)$")
_OUTPUT = frozenset({"log", "logs", "console", "output", "out", "text", "txt", "plain", "terminal", "shell-session"})


def _fenced(lines: Sequence[str], start: int, before: Sequence[str]) -> tuple[int, str | None]:
    opening = _FENCE.match(lines[start])
    mark = opening[1] if opening else "```"
    end = start + 1
    while end < len(lines) and not (lines[end].strip().startswith(mark) and not lines[end].strip(" \t`~")):
        end += 1
    if end == len(lines):
        # A fence that never closes would take all that follows with it.
        return start + 1, None
    inside, end = lines[start + 1 : end], end + 1
    info = opening["info"].strip() if opening else ""
    only = [line for line in normalise("\n".join(inside)).split("\n") if line.strip()]
    if len(only) == 1 and len(inside) > 1:
        return end, only[0].strip()
    if len(inside) <= LONGEST_CODE:
        return end, None
    return end, _one_line(info, inside, before)


def _one_line(info: str, inside: Sequence[str], before: Sequence[str]) -> str:
    language = info.split(" ")[0].casefold()
    if language in ("diff", "patch"):
        return _diff_line(inside)
    if language in _OUTPUT:
        return _log_line(inside)
    path = _path_of(info, inside, before)
    return f"→ {path}" if path else f"(code, {len(inside)} lines, left out)"


_KNOWN_ENDINGS = (
    "c cc cpp cs css cfg dart ex exs go h hpp html ini ipynb java js json jsx kt lua md php proto py rb rs scss sh sql "
    "svelte swift tf toml ts tsx txt vue xml yaml yml"
)
_PATH = re.compile(
    rf"(?<![\w:/.@-])(?P<path>[\w.@~-]*(?:/[\w.@~-]+)+|[\w.@-]+\.(?:{_KNOWN_ENDINGS.replace(' ', '|')}))\b"
    r"(?:[:#]L?(?P<first>\d+)(?:[-–]L?(?P<last>\d+))?)?"
)
_LINES_FIRST = re.compile(r"(?P<first>\d+):(?P<last>\d+):(?P<path>\S+)")
_COMMENT = re.compile(r"\s*(?:#|//|--|/\*|<!--|;)")


def _path_of(info: str, inside: Sequence[str], before: Sequence[str]) -> str:
    """The file that a code block names: in its info string, in a comment on its first line, in the line before it."""
    match = _LINES_FIRST.match(info)
    if match is not None:
        return f"{match['path']}:{match['first']}-{match['last']}"
    comment = inside[0] if inside and _COMMENT.match(inside[0]) else ""
    introduction = next((line for line in reversed(before) if line.strip()), "")
    for place in (info.replace('"', " ").replace("=", " "), comment, introduction):
        found = list(_PATH.finditer(place))
        if found:
            return _pointer(found[-1])
    return ""


def _pointer(match: re.Match[str]) -> str:
    first, last = match["first"], match["last"]
    return match["path"] + (f":{first}" if first else "") + (f"-{last}" if last else "")


# --- stack traces -----------------------------------------------------------------------------------------------------

_TRACEBACK = re.compile(r"(?P<margin>\s*)Traceback \(most recent call last\):\s*$")
_CHAINED = ("During handling of the above exception", "The above exception was the direct cause")
_FRAME = re.compile(
    r"\s+at \S.*|\s*\.\.\. \d+ (?:common frames omitted|more)|\s+\S+\.go:\d+(?: \+0x[0-9a-f]+)?|\s*\d+: 0x\S.*"
)
_CAUSE = re.compile(r"\s*(?:Caused by: |\[cause\]: ?)\S")


def _traceback(lines: Sequence[str], start: int) -> tuple[int, str]:
    """Python's: the last line is the exception, of a chain the last exception."""
    opening = _TRACEBACK.match(lines[start])
    if opening is None:
        return start, ""
    margin, index = opening["margin"], start + 1
    while index < len(lines):
        line = lines[index].removeprefix(margin)
        index += 1
        if line.strip() and not line.startswith((" ", "\t")):
            end = _chain_end(lines, index)
            if end == index:
                return index, line.strip()
            index = end
    return len(lines), lines[-1].strip()


def _chain_end(lines: Sequence[str], index: int) -> int:
    """Behind the words that tie another traceback to this one, and its first line; `index` where there is none."""
    rest = [number for number in range(index, min(index + 6, len(lines))) if lines[number].strip()]
    is_chained = len(rest) >= 2 and lines[rest[0]].strip().startswith(_CHAINED) and _TRACEBACK.match(lines[rest[1]])
    return rest[1] + 1 if is_chained else index


def _frames(lines: Sequence[str], start: int) -> tuple[int, str]:
    """Frames below the line that names the error: that line, or the last cause among the frames."""
    message, frames, index = lines[start], 0, start + 1
    if not message.strip() or _FRAME.fullmatch(message):
        return start, ""
    while index < len(lines) and (_FRAME.fullmatch(lines[index]) or (frames and _CAUSE.match(lines[index]))):
        if _CAUSE.match(lines[index]):
            message = lines[index]
        frames += 1
        index += 1
    return (index, message.strip()) if frames >= 2 else (start, "")


# --- diffs ------------------------------------------------------------------------------------------------------------

_DIFF_HEAD = ("diff --git ", "--- ", "+++ ", "index ", "new file mode ", "deleted file mode ", "rename ", "similarity ")
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


def _diff(lines: Sequence[str], start: int) -> tuple[int, str]:
    index = start
    if not _starts_diff(lines, start):
        return start, ""
    while index < len(lines):
        hunk = _HUNK.match(lines[index])
        if hunk is not None:
            index = _hunk_end(lines, index + 1, int(hunk[1] or 1), int(hunk[2] or 1))
        elif lines[index].startswith(_DIFF_HEAD):
            index += 1
        else:
            break
    return index, _diff_line(lines[start:index])


def _starts_diff(lines: Sequence[str], start: int) -> bool:
    line, following = lines[start], lines[start + 1] if start + 1 < len(lines) else ""
    is_pair = line.startswith("--- ") and following.startswith("+++ ")
    return line.startswith("diff --git ") or is_pair or _HUNK.match(line) is not None


def _hunk_end(lines: Sequence[str], index: int, old: int, new: int) -> int:
    while index < len(lines) and (old > 0 or new > 0):
        kind = lines[index][:1]
        if kind not in ("+", "-", " ", "", "\\"):
            break
        old -= kind in ("-", " ", "")
        new -= kind in ("+", " ", "")
        index += 1
    return index


def _diff_line(lines: Sequence[str]) -> str:
    names = [line[4:].strip().removeprefix("b/") for line in lines if line.startswith("+++ ")]
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in lines)
    removed = sum(line.startswith("-") and not line.startswith("--- ") for line in lines)
    of = f" of {', '.join(names)}" if names else ""
    return f"(diff{of}: +{added} −{removed})"


# --- log output -------------------------------------------------------------------------------------------------------

_LOG = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b"
    r"|\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b"
    r"|(?:npm|yarn|pnpm) (?:ERR!|error|warn|WARN|info|notice)\b)"
)
_TROUBLE = re.compile(r"\b(?:error|exception|fatal|failed|failure|critical|ERR!)", re.IGNORECASE)


def _log(lines: Sequence[str], start: int) -> tuple[int, str]:
    end = start
    while end < len(lines) and _LOG.match(lines[end]):
        end += 1
    return (end, _log_line(lines[start:end])) if end - start >= SHORTEST_LOG else (start, "")


def _log_line(lines: Sequence[str]) -> str:
    said = [line.strip() for line in lines if line.strip()]
    telling = next((line for line in reversed(said) if _TROUBLE.search(line)), said[-1] if said else "")
    return f"(log, {len(lines)} lines) {telling}".rstrip()


_RECOGNISERS: tuple[Callable[[Sequence[str], int], tuple[int, str]], ...] = (_traceback, _frames, _diff, _log)
