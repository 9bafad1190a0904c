"""Members and items put into a JSON text of the user and taken out again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.json_reader import JsonTextError, parse
from hipocampus.install.json_text import with_item, with_member, with_value, without

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8))
KEYS = st.sampled_from(["a", "b", "hooks", "x y", 'q"', "키"])
TREES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=10
)
OBJECTS = st.dictionaries(KEYS, TREES, max_size=4)
TRIVIA = st.sampled_from(["", " ", "\n", "\r\n", "\n  ", "\n\t", " /* c */ ", "// c  \n", "/*,*/", "\n // ]}\r\n  "])


@st.composite
def json_texts(draw: Any, comments: bool = True) -> tuple[str, dict[str, Any]]:
    """An object as somebody may have written it: any white space, comments and trailing commas; and what it means."""

    def space() -> str:
        found = str(draw(TRIVIA))
        return found if comments or "/" not in found else " "

    def write(value: object) -> str:
        if not isinstance(value, dict | list):
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        if isinstance(value, dict):
            parts = [f"{json.dumps(key)}{space()}:{space()}{write(each)}" for key, each in value.items()]
        else:
            parts = [write(each) for each in value]
        inside = ",".join(space() + part + space() for part in parts) or space()
        trailing = "," + space() if parts and comments and draw(st.booleans()) else ""
        return opening + inside + trailing + closing

    tree = draw(OBJECTS)
    return space() + write(tree) + space(), tree


@given(json_texts())
def test_what_is_read_is_what_was_written(case: tuple[str, dict[str, Any]]) -> None:
    """Comments, trailing commas and white space do not change what a text means; every span is its value's."""
    text, tree = case
    root = parse(text)
    assert json.dumps(root.plain) == json.dumps(tree)
    for part in root.parts:
        inner = parse(text[part.value.start : part.value.end])
        assert json.dumps(inner.plain) == json.dumps(tree[str(part.key)])


@given(json_texts(), st.lists(st.sampled_from(["p", "hooks", "a"]), max_size=2), TREES)
def test_a_new_member_goes_in_and_out(case: tuple[str, dict[str, Any]], path: list[str], value: object) -> None:
    """Put in it is there, twice changes nothing, and taken out the text is the same byte for byte."""
    text, _tree = case
    try:
        changed = with_member(text, path, "ours", value)
    except JsonTextError:  # something on the way is no object
        return
    assert json.dumps(meaning(changed, [*path, "ours"])) == json.dumps(value)
    assert changed == text or with_member(changed, path, "ours", value) == changed or value != value or "NaN" in changed
    assert without(changed, [*path, "ours"]) == text


@given(json_texts(), st.lists(st.sampled_from(["p", "hooks", "a"]), min_size=1, max_size=2), TREES)
def test_a_new_item_goes_in_last_and_out(case: tuple[str, dict[str, Any]], path: list[str], value: object) -> None:
    """The same for an array, which is made where it is missing and then goes with its only item."""
    text, _tree = case
    try:
        changed = with_item(text, path, value)
    except JsonTextError:
        return
    array = meaning(changed, path)
    assert json.dumps(array[-1]) == json.dumps(value)
    assert without(changed, [*path, len(array) - 1]) == text


@given(json_texts(), st.integers(1, 3))
def test_several_members_leave_nothing(case: tuple[str, dict[str, Any]], count: int) -> None:
    """Taken out from the last to the first, they take the objects with them that were made for them, and no other."""
    text, _tree = case
    names = [f"m{index}" for index in range(count)]
    changed = text
    try:
        for name in names:
            changed = with_item(changed, ["hooks", name], {"x": 1})
    except JsonTextError:
        return
    for name in reversed(names):
        changed = without(changed, ["hooks", name, 0])
    assert changed == text


def meaning(text: str, path: list[str]) -> Any:
    value: Any = parse(text).plain
    for key in path:
        value = value[key]
    return value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{"h": { "on": [ 1 ] }}'),
        ('{"a": 1}', '{"a": 1, "h": { "on": [ 1 ] }}'),
        ('{\n  "a": 1 // one\n}\n', '{\n  "a": 1, // one\n  "h": {\n    "on": [\n      1\n    ]\n  }\n}\n'),
        ('{\n\t"a": 1,\n}', '{\n\t"a": 1,\n\t"h": {\n\t\t"on": [\n\t\t\t1\n\t\t]\n\t},\n}'),
        ('{\r\n    "h": {"on": []}\r\n}', '{\r\n    "h": {"on": [1]}\r\n}'),
        ('{"h": {"on": [0]}}', '{"h": {"on": [0, 1]}}'),
        ('\ufeff{"h": {"on": [ // c\n]}}', '\ufeff{"h": {"on": [ // c\n1\n]}}'),
    ],
)
def test_how_it_looks(text: str, expected: str) -> None:
    """It is indented and separated as its neighbours are, and comments stay where they belong."""
    assert with_item(text, ["h", "on"], 1) == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('{"a": [1, 2, 3]}', ["a", 0], '{"a": [2, 3]}'),
        ('{"a": [1, 2, 3]}', ["a", 1], '{"a": [1, 3]}'),
        ('{"a": [1, 2, 3]}', ["a", 2], '{"a": [1, 2]}'),
        ('{"a": [1, 2,]}', ["a", 1], '{"a": [1,]}'),
        ('{\n  "a": 1,\n  "b": 2\n}', ["a"], '{\n  "b": 2\n}'),
        ('{\n  "a": 1,\n  "b": 2\n}', ["b"], '{\n  "a": 1\n}'),
        ('{"a": {"b": 1}}', ["a", "b"], '{"a": {}}'),
        ('{"a": { "b": 1 }}', ["a", "b"], "{}"),
        ('{"a": 1}', ["b"], '{"a": 1}'),
    ],
)
def test_taking_out(text: str, path: list[str | int], expected: str) -> None:
    """One comma goes too, and a container that was made for it; the user's own may stand empty."""
    assert without(text, path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": {"b": 1}, "c": 2}', '{"a": { "b": [ 1 ] }, "c": 2}'),
        ('{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}', '{\n  "a": {\n    "b": [\n      1\n    ]\n  },\n  "c": 2\n}'),
    ],
)
def test_a_new_value_stands_where_the_old_one_stood(text: str, expected: str) -> None:
    """Only the value's own bytes change, and it is indented as the old one was."""
    assert with_value(text, ["a"], {"b": [1]}) == expected


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "line 1, column 1"),
        ("{", "line 1, column 2"),
        ('{"a": 1,\n  "b" 2}', "line 2, column 7"),
        ('{"a": tru}', "line 1, column 7"),
        ("{} {}", "line 1, column 4"),
        ('{"a": "x\ny"}', "line 1, column 7"),
        ("[1 2]", "line 1, column 4"),
        ("[,]", "line 1, column 2"),
    ],
)
def test_what_is_no_json_is_named_with_its_place(text: str, where: str) -> None:
    """A person finds the mistake."""
    with pytest.raises(JsonTextError, match=where):
        parse(text)


def test_very_deep_nesting_is_refused() -> None:
    """It is an answer, not a crash."""
    with pytest.raises(JsonTextError, match="nested too deeply"):
        parse("[" * 100_000)


def test_a_name_that_stands_twice_is_refused() -> None:
    """Which of the two a program reads is anybody's guess."""
    with pytest.raises(JsonTextError, match="'a' twice"):
        with_member('{"a": {}, "a": {}}', ["a"], "b", 1)


def test_json5_is_read() -> None:
    """Keys without quotes, single quotes and other numbers do not stop an edit."""
    text = "{\n  a: 'it\\'s \"so\"',\n  n: +.5,\n  h: {},\n}"
    assert parse(text).plain == {"a": 'it\'s "so"', "n": "+.5", "h": {}}
    assert without(with_member(text, ["h", "x"], "on", True), ["h", "x", "on"]) == text
