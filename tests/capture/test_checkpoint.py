"""A checkpoint is validated, cleaned of what is not worth saving, and stored once."""

from __future__ import annotations

import itertools
import json
import shlex
from base64 import b64encode
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import pytest

from hipocampus.capture.checkpoint import Checkpoint, parse_checkpoint, remembered, store_checkpoint
from hipocampus.capture.journal import counts
from hipocampus.core.entries import parse_log
from hipocampus.core.topics import EntryType, Topic
from hipocampus.errors import UserError
from hipocampus.store.layout import Layout
from hipocampus.store.state import read_state
from tests.capture.conversation import Conversation, raw_text

LIMITS = Checkpoint(Topic("rate limiting"), (("request", "choose"), ("outcome", "token bucket")))
RULE = ("rule=be terse", "why=long answers are not read", "how-to-apply=every reply")

# options and standard input that all mean the same checkpoint
FORMS = [
    ("rate limiting", "project", ["request=choose", "outcome=token bucket"], ""),
    ("rate limiting", "", ["request=choose", "outcome=token bucket"], ""),
    ("", "", [], "## rate limiting [project]\n- request: choose\n- outcome: token bucket\n"),
    ("", "", [], "\ufeff## rate limiting [Project]\r\n\r\n- **request**: choose\r\n- outcome: token bucket\r\n"),
    ("", "", [], "# 2026-03-15\n\n## rate limiting\n* Request: choose\n* Outcome: token bucket"),
    ("rate limiting", "", [], "- request: choose\n- outcome: token bucket"),
    ("rate limiting", "project", ["outcome=token bucket"], "## other [user]\n- outcome: x\n- request: choose"),
    ("", "", [], json.dumps({"topic": "rate limiting", "fields": {"request": "choose", "outcome": "token bucket"}})),
    (
        "",
        "",
        [],
        json.dumps({"topic": "rate limiting", "type": "project", "request": "choose", "outcome": "token bucket"}),
    ),
]


@pytest.mark.parametrize(("topic", "kind", "fields", "text"), FORMS)
def test_the_forms_of_a_checkpoint(topic: str, kind: str, fields: list[str], text: str) -> None:
    """Options, Markdown and JSON say the same; where two do, the options decide."""
    parsed = parse_checkpoint(topic, kind, fields, text)
    assert parsed.topic == LIMITS.topic
    assert sorted(parsed.fields) == sorted(LIMITS.fields)


def test_markdown_fields_keep_their_further_lines() -> None:
    """Lists, short code and paragraphs below a field belong to it; text before the first field is a note."""
    text = "## x\nintroduction\n- decisions: two\n  - one\n  - other\n```sh\n- not: a field\n```\n- outcome: done"
    assert parse_checkpoint("", "", [], text).fields == (
        ("notes", "introduction"),
        ("decisions", "two\n  - one\n  - other\n```sh\n- not: a field\n```"),
        ("outcome", "done"),
    )


def test_a_json_list_is_one_line_each() -> None:
    """Values that are lists of texts, numbers or null are taken as text."""
    text = json.dumps({"topic": "x", "how_to_apply": ["a", "b"], "count": 3, "empty": None})
    assert parse_checkpoint("", "", [], text).fields == (("how-to-apply", "a\nb"), ("count", "3"))


# what was written, and what the one line must name
ERRORS = [
    (("", "", ["outcome=x"], ""), ["a topic", "hipocampus checkpoint --topic"]),
    (("x", "", [], ""), ["at least one field", "--field"]),
    (("x", "", ["outcome=  "], ""), ["at least one field"]),
    (("", "", [], ""), ["a topic and at least one field"]),
    (("x", "feedback", ["rule=be terse"], ""), ["the field why and the field how-to-apply", "--type feedback"]),
    (("", "feedback", [], ""), ["a topic, the field rule, the field why and the field how-to-apply"]),
    (("x", "decision", ["outcome=x"], ""), ["'decision'", "project, feedback, user, reference"]),
    (("", "", [], "## x [decision]\n- outcome: y"), ["'decision'"]),
    (("x", "", ["outcome"], ""), ["name=text", "'outcome'"]),
    (("x", "", ["=y"], ""), ["cannot"]),
    (("x", "", ["결과=y"], ""), ["결과", "letters"]),
    (("", "", [], '{"topic": "x",'), ["not valid JSON"]),
    (("", "", [], '{"topic": "x", "outcome": {"a": 1}}'), ["neither text nor a list"]),
    (("", "", [], "## x\n- outcome: y\n## z\n- outcome: w"), ["2 sections", "one checkpoint at a time"]),
]


@pytest.mark.parametrize(("written", "named"), ERRORS)
def test_an_error_says_what_is_missing(written: tuple[str, str, list[str], str], named: list[str]) -> None:
    """One line names exactly what is missing or wrong, and shows the right command where that helps."""
    with pytest.raises(UserError) as raised:
        parse_checkpoint(*written)
    message = str(raised.value)
    assert "\n" not in message
    assert all(part in message for part in named), message


def test_the_shown_commands_are_right() -> None:
    """What an error tells to type is accepted."""
    for kind in ("project", "feedback"):
        with pytest.raises(UserError) as raised:
            parse_checkpoint("", kind, [], "")
        words = shlex.split(str(raised.value).split("like this: ")[1])
        options = dict(zip(words[2:6:2], words[3:6:2], strict=True))
        fields = [word for mark, word in itertools.pairwise(words) if mark == "--field"]
        assert parse_checkpoint(options["--topic"], options["--type"], fields, "").topic.type == kind


def test_feedback_with_all_it_needs_passes() -> None:
    """Rule, why and how-to-apply are enough."""
    assert parse_checkpoint("terse answers", "feedback", RULE, "").topic.type is EntryType.FEEDBACK


def test_a_checkpoint_is_stored_with_its_provenance(layout: Layout, now: datetime) -> None:
    """It stands in today's raw log as the agent's, with session and branch, and raises both counters."""
    stored = store_checkpoint(layout, LIMITS, now, "5c18a6f2-0000", branch="main")
    (entry,) = parse_log(raw_text(layout))
    assert entry == stored.entry
    assert (stored.day, stored.duplicate) == ("2026-03-15", False)
    assert (entry.provenance.source, entry.provenance.session, entry.provenance.branch) == ("agent", "5c18a6f2", "main")
    state = read_state(layout, now)
    assert (state.raw_lines, state.checkpoints) == (6, 1)


def test_an_exact_repeat_is_dropped(layout: Layout, now: datetime) -> None:
    """The same checkpoint twice on a day is one entry and counts once."""
    store_checkpoint(layout, LIMITS, now)
    before = raw_text(layout)
    assert store_checkpoint(layout, LIMITS, now).duplicate
    assert raw_text(layout) == before
    assert read_state(layout, now).checkpoints == 1


def test_it_covers_its_session(talk: Conversation) -> None:
    """The journal knows of the checkpoint, also of a repeated one."""
    talk.ask("choose")
    store_checkpoint(talk.layout, LIMITS, talk.at, talk.session)
    assert counts(talk.layout, talk.session).uncovered == 0
    talk.ask("again")
    store_checkpoint(talk.layout, LIMITS, talk.at, talk.session)
    assert counts(talk.layout, talk.session).uncovered == 0


@pytest.mark.parametrize("session", ["", "nobody"])
def test_it_needs_no_session(layout: Layout, now: datetime, session: str) -> None:
    """A person at a shell, or a session without a journal, stores a checkpoint all the same."""
    assert not store_checkpoint(layout, LIMITS, now, session).duplicate
    assert not Path(layout.journal).exists()


def test_what_is_not_worth_saving_is_one_line(layout: Layout, now: datetime) -> None:
    """Long code, a trace and a diff inside a checkpoint are not stored as they are."""
    code = "\n".join(f"value_{number} = {number}" for number in range(12))
    trace = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    x\nNameError: name 'x'"
    text = f"## x\n- outcome: see\n```python src/a.py\n{code}\n```\n- error: {trace}\n- done: yes"
    store_checkpoint(layout, parse_checkpoint("", "", [], text), now)
    assert raw_text(layout).split("-->\n")[1] == (
        "- outcome: see\n  → src/a.py\n- error: NameError: name 'x'\n- done: yes\n"
    )


def test_a_field_cannot_begin_another_entry(layout: Layout, now: datetime) -> None:
    """Headings and fields inside a text are indented, so that they stay inside."""
    store_checkpoint(layout, parse_checkpoint("x", "", ["outcome=a\n## b [user]\n- rule: c"], ""), now)
    (entry,) = parse_log(raw_text(layout))
    assert entry.fields == (("outcome", "a\n## b [user]\n- rule: c"),)


@pytest.mark.parametrize("before", range(0, 60, 2))
def test_no_topic_ends_within_a_secret(talk: Conversation, before: int) -> None:
    """What is left of one where a topic is cut would be found by no rule, and stand in the heading for good."""
    secret = "sk-" + "ant-api03-" + "Qz7Wk2Xv9Tb4" * 8
    said = "the gateway of the harbour system of the northern pier and its quay"[:before]
    stored = store_checkpoint(talk.layout, remembered(f"{said} opens with {secret}"), talk.at)
    assert secret[13:17] not in Path(talk.layout.raw(stored.day)).read_text(encoding="utf-8")


@pytest.mark.parametrize("secret_at", ["topic", "field", "markdown", "remembered"])
def test_no_secret_is_stored(talk: Conversation, secret_at: str) -> None:
    """Wherever the secret stands, neither raw log nor journal has it."""
    secret = "gh" + "p_" + "A1b2C3d4" * 5
    written = {
        "topic": lambda: parse_checkpoint(f"use {secret}", "", ["outcome=x"], ""),
        "field": lambda: parse_checkpoint("x", "", [f"outcome=use {secret}"], ""),
        "markdown": lambda: parse_checkpoint("", "", [], f"## x\n- outcome: use\n  {secret}"),
        "remembered": lambda: remembered(f"the token is {secret}"),
    }[secret_at]()
    store_checkpoint(talk.layout, written, talk.at, talk.session)
    for path in Path(talk.layout.memory).rglob("*"):
        assert path.is_dir() or secret not in path.read_text(encoding="utf-8")


def test_a_private_key_in_a_field_is_found_whole(layout: Layout, now: datetime) -> None:
    """A secret over many lines is looked for before its lines are indented or cut."""
    lines = "\n".join(b64encode(sha256(bytes([number])).digest()).decode() for number in range(8))
    key = f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{lines}\n-----END RSA {'PRIVATE'} KEY-----"
    store_checkpoint(layout, parse_checkpoint("x", "", [f"outcome=the key\n{key}"], ""), now)
    assert not any(line in raw_text(layout) for line in lines.split("\n"))


# wording, type, field
REMEMBERED = [
    ("always use bun here", EntryType.FEEDBACK, "rule"),
    ("I'm a backend engineer in Seoul", EntryType.USER, "fact"),
    ("the staging docs are at https://staging.example.com/docs", EntryType.REFERENCE, "reference"),
    ("we chose Postgres over MySQL", EntryType.PROJECT, "fact"),
    ("앞으로 커밋 메시지는 한국어로 써줘", EntryType.FEEDBACK, "rule"),
]


@pytest.mark.parametrize(("wording", "kind", "field"), REMEMBERED)
def test_what_is_remembered_keeps_its_wording(
    layout: Layout, now: datetime, wording: str, kind: EntryType, field: str
) -> None:
    """The words stay exactly, the type is guessed, and no why is asked for."""
    stored = store_checkpoint(layout, remembered(f"  {wording}\n"), now)
    (entry,) = parse_log(raw_text(layout))
    assert (entry.topic.type, entry.fields) == (kind, ((field, wording),))
    assert stored.entry == entry


def test_a_given_type_overrides_the_guess() -> None:
    """The person knows better than the table."""
    assert remembered("always use bun here", "reference").topic.type is EntryType.REFERENCE


def test_long_code_that_is_to_be_remembered_stays(layout: Layout, now: datetime) -> None:
    """Wording kept exactly means code too."""
    wording = "the snippet:\n```\n" + "\n".join(f"line {number}" for number in range(9)) + "\n```"
    store_checkpoint(layout, remembered(wording), now)
    (entry,) = parse_log(raw_text(layout))
    assert entry.field("fact") == wording


@pytest.mark.parametrize("wording", ["", "  \n"])
def test_nothing_to_remember_is_an_error(wording: str) -> None:
    """Without words there is one line that shows how."""
    with pytest.raises(UserError, match="hipocampus remember"):
        remembered(wording)
