"""The accepted text of ROOT: what an LLM wrote for Recent Patterns and Historical Summary, kept in the state.

It is written from the months that have an accepted summary themselves, and holds as long as those say the same: what is
added below such a summary, and a month that is short or young, is told mechanically beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hipocampus.compaction.remembered import ROOT_BODY, ROOT_SOURCE
from hipocampus.compaction.sources import hash_of

_KEY = "rootSummary"


@dataclass(frozen=True, slots=True)
class RootText:
    """List items of the two sections, `of` which texts of which `months`, and who wrote them.

    Without any item it says that nobody is to be asked for these months: what was written for them was taken back.
    """

    of: str
    patterns: tuple[str, ...]
    history: tuple[str, ...]
    months: tuple[str, ...] = ()
    made_by: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.patterns or self.history)

    @property
    def identity(self) -> str:
        """Tells it from any other."""
        return hash_of("\n".join((self.of, *self.patterns, "", *self.history)))


def texts_hash(texts: Mapping[str, str]) -> str:
    """The identity of the accepted texts of months, by their names."""
    return hash_of("\n\n".join(f"{name}\n{text}" for name, text in sorted(texts.items())))


def root_text(values: Mapping[str, object]) -> RootText | None:
    """What a state keeps of it; None where that is nothing, or nothing of the kind."""
    kept = values.get(_KEY)
    if not isinstance(kept, dict):
        return None
    of, *lists = (kept.get(key) for key in ("of", "patterns", "history", "months"))
    if not isinstance(of, str) or not all(isinstance(one, list) for one in lists):
        return None
    patterns, history, months = (tuple(map(str, one)) for one in lists if isinstance(one, list))
    return RootText(of, patterns, history, months, str(kept.get("madeBy", "")))


def keep_root_text(values: dict[str, object], text: RootText | None) -> None:
    """Put it into a state, or take it out."""
    if text is None:
        values.pop(_KEY, None)
    else:
        lines = {"patterns": list(text.patterns), "history": list(text.history), "months": list(text.months)}
        values[_KEY] = {"of": text.of, **lines, "madeBy": text.made_by}


@dataclass(frozen=True, slots=True)
class LastRoot:
    """ROOT as the last cycle left it: the identities of its body and of its source, and its accepted text."""

    content: str = ""
    source: str = ""
    text: RootText | None = None

    def told_in(self, have: str, texts: Mapping[str, str], parts: Iterable[str]) -> tuple[RootText | None, str]:
        """The text of these months for the next ROOT, and the hash of what that one is built from.

        `have` is the hash in the ROOT that is there, `texts` are those of the months that have an accepted one, and
        `parts` everything that ROOT depends on besides. Where there is a ROOT from before the text, somebody brought it
        back: then nothing is told.
        """
        plain = hash_of("\n".join(parts))
        if self.text is None or self.text.of != texts_hash(texts):
            return None, plain
        wanted = hash_of(f"{plain} {self.text.identity}")
        if not self.text.is_empty and have in ("", self.source, wanted):
            return self.text, wanted
        return RootText(self.text.of, (), ()), plain


def last_root(values: Mapping[str, object]) -> LastRoot:
    """What a state says of it."""
    return LastRoot(str(values.get(ROOT_BODY, "")), str(values.get(ROOT_SOURCE, "")), root_text(values))
