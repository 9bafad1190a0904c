"""The file that summaries lie over: where it is, and its entries with ids that follow from what they say. Only read."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from hipocampus.core.entries import ID_LENGTH, composed
from hipocampus.core.neutral import one_line
from hipocampus.core.sections import Marker, Sections, day_of, is_newest_first, split, title_of
from hipocampus.core.tokens import cut
from hipocampus.dag.memory_file import memory_file
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.disk import is_inside
from hipocampus.store.files import read_text
from hipocampus.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a source file, with the 1-based line where it begins. `text` is what stands in the file."""

    id: str
    text: str
    line: int
    day: date | None


@dataclass(frozen=True)
class Source:
    """A file with its entries, oldest first. `name` is its path from the project, with ``/``."""

    name: str
    marker: Marker
    records: tuple[Record, ...]

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entries, oldest first."""
        return tuple(record.id for record in self.records)

    @cached_property
    def by_id(self) -> Mapping[str, Record]:
        """The entries by id."""
        return {record.id: record for record in self.records}


def source_name(layout: Layout, file: str, cwd: str) -> str:
    """The name of the file that a person means; with an empty one that of ``MEMORY.md``, of the home or the project.

    UserError where it lies outside the project, or is so named that its name could not be stored.
    """
    path = os.path.join(cwd, os.path.expanduser(file)) if file else memory_file(layout)
    real = os.path.realpath(path)
    bound = os.path.realpath(layout.project)
    if not is_inside(real, bound):
        raise UserError(
            f"{one_line(path)} is not a file of this project; summaries lie over files in {one_line(bound)}."
        )
    name = os.path.relpath(real, bound).replace(os.sep, "/")
    if scrub(name) != name or one_line(name) != name:
        raise UserError(f"{one_line(scrub(name))}: a name that cannot be stored as it is; rename the file first.")
    return name


def path_of(layout: Layout, name: str) -> str:
    """The path of a source file."""
    return os.path.join(layout.project, *name.split("/"))


def read_source(layout: Layout, name: str, marker: Marker | None = None) -> Source | None:
    """The entries of a source file, which begin at `marker` or where the file shows it; None where there is no file."""
    path = path_of(layout, name)
    if not is_inside(os.path.realpath(path), os.path.realpath(layout.project)):
        return None
    text = read_text(path)
    return None if text is None else Source(name, (found := split(text, marker)).marker, _records(found))


def _records(sections: Sections) -> tuple[Record, ...]:
    """The entries, oldest first; of several that say the same, each has an id of its own."""
    texts = [(piece.line, sections.of(piece)) for piece in sections.entries]
    days = [day_of(text) for _, text in texts]
    found = list(zip(texts, days, strict=True))
    if is_newest_first(days):
        found.reverse()
    seen: Counter[str] = Counter()
    records = []
    for (line, text), day in found:
        name = _hash(text)
        seen[name] += 1
        records.append(Record(name if seen[name] == 1 else f"{name}~{seen[name]}", text, line, day))
    return tuple(records)


def _hash(text: str) -> str:
    return hashlib.sha256(composed(text).encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


def shown_title(record: Record, width: int = 80) -> str:
    """The title of an entry as it may be shown."""
    return cut(one_line(scrub(title_of(record.text))), width) or "(no title)"
