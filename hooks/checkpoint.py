"""The ``checkpoint`` entry of the launcher: journal the turn. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.hook("checkpoint")
