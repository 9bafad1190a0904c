"""Samples with a fixed seed, and the corpus of `bench/` on the path behind the installed package."""

from __future__ import annotations

import pathlib
import sys

import pytest

from hipocampus.redaction.samples import Sampler

ROOT = str(pathlib.Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)


@pytest.fixture
def sampler() -> Sampler:
    """Values that are the same at every run."""
    return Sampler(20260315)
