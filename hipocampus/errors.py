"""The one error a user can act on; anything else that escapes is a bug."""


class UserError(Exception):
    """Says in one line what is wrong, where, and what to do about it. The command line exits 1 with this text."""
