"""Which hosts `init` sets up, and the changes that takes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hipocampus.install.blocks import MARKDOWN, without_block
from hipocampus.install.codex import hooks_file, registrations
from hipocampus.install.detect import hosts_in_use
from hipocampus.install.registry import installer_of
from hipocampus.install.site import Site
from hipocampus.install.skills import PREFIX
from hipocampus.install.steps import Step
from hipocampus.store import user_state
from hipocampus.store.disk import is_inside
from hipocampus.store.files import read_exact

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class HostPlan:
    """The hosts that will use the memory, the changes for those that are set up here, and those of them that need none
    because they are set up at another level already."""

    hosts: tuple[str, ...]
    steps: tuple[Step, ...]
    served: tuple[str, ...]


NO_HOSTS = HostPlan((), (), ())


def plan_hosts(site: Site, wished: Sequence[str]) -> HostPlan:
    """What setting up the wished hosts takes; ``auto`` stands for all that are in use. Reads only.

    UserError where one of them cannot be set up. A host that was only found, not named, may be set up elsewhere.
    """
    hosts = chosen_hosts(site, wished)
    served = tuple(host for host in hosts if host not in wished and is_served(site, host) and not _is_here(site, host))
    steps = [step for host in hosts if host not in served for step in installer_of(host).install(site)]
    return HostPlan(hosts, once(steps), served)


def chosen_hosts(site: Site, wished: Sequence[str]) -> tuple[str, ...]:
    """The named hosts in the order they were named, then those that ``auto`` finds."""
    named = [host for host in wished if host != AUTO]
    found = hosts_in_use(site) if AUTO in wished or not wished else ()
    return tuple(dict.fromkeys([*named, *found]))


def is_served(site: Site, host: str) -> bool:
    """Whether the host runs our hooks already from another place than `site` means."""
    if host == "codex":
        return any(place != hooks_file(site) for place in registrations(site))
    return host != "claude-code" and installer_of(host).is_installed(replace(site, user=not site.user))


def _is_here(site: Site, host: str) -> bool:
    return installer_of(host).is_installed(site)


def once(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Each file once: several hosts share some."""
    return tuple({step.what: step for step in steps}.values())


def hidden_paths(site: Site, steps: Iterable[Step]) -> list[str]:
    """What we make or made in the checkout and is wholly ours, for git to leave out.

    The directory of a skill stands for all in it. An AGENTS.md that has got text of others is theirs.
    """
    new = {step.what for step in steps if step.verb == "create"}
    old = {path for path in user_state.made(site.env) if os.path.isfile(path) and _is_ours(path)}
    gone = {step.what for step in steps if step.verb == "remove"}
    inside = {path for path in (new | old) - gone if is_inside(path, site.top) and not _is_gits(site, path)}
    return sorted({_skill_folder(path) or path for path in inside})


def _is_gits(site: Site, path: str) -> bool:
    return is_inside(path, os.path.join(site.top, ".git")) or os.path.basename(path) == ".gitignore"


def _is_ours(path: str) -> bool:
    if os.path.basename(path) not in ("AGENTS.md", "AGENTS.override.md"):
        return True
    return not without_block(read_exact(os.path.realpath(path)) or "", MARKDOWN).strip()


def _skill_folder(path: str) -> str:
    """The directory of the skill that the file is, with a separator at its end; empty for another file."""
    folder = os.path.dirname(path)
    is_skill = os.path.basename(path) == "SKILL.md" and os.path.basename(folder).startswith(PREFIX)
    return folder + os.sep if is_skill else ""
