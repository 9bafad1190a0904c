"""Cut entries and lines out of Markdown, and leave every other byte."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from hipocampus.core.entries import Entry, parse_log, render_entry


def cut(text: str, lines: Collection[int]) -> str:
    """A raw log without the entries whose headings stand on these lines; all others are read as before.

    Empty where none is left. Only where cutting would change how the rest is read (an unclosed code fence) is the rest
    written anew.
    """
    entries = parse_log(text)
    kept = [entry for entry in entries if entry.line not in lines]
    if not kept:
        return ""
    shorter = _cut(text, entries, lines)
    if [_content(entry) for entry in parse_log(shorter)] == [_content(entry) for entry in kept]:
        return shorter
    title = text.split("\n", 1)[0].rstrip("\r") if text.startswith("# ") else ""
    return "\n".join([*([f"{title}\n"] if title else []), *(render_entry(entry) for entry in kept)])


def _cut(text: str, entries: list[Entry], lines: Collection[int]) -> str:
    rows = text.split("\n")
    starts = [entry.line - 1 for entry in entries]
    gone = [
        (start, end)
        for start, end, entry in zip(starts, [*starts[1:], len(rows)], entries, strict=True)
        if entry.line in lines
    ]
    for start, end in reversed(gone):
        # Text before the first heading stands under the title of the day, which stays.
        is_title = start == 0 and rows[0].startswith("# ") and not rows[0].startswith("## ")
        rows[start + is_title : end] = [""] if is_title or end == len(rows) else []
    return "\n".join(rows)


def _content(entry: Entry) -> Entry:
    return replace(entry, line=0)


def without_lines(text: str, is_gone: Callable[[str], bool]) -> str:
    """The text without the lines that say what is to go."""
    return "\n".join(line for line in text.split("\n") if not is_gone(line))
