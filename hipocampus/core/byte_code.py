"""The byte code that Python keeps for our modules: where it is damaged, Python fails on it from then on."""

from __future__ import annotations

import os
import sys

_LOADER = "<frozen importlib._bootstrap_external>"


def drop_if_damaged(error: BaseException) -> None:
    """Delete the byte code where an error is that of Python reading some. A full disk cuts it off, and one that lost
    power may have zeros in it. Nothing is imported for that: it may be the damaged file.
    """
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is not None and at.tb_frame.f_code.co_filename == _LOADER and not isinstance(error, OSError):
        _drop()


def _drop() -> None:
    if not sys.pycache_prefix or os.path.basename(sys.pycache_prefix) != "pycache":
        return
    for folder, _, names in os.walk(sys.pycache_prefix):
        for name in names:
            try:
                os.unlink(os.path.join(folder, name))
            except OSError:
                continue
