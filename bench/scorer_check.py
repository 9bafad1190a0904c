"""Whether our scorer says of every question what another one says of the same lines.

    python bench/scorer_check.py SCORER MEMAWARE

SCORER is the folder with the other one's ``score.py``, MEMAWARE the folder with ``questions.json`` and ``sessions/``.
Prints for each kind of lines how many questions differ in any measure; exit status 1 where one does. Needs numpy.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from conversations import Question, conversations, make_home, questions
from recall import Recall, baselines, lines_of
from recall_scorer import MEASURES, Gold, fitting, score

from hipocampus.recall.index import refresh_index
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.surface import block
from hipocampus.store.config import defaults
from hipocampus.store.layout import layout_at

TOKENS = 1_000
Judge = Callable[[Question, Sequence[str]], Mapping[str, Any]]


def judge(folder: Path, data: Path) -> Judge:
    """The other scorer, by question and lines, which it cuts to the budget itself."""
    sys.path.insert(0, str(folder))
    other = importlib.import_module("score")
    scorer = other.Scorer(other.Gold(str(data.parent)))
    known = {question["question_id"]: question for question in scorer.g.questions}
    return lambda question, lines: scorer.one(known[question.id], other.prefix(lines, TOKENS))


def main(folder: Path, data: Path) -> int:
    """Compare them."""
    found, asked = conversations(data), questions(data)
    ask, gold, unlike = judge(folder, data), Gold(found, asked), 0
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        make_home(found, home, user_only=True)
        layout = layout_at(str(home))
        refresh_index(layout, defaults())
        base = open_to_read(layout)
        kinds: dict[str, Recall] = {
            **baselines(found),
            "block": lambda prompt, tokens, root: lines_of(block(base, prompt, tokens, root).text),
        }
        print("| lines | questions | that differ |\n|---|---|---|")
        for name, recall in kinds.items():
            shown = [(one, list(recall(one.prompt, TOKENS, ""))) for one in asked]
            differ = sum(
                measures(score(gold, one, fitting(told, TOKENS))) != measures(ask(one, told)) for one, told in shown
            )
            print(f"| {name} | {len(asked)} | {differ} |")
            unlike += differ
        base.close()
    return 1 if unlike else 0


def measures(found: Mapping[str, Any]) -> dict[str, float]:
    """Those that both know, without the ones that a question does not have."""
    return {name: float(found[name]) for name in MEASURES if found.get(name) is not None}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
