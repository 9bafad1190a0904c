"""Which memory belongs to a directory, with real repositories made by git."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.store.home import Home, NoHome, find_home, git_top, home_id, main_checkout, new_home_id
from hipocampus.store.layout import CONFIG_NAME, Layout, layout_at
from hipocampus.store.user_state import trust

ID = "fedcba9876543210"

Env = dict[str, str]
Git = Callable[..., None]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory without links in its path."""
    return Path(os.path.realpath(tmp_path))


@pytest.fixture
def git(env: Env) -> Git:
    """Runs git as a user without settings."""
    quiet = {**env, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ALLOW_PROTOCOL": "file"}
    names = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def run(where: Path, *arguments: str) -> None:
        command = ["git", "-c", "protocol.file.allow=always", *arguments]
        subprocess.run(command, cwd=where, env={**quiet, **names}, check=True, capture_output=True)

    return run


def home_in(folder: Path, config: str | None = None) -> Path:
    """Make `folder` a home; its config has an id."""
    (folder / "memory").mkdir(parents=True, exist_ok=True)
    (folder / CONFIG_NAME).write_text(json.dumps({"id": ID}) if config is None else config, encoding="utf-8")
    return folder


def repository(git: Git, folder: Path) -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def root_of(found: Home | NoHome) -> str:
    """The root that was found; fails with the reason if there is none."""
    assert isinstance(found, Home), found
    return found.layout.root


class TestNearest:
    """The nearest directory from the start upwards."""

    def test_a_config_makes_a_home(self, place: Path, env: Env) -> None:
        """From the directory itself and from any directory below it."""
        home_in(place / "p")
        (place / "p" / "src" / "deep").mkdir(parents=True)
        for start in (place / "p", place / "p" / "src" / "deep"):
            assert find_home(str(start), env) == Home(layout_at(str(place / "p")), ID, trusted=False)

    def test_a_folded_home_is_found(self, place: Path, env: Env) -> None:
        """``.hipocampus`` is the root, its parent the project; also seen from inside."""
        home_in(place / "p" / ".hipocampus")
        for start in (place / "p", place / "p" / ".hipocampus", place / "p" / ".hipocampus" / "memory"):
            found = find_home(str(start), env)
            assert isinstance(found, Home)
            assert (found.layout.root, found.layout.project) == (str(place / "p" / ".hipocampus"), str(place / "p"))

    @pytest.mark.parametrize(
        ("outer", "folded", "expected"),
        [(True, True, ".hipocampus"), (True, False, ""), (False, False, ".hipocampus")],
    )
    def test_a_home_with_a_config_is_preferred(
        self, place: Path, env: Env, outer: bool, folded: bool, expected: str
    ) -> None:
        """A folded home before one beside it, and either before an empty ``.hipocampus`` directory."""
        project = place / "p"
        (project / ".hipocampus").mkdir(parents=True)
        if outer:
            home_in(project)
        if folded:
            home_in(project / ".hipocampus")
        assert root_of(find_home(str(project), env)) == os.path.join(project, expected).rstrip("/")

    def test_the_nearer_home_wins(self, place: Path, env: Env) -> None:
        """Nothing crosses from an outer project into an inner one."""
        home_in(place / "p")
        home_in(place / "p" / "inner")
        (place / "p" / "inner" / "src").mkdir()
        assert root_of(find_home(str(place / "p" / "inner" / "src"), env)) == str(place / "p" / "inner")

    def test_links_in_the_start_are_resolved(self, place: Path, env: Env) -> None:
        """A project reached by another name has the same home."""
        home_in(place / "p")
        (place / "alias").symlink_to(place / "p")
        assert root_of(find_home(str(place / "alias"), env)) == str(place / "p")

    def test_a_start_that_is_gone_still_finds_its_project(self, place: Path, env: Env) -> None:
        """The agent may have deleted the directory in which its session began."""
        home_in(place / "p")
        assert root_of(find_home(str(place / "p" / "gone" / "deeper"), env)) == str(place / "p")

    def test_without_a_home_the_project_is_named(self, place: Path, env: Env, git: Git) -> None:
        """Where a home would be made: at the top of the repository, or where the session began."""
        repo = repository(git, place / "r")
        (repo / "src").mkdir()
        (place / "plain").mkdir()
        assert find_home(str(repo / "src"), env) == NoHome(str(repo))
        assert find_home(str(place / "plain"), env) == NoHome(str(place / "plain"))


class TestGit:
    """Repositories end the search; linked worktrees share the main checkout's home."""

    def test_not_above_the_top_of_the_repository(self, place: Path, env: Env, git: Git) -> None:
        """A repository inside another project is a project of its own."""
        home_in(place / "outer")
        repo = repository(git, place / "outer" / "nested")
        assert find_home(str(repo), env) == NoHome(str(repo))

    def test_a_submodule_is_its_own_project(self, place: Path, env: Env, git: Git) -> None:
        """Its ``.git`` is a file, but not that of a worktree."""
        library = repository(git, place / "library")
        outer = home_in(repository(git, place / "outer"))
        git(outer, "submodule", "add", "-q", str(library), "lib")
        assert find_home(str(outer / "lib"), env) == NoHome(str(outer / "lib"))

    def test_a_worktree_uses_the_main_checkouts_home(self, place: Path, env: Env, git: Git) -> None:
        """Beside the main checkout or inside it, from its top or from below, even if the branch carries a config."""
        main = home_in(repository(git, place / "main"))
        for worktree in (place / "side", main / ".claude" / "worktrees" / "w"):
            git(main, "worktree", "add", "-q", str(worktree))
            (worktree / "src").mkdir()
            home_in(worktree)
            for start in (worktree, worktree / "src"):
                found = find_home(str(start), env)
                assert root_of(found) == str(main)
                assert isinstance(found, Home)
                assert found.layout.project == str(main)

    def test_a_worktree_finds_the_home_of_its_subdirectory(self, place: Path, env: Env, git: Git) -> None:
        """In a repository of several projects each has its own memory, in every worktree."""
        main = repository(git, place / "main")
        home_in(main / "services" / "api")
        git(main, "worktree", "add", "-q", str(place / "side"))
        (place / "side" / "services" / "api").mkdir(parents=True)
        assert root_of(find_home(str(place / "side" / "services" / "api"), env)) == str(main / "services" / "api")
        assert find_home(str(place / "side"), env) == NoHome(str(main))

    def test_a_worktree_with_relative_paths(self, place: Path, env: Env, git: Git) -> None:
        """Newer versions of git can write the two ends relative to each other."""
        main = home_in(repository(git, place / "main"))
        side = place / "side"
        git(main, "worktree", "add", "-q", str(side))
        admin = main / ".git" / "worktrees" / "side"
        (side / ".git").write_text(f"gitdir: {os.path.relpath(admin, side)}\n")
        (admin / "gitdir").write_text(f"{os.path.relpath(side / '.git', admin)}\n")
        assert root_of(find_home(str(side), env)) == str(main)

    def test_a_worktree_of_a_submodule(self, place: Path, env: Env, git: Git) -> None:
        """The main checkout is where the submodule is checked out."""
        library = repository(git, place / "library")
        outer = repository(git, place / "outer")
        git(outer, "submodule", "add", "-q", str(library), "lib")
        git(outer / "lib", "worktree", "add", "-q", str(place / "side"))
        home_in(outer / "lib")
        assert root_of(find_home(str(place / "side"), env)) == str(outer / "lib")

    def test_worktrees_of_a_bare_repository(self, place: Path, env: Env, git: Git) -> None:
        """The directory that holds the bare repository is the project if it says so; else each worktree is its own."""
        source = repository(git, place / "source")
        project = place / "project"
        project.mkdir()
        git(project, "clone", "-q", "--bare", str(source), ".bare")
        git(project / ".bare", "worktree", "add", "-q", str(project / "feature"))
        assert main_checkout(str(project / "feature")) == str(project / "feature")
        (project / ".git").write_text("gitdir: ./.bare\n")
        home_in(project)
        assert root_of(find_home(str(project / "feature"), env)) == str(project)

    def test_a_separate_git_directory_is_not_a_worktree(self, place: Path, env: Env, git: Git) -> None:
        """``git init --separate-git-dir`` writes a ``.git`` file too."""
        (place / "r").mkdir()
        git(place / "r", "init", "-q", "--separate-git-dir", str(place / "elsewhere"))
        assert find_home(str(place / "r"), env) == NoHome(str(place / "r"))

    def test_a_foreign_directory_cannot_claim_a_project(self, place: Path, env: Env, git: Git) -> None:
        """A ``.git`` file from elsewhere names a worktree of another project, which does not know it."""
        main = home_in(repository(git, place / "main"))
        git(main, "worktree", "add", "-q", str(place / "side"))
        hostile = place / "hostile"
        hostile.mkdir()
        for pointer in (main / ".git" / "worktrees" / "side", main / ".git"):
            (hostile / ".git").write_text(f"gitdir: {pointer}\n")
            assert find_home(str(hostile), env) == NoHome(str(hostile))

    def test_a_moved_or_orphaned_worktree_is_on_its_own(self, place: Path, env: Env, git: Git) -> None:
        """Until ``git worktree repair`` nobody knows where it belongs."""
        main = home_in(repository(git, place / "main"))
        git(main, "worktree", "add", "-q", str(place / "side"))
        (place / "side").rename(place / "moved")
        assert find_home(str(place / "moved"), env) == NoHome(str(place / "moved"))
        shutil.rmtree(main)
        assert find_home(str(place / "moved"), env) == NoHome(str(place / "moved"))

    @pytest.mark.parametrize(
        "content", ["", "gitdir: ", "gitdir: /nowhere\n", "gitdir: \0\n", "\xff" * 10, "x" * 70_000]
    )
    def test_a_broken_git_file_is_a_boundary(self, place: Path, env: Env, content: str) -> None:
        """It marks the top of something, whatever it says."""
        home_in(place / "outer")
        (place / "outer" / "inner").mkdir()
        (place / "outer" / "inner" / ".git").write_text(content, encoding="latin-1")
        assert find_home(str(place / "outer" / "inner"), env) == NoHome(str(place / "outer" / "inner"))

    def test_an_empty_git_directory_is_not_a_repository(self, place: Path, env: Env) -> None:
        """Git itself passes it by."""
        home_in(place / "outer")
        (place / "outer" / "inner" / ".git").mkdir(parents=True)
        assert root_of(find_home(str(place / "outer" / "inner"), env)) == str(place / "outer")
        assert git_top(str(place / "outer")) == ""


class TestRefused:
    """Where there can be no home, and why."""

    def test_the_users_directory_is_never_a_project(self, place: Path, env: Env) -> None:
        """Not by a config in it, not by ``.hipocampus``, not from below and not through a link."""
        user = Path(env["HOME"])
        home_in(user)
        home_in(user / ".hipocampus")
        (user / "work").mkdir()
        (place / "link").symlink_to(user)
        for start in (user, place / "link"):
            found = find_home(str(start), env)
            assert isinstance(found, NoHome)
            assert "not a project" in found.reason
        assert find_home(str(user / "work"), env) == NoHome(str(user / "work"))
        inside = find_home(str(user / ".hipocampus"), env)
        assert isinstance(inside, NoHome)
        assert "not a project" in inside.reason

    def test_a_repository_of_dotfiles_lends_its_top_to_nobody(self, env: Env, git: Git) -> None:
        """With a repository in the user's directory each directory below is a project of its own."""
        user = Path(env["HOME"])
        git(user, "init", "-q")
        home_in(user / "work")
        (user / "notes").mkdir()
        assert root_of(find_home(str(user / "work"), env)) == str(user / "work")
        assert find_home(str(user / "notes"), env) == NoHome(str(user / "notes"))

    def test_the_root_of_the_file_system_is_never_a_project(self, env: Env) -> None:
        """With or without a known home directory."""
        for environment in (env, {}):
            found = find_home("/", environment)
            assert isinstance(found, NoHome)
            assert "not a project" in found.reason

    @pytest.mark.parametrize("target", ["", "memory", CONFIG_NAME])
    def test_a_home_of_another_user_is_refused(
        self, place: Path, env: Env, target: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By its directory, its memory or its config; and an outer home does not step in."""
        home_in(place / "p")
        home_in(place / "p" / "inner")
        strange = str(place / "p" / "inner" / target).rstrip("/")
        stat = os.stat

        def as_of_another(path: str) -> os.stat_result:
            found = stat(path)
            if path != strange:
                return found
            values = list(found)
            values[4] = found.st_uid + 1
            return os.stat_result(values)

        monkeypatch.setattr("hipocampus.store.home.os.stat", as_of_another)
        found = find_home(str(place / "p" / "inner"), env)
        assert found == NoHome(
            str(place / "p" / "inner"), f"{strange} belongs to another user, so its memory is not used"
        )

    @pytest.mark.parametrize("name", [".hipocampus", ".hipocampus/memory", "memory"])
    def test_a_link_into_another_memory_is_refused(self, place: Path, env: Env, name: str) -> None:
        """A clone that carries a link cannot show one project's memory to another."""
        secret = home_in(place / "secret")
        trust(env, str(secret), ID)
        clone = place / "clone"
        clone.mkdir()
        if name == "memory":
            (clone / CONFIG_NAME).write_text(json.dumps({"id": ID}))
        (clone / name).parent.mkdir(exist_ok=True)
        (clone / name).symlink_to(secret if name == ".hipocampus" else secret / "memory")
        found = find_home(str(clone), env)
        assert isinstance(found, NoHome)
        assert "link that leads elsewhere" in found.reason

    def test_a_link_within_the_project_is_followed(self, place: Path, env: Env) -> None:
        """People may arrange their own directory."""
        home_in(place / "p" / "notes")
        (place / "p" / ".hipocampus").symlink_to("notes")
        found = find_home(str(place / "p"), env)
        assert isinstance(found, Home)
        assert found.layout == Layout(str(place / "p" / "notes"), str(place / "p"))

    @pytest.mark.parametrize("start", ["", "/tmp/\0", "/\udfff\ud800", "/" + "x" * 300, "/x" * 3000])  # noqa: S108
    def test_what_cannot_be_a_path_is_said(self, env: Env, start: str) -> None:
        """No exception, no guess: one sentence."""
        found = find_home(start, env)
        assert isinstance(found, NoHome)
        assert "cannot be the path of a directory" in found.reason
        assert "\n" not in found.reason


@pytest.mark.parametrize(
    "name",
    [
        "프로젝트",
        "café",
        unicodedata.normalize("NFD", "café 가나다"),
        "new\nline",
        "quo'te\"d",
        "#hash %41 percent",
        "-leading-dash",
        "sp ace ",
        "$HOME`x`;&|*?[a]{b}",
        "back\\slash",
        "tab\t\x1b[31m",
        os.fsdecode(b"not-utf8-\xff\xfe"),
        "e" * 250,
        os.path.join(*["deep" * 20] * 5),
    ],
)
class TestStrangePaths:
    """Paths that trip programs."""

    def test_a_home_at_a_strange_path_works(self, place: Path, env: Env, name: str) -> None:
        """It is found, trusted, and found trusted again."""
        home = home_in(place / name)
        trust(env, str(home), ID)
        found = find_home(str(home / "memory"), env)
        assert found == Home(Layout(str(home), str(home)), ID, trusted=True)

    def test_a_worktree_at_a_strange_path_works(self, place: Path, env: Env, git: Git, name: str) -> None:
        """Both ends of the link survive newlines, quotes and bytes that are not UTF-8."""
        main = home_in(repository(git, place / name))
        git(main, "worktree", "add", "-q", "-b", "side", str(place / "w" / name))
        assert root_of(find_home(str(place / "w" / name), env)) == str(main)


class TestIdentity:
    """The id that ``init`` gave a home."""

    @pytest.mark.parametrize(
        ("config", "identity"),
        [
            ('{"id": "fedcba9876543210"}', ID),
            ('\ufeff{"id": "fedcba9876543210"}', ID),
            ('{"platform": "claude-code"}', ""),
            ('{"id": 7}', ""),
            ('{"id": ""}', ""),
            ('{"id": "../../etc"}', ""),
            ('{"id": "fedcba9876543210\\n"}', ""),
            ("", ""),
            ("[]", ""),
            ("null", ""),
            ("{", ""),
            ("[" * 100_000, ""),
        ],
    )
    def test_only_a_sound_id_counts(self, place: Path, env: Env, config: str, identity: str) -> None:
        """A config of the original has none; a broken one is a home without trust, not an exception."""
        home = home_in(place / "p", config)
        assert home_id(layout_at(str(home))) == identity
        assert find_home(str(home), env) == Home(layout_at(str(home)), identity, trusted=False)

    def test_new_ids_are_sound_and_differ(self, place: Path) -> None:
        """They are random and read back."""
        first, second = new_home_id(), new_home_id()
        assert first != second
        assert home_id(layout_at(str(home_in(place / "p", json.dumps({"id": first}))))) == first
