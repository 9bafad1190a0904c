"""What the standard library has in compiled form, without the Python around it, which a hook would wait for.

`datetime`, `signal` and `functools` define or wrap it all in Python once more, and load others for that: together they
take longer than Python's own start. Each name here is the very thing, or does the very same, as there; a Python that
keeps it elsewhere takes it from there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from datetime import datetime, timedelta
    from functools import lru_cache
else:
    try:
        import _signal as signal
    except ImportError:
        import signal
    try:
        from _datetime import datetime, timedelta
    except ImportError:
        from datetime import datetime, timedelta
    try:
        from _functools import _lru_cache_wrapper
    except ImportError:
        from functools import lru_cache
    else:

        def lru_cache(maxsize):
            """Keep what a function returned for the last `maxsize` of its arguments."""
            return lambda function: _lru_cache_wrapper(function, maxsize, False, None)


__all__ = ["datetime", "lru_cache", "signal", "timedelta"]
