"""Make ``hipocampus/recall/encoder_map.npz``: it turns an encoder's vectors, so that they tell more of what is alike.

``python bench/encoder_map.py sentences.json OUT.npz``, after ``word_moves.py``, whose vectors of all-MiniLM-L6-v2 it
takes. Needs ``torch`` and the extra ``[neural]``; a quarter of an hour on two cores.

multilingual-e5-small reads two languages, and tells less of English than all-MiniLM-L6-v2. A map of its space that
leaves most as it is makes up for a part of that.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import torch
from torch.nn.functional import normalize
from word_moves import SEED, descend, encoded, kept, loss

from hipocampus.recall.encoder import Encoder

EACH = 1200
STEPS, AT_ONCE, RATE = 800, 1024, 1e-3
# What it costs to leave what is as it is.
TURNED = 0.01


def read(texts: list[str], cache: Path) -> Any:
    """The encoder's vectors of sentences, kept in a file: they take longest."""
    if not cache.exists():
        encoder = Encoder()
        np.save(cache, np.array([encoder.passage(text) for text in texts], np.float32))
    return np.load(cache)


def learned(ours: list[Any], theirs: list[Any]) -> Any:
    """The map, by sentences of one kind of text at a time."""
    torch.manual_seed(SEED)
    same = torch.eye(ours[0].shape[1])
    turn, sharpness = torch.nn.Parameter(same.clone()), torch.nn.Parameter(torch.tensor(2.3))
    centred = [normalize(torch.tensor(one - one.mean(0)), dim=1) for one in theirs]
    plain = [torch.tensor(one) for one in ours]

    def total() -> Any:
        kind = int(torch.randint(len(plain), ()))
        chosen = torch.randperm(len(plain[kind]))[:AT_ONCE]
        turned = normalize(plain[kind][chosen] @ turn, dim=1)
        near = normalize(turned - turned.mean(0), dim=1)
        return loss(near, centred[kind][chosen], sharpness) + TURNED * ((turn - same) ** 2).sum()

    descend([turn, sharpness], STEPS, RATE, 1.0, total)
    return turn.detach().numpy()


def main(source: Path, out: Path) -> None:
    """Read some sentences of each kind, and write the map."""
    ours, theirs = [], []
    for kind, texts in json.loads(source.read_bytes()).items():
        ours.append(read(texts[:EACH], kept(source, f"{kind}-encoder", texts[:EACH])))
        theirs.append(encoded(texts, kept(source, kind, texts))[:EACH])
    np.savez_compressed(out, map=learned(ours, theirs).astype(np.float16))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
