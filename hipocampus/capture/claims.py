"""Which fold took which prompt: so that a prompt reaches a raw log once, under whatever session id it is told.

A resumed, forked or rewritten conversation tells its earlier prompts again, in a journal of another name. Before a fold
writes entries it claims prompts and turns in ``memory/.journal/seen``, one line for each way they can be known:
``<hash> <claimant>``. A claim by another claimant means that the prompt is in a raw log, or will be when that
claimant's fold is done again after a crash. A claimant is one boundary in one journal, or one checkpoint for what it
covers.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from datetime import UTC

from hipocampus.capture.journal import moment
from hipocampus.capture.ledger import Told, squashed
from hipocampus.redaction import Redacted
from hipocampus.store.files import WHOLE, append_text, read_tail
from hipocampus.store.layout import Layout

_LENGTH = 16
CLAIMANT_LENGTH = 12


def new_claimant() -> str:
    """A name for a boundary or a checkpoint that no other has."""
    return os.urandom(CLAIMANT_LENGTH // 2).hex()


def claims_file(layout: Layout) -> str:
    """The file of the claims of a home."""
    return os.path.join(layout.journal, "seen")


class Claims:
    """The claims of a home, each key with its first claimant; what others add meanwhile is read on."""

    def __init__(self, layout: Layout) -> None:
        self._path = claims_file(layout)
        self._claims: dict[str, str] = {}
        self._read = 0

    def now(self) -> Mapping[str, str]:
        """All claims as they stand; a line that a crash cut off claims nothing. Call under the lock."""
        size = os.path.getsize(self._path) if os.path.isfile(self._path) else 0
        if size < self._read:
            self._claims, self._read = {}, 0
        if size > self._read:
            for line in read_tail(self._path, min(size - self._read, WHOLE)).split("\n"):
                key, _, claimant = line.partition(" ")
                if len(key) == _LENGTH and len(claimant) == CLAIMANT_LENGTH:
                    self._claims.setdefault(key, claimant)
            self._read = size
        return self._claims

    def claim(self, keys: Iterable[str], claimant: str) -> None:
        """Claim what is not claimed yet, in one write that is on the disk on return. Call under the lock."""
        claims = self.now()
        fresh = dict.fromkeys(key for key in keys if key not in claims)
        if fresh:
            append_text(self._path, Redacted("".join(f"{key} {claimant}\n" for key in fresh)))


def keys_of(told: Told) -> list[str]:
    """The hashes by which a prompt can be known again: its ids, and its words with the moments they were told at."""
    words = squashed(told.text)
    names = [f"pid\0{pid}\0{'' if pid in told.owned else words}" for pid in sorted(told.pids)]
    names += [f"uuid\0{uuid}" for uuid in sorted(told.uuids)]
    if words:
        names += [f"words\0{words}\0{at}" for at in sorted(map(_in_utc, told.stamps))]
    return [_hash(name) for name in names]


def turn_keys_of(told: Told, text: str) -> list[str]:
    """The hashes by which a turn can be known again: its prompt's, with the message."""
    words = squashed(text)
    return [_hash(f"turn\0{key}\0{words}") for key in keys_of(told)]


def _in_utc(at: str) -> str:
    found = moment(at)
    return found.astimezone(UTC).isoformat(timespec="milliseconds") if found is not None else at


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_LENGTH]
