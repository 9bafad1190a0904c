"""Entry of the ``session-end`` hook, started by the launcher ``run``: mark the end of the session. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.hook("session-end")
