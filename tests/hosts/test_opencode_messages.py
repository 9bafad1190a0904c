"""OpenCode's messages, as the real client gives them, tell what was said and done and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hosts.opencode_messages import items_of, said_by_user
from hipocampus.hosts.transcript import Prompt, Reply, Tool

# Two turns with tools, a sub-agent, the client's own compaction and one by hand; the plugin's part is text "SYN".
RECORDED = Path(__file__).parent / "recorded" / "opencode-1.18.33-messages.json"
CREATED = 1796015281099
AT = "2026-11-30T05:08:01.099+00:00"


def user(*parts: object, created: object = CREATED) -> dict[str, object]:
    """A user's message."""
    return {"info": {"id": "msg_1", "role": "user", "time": {"created": created}}, "parts": [*parts]}


def assistant(*parts: object, **info: object) -> dict[str, object]:
    """A message of the assistant."""
    times = {"created": CREATED, "completed": CREATED}
    return {"info": {"id": "msg_2", "role": "assistant", "time": times, **info}, "parts": [*parts]}


def text(said: str, **marks: object) -> dict[str, object]:
    """A text part."""
    return {"type": "text", "text": said, **marks}


def tool(name: str, status: str = "completed", **arguments: object) -> dict[str, object]:
    """A call of a tool."""
    return {"type": "tool", "tool": name, "state": {"status": status, "input": arguments}}


def test_a_recorded_conversation() -> None:
    """The client's own list: prompts, the assistant's words, tools with the files they changed, and no summary."""
    found = items_of(json.loads(RECORDED.read_text(encoding="utf-8")))
    assert [type(item).__name__ + ":" + (item.name if isinstance(item, Tool) else item.text) for item in found] == [
        "Prompt:use a tool",
        "Reply:Let me look.",
        "Tool:bash",
        "Tool:write",
        "Tool:edit",
        "Tool:task",
        "Reply:done",
        "Reply:continued",
        "Prompt:after",
        "Reply:OK",
    ]
    assert found[0] == Prompt("use a tool", prompt_id="msg_22ada53cb001v7gA2hQW5tHau7", at=AT, start=CREATED)
    assert [item.file for item in found if isinstance(item, Tool)] == [
        "",
        "/home/u/proj/x.txt",
        "/home/u/proj/x.txt",
        "",
    ]


PATCH = """*** Begin Patch
*** Update File: src/a.py
*** Move to: src/b.py
@@
-old
+*** Add File: not one
*** Add File: docs/new page.md
+text
*** End Patch"""

TELLS = [
    pytest.param(user(text("a"), text("b")), [Prompt("a\nb", prompt_id="msg_1", at=AT, start=CREATED)], id="two parts"),
    pytest.param(
        user(text("a"), text("file", synthetic=True)), [Prompt("a", "", "msg_1", AT, start=CREATED)], id="file"
    ),
    pytest.param(user(text("Continue …", synthetic=True)), [], id="the client's own continuation"),
    pytest.param(user({"type": "compaction", "auto": True}), [], id="a compaction"),
    pytest.param(user({"type": "file", "url": "data:,"}), [Prompt("", "", "msg_1", AT, start=CREATED)], id="a picture"),
    pytest.param(user(text("a", ignored=True)), [], id="not for the model"),
    pytest.param(user(text("a"), created="soon"), [Prompt("a", prompt_id="msg_1")], id="a time that is none"),
    pytest.param(user(text("a"), created=10**30), [Prompt("a", prompt_id="msg_1")], id="a time without end"),
    pytest.param(assistant(text("a"), text("b")), [Reply("a\n\nb", "msg_2", AT)], id="one reply a message"),
    pytest.param(assistant(text("sum"), summary=True), [], id="a summary"),
    pytest.param(assistant({"type": "reasoning", "text": "hm"}), [], id="reasoning"),
    pytest.param(assistant(tool("edit", "error", filePath="/p/a")), [Tool("edit")], id="a tool that failed"),
    pytest.param(assistant(tool("read", filePath="/p/a")), [Tool("read")], id="a tool that only reads"),
    pytest.param(
        assistant(tool("apply_patch", patchText=PATCH)),
        [Tool("apply_patch", file) for file in ("src/a.py", "src/b.py", "docs/new page.md")],
        id="a patch",
    ),
]


@pytest.mark.parametrize(("message", "items"), TELLS)
def test_what_a_message_tells(message: object, items: list[object]) -> None:
    """Somebody's own words and deeds; parts of any other kind are nobody's."""
    assert list(items_of([message])) == items


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ('"fix the tests"', "fix the tests"),
        ('"say \\"hello\\" twice"', 'say "hello" twice'),
        ('"a b" c', '"a b" c'),
        ('"a" and "b"', '"a" and "b"'),
        ('"', '"'),
        ("plain", "plain"),
    ],
)
def test_quotes_of_the_command_line(typed: str, words: str) -> None:
    """`opencode run` hands a prompt of several words over in quotes; quotes that the user meant stay."""
    assert said_by_user(typed) == words


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["info", "parts", "role", "type", "text", "tool", "state", "input", "time", "created"]),
            inner | st.sampled_from(["user", "assistant", "text", "tool", "edit", "completed"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(_JSON)
def test_no_shape_breaks_it(value: object) -> None:
    """Another program's data may be anything; what is not understood tells nothing."""
    repr(items_of(value)).encode("utf-8")
    repr(items_of([value])).encode("utf-8")
