"""The line in ``CLAUDE.local.md`` through which Claude Code reads ROOT itself, for ``init --import``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

from hipocampus.install.blocks import MARKDOWN, has_block, with_block
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.install.texts import content, edited


def import_file(site: Site) -> str:
    """The file that holds it."""
    return os.path.join(site.layout.project, "CLAUDE.local.md")


def is_imported(site: Site) -> bool:
    """Whether it is there."""
    return has_block(content(site, import_file(site)), MARKDOWN)


def import_steps(site: Site) -> Iterator[Step]:
    """Put it there, or bring it up to date."""
    pointer = os.path.relpath(site.layout.root_md, site.layout.project).replace(os.sep, "/")
    line = partial(with_block, markers=MARKDOWN, lines=[f"@{pointer}"])
    yield from edited(site, import_file(site), "let the host read ROOT itself", line)
