"""Our hooks in Codex's hooks.json, put in and taken out; the bytes of the commands are a contract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.core.json_reader import JsonTextError, parse
from hipocampus.hooks.runner import ENTRIES
from hipocampus.install import codex_hooks
from hipocampus.install.codex_hooks import are_whole, has_hooks, problem, whole, with_hooks, without_hooks
from tests.install.test_json_text import TRIVIA

RUN = '"$HOME/.local/share/hipocampus/run"'

#: What stands in committed files and in the trust records of users. A change here asks all of them to review again.
FROZEN = {
    "SessionStart": [
        {"type": "command", "command": f"{RUN} session-start --host codex || exit 0", "timeout": 10},
        {"type": "command", "command": f"{RUN} hot-files --host codex || exit 0", "timeout": 10},
    ],
    "UserPromptSubmit": [{"type": "command", "command": f"{RUN} prompt --host codex || exit 0", "timeout": 5}],
    "Stop": [{"type": "command", "command": f"{RUN} checkpoint --host codex || exit 0", "timeout": 5}],
    "PreCompact": [{"type": "command", "command": f"{RUN} pre-compact --host codex || exit 0", "timeout": 20}],
    "SessionEnd": [{"type": "command", "command": f"{RUN} session-end --host codex || exit 0", "timeout": 3}],
}


def test_the_definitions_are_frozen() -> None:
    """Codex skips a changed hook in silence until somebody reviews it, so these bytes hold over releases."""
    assert json.loads(whole()) == {"hooks": {event: [{"hooks": handlers}] for event, handlers in FROZEN.items()}}


def test_the_plugins_definitions_are_frozen() -> None:
    """The plugin registers the same entries with the same limits, through its own directory."""
    for event, handlers in FROZEN.items():
        expected = [
            {**each, "command": str(each["command"]).replace(RUN, 'sh "${PLUGIN_ROOT}/hooks/run"')} for each in handlers
        ]
        assert codex_hooks.group(event, codex_hooks.plugin_command) == {"hooks": expected}


@pytest.mark.parametrize(("event", "entries"), codex_hooks.EVENTS)
def test_every_entry_exists_and_ends_in_time(event: str, entries: tuple[tuple[str, int], ...]) -> None:
    """The launcher knows the entry, whose own limit is below Codex's: whole seconds, at a session's end at most 3."""
    for entry, seconds in entries:
        assert ENTRIES[entry].seconds < seconds
        assert isinstance(seconds, int)
        assert event != "SessionEnd" or seconds <= 3


HANDLERS = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["echo hi", 'x "y" || exit 0', "키"])},
    optional={"timeout": st.integers(1, 9), "async": st.booleans()},
)
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, max_size=2)}, optional={"matcher": st.sampled_from(["startup|resume", "*"])}
)
EVENT_NAMES = st.sampled_from([*FROZEN, "PreToolUse", "PostToolUse"])
FILES = st.fixed_dictionaries(
    {},
    optional={"description": st.text(max_size=5), "hooks": st.dictionaries(EVENT_NAMES, st.lists(GROUPS, max_size=2))},
)


@st.composite
def files(draw: Any) -> str:
    """A hooks.json of others, in any layout, with comments and trailing commas too."""

    def space() -> str:
        return str(draw(TRIVIA))

    def write(value: object) -> str:
        if isinstance(value, dict):
            parts = [f"{json.dumps(key)}{space()}:{space()}{write(each)}" for key, each in value.items()]
        elif isinstance(value, list):
            parts = [write(each) for each in value]
        else:
            return json.dumps(value)
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        trailing = "," + space() if parts and draw(st.booleans()) else ""
        return opening + (",".join(space() + part + space() for part in parts) or space()) + trailing + closing

    return space() + write(draw(FILES)) + space()


def pretty_files() -> st.SearchStrategy[str]:
    """The same as programs write it."""
    return st.builds(
        lambda tree, indent, end: json.dumps(tree, indent=indent) + end,
        FILES,
        st.sampled_from([None, 2, 4, "\t"]),
        st.sampled_from(["", "\n", "\r\n"]),
    )


@given(files() | pretty_files())
def test_every_byte_comes_back(text: str) -> None:
    """Whatever others have registered and however it is laid out: in, a second time in, and out gives the same text."""
    once = with_hooks(text)
    assert with_hooks(once) == once
    assert are_whole(once)
    assert without_hooks(once) == text


@given(files() | pretty_files())
def test_others_stay_and_ours_come_last(text: str) -> None:
    """Codex counts hooks by place, so that ours must not move those of others."""
    before: Any = parse(text).plain
    after: Any = parse(with_hooks(text)).plain
    for event, handlers in FROZEN.items():
        groups = after["hooks"][event]
        assert groups == [*before.get("hooks", {}).get(event, []), {"hooks": handlers}]
    rest = {event: groups for event, groups in after["hooks"].items() if event not in FROZEN}
    assert rest == {event: groups for event, groups in before.get("hooks", {}).items() if event not in FROZEN}


@pytest.mark.parametrize("text", ["", "\n", "  \r\n", "{}", "{ }", '{"hooks": {}}', '{"hooks":{"Stop":[]}}'])
def test_empty_files_come_back_as_they_were(text: str) -> None:
    """Nothing, an empty object and an empty list are told apart."""
    assert without_hooks(with_hooks(text)) == text


def test_an_older_definition_of_ours_is_replaced_where_it_stands() -> None:
    """Its place keeps the trust that others have; nothing is registered twice."""
    old = {"hooks": [{"type": "command", "command": f"{RUN} checkpoint --host codex", "timeout": 9}]}
    other = {"hooks": [{"type": "command", "command": "echo"}]}
    text = json.dumps({"hooks": {"Stop": [old, other, old]}}, indent=2)
    assert has_hooks(text)
    assert not are_whole(text)
    assert json.loads(with_hooks(text))["hooks"]["Stop"] == [{"hooks": FROZEN["Stop"]}, other]


def test_a_group_with_handlers_of_others_keeps_them() -> None:
    """Somebody put their own handler into our group: it stays, ours goes."""
    theirs = {"type": "command", "command": "echo"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [theirs, *FROZEN["Stop"]]}]}})
    assert json.loads(without_hooks(text)) == {"hooks": {"Stop": [{"hooks": [theirs]}]}}
    assert json.loads(with_hooks(text))["hooks"]["Stop"] == [{"hooks": [theirs, *FROZEN["Stop"]]}]


def test_after_a_formatter_ours_can_still_be_taken_out() -> None:
    """White space may be another; the rest stays and the text is JSON."""
    theirs = {"PreToolUse": [{"hooks": [{"type": "command", "command": "echo"}]}]}
    text = json.dumps(json.loads(with_hooks(json.dumps({"hooks": theirs}))), indent=4)
    assert json.loads(without_hooks(text)) == {"hooks": theirs}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON"),
        ("// c\n{}", "is not JSON"),
        ('{"hooks": {},}', "is not JSON"),
        ("\ufeff{}", "byte-order mark"),
        ('{"description": "\udcff"}', "is not UTF-8"),
        ("[]", "is not an object"),
        ('[{"type": "command", "event": "session_start"}]', "is not an object"),
        ('{"SessionStart": []}', '"SessionStart" at the top'),
        ('{"hooks": []}', "no object hooks"),
        ('{"hooks": {"Stop": {}}}', "no array hooks.Stop"),
        ('{"hooks": {}, "hooks": {}}', "twice"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_what_codex_would_reject_is_named(text: str, words: str) -> None:
    """The client drops the whole file for each of these, with one warning that is easily missed."""
    assert words in problem(text)


@pytest.mark.parametrize("text", ["", "\n", "{}", '{"description": "x", "hooks": {"PreToolUse": [{"hooks": []}]}}'])
def test_what_codex_reads_is_no_problem(text: str) -> None:
    """A sound file, or an empty one that we fill."""
    assert problem(text) == ""


def test_what_to_add_by_hand_is_what_we_would_add() -> None:
    """The lines that a user is shown make a whole file."""
    assert json.loads('{"hooks": {' + codex_hooks.by_hand() + "}}") == json.loads(whole())


def test_a_broken_file_has_no_hooks() -> None:
    """A question about it is answered, an edit is refused."""
    assert not has_hooks("{")
    assert not are_whole("{")
    with pytest.raises(JsonTextError):
        with_hooks("{")


def test_the_example_in_the_documents_is_the_file() -> None:
    """What the page shows is what is written."""
    page = (Path(__file__).parents[2] / "docs" / "install.md").read_text(encoding="utf-8")
    assert f"{RUN} session-start --host codex || exit 0" in page
