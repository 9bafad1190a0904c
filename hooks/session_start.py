"""Entry of the ``session-start`` hook, started by the launcher ``run``: fold, compact if due, show ROOT. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.hook("session-start")
