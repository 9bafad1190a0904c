"""The back end ``command``: programs that answer, and programs that do not."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hipocampus.errors import UserError
from hipocampus.store.config import Config, defaults
from hipocampus.summarize.asking import Answer, AnswerError, BackendError, Prompt
from hipocampus.summarize.command import Command, command_of
from hipocampus.summarize.presets import PRESETS

PROMPT = Prompt("Summarise what follows.", "# 2026-03-15\n- a token bucket")
Env = dict[str, str]
Written = Callable[..., Command]


def settings(*words: str, **others: object) -> Config:
    """Settings with that command."""
    return replace(defaults(), llm_backend="command", llm_command=words, llm_timeout=60, **others)  # type: ignore[arg-type]


@pytest.fixture
def written(tmp_path: Path, env: Env) -> Written:
    """A program of these lines of Python, under a name on PATH."""

    def made(lines: str, name: str = "answerer", *arguments: str, **others: object) -> Command:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / name
        program.write_text(f"#!{sys.executable}\nimport json, os, sys\n{lines}\n", encoding="utf-8")
        program.chmod(0o755)
        env["PATH"] = f"{folder}{os.pathsep}{env['PATH']}"
        return command_of(settings(name, *arguments, **others), env)

    return made


def test_a_program_reads_the_question_and_prints_the_answer(written: Written) -> None:
    """Instructions first; the tokens are estimates."""
    answer = written("print(sys.stdin.read().upper(), end='')").ask(PROMPT)
    assert answer.text == f"{PROMPT.fixed}\n\n{PROMPT.matter}".upper()
    assert answer.tokens_in > 10
    assert answer.tokens_out > 10
    assert answer.cached == 0


def test_words_are_arguments_and_no_shell_reads_them(written: Written) -> None:
    """Whatever is in them."""
    answer = written("print(json.dumps(sys.argv[1:]))", "answerer", "a b", "$HOME", "; id").ask(PROMPT)
    assert json.loads(answer.text) == ["a b", "$HOME", "; id"]


def test_it_runs_in_an_empty_place_that_goes_away(written: Written) -> None:
    """No project speaks to it; inside, hooks of ours are quiet and nobody is asked."""
    lines = "names = ('HIPOCAMPUS_SUMMARIZING', 'HIPOCAMPUS_DISABLE')\n"
    lines += "print(json.dumps([os.getcwd(), os.listdir(), [os.environ.get(name) for name in names]]))"
    place, there, found = json.loads(written(lines).ask(PROMPT).text)
    assert (there, found) == ([], ["1", "1"])
    assert not os.path.exists(place)


@pytest.mark.parametrize(
    ("lines", "error", "why"),
    [
        ("print('half', flush=True); sys.exit('one\\nquota is used up')", BackendError, "status 1: quota is used up"),
        ("sys.exit(7)", BackendError, "status 7: it said nothing"),
        ("os.kill(os.getpid(), 9)", BackendError, "status -9: it said nothing"),
        ("print('x' * 100_000_000)", AnswerError, "it printed more than 1 MiB"),
        ("sys.stdout.buffer.write(b'caf\\xe9')", AnswerError, "it printed something else than UTF-8 text"),
    ],
)
def test_a_program_that_fails_has_no_answer(written: Written, lines: str, error: type[Exception], why: str) -> None:
    """With the last thing that it said, in one line."""
    with pytest.raises(error) as caught:
        written(lines).ask(PROMPT)
    assert str(caught.value).startswith("command answerer: ")
    assert why in str(caught.value)


def test_a_program_that_hangs_is_given_up(written: Written) -> None:
    """After the seconds of the settings."""
    command = replace(written("import time; time.sleep(600)"), timeout=1)
    with pytest.raises(BackendError, match=r"no answer within 1 s \(llm.timeout\)"):
        command.ask(PROMPT)


def test_what_it_complains_of_is_redacted(written: Written) -> None:
    """A program may say anything when it fails."""
    token = "ghp" + "_" + "a1B2c3D4e5F6" * 3
    with pytest.raises(BackendError) as caught:
        written(f"sys.exit('bad token {token}')").ask(PROMPT)
    assert token not in str(caught.value)


def test_a_program_that_cannot_be_started_is_said(written: Written, tmp_path: Path) -> None:
    """It has no interpreter."""
    command = written("")
    (tmp_path / "bin" / "answerer").write_text("#!/no/such/interpreter\n")
    with pytest.raises(BackendError, match="it cannot be started"):
        command.ask(PROMPT)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "llm.command names none; set a program, or one of claude, codex"),
        (("no-such-program",), "no program no-such-program on PATH"),
        (("./here",), "no program ./here on PATH"),
        (("here",), "no program here on PATH"),
        (("claude",), "no program claude on PATH"),
    ],
)
def test_a_command_that_names_no_program_is_refused(
    env: Env, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], why: str
) -> None:
    """A file of the working directory is none: a project could have put it there."""
    (tmp_path / "here").write_text("#!/bin/sh\n")
    (tmp_path / "here").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=why):
        command_of(settings(*words), {**env, "PATH": f".{os.pathsep}/nowhere"})


CLAUDE = {
    "type": "result",
    "is_error": False,
    "result": "- a token bucket",
    "stop_reason": "end_turn",
    "usage": {
        "input_tokens": 10,
        "output_tokens": 20,
        "cache_creation_input_tokens": 300,
        "cache_read_input_tokens": 4000,
    },
}
CODEX = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "item.completed", "item": {"type": "error", "message": "no metadata for this model"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "Let me see."}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "- a token bucket"}},
    {"type": "turn.completed", "usage": {"input_tokens": 4310, "cached_input_tokens": 4000, "output_tokens": 20}},
]


def lines_of(events: list[dict[str, object]]) -> str:
    """As Codex prints them."""
    return "".join(json.dumps(event) + "\n" for event in events)


@pytest.mark.parametrize(("name", "output"), [("claude", json.dumps(CLAUDE)), ("codex", lines_of(CODEX))])
def test_a_preset_knows_what_its_agent_prints(written: Written, name: str, output: str) -> None:
    """The answer alone, and what it cost."""
    answer = written(f"sys.stdin.read(); print({output!r})", name).ask(PROMPT)
    assert answer == Answer("- a token bucket", 4310, 20, 4000)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_asks_for_the_model_that_is_set(written: Written, name: str) -> None:
    """And for none where none is; the whole question reaches the agent either way."""
    lines = "open(os.environ['HOME'] + '/said', 'w').write(json.dumps([sys.argv[1:], sys.stdin.read()])); sys.exit(1)"
    for model, expected in (("auto", []), ("large", ["large"])):
        command = written(lines, name, llm_model=model)
        with pytest.raises(BackendError):
            command.ask(PROMPT)
        words, said = json.loads(Path(command.env["HOME"], "said").read_text())
        assert [words[at + 1] for at, word in enumerate(words) if word == "--model"] == expected
        assert PROMPT.fixed in [*words, said.partition("\n\n")[0]]
        assert said.endswith(PROMPT.matter)


@pytest.mark.parametrize(
    ("name", "output", "why"),
    [
        ("claude", json.dumps({**CLAUDE, "is_error": True, "result": "API Error: 529 busy"}), "API Error: 529 busy"),
        ("claude", json.dumps({**CLAUDE, "result": None, "subtype": "error_max_turns"}), "error_max_turns"),
        ("claude", json.dumps({**CLAUDE, "stop_reason": "max_tokens"}), "the answer ended with max_tokens"),
        ("claude", "{}", "it printed no answer"),
        ("claude", "- a token bucket", "it printed no answer"),
        ("claude", "[" * 100_000, "it printed no answer"),
        ("codex", lines_of(CODEX[:-1]), "it printed no answer"),
        ("codex", lines_of([CODEX[0], CODEX[-1]]), "it printed no answer"),
        ("codex", lines_of([{"type": "turn.failed", "error": {"message": "no quota"}}]), "no quota"),
        ("codex", "- a token bucket", "it printed no answer"),
        ("codex", "[1]\nnull\n", "it printed no answer"),
    ],
)
def test_an_agent_that_has_no_answer(written: Written, name: str, output: str, why: str) -> None:
    """It says so in its own form, with any exit status."""
    for code, error in ((0, AnswerError), (1, BackendError)):
        with pytest.raises(error) as caught:
            written(f"print({output!r}); sys.exit({code})", name).ask(PROMPT)
        if code == 0 or why != "it printed no answer":
            assert str(caught.value).endswith(why)


def test_codex_gets_no_tools_of_the_user(env: Env, tmp_path: Path) -> None:
    """Each server that the settings of Codex name is left out; what is no such file names none."""
    place = tmp_path / "user" / ".codex"
    place.mkdir()
    words = PRESETS["codex"].words
    (place / "config.toml").write_text('[mcp_servers.one]\ncommand = "x"\n[mcp_servers."the other"]\ncommand = "x"\n')
    assert 'mcp_servers={"one"={enabled=false}, "the other"={enabled=false}}' in words(PROMPT, "", env)
    for content in ("mcp_servers = 1", "[[[", "\0"):
        (place / "config.toml").write_text(content)
        assert "mcp_servers={}" in words(PROMPT, "", env)
