"""The commands about hosts: what was set up in them, and what they hold."""

from __future__ import annotations

import click

hosts = click.Group()

COMMANDS = tuple(hosts.commands.values())
