"""Get rid of byte code that is no good. It stands alone: what else there is may be the half file."""

import os
import sys


def drop():
    """Delete Python's cache of our modules: on a full disk it wrote half a file, and fails on it from then on."""
    for folder, _, names in os.walk(sys.pycache_prefix or os.devnull):
        for name in names:
            try:
                os.unlink(os.path.join(folder, name))
            except OSError:
                continue
