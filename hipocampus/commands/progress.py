"""A progress bar for what takes long: on standard error, and only where somebody looks at it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")


def steps(
    things: Sequence[Thing], title: str, size: Callable[[Thing], int], named: Callable[[Thing], str] = lambda _: ""
) -> Generator[Thing]:
    """The things one after another; on a terminal a bar shows how much of their total size is done, and what is being
    done now, if things are `named`."""
    if not things or sys.stderr is None or not sys.stderr.isatty():
        yield from things
        return
    from rich.console import Console
    from rich.progress import Progress

    weights = [max(size(thing), 1) for thing in things]
    with Progress(console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(title, total=sum(weights))
        for thing, weight in zip(things, weights, strict=True):
            bar.update(task, description=f"{title} {named(thing)}".rstrip(), refresh=True)
            yield thing
            bar.advance(task, weight)
