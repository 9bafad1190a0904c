"""The ``session-end`` entry of the launcher: mark the end of the session. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.hook("session-end")
