"""cron: a block of ours in the user's crontab, which no other byte of it is changed for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.install.blocks import Markers, with_block, without_block
from hipocampus.install.programs import on_path, run
from hipocampus.install.schedule_nightly import Nightly, Standing, Time, is_key
from hipocampus.install.site import Site
from hipocampus.install.steps import Step
from hipocampus.store.launcher import quoted

NAME = "cron"
PROGRAM = "crontab"
_BLOCK = re.compile(
    r"^# >>> (?P<key>\S+) >>>\n# (?P<root>/[^\n]*)\n(?P<line>[^\n]*)\n# <<< (?P=key) <<<$", re.MULTILINE
)
_TIME = re.compile(r"(\d{1,2}) (\d{1,2}) \* \* \* ")
# The longest command that every cron takes.
_LONGEST = 980
# As vixie cron and its kin say it, and as busybox does. Whatever else went wrong, there may be one.
_NO_CRONTAB = re.compile(r"no crontab for|can't open '[^']*': No such file")


def is_available(site: Site) -> bool:
    """Whether there is a crontab to write into. Whether cron itself runs nobody can tell."""
    return on_path(PROGRAM, site.env) is not None


def standing(site: Site) -> Iterator[Standing]:
    """Every run of ours in the crontab; none where it cannot be read."""
    try:
        text = _read(site)
    except UserError:
        return
    for block in _BLOCK.finditer(text.replace("\r\n", "\n")):
        if is_key(block["key"]):
            yield Standing(NAME, block["key"], block["root"], _time(block["line"]))


def _time(line: str) -> Time | None:
    found = _TIME.match(line)
    return Time(int(found[2]), int(found[1])) if found else None


def install(site: Site, nightly: Nightly) -> Iterator[Step]:
    """A step that puts our block into the crontab, where it does not stand there. UserError where that cannot be."""
    lines = [f"# {nightly.root}", line_of(nightly)]
    yield from _edited(site, nightly.key, "the nightly run", partial(_with, _markers(nightly.key), lines))


def _with(markers: Markers, lines: list[str], text: str) -> str:
    return with_block(text, markers, lines)


def remove(site: Site, scheduled: Standing) -> Iterator[Step]:
    """A step that takes our block out."""
    markers = _markers(scheduled.key)
    yield from _edited(site, scheduled.key, "no nightly run any more", partial(without_block, markers=markers))


def notes(site: Site, nightly: Nightly) -> Iterator[str]:  # noqa: ARG001 - as every scheduler
    """What a user should know about it."""
    yield "cron runs it only while the machine is on; a night that was missed is not made up for."


def secrets(nightly: Nightly) -> str:  # noqa: ARG001 - as every scheduler
    """Where a variable that nobody should write down for them goes."""
    return "a line of its own in your crontab (crontab -e)"


def line_of(nightly: Nightly) -> str:
    """The line of a crontab that runs it. What a run prints is of no use there; what failed, cron makes a mail of."""
    variables = [f"{name}={text}" for name, text in nightly.variables.items()]
    words = " ".join(_word(word) for word in ("/usr/bin/env", *variables, *nightly.command))
    if len(words.encode("utf-8", "surrogateescape")) > _LONGEST:
        raise UserError("the command is longer than cron takes; move the project to a shorter path")
    return f"{nightly.at.minute} {nightly.at.hour} * * * {words} >/dev/null"


def _word(text: str) -> str:
    """`text` as one word for cron and the shell behind it.

    To cron a percent sign is the end of the line unless there is a backslash before it, and to know whether there is it
    counts none that stands in front of that one: so each is quoted by itself, outside the quotes of the rest.
    """
    return text if re.fullmatch(r"[\w@+:,./=-]+", text, re.ASCII) else quoted(text).replace("%", "'\\%'")


def _markers(key: str) -> Markers:
    return Markers(f"# >>> {key} >>>", f"# <<< {key} <<<")


def _edited(site: Site, key: str, why: str, edit: Callable[[str], str]) -> Iterator[Step]:
    text = _read(site)
    if edit(text) != text:
        yield Step("edit", f"your crontab ({key})", why, partial(_edit, site, edit))


def _edit(site: Site, edit: Callable[[str], str]) -> None:
    """Read the crontab once more and replace it; an empty one is removed."""
    old = _read(site)
    new = edit(old)
    if new != old:
        done = run([_program(site), "-" if new else "-r"], site.env, new)
        if done is None or done.code:
            raise UserError(f"crontab refused it: {_said(done.said if done else '')}")


def _read(site: Site) -> str:
    """What the crontab holds, "" where there is none. UserError where it cannot be read."""
    found = run([_program(site), "-l"], site.env)
    if found is not None and found.code == 0:
        return found.out
    if found is not None and _NO_CRONTAB.search(found.said):
        return ""
    raise UserError(f"crontab -l failed: {_said(found.said if found else '')}; nothing was changed")


def _program(site: Site) -> str:
    path = on_path(PROGRAM, site.env)
    if path is None:
        raise UserError("there is no crontab on this machine")
    return path


def _said(text: str) -> str:
    return one_line(text).strip() or "it gave no reason"
