"""Memory for coding agents: plain Markdown logs, compacted into an index the agent sees at every session start."""

__version__ = "0.1.0"
