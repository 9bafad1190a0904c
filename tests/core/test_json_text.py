"""JSON from and to text as the package `json` does it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.json_text import from_json, to_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def _is_refused(text: str) -> bool:
    try:
        from_json(text)
    except ValueError:
        return True
    return False


@given(VALUES)
def test_a_value_is_written_as_by_the_package_and_read_again(value: object) -> None:
    """Whatever it holds, whether it was written with spaces or without."""
    assert to_json(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert from_json(to_json(value)) == value
    assert from_json(json.dumps(value, indent=1)) == value


@given(st.text() | st.text(alphabet='{}[]",:0123456789.eE+-truefalsnNaIity\\u \n\t'))
def test_any_text_is_read_as_by_the_package(text: str) -> None:
    """What is no JSON is none here; the words for infinity and for no number are numbers in both."""
    try:
        expected: object = json.loads(text)
    except ValueError:
        assert _is_refused(text)
    else:
        assert repr(from_json(text)) == repr(expected)


NONE = ("", " ", "nul", "{} {}", "[1,", '{"a":', '{"a" 1}', "{1:2}", "[1 2]", '"a\nb"', '"a', '"\\x"', "\ufeff{}", "01")


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_json_is_refused(text: str) -> None:
    """Half a value, two values, none at all."""
    assert _is_refused(text)


def test_what_is_no_json_is_refused_where_the_package_is_not_loaded() -> None:
    """A hook, which never loads it, meets half a line as quietly."""
    script = """if True:
        import sys
        from hipocampus.core.json_text import from_json
        assert "json" not in sys.modules
        for text in sys.argv[1:]:
            try:
                from_json(text)
            except ValueError:
                print("refused")
    """
    command = [sys.executable, "-X", "utf8", "-c", script, *NONE]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused"] * len(NONE)


def test_what_cannot_be_written_is_refused() -> None:
    """A value of another kind, and one that holds itself."""
    with pytest.raises(TypeError):
        to_json({"at": object()})
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="Circular"):
        to_json(endless)
    with pytest.raises(RecursionError):
        from_json("[" * 200_000)


def test_a_python_without_compiled_parts_takes_the_package() -> None:
    """The results are the same."""
    script = (
        "import sys; sys.modules['_json'] = None; from hipocampus.core.json_text import from_json, to_json; "
        "print(to_json(from_json(' {\"a\": [1, \"é\"]} ')), 'json' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == '{"a":[1,"é"]} True\n'
