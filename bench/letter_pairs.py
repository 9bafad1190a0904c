"""Print the table of letter pairs in ``hipocampus/redaction/wordlike.py``, counted over this Python's standard library.

``python bench/letter_pairs.py``. The table changes a little with the Python version; it needs no update for that.
"""

from __future__ import annotations

import collections
import itertools
import math
import pathlib
import re
import string
import sysconfig

FRAGMENT = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def fragments() -> collections.Counter[str]:
    """How often each fragment of an identifier or word, in lower case, stands in the standard library."""
    root = pathlib.Path(sysconfig.get_path("stdlib"))
    files = sorted(root.glob("*.py")) + sorted(root.glob("*/*.py"))[:400]
    counts: collections.Counter[str] = collections.Counter()
    for file in files:
        for run in re.findall(r"[A-Za-z]{2,}", file.read_text("utf-8", "replace")):
            counts.update(part.lower() for part in FRAGMENT.findall(run))
    return counts


def table(counts: collections.Counter[str]) -> str:
    """Row by row, for each letter and the next: ``N`` where the pair is as frequent as by chance, 2.5 steps a bit."""
    pairs: collections.Counter[tuple[str, str]] = collections.Counter()
    for word, count in counts.items():
        for pair in itertools.pairwise(word):
            pairs[pair] += math.log2(1 + count)
    cells = []
    for first in string.ascii_lowercase:
        total = sum(pairs[first, second] for second in string.ascii_lowercase) + 52
        for second in string.ascii_lowercase:
            bits = math.log2((pairs[first, second] + 2) / total * 26)
            cells.append(chr(ord("N") + max(-13, min(12, round(bits * 2.5)))))
    return "".join(cells)


if __name__ == "__main__":
    text = table(fragments())
    for start in range(0, len(text), 104):
        print(f'    "{text[start : start + 104]}"')
