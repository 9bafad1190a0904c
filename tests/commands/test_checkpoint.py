"""`hipocampus checkpoint` and `remember`: from the shell to the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipocampus.capture.checkpoint import REQUIRED
from hipocampus.commands.caller import Caller
from hipocampus.commands.checkpoint import checkpoint
from hipocampus.compaction.fields import ROLES
from hipocampus.core.entries import Entry, parse_log
from hipocampus.core.topics import EntryType
from hipocampus.store.state import read_state

RULE = ("--field", "rule=x", "--field", "why=y", "--field", "how-to-apply=z")
FIELDS = ("--field", "request=limit the API", "--field", "outcome=429, src/limits.py")


@pytest.fixture
def today(layout):
    """The entries of today's log."""

    def read() -> list[Entry]:
        path = Path(layout.raw("2026-03-15"))
        return parse_log(path.read_text(encoding="utf-8")) if path.exists() else []

    return read


def test_options_become_an_entry(shell, layout, today, now) -> None:
    """Topic, type and fields stand in today's log with their provenance; both counters rise; one line says where."""
    result = shell(
        "checkpoint", "--topic", "rate limiting", "--type", "project", *FIELDS, cwd=layout.root, HIPOCAMPUS_SESSION="s1"
    )
    assert result.code == 0
    (entry,) = today()
    assert str(entry.topic) == "rate limiting [project]"
    assert entry.fields == (("request", "limit the API"), ("outcome", "429, src/limits.py"))
    assert (entry.provenance.session, entry.provenance.source) == ("s1", "agent")
    assert f"memory/2026-03-15.md:3 #{entry.provenance.id}" in result.out
    state = read_state(layout, now)
    assert state.checkpoints == 1
    assert state.raw_lines > 0


@pytest.mark.parametrize(
    "text",
    [
        "## rate limiting [project]\n- request: limit the API\n- outcome: 429, src/limits.py\n",
        json.dumps(
            {"topic": "rate limiting", "type": "project", "request": "limit the API", "outcome": "429, src/limits.py"}
        ),
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_standard_input_becomes_the_same_entry(shell, layout, today, text: str, mark: bytes) -> None:
    """Markdown and JSON on standard input, with or without a byte-order mark, say the same as options."""
    assert shell("checkpoint", cwd=layout.root, stdin=mark + text.encode()).code == 0
    (entry,) = today()
    assert str(entry.topic) == "rate limiting [project]"
    assert entry.field("outcome") == "429, src/limits.py"


def test_a_repeat_is_stored_once(shell, layout, today) -> None:
    """The same checkpoint twice on a day is one entry; the second says so and is fine."""
    arguments = ("checkpoint", "--topic", "rate limiting", "--type", "project", *FIELDS)
    shell(*arguments, cwd=layout.root)
    again = shell(*arguments, cwd=layout.root)
    assert again.code == 0
    assert again.out.startswith("Stored before, nothing written: rate limiting [project]")
    assert len(today()) == 1


@pytest.mark.parametrize(
    ("arguments", "stdin", "missing"),
    [
        (("--type", "feedback", "--topic", "a", "--field", "rule=short answers"), b"", "why"),
        (("--type", "project", "--field", "outcome=x"), b"", "topic"),
        (("--topic", "a", "--type", "project", "--field", "no equals sign"), b"", "name=text"),
        (("--topic", "a", "--type", "project"), b"", "field"),
        ((), b"", "topic"),
        ((), b"{", "JSON"),
    ],
)
def test_what_is_missing_is_named(shell, layout, today, arguments: tuple[str, ...], stdin: bytes, missing: str) -> None:
    """An incomplete checkpoint is one line that says what to add, exit 1, and nothing is written."""
    result = shell("checkpoint", *arguments, cwd=layout.root, stdin=stdin)
    assert (result.code, result.out) == (1, "")
    assert missing.lower() in result.err.lower()
    assert len(result.err.splitlines()) == 1
    assert today() == []


USUAL = "request, analysis, decisions, outcome, lessons, open-items, references, status; of feedback rule, why, "
DOUBTS = [
    (("--field", "foo=bar"), b"", "note: no field has a meaning by the name foo; it was stored as it is. Usual are"),
    (("--field", "decisons=x"), b"", "by the name decisons (decisions?); it was"),
    (("--field", "foo=x", "--field", "bar=y"), b"", "by the names foo, bar; they were stored as they are."),
    (("--type", "feedback", "--field", "rul=x", *RULE), b"", "rul (rule?)"),
    ((), b'{"topic": "a", "typ": "b"}', "typ (type?)"),
    ((), b"## a\n- outcom: x\n", "outcom (outcome?)"),
    (("--field", "status=maybe"), b"", "note: the status says neither open nor done, and was stored as it is."),
]


@pytest.mark.parametrize(("arguments", "stdin", "said"), DOUBTS)
def test_a_typing_error_is_stored_and_said(shell, layout, today, arguments, stdin: bytes, said: str) -> None:
    """Nothing is lost, the exit status is 0, and one line on standard error says what will have no meaning."""
    topic = () if stdin else ("--topic", "a")
    result = shell("checkpoint", *topic, *arguments, cwd=layout.root, stdin=stdin)
    assert result.code == 0
    assert result.out.startswith("Stored: a [")
    assert said in result.err
    assert result.err.count("\n") == 1
    assert USUAL in result.err or "status" in said
    (entry,) = today()
    assert {value.partition("=")[0] for value in arguments[1::2] if "=" in value} <= {name for name, _ in entry.fields}


@pytest.mark.parametrize("kind", ["project", "feedback"])
@pytest.mark.parametrize("name", sorted({*ROLES, "fact", "note", "notes"}))
def test_a_field_that_means_something_is_stored_without_a_word(shell, layout, kind: str, name: str) -> None:
    """Every name that compaction goes by, and those that this program gives itself."""
    fields = ("--field", f"{name}=x", *(RULE if kind == "feedback" else ()))
    assert shell("checkpoint", "--topic", name, "--type", kind, *fields, cwd=layout.root).err == ""


@pytest.mark.parametrize("kind", ["user", "reference"])
def test_a_type_with_fields_of_any_name_has_no_typing_errors(shell, layout, kind: str) -> None:
    """What is said of a person or a place needs names of its own."""
    assert shell("checkpoint", "--topic", "a", "--type", kind, "--field", "editor=vi", cwd=layout.root).err == ""


@pytest.mark.parametrize("status", ["open", "done", "Done: merged on Friday", "in progress", "blocked by CI", "완료"])
def test_a_status_in_other_words_is_stored_without_a_word(shell, layout, status: str) -> None:
    """Whatever compaction takes for open or done."""
    assert shell("checkpoint", "--topic", "a", "--field", f"status={status}", cwd=layout.root).err == ""


@pytest.mark.parametrize("where", ["help", "docs/files.md"])
def test_what_feedback_must_say_is_said_beforehand(shell, layout, where: str) -> None:
    """In the help and on the page of the files, not only by the refusal."""
    assert REQUIRED[EntryType.FEEDBACK] == ("rule", "why", "how-to-apply")
    page = Path(__file__).parents[2] / where
    if where != "help" and not page.exists():
        pytest.skip("docs are not in the wheel")
    text = shell("checkpoint", "--help", cwd=layout.root).out if where == "help" else page.read_text("utf-8")
    assert "rule, why and how-to-apply, all three" in " ".join(text.replace("`", "").split())


def test_fields_do_not_wait_for_standard_input(layout, env, now) -> None:
    """With fields given, standard input is not read at all: in an agent's shell it may never end."""

    def never() -> str:
        raise AssertionError("standard input was read")

    fields = ("outcome=x",)
    assert checkpoint(Caller(layout.root, env, now), stdin=never, topic="a", entry_type="project", fields=fields) == 0


def test_no_secret_is_written(shell, layout, secret) -> None:
    """A secret in a field is nowhere in the home, and what stands around it is."""
    shell("checkpoint", "--topic", "keys", "--type", "project", "--field", f"outcome=use {secret} now", cwd=layout.root)
    content = b"".join(path.read_bytes() for path in Path(layout.root).rglob("*") if path.is_file())
    assert secret.encode() not in content
    assert b"outcome: use " in content


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("always use bun here", "feedback"),
        ("항상 한국어로 답해 줘", "feedback"),
        ("I am a backend developer", "user"),
        ("API docs: https://example.org/api", "reference"),
    ],
)
def test_remember_keeps_the_words_and_shows_the_type(shell, layout, today, text: str, kind: str) -> None:
    """The wording is kept exactly; the guessed type is said with the way to overrule it."""
    result = shell("remember", text, cwd=layout.root)
    assert result.code == 0
    (entry,) = today()
    assert text in entry.body
    assert entry.topic.type == kind
    assert f"Taken for {kind}" in result.out
    assert "--type" in result.out


def test_remember_takes_a_type_and_unquoted_words(shell, layout, today) -> None:
    """--type overrules the guess; several arguments, dashes included, are one sentence."""
    assert shell("remember", "--type", "user", "-", "always", "use", "bun", cwd=layout.root).code == 0
    (entry,) = today()
    assert entry.topic.type == "user"
    assert "- always use bun" in entry.body


def test_remember_corrects_the_type(shell, layout, today) -> None:
    """The same words with another type on the same day stay one entry, there and back; what stands beside it stays."""
    for words in ("deploys go out on Fridays", "I like\n## tea"):
        shell("remember", words, cwd=layout.root)
    first, second = today()
    for kind in ("feedback", "reference", "project"):
        result = shell("remember", "--type", kind, "deploys go out on Fridays", cwd=layout.root)
        assert result.out.endswith(f"It replaces the entry of type {first.topic.type}.\n")
        kept, first = today()
        assert (kept.topic, kept.body) == (second.topic, second.body)
        assert (first.topic.type, "deploys go out on Fridays" in first.body) == (kind, True)
        assert f":{first.line} #{first.provenance.id}" in result.out
    assert shell("verify", cwd=layout.root).code == 0


def test_only_what_was_remembered_is_replaced(shell, layout, today) -> None:
    """A checkpoint that says the same among other things stays, and so does a remark without a type."""
    fields = ("--field", "fact=deploys go out on Fridays", "--field", "outcome=done")
    shell("checkpoint", "--topic", "deploys", *fields, cwd=layout.root)
    shell("remember", "--type", "user", "deploys go out on Fridays", cwd=layout.root)
    shell("remember", "deploys go out on Fridays", cwd=layout.root)
    assert len(today()) == 3


def test_remember_needs_words(shell, layout) -> None:
    """Without text it is wrong usage; blanks are an expected failure."""
    assert shell("remember", cwd=layout.root).code == 2
    assert shell("remember", "  ", cwd=layout.root).code == 1


@pytest.mark.parametrize("kind", [None, "feedback", "user", "reference"])
def test_a_remark_that_was_forgotten_is_not_stored_again(shell, layout, today, kind: str | None) -> None:
    """As any type, and one line says so: who believes that it is kept would lose it."""
    shell("remember", "the door code is on the fridge", cwd=layout.root)
    shell("forget", "--match", "door code", "--yes", cwd=layout.root)
    again = shell("remember", *(("--type", kind) if kind else ()), "the door code is on the fridge", cwd=layout.root)
    assert again.code == 1
    assert "not stored" in again.err
    assert "forgotten today" in again.err
    assert again.out == ""
    shouted = shell("remember", *(("--type", kind) if kind else ()), "The DOOR  code is on the fridge", cwd=layout.root)
    assert shouted.code == 1
    assert today() == []


def test_a_checkpoint_that_was_forgotten_is_not_stored_again(shell, layout, today) -> None:
    """The same, for an entry with fields."""
    shell("checkpoint", "--topic", "rate limiting", *FIELDS, cwd=layout.root)
    shell("forget", "--match", "limit the API", "--yes", cwd=layout.root)
    again = shell("checkpoint", "--topic", "rate limiting", *FIELDS, cwd=layout.root)
    assert (again.code, today()) == (1, [])
    assert "forgotten today" in again.err


def test_what_was_taken_for_a_secret_is_said(shell, layout) -> None:
    """By its kind, whichever way it came; a placeholder that was given is none."""
    key = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    kind = "github-token"
    ways = (
        ("remember", f"the deploy key is {key}"),
        ("checkpoint", "--topic", f"key {key}", "--field", "outcome=rotated"),
        ("checkpoint", "--topic", "key", "--field", f"outcome=the deploy key is {key}"),
    )
    for arguments in ways:
        assert kind in shell(*arguments, cwd=layout.root).err
    entry = f"## deploys [project]\n- outcome: the deploy key is {key}\n"
    assert kind in shell("checkpoint", cwd=layout.root, stdin=entry.encode()).err
    quoted = f"## deploys [project]\n- outcome: what says [REDACTED:{kind}] was {key}\n"
    assert kind in shell("checkpoint", cwd=layout.root, stdin=quoted.encode()).err
    code = f"## code [project]\n- outcome: run this\n\n```sh\nexport T={key}\n" + "make\n" * 99 + "```\n"
    assert kind in shell("checkpoint", cwd=layout.root, stdin=code.encode()).err
    assert shell("remember", f"what says [REDACTED:{kind}] was cut out", cwd=layout.root).err == ""


@pytest.mark.parametrize("option", [("--topic", "deploys"), ("--topic=deploys",), ("--field", "request=x")])
def test_an_option_of_checkpoint_is_no_part_of_a_sentence(shell, layout, today, option: tuple[str, ...]) -> None:
    """It is refused beside a sentence in quotes, with what to do; words without quotes may be any."""
    refused = shell("remember", "deploys go out on Fridays", *option, cwd=layout.root)
    assert (refused.code, today()) == (1, [])
    assert option[0].partition("=")[0] in refused.err
    assert "hipocampus checkpoint" in refused.err
    assert shell("remember", "run", "pytest", "--lf", "first", cwd=layout.root).code == 0
    assert shell("remember", "run pytest --lf first, and --topic is no option", cwd=layout.root).code == 0
