"""The ``pre-compact`` entry of the launcher: fold and compact before the host forgets. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.hook("pre-compact")
