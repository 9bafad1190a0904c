"""The ``session-start`` entry of the launcher: fold, compact if due, show ROOT. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.hook("session-start")
