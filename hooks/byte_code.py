"""Get rid of byte code that is no good. It stands alone: what else there is may be the half file."""

import os
import sys


def is_damaged(error):
    """Whether an error is that of Python reading byte code: a full disk cuts it off, lost power leaves zeros in it."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    loader = "<frozen importlib._bootstrap_external>"
    return at is not None and at.tb_frame.f_code.co_filename == loader and not isinstance(error, OSError)


def drop():
    """Delete Python's cache of our modules, which it would fail on in every run from then on."""
    for folder, _, names in os.walk(sys.pycache_prefix or os.devnull):
        for name in names:
            try:
                os.unlink(os.path.join(folder, name))
            except OSError:
                continue
