"""How far the token estimate is from a real tokenizer, by class of text.

Run with the package ``tokenizers`` and the path of a ``tokenizer.json``, for instance the one in the wheel of
anthropic 0.34:

    python bench/tokens.py path/to/tokenizer.json [FILE ...]

Each further FILE is a class of its own. The estimate should be at least the real count in each class (ratio 1.00), and
not more than 1.35 times it in English. `--record` writes the real counts of the samples down for the tests.
"""

from __future__ import annotations

import json
import sys
import timeit
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hipocampus.core.tokens import estimate_tokens

SAMPLES = Path(__file__).parent / "samples"
COUNTS = SAMPLES / "tokens.json"


def main(arguments: list[str]) -> int:
    """Print the table; 1 where an estimate is too low or too high."""
    record = "--record" in arguments
    paths = [Path(argument) for argument in arguments if argument != "--record"]
    if not paths:
        print(__doc__)
        return 2
    count = _tokenizer(paths[0])
    texts = {path.stem: path.read_text("utf-8", "replace") for path in [*sorted(SAMPLES.glob("*.txt")), *paths[1:]]}
    real = {name: count(text) for name, text in texts.items()}
    print(f"{'class':<14}{'chars':>9}{'real':>9}{'estimate':>10}{'ratio':>7}")
    wrong = [name for name, text in texts.items() if not _row(name, text, real[name])]
    line = "- rate limiting [project, 2d]: token bucket, 429, src/limits.py → memory/2026-03-15.md:42"
    print(f"one index line: {timeit.timeit(lambda: estimate_tokens(line), number=10_000) * 100:.1f} µs")
    if record:
        known = {path.stem: real[path.stem] for path in sorted(SAMPLES.glob("*.txt"))}
        COUNTS.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    return 1 if wrong else 0


def _row(name: str, text: str, real: int) -> bool:
    estimate = estimate_tokens(text)
    ratio = estimate / max(real, 1)
    fine = ratio >= 1 and (ratio <= 1.35 or name != "english")
    print(f"{name:<14}{len(text):>9}{real:>9}{estimate:>10}{ratio:>7.2f}{'' if fine else '  <- out of bounds'}")
    return fine


def _tokenizer(path: Path) -> Callable[[str], int]:
    from tokenizers import Tokenizer  # type: ignore[import-not-found]

    tokenizer = Tokenizer.from_file(str(path))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
