"""``recall`` in its three steps: ROOT, the files that an LLM or the topics' words choose, and what a search finds."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import Result
from tests.summarize.messages_api import KEY, MessagesApi, Reply

LOGS = {
    "2025-11-12": "## Gateway [project]\n- decisions: leaky bucket at the gateway, set up by hand\n",
    "2026-02-10": "## Invoices [reference]\n- outcome: a bucket of the vendor holds the invoices\n",
    "2026-03-10": "## Rate limiting [project]\n- decisions: token bucket in src/limits.py, answers 429\n",
}
OLD, NEW = "memory/monthly/2025-11.md", "memory/monthly/2026-03.md"


@pytest.fixture(autouse=True)
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has installed, tests go by words."""
    monkeypatch.setattr("hipocampus.recall.index_vectors.weights_folder", lambda: "")


@pytest.fixture
def home(layout, shell) -> str:
    """A home with nodes of three months."""
    for day, text in LOGS.items():
        Path(layout.raw(day)).write_text(f"# {day}\n\n{text}", encoding="utf-8")
    assert shell("compact", "--force", cwd=layout.root).code == 0
    return layout.root


@pytest.fixture
def answering(shell, home, tmp_path: Path) -> Callable[[str], Path]:
    """Have a program answer with this, as the back end `command`; the file that will hold what it was asked."""

    def set_up(answer: str) -> Path:
        asked, program = tmp_path / "asked", tmp_path / "chooser"
        lines = f"import sys\nopen({str(asked)!r}, 'w').write(sys.stdin.read())\nsys.stdout.write({answer!r})\n"
        program.write_text(f"#!{sys.executable}\n{lines}")
        program.chmod(0o755)
        shell("config", "set", "llm.backend", "command", cwd=home)
        shell("config", "set", "llm.command", json.dumps([str(program)]), cwd=home)
        return asked

    return set_up


def pointers(result: Result) -> list[str]:
    """The pointers of what was found, in their order."""
    return [one["pointer"] for one in result.json["found"]]


def test_root_comes_first_then_what_is_found(shell, home) -> None:
    """Every line of ROOT with its own pointer; without --select nobody chooses."""
    result = shell("recall", "what limits the rate?", cwd=home)
    root, found = result.out.split("\n\n")
    assert root == (
        "In ROOT:\n- 2026-03-10: Rate limiting: token bucket in src/limits.py, answers 429 → memory/2026-03-10.md:3"
    )
    assert found.startswith("Found:\n2026-03-10  log  Rate limiting [project]  → memory/2026-03-10.md:3\n")


def test_a_korean_question_finds_an_english_line(shell, home) -> None:
    """By the pairs of words that mean the same."""
    assert "Rate limiting" in shell("recall", "제한", cwd=home).out


def test_select_takes_what_the_llm_chooses_and_looks_there_first(shell, home, answering) -> None:
    """It is asked for names of the manifest, in which the question and the topics stand."""
    asked = answering(f"{OLD}\n")
    before = pointers(shell("recall", "--json", "bucket", cwd=home))
    result = shell("recall", "--select", "bucket", cwd=home)
    assert (result.code, result.err) == (0, "")
    assert f"\n\nTo read, chosen by command chooser:\n- {OLD}: Gateway\n\nFound:\n2025-11-12" in result.out
    chosen = shell("recall", "--select", "--json", "bucket", cwd=home)
    assert (chosen.json["chosen"], chosen.json["chosen_by"]) == ([OLD], "command chooser")
    assert pointers(chosen)[0] == "memory/2025-11-12.md:3"
    assert sorted(pointers(chosen)) == sorted(before)
    assert "Question: bucket" in asked.read_text()
    assert f"{NEW}: Rate limiting" in asked.read_text()


def test_a_foreign_name_is_left_out_and_said_in_one_line(shell, home, answering) -> None:
    """The others are read."""
    answering(f"memory/monthly/1999-01.md\n{OLD}")
    result = shell("recall", "--select", "bucket", cwd=home)
    assert result.err == "note: left out of the answer: 1 name that is not in the manifest\n"
    assert f"To read, chosen by command chooser:\n- {OLD}: Gateway\n" in result.out


@pytest.mark.parametrize("answer", ["memory/monthly/1999-01.md", "I would read the first one.", "", "../etc/passwd"])
def test_an_answer_that_is_none_is_one_line_and_the_words_choose(shell, home, answering, answer) -> None:
    """Only names of the manifest count."""
    answering(answer)
    result = shell("recall", "--select", "rate", cwd=home)
    assert result.code == 0
    assert result.err.startswith("note: chosen by words: ")
    assert result.err.count("\n") == 1
    assert f"To read, chosen by words:\n- {NEW}: Rate limiting\n" in result.out


@pytest.mark.parametrize("backend", ["agent", "none"])
def test_without_a_back_end_one_line_says_what_to_set_up(shell, home, backend) -> None:
    """And the words choose."""
    shell("config", "set", "llm.backend", backend, cwd=home)
    result = shell("recall", "--select", "rate", cwd=home)
    assert result.err == (
        f"note: chosen by words: llm.backend is {backend}; to have an LLM choose: "
        "hipocampus config set llm.backend anthropic\n"
    )
    assert f"- {NEW}: Rate limiting" in result.out


def test_a_back_end_that_cannot_work_is_one_line(shell, home) -> None:
    """No key in the environment."""
    shell("config", "set", "llm.backend", "anthropic", cwd=home)
    result = shell("recall", "--select", "--json", "rate", cwd=home)
    assert (result.code, result.err.count("\n")) == (0, 1)
    assert "ANTHROPIC_API_KEY" in result.err
    assert (result.json["chosen"], result.json["chosen_by"]) == ([NEW], "words")


@pytest.mark.parametrize(
    ("reply", "by"),
    [(Reply(f"{OLD}\n{NEW}"), "anthropic"), (Reply(status=400, error="bad"), "words"), (Reply("no"), "words")],
)
def test_the_api_is_asked(shell, home, reply, by) -> None:
    """With the instructions apart, and its failure is one line."""
    with MessagesApi() as api:
        api.plan(reply)
        shell("config", "set", "llm.backend", "anthropic", cwd=home)
        key = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url, "NO_PROXY": "127.0.0.1"}
        result = shell("recall", "--select", "--json", "bucket", cwd=home, **key)
    assert result.json["chosen_by"].split()[0] == by
    assert result.err.count("\n") == (by == "words")
    assert "Question: bucket" in api.asked[0].matter
    assert "at most 5" in api.asked[0].fixed


def test_a_home_that_is_not_trusted_sends_nothing(shell, home, env, answering) -> None:
    """Whatever its config says."""
    asked = answering(f"{OLD}\n")
    (Path(env["HIPOCAMPUS_STATE"]) / "trust.jsonl").unlink()
    result = shell("recall", "--select", "bucket", cwd=home)
    assert "chosen by command" not in result.out
    assert not asked.exists()


def test_where_nothing_is_found_there_is_no_choice_to_print(shell, home, answering) -> None:
    """Silence is said and exits 1."""
    answering("none")
    result = shell("recall", "--select", "xylophone quartet", cwd=home)
    assert (result.code, result.out) == (1, "Memory holds nothing relevant.\n")


def test_what_the_llm_chooses_is_an_answer_where_nothing_else_is(shell, home, answering) -> None:
    """A topic in other words: the files to read are named."""
    answering(NEW)
    result = shell("recall", "--select", "xylophone quartet", cwd=home)
    assert (result.code, result.out) == (0, f"To read, chosen by command chooser:\n- {NEW}: Rate limiting\n")


def test_without_nodes_there_is_nothing_to_choose_from(shell, layout) -> None:
    """A memory that was never compacted has its entries all the same."""
    Path(layout.raw("2026-03-10")).write_text(LOGS["2026-03-10"], encoding="utf-8")
    found = shell("recall", "--select", "--json", "bucket", cwd=layout.root).json
    assert (found["root"], found["manifest"], found["chosen"]) == ([], [], [])
    assert found["found"][0]["pointer"] == "memory/2026-03-10.md:1"
    assert "choose" not in shell("recall", "bucket", cwd=layout.root).out


@pytest.mark.parametrize("query", ["", " ", "\n"])
def test_no_question_is_one_line(shell, home, query) -> None:
    """What to say instead."""
    result = shell("recall", "--", query, cwd=home)
    assert (result.code, result.out, result.err.count("\n")) == (1, "", 1)


@pytest.mark.parametrize("query", ['"', "* AND OR NOT", "🎉", "x" * 10_000, "-x --select"])
def test_any_question_is_text(shell, home, query) -> None:
    """Quotes, stars, options, ten kilobytes."""
    result = shell("recall", "--", query, cwd=home)
    assert (result.code, result.err) == (1, "")
