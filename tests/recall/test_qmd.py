"""qmd: an index of its own in the user state, asked in plain words, and believed only where our own index agrees."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.recall import qmd
from hipocampus.recall.index import Refreshed
from hipocampus.recall.index_file import open_to_read
from hipocampus.recall.qmd_program import QmdError
from hipocampus.recall.search import Filters, hits_of
from hipocampus.store.config import defaults
from hipocampus.store.layout import Layout
from tests.recall.conftest import Log
from tests.recall.stand_in import StandIn, stand_in

Env = dict[str, str]
ON = replace(defaults(), search_qmd=True)
LOG = """## Rate limiting [project]
- decisions: token bucket in src/limits.py

## Deploy days [feedback]
- rule: deploy on Tuesdays only
"""


@pytest.fixture
def program(tmp_path: Path, env: Env) -> StandIn:
    """The stand-in, on PATH."""
    made = stand_in(tmp_path / "qmd")
    env["PATH"] = str(made.folder)
    return made


def test_each_folder_of_the_memory_is_a_collection(layout: Layout, env: Env, program: StandIn) -> None:
    """Raw logs without what is derived from them, knowledge and plans; a folder that is not there is left out."""
    os.mkdir(layout.knowledge)
    qmd.register(layout, env)
    assert [call["words"] for call in program.calls] == [
        ["collection", "add", layout.memory, "--name", "memory", "--mask", "????-??-??.md"],
        ["collection", "add", layout.knowledge, "--name", "knowledge", "--mask", "**/*.md"],
    ]
    assert qmd.is_registered(layout, env)


def test_its_index_is_apart_from_the_users_own_and_from_the_project(layout: Layout, env: Env, program: StandIn) -> None:
    """In the user state, for this user alone; and it runs where no settings of a project are found."""
    qmd.register(layout, env)
    (call,) = program.calls
    folder = qmd.folder_of(layout, env)
    assert folder.startswith(env["HIPOCAMPUS_STATE"] + "/qmd/")
    assert (call["env"]["QMD_CONFIG_DIR"], call["env"]["INDEX_PATH"]) == (folder, folder + "/index.sqlite")
    assert (call["cwd"], call["env"]["PWD"]) == ("/", "/")
    assert os.stat(folder).st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in Path(folder).iterdir()} == {
        "index.sqlite": 0o600,
        "index.yml": 0o600,
    }


def test_a_registration_that_fails_leaves_nothing(layout: Layout, env: Env, program: StandIn) -> None:
    """One line says why, with what the program said first."""
    program.answers("collection", code=1, said="\nCollection path does not exist.\n  Received: x\n")
    with pytest.raises(QmdError, match=r"^qmd collection failed \(exit 1\): Collection path does not exist\.$"):
        qmd.register(layout, env)
    assert not qmd.is_registered(layout, env)


def test_a_refresh_does_what_is_due(layout: Layout, env: Env, program: StandIn) -> None:
    """It registers, then updates, and takes the collections away once the setting is off."""
    assert qmd.refresh(layout, ON, env) == "its collections are registered"
    assert qmd.refresh(layout, ON, env) == "4 files taken up or dropped"
    program.answers("update", "Indexed: 0 new, 0 updated, 9 unchanged, 0 removed\n")
    assert qmd.refresh(layout, ON, env) == ""
    assert qmd.refresh(layout, defaults(), env) == "its collections are removed"
    assert not qmd.is_registered(layout, env)
    assert qmd.refresh(layout, defaults(), env) == ""
    assert program.commands == ["collection add", "update", "update"]


def test_a_damaged_index_of_it_is_made_anew(layout: Layout, env: Env, program: StandIn) -> None:
    """Whatever is wrong with it."""
    qmd.register(layout, env)
    program.answers("update", code=1, said="SQLiteError: file is not a database\n")
    assert qmd.refresh(layout, ON, env) == "its collections are registered again"


def test_without_the_program_one_line_says_how_to_have_it(layout: Layout, env: Env) -> None:
    """And nothing is left behind."""
    env["PATH"] = "/nonexistent"
    assert not qmd.is_installed(env)
    with pytest.raises(QmdError, match="qmd is not installed: npm install -g @tobilu/qmd"):
        qmd.refresh(layout, ON, env)
    assert not qmd.is_registered(layout, env)


def test_a_program_in_the_working_directory_is_not_it(
    env: Env, program: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone cannot bring one, even where PATH holds a dot."""
    monkeypatch.chdir(program.folder)
    env["PATH"] = "."
    assert not qmd.is_installed(env)


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("token bucket", ["token bucket", "token"]),
        ("how do we limit the token bucket?", ["limit token bucket", "limit token"]),
        ("-bucket", ["bucket"]),
        ('"leaky bucket" -gateway', ["leaky bucket gateway", "leaky bucket"]),
        ("src/limits.py", ["src limits py", "src limits"]),
        ("--help", ["help"]),
        ("* AND (", ["AND"]),
        ("🎉 \"'", []),
        ("토스페이먼츠", ["토스페이먼츠"]),
        ("red yellow purple orange quince", ["red yellow purple orange quince", "red yellow purple"]),
    ],
)
def test_any_query_is_plain_words_to_it(
    layout: Layout, env: Env, program: StandIn, query: str, asked: list[str]
) -> None:
    """No operator, no option; as it wants all words in a file, words that tell nothing are left out, and where nothing
    is found the half that tells most is asked for."""
    assert qmd.places(layout, env, query) == []
    calls = [call["words"] for call in program.calls]
    assert calls == [["search", words, "--json", "--full-path", "-n", "50"] for words in asked]


def test_a_long_query_is_a_short_question(layout: Layout, env: Env, program: StandIn) -> None:
    """Of ten thousand words and of a word of ten thousand letters."""
    qmd.places(layout, env, " ".join(f"quince{number}" for number in range(10_000)))
    qmd.places(layout, env, "x" * 10_000)
    assert max(len(call["words"][1]) for call in program.calls) < 1_000


@pytest.fixture
def ask(layout: Layout, env: Env, log: Log, built: Callable[[], Refreshed]) -> Callable[[str], list[str]]:
    """Ask for words: the pointers that are shown."""
    log("2026-03-10", LOG)
    os.mkdir(layout.knowledge)
    Path(layout.knowledge, "limits.md").write_text("# Limits\n\n## Retry\nA 429 carries Retry-After.\n", "utf-8")
    built()

    def asked(query: str) -> list[str]:
        with closing(open_to_read(layout)) as base:
            found = qmd.candidates(base, layout, env, query)
            return [hit.pointer for hit in hits_of(layout, base, query, found, Filters(), 10).shown]

    return asked


def test_of_a_file_the_entries_are_shown_that_hold_the_words(
    layout: Layout, program: StandIn, ask: Callable[[str], list[str]]
) -> None:
    """Whichever line the program names; the file is named from the root directory, as it prints it."""
    program.finds((f".{layout.memory}/2026-03-10.md", 1))
    assert ask("deploy tuesdays") == ["memory/2026-03-10.md:6"]


@pytest.mark.parametrize(("line", "pointer"), [(1, 3), (3, 3), (4, 3), (6, 6), (99, 6)])
def test_where_none_does_the_line_decides(
    layout: Layout, program: StandIn, ask: Callable[[str], list[str]], line: int, pointer: int
) -> None:
    """The entry that holds it, the first one for what stands before."""
    program.finds((f"{layout.memory}/2026-03-10.md", line))
    assert ask("xylophone") == [f"memory/2026-03-10.md:{pointer}"]


def test_its_order_is_kept(layout: Layout, program: StandIn, ask: Callable[[str], list[str]]) -> None:
    """What it finds first is shown first; a collection's address is as good as a path."""
    files = [("qmd://knowledge/limits.md", 3), (f"{layout.memory}/2026-03-10.md", 3)]
    program.finds(*files)
    assert ask("xylophone") == ["knowledge/limits.md:3", "memory/2026-03-10.md:3"]
    program.finds(*reversed(files))
    assert ask("xylophone") == ["memory/2026-03-10.md:3", "knowledge/limits.md:3"]


@pytest.mark.parametrize(
    "file",
    ["/etc/passwd", "../../etc/passwd", "{root}/../other/memory/2026-03-10.md", "{root}", "{root}/SCRATCHPAD.md", "",
     "qmd://", "qmd://memory/../../etc/passwd", "qmd://other/2026-03-10.md", "x\n{root}/memory/2026-03-10.md"],
)  # fmt: skip
def test_what_is_not_in_our_index_is_not_shown(
    layout: Layout, program: StandIn, ask: Callable[[str], list[str]], file: str
) -> None:
    """A file outside of the memory, another project's, a name that leads out of it."""
    program.finds((file.format(root=layout.root), 1))
    assert ask("xylophone") == []


@pytest.mark.parametrize(
    "answer",
    ["", "null", "{}", '"text"', "[" * 100_000, "No results found.", "\x1b[2J[]", "[]]"],
)
def test_an_answer_of_another_form_is_one_line(program: StandIn, ask: Callable[[str], list[str]], answer: str) -> None:
    """Not a list: the program is of another kind, or says something else."""
    program.answers("search", answer)
    with pytest.raises(QmdError, match="answered with something else than a list"):
        ask("xylophone")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["file", "line", "score", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(found=st.lists(_JSON, max_size=4))
def test_no_item_of_a_list_can_do_harm(layout: Layout, found: list[object]) -> None:
    """What is no file with a line is passed over."""
    for place in qmd._places(layout, json.dumps(found)):
        assert isinstance(place.source, str)
        assert place.line >= 1


def test_what_is_shown_comes_from_our_index(
    layout: Layout, program: StandIn, env: Env, log: Log, built: Callable[[], Refreshed]
) -> None:
    """Redacted and with our excerpt, whatever the program's snippet says."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    log("2026-03-10", f"## Quince token [project]\n- outcome: the quince token is {secret}\n")
    built()
    program.finds((f"{layout.memory}/2026-03-10.md", 3))
    with closing(open_to_read(layout)) as base:
        (hit,) = hits_of(layout, base, "quince", qmd.candidates(base, layout, env, "quince"), Filters(), 10).shown
    assert "[REDACTED:" in hit.excerpt
    assert secret not in repr(hit)
    assert "@@" not in hit.excerpt


@pytest.mark.usefixtures("program")
def test_two_homes_have_an_index_each(layout: Layout, env: Env, tmp_path: Path) -> None:
    """And taking one away leaves the other."""
    other = Layout(str(tmp_path / "other"), str(tmp_path / "other"))
    os.makedirs(other.memory)
    qmd.register(layout, env)
    qmd.register(other, env)
    qmd.unregister(layout, env)
    assert (qmd.is_registered(layout, env), qmd.is_registered(other, env)) == (False, True)
