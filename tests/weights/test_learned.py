"""What was learned about the vectors of others: sums of words tell which sentences are about the same."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hipocampus.recall import learned
from hipocampus.recall.index import refresh_index
from hipocampus.recall.index_file import open_to_read, part
from hipocampus.recall.index_vectors import read_weights, weights_folder
from hipocampus.recall.learned import WeightsError, encoder_map, word_moves
from hipocampus.recall.token_table import pieces, words_of
from hipocampus.recall.vectors import NEURAL, STATIC
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout


@pytest.fixture(scope="module")
def numpy() -> Any:
    """What reads the weights."""
    return pytest.importorskip("numpy")


# What is asked, what is about the same without a word in common, and what is about something else.
ALIKE = (
    ("Which meals should our chef avoid?", "allergic to peanuts and shellfish", "invoices are numbered without gaps"),
    ("How do I get to work by rail?", "commute by train takes an hour", "allergic to peanuts and shellfish"),
    ("roll back the broken release", "deployments are reverted by a flag", "invoices are numbered without gaps"),
    ("the query is slow", "database latency and missing index", "the logo is drawn in dark blue"),
    ("Who looks after the garden while we travel?", "neighbour waters tomatoes in July", "tests run in parallel"),
    ("make the build faster", "compiler cache halves CI minutes", "sister marries in October"),
)


def test_what_shares_no_word_is_near_where_the_matter_is_the_same(numpy: Any) -> None:
    """Nearer than what is about something else, each time; by the words as they came it is so by less."""
    vocabulary, rows = read_weights(numpy, weights_folder())

    def nearer(rows: Any, *texts: str) -> float:
        sums = [
            rows[[vocabulary[piece] for word in words_of(text) for piece in pieces(word, vocabulary)]].sum(0)
            for text in texts
        ]
        one, other, third = (found / numpy.linalg.norm(found) for found in sums)
        return float(one @ other - one @ third)

    learned = [nearer(rows + word_moves(numpy), *texts) for texts in ALIKE]
    assert min(learned) > 0
    assert sum(learned) > sum(nearer(rows, *texts) for texts in ALIKE)


def _vocabulary(change: Callable[[dict[str, int]], object]) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        path = folder / "tokenizers" / "l2_supercat_tokenizer_config.json"
        known = json.loads(path.read_bytes())
        change(known["model"]["vocab"])
        path.write_text(json.dumps(known), "utf-8")

    return harm


def _values(content: bytes) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        with open(folder / "weights" / "l2_supercat_256.safetensors", "r+b") as file:
            file.seek(4096)
            file.write(content)

    return harm


def _fewer_rows(folder: Path) -> None:
    path = folder / "weights" / "l2_supercat_256.safetensors"
    content = path.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    head = json.loads(content[8 : 8 + size])
    (name,) = [name for name in head if name != "__metadata__"]
    head[name]["data_offsets"] = [0, 256 * 2 * 100]
    raw = json.dumps(head).encode()
    path.write_bytes(struct.pack("<Q", len(raw)) + raw + content[8 + size :])


@pytest.mark.parametrize(
    "harm",
    [
        _vocabulary(lambda known: known.update({"the": 10**7})),
        _vocabulary(lambda known: known.update({"the": -5})),
        _vocabulary(lambda known: known.update({"x\ud800y": known.pop(next(iter(known)))})),
        _vocabulary(dict.clear),
        _vocabulary(lambda known: [known.pop(word) for word in list(known)[50:]]),
        _values(b"\x00\x7e" * 500_000),
        _values(b"\x00\x7c" * 500_000),
        _fewer_rows,
    ],
)
def test_weights_that_can_be_read_and_are_damaged_are_named(
    numpy: Any, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    """A number that no row has, half a character, no words, few words, values that are no numbers: whose they are."""
    folder = tmp_path / "wordllama"
    for name in ("tokenizers", "weights"):
        shutil.copytree(Path(weights_folder()) / name, folder / name)
    harm(folder)
    with pytest.raises(WeightsError, match=r"^the weights of wordllama cannot be read \([^\n]*\); install it again$"):
        read_weights(numpy, str(folder))


@pytest.mark.usefixtures("numpy")
@pytest.mark.parametrize(("file", "static"), [("_WORD_MOVES", False), ("_ENCODER_MAP", True)])
def test_what_was_learned_of_one_is_not_needed_for_the_other(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, static: bool
) -> None:
    """Without the encoder's map there are static vectors, without the moves of words none; either is named."""
    Path(layout.raw("2026-03-10")).write_text("## Tides [project]\n- outcome: offsets come once a day\n", "utf-8")
    monkeypatch.setattr(learned, file, str(tmp_path / "gone.npz"))
    for _ in range(2):
        assert refresh_index(layout, defaults()).problem.startswith(
            "vectors are missing: the weights of hipocampus cannot be read ("
        )
        with closing(open_to_read(layout)) as base:
            assert bool(part(base, STATIC.planes)) is static
    monkeypatch.undo()
    assert refresh_index(layout, defaults()).problem == ""
    with closing(open_to_read(layout)) as base:
        assert part(base, STATIC.planes)


def test_every_word_has_a_move(numpy: Any) -> None:
    """Of as many numbers as its vector, and none of them is missing."""
    _, rows = read_weights(numpy, weights_folder())
    moves = word_moves(numpy)
    assert moves.shape == rows.shape
    assert numpy.isfinite(moves).all()


def test_the_map_turns_a_space_and_does_not_fold_it(numpy: Any) -> None:
    """No direction of the encoder's is lost: what it tells of other languages is still told."""
    stretched = numpy.linalg.svd(encoder_map(numpy), compute_uv=False)
    assert len(stretched) == NEURAL.dimensions
    assert stretched.min() > 0.1 * stretched.max()
