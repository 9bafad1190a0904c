"""Regular expressions that are compiled at their first use."""

from __future__ import annotations

import re

import pytest

from hipocampus.core.patterns import pattern


def test_it_does_what_the_expression_does() -> None:
    """Each method is that of the compiled expression, flags included."""
    late, early = pattern("(a+)b", re.IGNORECASE), re.compile("(a+)b", re.IGNORECASE)
    text = "xAAb ab"
    assert late.findall(text) == early.findall(text)
    assert late.sub("-", text) == early.sub("-", text)
    assert late.split(text) == early.split(text)
    assert [found.span() for found in late.finditer(text)] == [(1, 4), (5, 7)]
    assert (late.match(text), late.fullmatch("ab") is not None, late.groups) == (None, True, 1)


def test_nothing_is_compiled_before_it_is_used() -> None:
    """Even what is no expression is not noticed until then."""
    broken = pattern("(")
    with pytest.raises(re.error):
        broken.search("x")
