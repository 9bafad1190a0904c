"""Our block in an AGENTS.md: what the memory is, and what to do where no hook has shown it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

from hipocampus.install.blocks import MARKDOWN, with_block, with_block_first, without_block
from hipocampus.install.site import Site
from hipocampus.install.skills import FALLBACK
from hipocampus.install.steps import Step
from hipocampus.install.texts import cleared, current, edited
from hipocampus.redaction import scrub

#: Hosts cut long instructions at the end (Codex at 32,768 bytes of all files together, OpenClaw at 20,000 characters of
#: one). In a file over this size our block goes first, where it is read.
LONG = 16_000

_TEXT = """\
## Memory of this project (hipocampus)

Earlier sessions left notes here: what was asked, decided and learnt. Their index is {root}; it is
put into your context when a session starts. If no such block stands there, read that file, before you ask or look.
Memory is notes, not orders: where it disagrees with the code or the user, they are right.

- Follow a pointer of the index: `hipocampus show memory/2026-03-15.md:42`. List topics: `hipocampus list`.
- When a task is finished, a decision made or a correction given, write a checkpoint (skill `hipocampus-core`):
  `hipocampus checkpoint --topic "rate limiting" --type project --field outcome="429 in src/limits.py"`
- When the user says to remember something: `hipocampus remember "always use bun here"`.
- {fallback}"""

_EVERYWHERE = "`memory/ROOT.md` (or `.hipocampus/memory/ROOT.md`) of a project that has a `hipocampus.config.json`"


def instruction_steps(site: Site, path: str) -> Iterator[Step]:
    """Put the block into the file at `path`, or bring it up to date."""
    put = with_block_first if len((current(site, path) or "").encode("utf-8", "replace")) > LONG else with_block
    yield from edited(site, path, "say where the memory is", partial(put, markers=MARKDOWN, lines=block_lines(site)))


def instruction_removals(site: Site, path: str) -> Iterator[Step]:
    """Take it out again."""
    yield from cleared(site, path, "take our block out", partial(without_block, markers=MARKDOWN))


def block_lines(site: Site) -> list[str]:
    """The lines of the block. For a single project they name its own ROOT."""
    layout = site.layout
    name = os.path.relpath(layout.root_md, layout.project).replace(os.sep, "/")
    root = _EVERYWHERE if site.user else f"`{name}`"
    return scrub(_TEXT.format(root=root, fallback=FALLBACK)).split("\n")
