"""Which hosts are used on this machine or in this project."""

from __future__ import annotations

from hipocampus.install.registry import HOSTS, installer_of
from hipocampus.install.site import Site


def hosts_in_use(site: Site) -> tuple[str, ...]:
    """Those that have left a trace, and the one that we run inside of; Claude Code where there is no trace at all."""
    inside = site.env.get("HIPOCAMPUS_HOST", "")
    found = tuple(host for host in HOSTS if host == inside or installer_of(host).in_use(site))
    return found or HOSTS[:1]


def hosts_installed(site: Site) -> tuple[str, ...]:
    """Those that hold something of ours, for the project or for the user as `site` says."""
    return tuple(host for host in HOSTS if installer_of(host).is_installed(site))
