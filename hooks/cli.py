"""The ``cli`` entry of the launcher: the command line, for the agent's own shell. No logic lives here."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    import library
except Exception:
    import byte_code  # a full disk may have kept half of the library's

    byte_code.drop()
    import library

library.command()
