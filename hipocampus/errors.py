"""The one error a user can act on; anything else that escapes is a bug."""


class UserError(Exception):
    """Says in one line what is wrong, where, and what to do about it. The command line exits 1 with this text."""


def reason_of(error: BaseException) -> str:
    """Why something failed, in the words of the system where it has any: without number and path."""
    return getattr(error, "strerror", None) or str(error)
