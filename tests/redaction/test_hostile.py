"""Texts that try to make a rule slow cost a bounded amount of work for each character."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench.redaction_hostile import BUILT, PIECES

SECONDS = 20  # processor seconds; a rule that is not linear takes minutes
BUILT_PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))
sys.path[:0] = sys.argv[3:]
from bench.redaction_hostile import BUILT
from hipocampus.redaction import redact
print(len(redact(dict(BUILT)[sys.argv[2]]()[:300_000]).text))
"""
PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))
sys.path[:0] = sys.argv[3:]
from hipocampus.redaction import redact
text = sys.argv[2].encode("utf-8", "surrogateescape").decode("unicode_escape")
size = 300_000
result = redact((text * (size // len(text) + 1))[:size])
print(len(result.text))
"""


@pytest.mark.parametrize("group", range(6))
def test_no_repeated_text_takes_more_than_linear_time(group):
    """A third of a megabyte of any hostile piece is redacted within a processor limit that only linear work meets."""
    for _name, piece in PIECES[group::6]:
        escaped = piece.encode("unicode_escape").decode("ascii")
        arguments = [sys.executable, "-c", PROGRAM, str(SECONDS), escaped, *sys.path]

        done = subprocess.run(arguments, capture_output=True, text=True, check=False)

        assert done.returncode == 0, (piece, done.returncode, done.stderr[-400:])


@pytest.mark.parametrize("name", [name for name, _built in BUILT])
def test_no_built_text_takes_more_than_linear_time(name):
    """The same for texts in which no two lines are alike."""
    arguments = [sys.executable, "-c", BUILT_PROGRAM, str(SECONDS), name, *sys.path]

    done = subprocess.run(arguments, capture_output=True, text=True, check=False)

    assert done.returncode == 0, (done.returncode, done.stderr[-400:])


def test_many_different_values_are_not_all_looked_for(monkeypatch):
    """However many secrets a text has, only so many are searched for in the rest of it."""
    from hipocampus.redaction import redact, spans

    monkeypatch.setattr(spans, "MOST_VALUES", 5)
    text = dict(BUILT)["many values"]()[:100_000].rpartition("\n")[0]

    assert len(redact(text).findings) == text.count("token = ")
