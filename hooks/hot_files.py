"""The ``hot-files`` entry of the launcher: show the hot files. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.hook("hot-files")
