"""The sessions that Claude Code still has of a project: one transcript each, in ``projects/<folder>/<session>.jsonl``.

The folder is named after the directory in which the session began, with every letter but a-z, A-Z and 0-9 turned into
``-``: a name that several directories share. So the ``cwd`` in the file decides, not the folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from hipocampus.core.json_objects import json_object
from hipocampus.hosts.claude_code import HOST
from hipocampus.hosts.events import session_name, text_of
from hipocampus.hosts.past import Past, longest, of_project
from hipocampus.hosts.transcript import open_transcript, whole_lines
from hipocampus.store.disk import names_in

_SUFFIX = ".jsonl"
_SUB_AGENT = "agent-"
# The first lines may be bookkeeping, or a prompt with a picture in it.
_HEAD = 8 * 1024 * 1024
_PIECE = 16 * 1024
# What stands here for a detached head; a hook finds no branch then.
_NO_BRANCH = "HEAD"


def sessions(env: Mapping[str, str], project: str) -> Iterator[Past]:
    """The sessions that began in `project`, a directory of it or a linked worktree; transcripts of sub-agents are not.

    Of one session that is there twice (two configuration directories) the longer transcript.
    """
    found = filter(None, map(_past, _transcripts(env)))
    return longest(of_project(found, env, project))


def _transcripts(env: Mapping[str, str]) -> Iterator[str]:
    for base in _bases(env):
        for folder in names_in(base):
            for name in names_in(os.path.join(base, folder)):
                if name.endswith(_SUFFIX) and not name.startswith(_SUB_AGENT):
                    yield os.path.join(base, folder, name)


def _bases(env: Mapping[str, str]) -> list[str]:
    """The ``projects`` directories: of the chosen configuration, and where older sessions may have stayed."""
    home = env.get("HOME", "")
    places = [env.get("CLAUDE_CONFIG_DIR", "")]
    places += [os.path.join(home, ".claude"), os.path.join(home, ".config", "claude")] if home else []
    return list(dict.fromkeys(os.path.realpath(os.path.join(place, "projects")) for place in places if place))


def _past(path: str) -> tuple[str, Past] | None:
    """The directory a session began in, and the session; None for what is no transcript of a conversation."""
    descriptor = open_transcript(path)
    if descriptor is None:
        return None
    try:
        found, head = os.fstat(descriptor), _head(descriptor)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    if head is None or head.get("isSidechain") is True:
        return None
    session = session_name(os.path.basename(path).removesuffix(_SUFFIX))
    branch = text_of(head.get("gitBranch"))
    began = text_of(head.get("timestamp"))
    past = Past(HOST, session, path, began, found.st_size, found.st_mtime, "" if branch == _NO_BRANCH else branch)
    return os.path.normpath(text_of(head.get("cwd"))), past


def _head(descriptor: int) -> dict[str, object] | None:
    """The first line that says where the session works."""
    for line, _ in whole_lines(descriptor, 0, _HEAD, _PIECE):
        if b'"cwd"' not in line:
            continue
        value = json_object(line)
        if value is not None and text_of(value.get("cwd")):
            return value
    return None
