"""A home that was left by `uninstall`, told from one that came from elsewhere.

Nothing on the machine remembers a project that was left. So the home does: a note in it says which file its config was,
by number and by the time of its last change. The kernel sets both, so that neither a clone, an archive nor a copy
brings them along, and whoever made one cannot know what they will be.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.files import read_text, write_text
from hipocampus.store.home import home_id
from hipocampus.store.layout import Layout

_NAME = ".departure"


def leave(layout: Layout) -> None:
    """Note that a trusted home is left; where the note cannot be written, a later `init` asks for trust again."""
    with suppress(OSError, UserError):
        write_text(_path(layout), scrub(_seal(layout)))


def was_here(layout: Layout) -> bool:
    """Whether the home is the very one that was left at this place."""
    try:
        return bool(home_id(layout)) and read_text(_path(layout), limit=4096) == _seal(layout)
    except (OSError, UserError):
        return False


def clear(layout: Layout) -> None:
    """Take the note away: the home is in use again."""
    with suppress(OSError):
        os.unlink(_path(layout))


def _seal(layout: Layout) -> str:
    found = os.lstat(layout.config)
    seconds, rest = divmod(found.st_ctime_ns, 10**9)  # in one piece it would be a number as cards have
    seal = {"id": home_id(layout), "path": layout.root, "inode": found.st_ino, "changed": f"{seconds}.{rest:09d}"}
    return json.dumps(seal) + "\n"


def _path(layout: Layout) -> str:
    return os.path.join(layout.memory, _NAME)
