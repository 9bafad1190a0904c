"""What a command prints: UTF-8 bytes whatever the locale says, and never an escape code into a file or a pipe."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from hipocampus.core.neutral import neutralise
from hipocampus.core.wording import counted as counted  # every command says numbers of things

NARROW = 80


def say(text: str = "") -> None:
    """Print lines for the reader of standard output."""
    _write(sys.stdout, text)


def complain(text: str) -> None:
    """Print lines on standard error: what went wrong, and notes that are not part of the answer."""
    _write(sys.stderr, text)


def tell(text: str) -> None:
    """Print prose for a person: where a terminal is narrower, a line is folded between words and goes on indented."""
    say("\n".join(folded(line) for line in text.split("\n")))


def folded(line: str) -> str:
    """A line as a terminal shows it whole, elsewhere as it is; words are never cut, so that a path can be copied."""
    import textwrap

    if not is_terminal(sys.stdout) or len(line) <= line_width():
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.fill(line, line_width(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def say_json(value: object) -> None:
    """Print one JSON document; text stays readable, not escaped to ASCII."""
    say(json.dumps(value, ensure_ascii=False, indent=2))


# So much room the other columns of a table have beside names that are not broken.
_BESIDE_NAMES = 48


def say_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], title: str = "", *, are_names: bool = False
) -> None:
    """Print a table that fits the terminal, or 80 columns where there is none; long cells are folded, never cut.

    With `are_names` the first column holds what a person copies: it stays on one line, and the table may be wider.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    texts = [[Text(neutralise(cell)) for cell in row] for row in rows]
    longest = max((row[0].cell_len for row in texts), default=0)
    for heading in headings:
        table.add_column(heading, overflow="fold", width=longest if are_names and not table.columns else None)
    for row in texts:
        table.add_row(*row)
    say(_rendered(table, longest + _BESIDE_NAMES if are_names else 0))


def _rendered(table: object, least: int) -> str:
    from io import StringIO

    from rich.console import Console

    terminal = is_terminal(sys.stdout)
    console = Console(
        file=StringIO(),
        width=None if terminal else NARROW,
        force_terminal=terminal,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.width = max(console.width, least)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().split("\n")).strip("\n")


def line_width() -> int:
    """How many characters a line may have: what the terminal shows, or plenty where a program reads."""
    import shutil

    return shutil.get_terminal_size((NARROW, 24)).columns if is_terminal(sys.stdout) else 200


def is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def pass_on(parts: Iterable[bytes]) -> None:
    """Write bytes to standard output exactly as they are; a text-only stand-in gets them as text."""
    stream = sys.stdout
    if stream is None:
        return
    stream.flush()
    buffer = getattr(stream, "buffer", None)
    for part in parts:
        if buffer is None:
            stream.write(part.decode("utf-8", "replace"))
        else:
            buffer.write(part)
    stream.flush()


def _write(stream: TextIO | None, text: str) -> None:
    """A closed stream swallows the text; a text-only stand-in (a test, a notebook) gets it as text.

    So does one whose reader went away (``| head``): what was begun is not left half done for that.
    """
    if stream is None:
        return
    data = (text + "\n").encode("utf-8", "replace")
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(data.decode("utf-8"))
    else:
        try:
            stream.flush()
            buffer.write(data)
            buffer.flush()
        except BrokenPipeError:
            silence(stream)


def silence(stream: TextIO) -> None:
    """Let nothing more come out of a stream, nor the interpreter complain when it flushes it at the end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError, AttributeError):
        if stream is sys.stdout:
            sys.stdout = None
