"""``python -m hipocampus``."""

from hipocampus.cli import entry_point

entry_point()
