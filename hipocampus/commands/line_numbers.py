"""Line numbers as people read them."""

from __future__ import annotations

from collections.abc import Sequence


def in_words(lines: Sequence[int]) -> str:
    """Line numbers in order, runs of them as one: ``line 3``, ``lines 3, 5-8``."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    shown = (str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"{'line' if len(lines) == 1 else 'lines'} {', '.join(shown)}"
