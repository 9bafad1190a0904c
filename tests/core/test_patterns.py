"""Regular expressions that are compiled at their first use."""

from __future__ import annotations

import marshal
import re
from typing import Any

import pytest

from hipocampus.core import patterns
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


EXPRESSIONS = (
    (r"\w+|[^\w\s]", 0),
    ("[\u1100-\u11ff\uac00-\ud7af]{2,}", 0),
    (r"(?P<name>a+)(b)?(?=c)|(?i:d)|(?<!e)f$", patterns.ASCII | patterns.MULTILINE),
)


@pytest.mark.parametrize(("source", "flags"), EXPRESSIONS)
def test_what_was_taken_apart_is_the_same_put_together(
    source: str, flags: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later process has the very expression, and compiles nothing; the parts survive being written."""
    parts = marshal.loads(marshal.dumps(patterns.taken_apart(source, flags)))  # noqa: S302 - as the kept code is
    monkeypatch.setattr(patterns, "kept", lambda *asked: parts if asked == (source, flags) else None)
    monkeypatch.setattr(patterns, "compiled", [])
    late, early = pattern(source, flags), re.compile(source, flags)
    text = "aabc 나는 dD ef\nf"
    assert [found.span() for found in late.finditer(text)] == [found.span() for found in early.finditer(text)]
    assert patterns.compiled == []


@pytest.mark.parametrize("parts", [(), ("a+",), ("a+", 0, [1, 2, 3], 0, {}, (None,)), ("b", 0, "", 0, 0, 0), (5,) * 6])
def test_parts_that_are_no_good_are_not_used(parts: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The expression is compiled, and noted to be kept."""
    monkeypatch.setattr(patterns, "kept", lambda *_asked: parts)
    monkeypatch.setattr(patterns, "compiled", [])
    assert pattern("a+").findall("aab") == ["aa"]
    assert patterns.compiled == [("a+", 0)]


def test_flags_are_those_of_the_library() -> None:
    """Whoever names one need not load the library for it."""
    names = ("IGNORECASE", "MULTILINE", "DOTALL", "ASCII")
    assert [getattr(patterns, name) for name in names] == [int(getattr(re, name)) for name in names]
