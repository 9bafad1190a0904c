"""The sessions that Codex still has of a project: one rollout each, in ``sessions`` or ``archived_sessions``.

A fork's rollout holds only what is its own, so that nothing comes twice. Those of sub-agents are left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from hipocampus.hosts.codex import HOST
from hipocampus.hosts.codex_transcript import head_of
from hipocampus.hosts.events import session_name
from hipocampus.hosts.past import Past, longest, of_project

_FOLDERS = ("sessions", "archived_sessions")
_PREFIX, _SUFFIX = "rollout-", ".jsonl"


def sessions(env: Mapping[str, str], project: str) -> Iterator[Past]:
    """The sessions that began in `project`, a directory of it or a linked worktree.

    Of one session that is there twice (a copy was archived) the longer rollout.
    """
    return longest(of_project(_everywhere(env), env, project))


def codex_home(env: Mapping[str, str]) -> str:
    """Codex's directory for the user, or the empty string where the environment names none."""
    own, home = env.get("CODEX_HOME", ""), env.get("HOME", "")
    return own or (os.path.join(home, ".codex") if home else "")


def _everywhere(env: Mapping[str, str]) -> Iterator[tuple[str, Past]]:
    """Every session with the directory it began in."""
    for path in _rollouts(env):
        head = head_of(path)
        if head.is_sub_agent:
            continue
        try:
            status = os.stat(path)
        except OSError:
            continue
        past = Past(HOST, session_name(head.session), path, head.at, status.st_size, status.st_mtime, head.branch)
        yield head.cwd, past


def _rollouts(env: Mapping[str, str]) -> Iterator[str]:
    base = codex_home(env)
    for folder in _FOLDERS if base else ():
        for place, below, names in os.walk(os.path.join(base, folder)):
            below.sort()
            for name in sorted(names):
                if name.startswith(_PREFIX) and name.endswith(_SUFFIX):
                    yield os.path.join(place, name)
