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
from hipocampus.errors import UserError
from hipocampus.redaction import scrub
from hipocampus.store.user_state import state_dir


def report(error: BaseException, arguments: Sequence[str], now: datetime, home: str = "") -> str:
    """A Markdown report of `error`, ready to paste into an issue: redacted, the user's directory as ``~``."""
    trace = "".join(traceback.format_exception(error))
    facts = (
        ("hipocampus", __version__),
        ("python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("system", platform.platform()),
        ("time", now.isoformat(timespec="seconds")),
        ("command", " ".join(("hipocampus", *arguments))),
    )
    table = "\n".join(f"- {name}: {one_line(value)}" for name, value in facts)
    text = f"### A bug in hipocampus\n\n{table}\n\n```text\n{trace.rstrip()}\n```\n"
    return scrub(text.replace(home, "~") if home else text)


def write_report(text: str, env: Mapping[str, str], now: datetime) -> str:
    """The path of the written report: in the user's state directory, else in the temporary one, else nowhere ("")."""
    for directory in _directories(env):
        try:
            os.makedirs(directory, mode=0o700, exist_ok=True)
            descriptor, path = tempfile.mkstemp(".md", f"hipocampus-bug-{now:%Y%m%d-%H%M%S}-", directory)
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8", "replace"))
        except OSError:
            continue
        return path
    return ""


def _directories(env: Mapping[str, str]) -> list[str]:
    try:
        return [os.path.join(state_dir(env), "reports"), tempfile.gettempdir()]
    except UserError:  # there is no HOME
        return [tempfile.gettempdir()]
