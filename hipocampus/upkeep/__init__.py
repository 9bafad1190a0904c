"""Looking after a memory without any session: everything that is due, one step after another."""
