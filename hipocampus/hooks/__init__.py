"""Hooks: one module an event, from a host's payload through the library to the host's output."""
