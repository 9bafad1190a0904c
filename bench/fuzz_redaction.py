"""Fuzz the redactor with atheris: no crash, nothing left on a second pass, no planted token alive, bounded growth.

    python bench/fuzz_redaction.py [-runs=20000] [-max_total_time=60] [libFuzzer options]

Needs `pip install atheris`; without it the same checks run on random texts for as many runs, which finds less.
"""

from __future__ import annotations

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from bench import redaction_second_templates
from bench.redaction_templates import CARRIERS, POSITIVES

try:
    import atheris
except ImportError:
    atheris = None

if atheris:
    with atheris.instrument_imports(include=["hipocampus.redaction"]):
        from hipocampus.redaction import redact
        from hipocampus.redaction.samples import Sampler
        from hipocampus.redaction.words import is_placeholder
else:
    from hipocampus.redaction import redact
    from hipocampus.redaction.samples import Sampler
    from hipocampus.redaction.words import is_placeholder

RUNS = 20_000
TEMPLATES = [
    *CARRIERS,
    *(line for lines in POSITIVES.values() for line in lines),
    *(line for lines in redaction_second_templates.POSITIVES.values() for line in lines),
]
# What the view takes out or makes narrow, and what ends and joins lines and strings.
JOINTS = (
    "\u00ad",
    "\u200b",
    "\\\n",
    '" + "',
    "' +\n '",
    "ａ",
    "１",
    "＝",
    "：",
    "\\n",
    "\n\n",
    "|",
    ",",
    '\\"',
    "&quot;",
    "\\u003d",
)


def check(text: str, seed: int) -> None:
    """The promises for one text, and for the same text with a token planted in it."""
    once = redact(text)
    if redact(once.text).text != once.text:
        raise AssertionError(f"a second pass changes {text!r}")
    if len(once.text) > len(text) + 48 * len(once.findings):
        raise AssertionError(f"the result grew too much: {text!r}")
    token = "ghp_" + Sampler(seed).of_class("A", 36)
    if not is_placeholder(token) and token in redact(f"{text}\n{token}\n{text}").text:
        raise AssertionError(f"a planted token survives in {text!r}")


def one_input(data: bytes) -> None:
    """What the fuzzer calls: some bytes choose a template, the rest is text around it."""
    provider = atheris.FuzzedDataProvider(data)
    seed = provider.ConsumeIntInRange(0, 1 << 20)
    template = TEMPLATES[provider.ConsumeIntInRange(0, len(TEMPLATES) - 1)]
    text = Sampler(seed).filled(template)[0]
    cut = provider.ConsumeIntInRange(0, len(text))
    around = provider.ConsumeUnicode(sys.maxsize)
    half = len(around) // 2
    check(around[:half] + text[:cut] + around[half:], seed)


def without_atheris(runs: int) -> None:
    """Random pieces of templates and random characters."""
    chance = random.Random(0)  # noqa: S311 - the same texts at every run
    for run in range(runs):
        sampler = Sampler(run)
        pieces = [
            sampler.filled(chance.choice(TEMPLATES))[0][: chance.randrange(80)] for _ in range(chance.randrange(6))
        ]
        noise = "".join(chr(chance.choice((chance.randrange(32, 127), chance.randrange(0x110000)))) for _ in range(8))
        if pieces:
            place = chance.randrange(len(pieces))
            cut = chance.randrange(len(pieces[place]) + 1)
            pieces[place] = pieces[place][:cut] + chance.choice(JOINTS) + pieces[place][cut:]
        check(chance.choice(("", " ", "\n", '"')).join((*pieces, noise)), run)
    print(f"{runs} runs without atheris, nothing found")


def main() -> None:
    """Fuzz for a bounded number of runs, unless the command line says otherwise."""
    if atheris is None:
        asked = next((option for option in sys.argv[1:] if option.startswith("-runs=")), f"-runs={RUNS}")
        without_atheris(int(asked.partition("=")[2]))
        return
    options = sys.argv if any(option.startswith("-runs") for option in sys.argv) else [*sys.argv, f"-runs={RUNS}"]
    atheris.Setup(options, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
