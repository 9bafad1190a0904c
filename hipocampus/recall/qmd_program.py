"""Running qmd: bounded in time and in what it may print, away from the project, and with an index of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from hipocampus import program
from hipocampus.core.neutral import one_line
from hipocampus.core.tokens import cut
from hipocampus.errors import UserError, reason_of
from hipocampus.redaction import scrub
from hipocampus.store import disk

_MOST_BYTES = 8 * 1024 * 1024
_REASON = 160
_CONFIG, _INDEX = "index.yml", "index.sqlite"


class QmdError(UserError):
    """qmd did not do what it was asked to; says why in one line."""


def make_room(folder: str) -> None:
    """Make the directory for all that qmd keeps; it writes into the files that are there, for this user alone."""
    disk.make_folder(folder)
    for name in (_CONFIG, _INDEX):
        disk.replace(os.path.join(folder, name), b"", 0o600, sync=False)


def surroundings(env: Mapping[str, str], folder: str) -> dict[str, str]:
    """The user's environment, with `folder` for everything that qmd keeps.

    Its usual index is left alone: it may hold other projects, and `qmd update` runs the commands that somebody noted
    for them. The directory is ``/``, since from a project's it would take up settings that came with a clone.
    """
    own = {
        "QMD_CONFIG_DIR": folder,
        "INDEX_PATH": os.path.join(folder, _INDEX),
        "QMD_SQLITE_BUSY_TIMEOUT": "5000",
        "PWD": "/",
        "NO_COLOR": "1",
        "HIPOCAMPUS_DISABLE": "1",
    }
    return {**env, **own}


def run(path: str, words: Sequence[str], env: Mapping[str, str], seconds: float) -> str:
    """What qmd prints. QmdError where it does not start, fails, prints without end or is not done in time."""
    what = f"qmd {words[0]}"
    try:
        ran = program.run((path, *words), b"", cwd="/", env=env, seconds=seconds, most=_MOST_BYTES)
    except (OSError, ValueError) as error:
        raise QmdError(f"qmd does not start: {reason_of(error)}") from error
    except program.TimeUpError:
        raise QmdError(f"{what} took too long and was ended") from None
    except program.TooMuchError:
        raise QmdError(f"{what} prints more than {_MOST_BYTES >> 20} MiB") from None
    if ran.code:
        why = _first_line(ran.errors) or _first_line(ran.output) or "it says no more"
        raise QmdError(f"{what} failed (exit {ran.code}): {why}")
    return ran.output.decode("utf-8", "replace")


def _first_line(output: bytes) -> str:
    lines = (line.strip() for line in output.decode("utf-8", "replace").splitlines())
    return cut(one_line(scrub(next(filter(None, lines), ""))), _REASON)
