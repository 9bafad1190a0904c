"""A copy of what an import would read and change, so that it can be rehearsed without changing anything."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from hipocampus.store.dated import log_days
from hipocampus.store.layout import Layout
from hipocampus.store.tombstones import tombstones_file


@contextmanager
def rehearsal(layout: Layout) -> Iterator[Layout]:
    """A home with the same raw logs, journals and tombstones, in a directory that only this user can read."""
    with TemporaryDirectory(prefix="hipocampus-") as folder:
        copy = Layout(os.path.realpath(folder), layout.project)
        os.makedirs(copy.journal)
        for path in _held(layout):
            shutil.copyfile(path, os.path.join(copy.root, os.path.relpath(path, layout.root)))
        yield copy


def _held(layout: Layout) -> Iterator[str]:
    paths = [layout.config, layout.state, tombstones_file(layout), *(layout.raw(day.name) for day in log_days(layout))]
    if os.path.isdir(layout.journal):
        paths += [os.path.join(layout.journal, name) for name in os.listdir(layout.journal)]
    yield from (path for path in paths if os.path.isfile(path))
