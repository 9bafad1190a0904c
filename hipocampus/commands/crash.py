"""What a bug leaves behind: a report that can be pasted into an issue as it is."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from datetime import datetime

from hipocampus import __version__
from hipocampus.core.neutral import one_line
from hipocampus.redaction import scrub
from hipocampus.store.user_state import state_dir


def report(error: BaseException, arguments: Sequence[str], now: datetime) -> str:
    """A Markdown report of `error`, redacted, ready to paste into an issue."""
    trace = "".join(traceback.format_exception(error))
    facts = (
        ("hipocampus", __version__),
        ("python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("system", platform.platform()),
        ("time", now.isoformat(timespec="seconds")),
        ("command", " ".join(("hipocampus", *arguments))),
    )
    table = "\n".join(f"- {name}: {one_line(value)}" for name, value in facts)
    return scrub(f"### A bug in hipocampus\n\n{table}\n\n```text\n{trace.rstrip()}\n```\n")


def write_report(text: str, env: Mapping[str, str], now: datetime) -> str:
    """The path of the written report: in the user's state directory, else in the temporary one, else nowhere ("")."""
    name = f"hipocampus-bug-{now:%Y%m%d-%H%M%S}-"
    for directory in (os.path.join(state_dir(env), "reports"), tempfile.gettempdir()):
        try:
            os.makedirs(directory, mode=0o700, exist_ok=True)
            descriptor, path = tempfile.mkstemp(prefix=name, suffix=".md", dir=directory)
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8", "replace"))
        except OSError:
            continue
        return path
    return ""
