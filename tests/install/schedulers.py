"""Stand-ins for the schedulers of a system, and what each makes of what is written for it."""

from __future__ import annotations

import os
import re
from pathlib import Path

_CRONTAB = """\
#!/bin/sh
spool={spool}
case $1 in
  -l) if [ -e "$spool.denied" ]; then echo "crontab: you are not allowed to use this program" >&2; exit 1; fi
      if [ ! -e "$spool" ]; then echo "no crontab for somebody" >&2; exit 1; fi
      exec /bin/cat "$spool" ;;
  -r) exec /bin/rm "$spool" ;;
  -) exec /bin/cat >"$spool" ;;
  *) exit 2 ;;
esac
"""
_SYSTEMCTL = """\
#!/bin/sh
echo "$@" >>{calls}
[ ! -e {calls}.unreachable ] || exit 1
wants={units}/timers.target.wants
case "$3 $4" in
  enable*) /bin/mkdir -p "$wants"; /bin/ln -sf "../$4" "$wants/$4" ;;
  "disable --now") /bin/rm -f "$wants/$5"; /bin/rmdir "$wants" 2>/dev/null ;;
esac
exit 0
"""
_LAUNCHCTL = """\
#!/bin/sh
echo "$@" >>{calls}
case $1 in print) [ ! -e {calls}.unreachable ] ;; bootout) exit 3 ;; esac
"""


class Machine:
    """A directory of programs for PATH, with the schedulers that were put into it, and what became of them."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.folder = folder
        self.env = env
        self.spool = folder.parent / "crontab-spool"
        self.calls = folder.parent / "calls"
        self.units = Path(env["HOME"]) / ".config" / "systemd" / "user"
        self.agents = Path(env["HOME"]) / "Library" / "LaunchAgents"
        folder.mkdir(exist_ok=True)
        env["PATH"] = str(folder)

    def have(self, name: str) -> None:
        """Put the program of a scheduler on PATH."""
        program, script = {
            "cron": ("crontab", _CRONTAB),
            "systemd": ("systemctl", _SYSTEMCTL),
            "launchd": ("launchctl", _LAUNCHCTL),
        }[name]
        path = self.folder / program
        path.write_text(script.format(spool=self.spool, calls=self.calls, units=self.units))
        path.chmod(0o755)

    def be_unreachable(self) -> None:
        """As for a user without a session: systemd and launchd do not answer."""
        Path(f"{self.calls}.unreachable").touch()

    def called(self) -> list[str]:
        """What systemctl or launchctl was started with, without the questions."""
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        questions = ("show-environment", "print ")
        return [line.removeprefix("--user --no-pager ") for line in lines if not any(one in line for one in questions)]


def cron_command(line: str, *, busybox: bool = False) -> str:
    """What cron gives to the shell of a crontab's line: up to the first percent sign that is not escaped.

    As vixie cron and its kin do it, character by character; the cron of busybox knows no percent signs.
    """
    command = line.split(" ", 5)[5]
    if busybox:
        return command
    made, escaped = "", False
    for char in command:
        if escaped:
            made = made[:-1] + char if char == "%" else made + char
            escaped = False
        elif char == "%":
            break
        else:
            made += char
            escaped = char == "\\"
    return made


def unit_words(text: str, *, expands: bool = False) -> list[str]:
    """The words of a setting in a unit file, as systemd splits and unescapes them."""
    words = []
    for quoted, bare in re.findall(r'"((?:\\.|[^"\\])*)"|(\S+)', text):
        word = re.sub(r"\\(.)", r"\1", quoted) if quoted else bare.replace("\\\\", "\\")
        assert not re.search(r"%(?!%)", re.sub("%%", "", word))
        word = word.replace("%%", "%")
        words.append(word.replace("$$", "$") if expands else word)
    return words


def environment_of(service: str) -> dict[str, str]:
    """The variables that a service sets."""
    found = (unit_words(line.partition("=")[2]) for line in service.splitlines() if line.startswith("Environment="))
    return dict(word.split("=", 1) for words in found for word in words)


def bare_environment() -> dict[str, str]:
    """What cron gives to a job, and not much more than other schedulers do."""
    return {"LOGNAME": "somebody", "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "PWD": os.sep}
