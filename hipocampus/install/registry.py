"""Which module sets up which host."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Protocol, cast

from hipocampus.install.checks import Check
from hipocampus.install.site import Site
from hipocampus.install.steps import Step

NAMES = {"claude-code": "Claude Code", "codex": "Codex", "opencode": "OpenCode", "openclaw": "OpenClaw"}
HOSTS = tuple(NAMES)


class Installer(Protocol):
    """What each module of a host offers, as functions."""

    def in_use(self, site: Site) -> bool:
        """Whether this host is used on this machine or in this project, for ``init --host auto``."""

    def is_installed(self, site: Site) -> bool:
        """Whether anything of ours is there, so that ``update`` refreshes it."""

    def install(self, site: Site) -> Iterator[Step]:
        """What is missing or stale of ours; nothing where all is current. Reads only until a step acts.

        Raises UserError where a file of the user cannot be edited safely, with what to add by hand.
        """

    def remove(self, site: Site) -> Iterator[Step]:
        """What takes every byte of ours out of this host, and leaves every other as it was."""

    def next_steps(self, site: Site) -> Iterator[str]:
        """What is left for the user to do after ``install``, in whole lines."""

    def checks(self, site: Site) -> Iterator[Check]:
        """Whether the registration has the right shape, as far as can be told from here."""


def installer_of(host: str) -> Installer:
    """The module that sets up `host`, one of ``HOSTS``."""
    return cast(Installer, import_module(f"hipocampus.install.{host.replace('-', '_')}"))
