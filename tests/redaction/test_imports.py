"""A hook imports this room on every prompt: it may pull in nothing heavy, and needs no other package."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import hipocampus

HEAVY = {"dataclasses", "typing", "pathlib", "hashlib", "subprocess", "inspect", "logging", "uuid", "json", "random"}
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
from hipocampus.redaction import scrub
scrub("please fix the login test, the password is hunter" + "2!x and the key ghp_" + "a1B2" * 9)
print("\\n".join(sorted(set(sys.modules) - before)))
"""


def test_the_first_use_imports_only_what_it_needs():
    """In a bare interpreter without site packages: no heavy module, and no rule module that the text does not need."""
    root = str(pathlib.Path(hipocampus.__file__).parents[1])

    done = subprocess.run([sys.executable, "-I", "-S", "-c", PROGRAM, root], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())

    assert not loaded & HEAVY
    assert "hipocampus.redaction.pem" not in loaded
    assert "hipocampus.redaction.kubernetes" not in loaded
    assert "hipocampus.redaction.samples" not in loaded
