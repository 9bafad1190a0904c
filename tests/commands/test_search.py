"""``search``, ``recall``, ``manifest`` and ``surface``: what memory has on some words."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from hipocampus.core.tokens import estimate_tokens

LOGS = {
    "2025-11-02": "## Rate limiting [project]\n- decisions: leaky bucket at the gateway\n",
    "2026-03-10": "## Rate limiting [project]\n- decisions: token bucket in src/limits.py, answers 429\n"
    "\n## Deploy days [feedback]\n- rule: deploy on Tuesdays only, never before a holiday\n",
    "2026-03-12": "## Vendor portal [reference]\n- outcome: invoices of the vendor are at https://portal.example.org\n"
    "\n## 결제 모듈 [project]\n- outcome: 결제 모듈은 토스페이먼츠 API를 쓴다\n",
}


@pytest.fixture(autouse=True)
def no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has installed, tests go by words."""
    monkeypatch.setattr("hipocampus.recall.index_vectors.weights_folder", lambda: "")


@pytest.fixture
def home(layout) -> str:
    """A home with a few entries and a note."""
    for day, text in LOGS.items():
        Path(layout.raw(day)).write_text(f"# {day}\n\n{text}", encoding="utf-8")
    Path(layout.knowledge).mkdir()
    Path(layout.knowledge, "limits.md").write_text("# Limits\n\n## Retry\nA 429 carries Retry-After.\n", "utf-8")
    return layout.root


def pointers(result) -> list[str]:
    """The pointers of what a search found."""
    return [one["pointer"] for one in result.json]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["token", "bucket"], ["memory/2026-03-10.md:3", "memory/2025-11-02.md:3"]),
        (["429"], ["knowledge/limits.md:3", "memory/2026-03-10.md:3"]),
        (["--tier", "knowledge", "429"], ["knowledge/limits.md:3"]),
        (["--type", "feedback", "deploy"], ["memory/2026-03-10.md:6"]),
        (["--since", "2026-01", "bucket"], ["memory/2026-03-10.md:3"]),
        (["--until", "2025-12", "bucket"], ["memory/2025-11-02.md:3"]),
        (["토스페이먼츠"], ["memory/2026-03-12.md:6"]),
        (["--engine", "words", "deploying"], ["memory/2026-03-10.md:6"]),
        (["src/limits.py"], ["memory/2026-03-10.md:3"]),
    ],
)
def test_search_finds_and_filters(shell, home, arguments, expected) -> None:
    """Words, stems, Hangul and paths; types, days and tiers."""
    result = shell("search", "--json", *arguments, cwd=home)
    assert sorted(pointers(result)) == sorted(expected)
    assert result.code == 0


@pytest.mark.parametrize(
    "query", ["xylophone quartet", "the", '"', "* AND OR NOT", "col:umn NEAR(", "🎉", "x" * 10_000]
)
def test_any_text_is_text_and_nothing_relevant_is_said(shell, home, query) -> None:
    """No query is an error, and the five least bad entries are not an answer."""
    result = shell("search", "--", query, cwd=home)
    assert (result.code, result.out, result.err) == (1, "Nothing relevant.\n", "")


@pytest.mark.parametrize("command", ["search", "recall", "surface"])
@pytest.mark.parametrize("query", ["", "  \n"])
def test_nothing_to_look_for_is_said(shell, home, command, query) -> None:
    """In one line that shows how it is meant: an empty variable of a script is no question."""
    result = shell(command, query, cwd=home)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(("hipocampus: Say what to ", "hipocampus: Give a prompt"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (["colour", "invoices"], ["memory/2026-03-12.md:3"]),
        (["gateway", "quince", "pear"], ["memory/2025-11-02.md:3"]),
        (["gateway", "quince", "pear", "plum", "medlar"], []),
        (["how", "do", "we", "oil", "a", "xylophone"], []),
    ],
)
def test_a_part_of_the_words_will_do_where_nothing_holds_more(shell, home, query, expected) -> None:
    """Of two or three words one is enough, if it tells something; of many it is chance."""
    assert pointers(shell("search", "--json", *query, cwd=home)) == expected


def test_what_holds_more_of_the_words_leaves_no_room_for_parts(shell, home) -> None:
    """An entry with all of them stands alone before others that hold one."""
    assert pointers(shell("search", "--json", "leaky", "bucket", "gateway", cwd=home)) == ["memory/2025-11-02.md:3"]


ANSWER = (
    "I looked at the proxy first. Then at the client, which has none of its own and only shows what comes back. "
    "Uploads are cut at 20 MB per file by the proxy. That is all there is to say about it, as far as I can see."
)
ANSWERED = f"## What is the upload limit? [project]\n- request: What is the upload limit?\n- outcome: {ANSWER}\n"


def test_a_question_is_shown_with_its_answer(shell, home) -> None:
    """What was asked holds the words that are looked for; what came of it is what is wanted."""
    Path(home, "memory", "2026-03-13.md").write_text(f"# 2026-03-13\n\n{ANSWERED}", "utf-8")
    for command in ("search", "recall"):
        assert "What is the upload limit? → Uploads are cut at 20 MB" in shell(command, "upload", "limit", cwd=home).out


def test_a_topic_is_written_as_in_the_list(shell, home) -> None:
    """The name, and its type behind it."""
    for command in (("search", "bucket"), ("list",)):
        assert "Rate limiting [project]" in shell(*command, cwd=home).out


def test_search_says_how_many_more_there_are(shell, layout) -> None:
    """As the list does, and how to see them."""
    entries = "\n".join(
        f"## Quay {number} [project]\n- outcome: the crane lifts {number} crates\n" for number in range(14)
    )
    Path(layout.raw("2026-03-10")).write_text(f"# 2026-03-10\n\n{entries}", encoding="utf-8")
    lines = shell("search", "crane", cwd=layout.root).out.splitlines()
    shown = sum("→" in line for line in lines)
    assert lines[-1] == f"+{14 - shown} more: --limit 0 shows all"
    everything = shell("search", "--limit", "0", "crane", cwd=layout.root).out
    assert (everything.count("→"), "more:" in everything) == (14, False)


def test_what_a_search_is_narrowed_to_is_found_among_any_number(shell, layout) -> None:
    """However many others hold the word better; and all of them are counted, those that say the same once."""
    entry = "## Quay {0} matter [project]\n- decisions: crane crane quay{0} lifts{0}\n"
    Path(layout.raw("2026-03-10")).write_text("# 2026-03-10\n\n" + "\n".join(map(entry.format, range(1500))), "utf-8")
    rare = "## Pilots [user]\n- note: who likes weather and trains and lakes and hills keeps one crane at home\n"
    Path(layout.raw("2025-09-05")).write_text(f"# 2025-09-05\n\n{rare}", "utf-8")
    for narrowed in (("--type", "user"), ("--until", "2025-09-30")):
        assert pointers(shell("search", "crane", "--json", *narrowed, cwd=layout.root)) == ["memory/2025-09-05.md:3"]
    assert len(pointers(shell("search", "crane", "--json", "--limit", "0", cwd=layout.root))) == 1501
    shown = shell("search", "crane", "--type", "project", "--limit", "3", cwd=layout.root).out
    assert "+1497 more" in shown


def test_search_and_the_list_call_a_topic_by_its_name(shell, layout) -> None:
    """Also where it is a sentence; a program gets the same."""
    name = "We ship the ferry feed to the harbour office of every port"
    shell("checkpoint", "--topic", name, "--field", "outcome=by lorry", cwd=layout.root)
    assert name in shell("list", cwd=layout.root).out
    assert f"{name} [project]" in shell("search", "ferry", cwd=layout.root).out
    assert [hit["topic"] for hit in shell("search", "--json", "ferry", cwd=layout.root).json] == [name]


def test_what_is_old_or_was_decided_anew_is_marked(shell, home) -> None:
    """A later entry on the same topic supersedes, and a project entry of months ago needs checking."""
    old = next(one for one in shell("search", "--json", "bucket", cwd=home).json if one["day"] == "2025-11-02")
    assert old["newer"] == "memory/2026-03-10.md:3"
    assert old["warnings"] == ["superseded by memory/2026-03-10.md:3"]
    Path(home, "memory", "2026-03-10.md").unlink()
    assert "days old, check it against the code" in shell("search", "bucket", cwd=home).out


@pytest.mark.parametrize(
    ("entry", "warning"),
    [
        ("2026-02-12 project", "31 days old, check it against the code"),
        ("2026-02-13 project", ""),
        ("2026-02-12 reference", "? 31 days old, check its source"),
        ("2026-02-13 reference", ""),
        ("2020-01-01 feedback", ""),
        ("2020-01-01 user", ""),
    ],
)
def test_what_nobody_confirmed_for_a_month_is_marked(shell, layout, entry, warning) -> None:
    """A project entry and a reference of more than 30 days; what the user said holds until they say otherwise."""
    day, kind = entry.split()
    Path(layout.raw(day)).write_text(f"## Quince [{kind}]\n- outcome: oiled\n", "utf-8")
    (found,) = shell("search", "--json", "quince", cwd=layout.root).json
    assert found["warnings"] == ([warning] if warning else [])
    out = shell("search", "quince", cwd=layout.root).out
    assert out.endswith(f"    ({warning})\n" if warning else "    outcome: oiled\n")


def test_what_was_taken_back_is_marked(shell, layout) -> None:
    """With the pointer of the entry that does, under whatever topic."""
    Path(layout.raw("2026-03-01")).write_text("## Quince press [feedback]\n- rule: oil the quince press\n", "utf-8")
    Path(layout.raw("2026-03-02")).write_text("## Care [feedback]\n- rule: wax instead of oil on the press\n", "utf-8")
    found = {one["pointer"]: one for one in shell("search", "--json", "press", cwd=layout.root).json}
    assert found["memory/2026-03-01.md:1"]["contradicted"] == "memory/2026-03-02.md:1"
    assert found["memory/2026-03-01.md:1"]["warnings"] == ["contradicted by memory/2026-03-02.md:1"]
    assert found["memory/2026-03-02.md:1"]["warnings"] == []


def test_what_says_the_same_is_folded(shell, home) -> None:
    """One hit stands for entries with the same words."""
    for day in ("2026-02-01", "2026-02-02"):
        Path(home, "memory", f"{day}.md").write_text(
            "## Quince press [project]\n- outcome: the quince press was oiled\n", "utf-8"
        )
    found = shell("search", "--json", "quince press", cwd=home).json
    assert [one["similar"] for one in found] == [1]


def test_recall_goes_from_root_to_search(shell, home) -> None:
    """ROOT's own lines come first; then entries with their pointers; silence is said and exits 1."""
    shell("compact", "--force", cwd=home)
    result = shell("recall", "which bucket limits the rate?", cwd=home)
    assert result.code == 0
    assert result.out.index("In ROOT:") < result.out.index("Found:") < result.out.rindex("memory/2026-03-10.md:3")
    nothing = shell("recall", "xylophone quartet", cwd=home)
    assert (nothing.code, nothing.out) == (1, "Memory holds nothing relevant.\n")


def test_the_manifest_is_small_however_long_the_history_is(shell, layout) -> None:
    """Years of months, weeks and days fit in 500 tokens, months first."""
    for year in (2023, 2024, 2025):
        for month in range(1, 13):
            topics = ", ".join(f'"topic number {number} of that month [project]"' for number in range(24))
            folder = Path(layout.memory, "monthly")
            folder.mkdir(exist_ok=True)
            (folder / f"{year}-{month:02d}.md").write_text(
                f"---\ntype: monthly\nperiod: {year}-{month:02d}\ntopics: [{topics}]\n---\n\n## Topics\n", "utf-8"
            )
    result = shell("manifest", cwd=layout.root)
    assert estimate_tokens(result.out) < 500
    assert result.out.startswith("memory/monthly/2025-12.md: topic number 0")
    assert "+24 older months" in result.out
    assert shell("manifest", "--json", cwd=layout.root).json[0]["period"] == "2025-12"


def test_surface_answers_line_by_line(shell, home) -> None:
    """A block for each prompt, the id as it came; a line that holds no prompt is named and left out."""
    lines = [{"id": 7, "prompt": "where is src/limits.py and what does it answer?"}, {"id": "b", "prompt": "yes"}]
    stdin = "\n".join([*(json.dumps(line) for line in lines), "no json", ""]).encode()
    result = shell("surface", "--jsonl", "--tokens", "300", cwd=home, stdin=stdin)
    found = [json.loads(line) for line in result.out.splitlines()]
    assert [one["id"] for one in found] == [7, "b"]
    assert "memory/2026-03-10.md:3" in found[0]["text"]
    assert found[1]["text"] == ""
    assert result.code == 1
    assert result.err == 'line 3: not an object with a "prompt"; left out\n'


def test_surface_has_no_session(shell, home, env) -> None:
    """The same prompt gets the same block each time, whatever was shown before; without tokens none."""
    line = json.dumps({"id": 1, "prompt": "where is src/limits.py and what does it answer?"})
    shell("surface", "quince", cwd=home)
    before = sorted(Path(home).rglob("*"))
    result = shell("surface", "--jsonl", cwd=home, stdin=f"{line}\n{line}\n".encode(), HIPOCAMPUS_SESSION="s1")
    first, second = result.out.splitlines()
    assert first == second
    assert "memory/2026-03-10.md:3" in first
    assert sorted(Path(home).rglob("*")) == before
    assert not Path(env["HIPOCAMPUS_STATE"], "sessions").exists()
    none = shell("surface", "--jsonl", "--tokens", "0", cwd=home, stdin=f"{line}\n".encode())
    assert json.loads(none.out) == {"id": 1, "text": ""}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b'{"prompt": "yes"}', {"id": None, "text": ""}),
        (b'{"id": {"a": [1]}, "prompt": ""}', {"id": {"a": [1]}, "text": ""}),
        (json.dumps({"id": 2, "prompt": "quince " * 100_000}).encode(), {"id": 2, "text": ""}),
        (b'{"id": "\\ud800", "prompt": "scheduler \\ud800 PgBouncer"}', {"id": "\ud800", "text": ""}),
        (b'{"id": NaN, "prompt": "yes"}', None),
        (b'{"id": [1e999], "prompt": "yes"}', None),
        (b'{"id": 3, "prompt": 7}', None),
        (b'["prompt"]', None),
        (b"[" * 100_000, None),
        (b"\xff\xfe", None),
    ],
)
def test_surface_takes_any_line(shell, home, line, answer) -> None:
    """One that holds no prompt is named and left out; the others are answered."""
    good = b'{"id": "last", "prompt": "src/limits.py, what does it answer?"}'
    result = shell("surface", "--jsonl", cwd=home, stdin=line + b"\n" + good + b"\n")
    answers = [json.loads(one) for one in result.out.splitlines()]
    assert answers[-1]["id"] == "last"
    assert answers[:-1] == ([answer] if answer else [])
    assert result.code == (0 if answer else 1)
    assert result.err.count("\n") == (0 if answer else 1)


def test_surface_shows_one_prompt(shell, home) -> None:
    """The words of the command line are the prompt."""
    assert "429" in shell("surface", "src/limits.py", "answers", "what?", cwd=home).out
    assert shell("surface", cwd=home).code == 1


def test_surface_says_why_nothing_is_told(shell, home) -> None:
    """In one line beside the answer: that no prompt is told anything, that nothing bears on it, that ROOT says it."""
    prompt = "src/limits.py, what does it answer?"
    line = json.dumps({"id": 1, "prompt": prompt}).encode()
    silent = shell("surface", "quince", cwd=home)
    assert (silent.code, silent.out) == (0, "")
    assert silent.err == "note: nothing in memory bears on it, so the prompt is told nothing\n"
    assert shell("surface", "--jsonl", cwd=home, stdin=b'{"id": 1, "prompt": "quince"}').err == ""
    shell("config", "set", "recall.promptTokens", "0", cwd=home)
    for arguments, out in (((prompt,), ""), (("--jsonl",), '{"id": 1, "text": ""}\n')):
        result = shell("surface", *arguments, cwd=home, stdin=line)
        assert (result.code, result.out) == (0, out)
        assert result.err.startswith("note: recall.promptTokens is 0, so no prompt is told anything; --tokens N ")
        assert result.err.count("\n") == 1
    asked = shell("surface", "--tokens", "300", prompt, cwd=home)
    assert (asked.err, "429" in asked.out) == ("", True)
    shell("compact", "--force", cwd=home)
    known = shell("surface", "--tokens", "300", prompt, cwd=home)
    assert (known.code, known.out, known.err) == (0, "", "note: ROOT says already what bears on it\n")


def test_search_can_be_off(shell, home) -> None:
    """A memory without search says so, and keeps no index."""
    shell("config", "set", "search.enabled", "false", cwd=home)
    result = shell("search", "bucket", cwd=home)
    assert result.code == 1
    assert "search.enabled" in result.err
    assert not Path(home, "memory", ".index.sqlite").exists()


def _no_database(index: Path) -> None:
    index.write_bytes(b"rubbish")


def _no_texts(index: Path) -> None:
    with sqlite3.connect(index) as base:
        base.execute("DROP TABLE doc_text")


def _cut_off(index: Path) -> None:
    with sqlite3.connect(index) as base:
        base.execute("UPDATE scan SET value = substr(value, 1, 3) WHERE name = 'numbers'")


@pytest.mark.parametrize("harm", [_no_database, _no_texts, _cut_off])
@pytest.mark.parametrize("command", ["search", "recall", "surface"])
def test_a_damaged_index_is_built_anew(shell, home, command, harm) -> None:
    """The one who asks does not notice."""
    wanted = shell(command, "token", "bucket", cwd=home)
    harm(Path(home, "memory", ".index.sqlite"))
    assert shell(command, "token", "bucket", cwd=home) == wanted


def _in_the_way(home: str, name: str) -> None:
    """Put a directory where a file of the memory should be."""
    path = Path(home, "memory", name)
    path.unlink(missing_ok=True)
    path.mkdir()


@pytest.mark.parametrize("harm", [None, _no_texts, _cut_off])
@pytest.mark.parametrize("name", [".index.sqlite", ".lock"])
@pytest.mark.parametrize("command", ["search", "recall"])
def test_an_index_that_cannot_be_kept_is_done_without(shell, home, name, command, harm) -> None:
    """The answer is the same, with one line that says so; nor is a damaged one used that cannot be mended."""
    if harm:
        shell("search", "bucket", cwd=home)
        harm(Path(home, "memory", ".index.sqlite"))
    _in_the_way(home, name)
    result = shell(command, "token", "bucket", cwd=home)
    assert result.code == 0
    assert "memory/2026-03-10.md:3" in result.out
    assert result.err.startswith("note: ")
    assert result.err.count("\n") == 1


def test_an_index_that_came_with_a_clone_is_not_opened(shell, home, env) -> None:
    """What it says may be anybody's words: the memory is looked through as it is."""
    shell("search", "bucket", cwd=home)
    index = Path(home, "memory", ".index.sqlite")
    index.write_bytes(index.read_bytes().replace(b"bucket", b"quince"))
    (Path(env["HIPOCAMPUS_STATE"]) / "trust.jsonl").unlink()
    before = index.read_bytes()
    assert "memory/2026-03-10.md:3" in shell("search", "token bucket", cwd=home).out
    assert shell("search", "quince", cwd=home).code == 1
    assert index.read_bytes() == before
