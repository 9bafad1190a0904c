"""The ``cli`` entry of the launcher: the command line, for the agent's own shell. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import library

library.command()
