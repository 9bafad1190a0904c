"""The ``flush`` entry of the launcher: fold the session now. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.hook("flush")
