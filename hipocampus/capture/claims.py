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
from hipocampus.store.files import append_text, read_tail
from hipocampus.store.layout import Layout

_LIMIT = 1024 * 1024 * 1024
_LENGTH = 16
CLAIMANT_LENGTH = 12


def new_claimant() -> str:
    """A name for a boundary or a checkpoint that no other has."""
    return os.urandom(CLAIMANT_LENGTH // 2).hex()


def claims_file(layout: Layout) -> str:
    """The file of the claims of a home."""
    return os.path.join(layout.journal, "seen")


def read_claims(layout: Layout) -> dict[str, str]:
    """Each claimed key with its first claimant; a line that a crash cut off claims nothing."""
    claims: dict[str, str] = {}
    for line in read_tail(claims_file(layout), _LIMIT).split("\n"):
        key, _, claimant = line.partition(" ")
        if len(key) == _LENGTH and len(claimant) == CLAIMANT_LENGTH:
            claims.setdefault(key, claimant)
    return claims


def claim(layout: Layout, keys: Iterable[str], claimant: str, claims: Mapping[str, str]) -> None:
    """Claim what is not claimed yet, in one write that is on the disk on return. Call under the lock."""
    fresh = dict.fromkeys(key for key in keys if key not in claims)
    if fresh:
        append_text(claims_file(layout), Redacted("".join(f"{key} {claimant}\n" for key in fresh)))


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
