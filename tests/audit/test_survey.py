"""A whole home looked over twice."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path

import pytest

from hipocampus.audit.baseline import accept, read_accepted
from hipocampus.audit.survey import BOTH, OURS, THEIRS, Survey, survey
from hipocampus.errors import UserError
from hipocampus.redaction import DEFAULT, make_policy
from hipocampus.store.home import Home
from hipocampus.store.layout import Layout
from hipocampus.store.user_state import baseline_file
from tests.audit.conftest import KEY_BLOCK, PASSWORD, TOKEN

DAY = "2026-03-15"


def rows(found: Survey) -> list[tuple[str, int, str, str]]:
    """What a person sees."""
    return [(one.file, one.line, one.kind, one.by) for one in found.findings]


def put(layout: Layout, name: str, text: str) -> None:
    """A file of the home."""
    path = Path(layout.root, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_every_file_of_the_memory_is_searched(found_home: Home, env: dict[str, str]) -> None:
    """Whatever kind it is; the user's sources are not, and the order is that of files and lines."""
    names = (
        "SCRATCHPAD.md",
        "compaction/snapshots/a",
        "dag/state.yaml",
        "knowledge/a/b.md",
        "memory/.index.sqlite",
        "memory/.journal/s.jsonl",
        "memory/.log",
        f"memory/{DAY}.md",
        "memory/ROOT.md",
        "memory/weekly/2026-W11.md",
        "plans/a.md",
    )
    for name in (*names, "src/a.py", ".env"):
        put(found_home.layout, name, f"x\nuse {TOKEN} now\n")
    found = survey(found_home, DEFAULT, env)
    assert [one.file for one in found.findings] == sorted(names)
    assert {(one.line, one.by) for one in found.findings} == {(2, BOTH), (0, OURS)}
    assert found.files == len(names) + 1


def test_who_found_what(found_home: Home, env: dict[str, str]) -> None:
    """What both see is one finding; what only one sees is named after it."""
    put(found_home.layout, f"memory/{DAY}.md", f"{TOKEN}\nDB_PASSWORD={PASSWORD}\n{KEY_BLOCK}\n")
    assert rows(survey(found_home, DEFAULT, env)) == [
        (f"memory/{DAY}.md", 1, "github-token", BOTH),
        (f"memory/{DAY}.md", 2, "password", OURS),
        (f"memory/{DAY}.md", 3, "Private Key", THEIRS),
        (f"memory/{DAY}.md", 4, "private-key", OURS),
    ]
    allowing = make_policy(allow=["ghp_.*"])
    assert rows(survey(found_home, allowing, env))[0] == (f"memory/{DAY}.md", 1, "GitHub Token", THEIRS)


def test_no_value_leaves_it(found_home: Home, env: dict[str, str]) -> None:
    """Neither in a finding nor in a name that is a secret itself."""
    put(found_home.layout, f"knowledge/{TOKEN}.md", f"x {TOKEN}\nDB_PASSWORD={PASSWORD}")
    found = survey(found_home, DEFAULT, env)
    assert [(one.file, one.line) for one in found.findings] == [
        ("knowledge/[REDACTED:github-token].md", line) for line in (0, 1, 2)
    ]
    assert TOKEN not in repr(found)
    assert PASSWORD not in repr(found)


def test_what_cannot_be_read_is_named(found_home: Home, env: dict[str, str]) -> None:
    """And the rest is searched."""
    put(found_home.layout, "memory/a.md", "x")
    with open(found_home.layout.raw(DAY), "wb") as file:
        file.truncate(65 * 1024 * 1024)
    put(found_home.layout, "plans/a.md", TOKEN)
    found = survey(found_home, DEFAULT, env)
    assert [name for name, _ in found.unreadable] == [f"memory/{DAY}.md"]
    assert [one.file for one in found.findings] == ["plans/a.md"]


class TestAccepting:
    """The baseline of audited false alarms."""

    def accept_all(self, home: Home, env: dict[str, str], now: datetime) -> str:
        found = survey(home, DEFAULT, env)
        return accept(env, home.id, [key for one in found.findings for key in one.accepting], now)

    def test_what_was_accepted_is_found_no_more(self, found_home: Home, env, now: datetime) -> None:
        """By either; wherever in the file it moves. Another value, or the same in another file, is found."""
        put(found_home.layout, f"memory/{DAY}.md", f"{TOKEN}\nDB_PASSWORD={PASSWORD}")
        self.accept_all(found_home, env, now)
        put(found_home.layout, f"memory/{DAY}.md", f"\n\nDB_PASSWORD={PASSWORD}\n{TOKEN}")
        assert rows(survey(found_home, DEFAULT, env)) == []
        put(found_home.layout, "plans/a.md", f"{TOKEN}")
        put(found_home.layout, f"memory/{DAY}.md", f"DB_PASSWORD={PASSWORD}7")
        assert [one.file for one in survey(found_home, DEFAULT, env).findings] == [f"memory/{DAY}.md", "plans/a.md"]

    def test_it_is_a_baseline_of_detect_secrets(self, found_home: Home, env, now: datetime) -> None:
        """In the user state directory, for this user only, with hashes and no value; accepting adds to it."""
        from detect_secrets.core import baseline

        put(found_home.layout, f"memory/{DAY}.md", TOKEN)
        self.accept_all(found_home, env, now)
        put(found_home.layout, "plans/a.md", TOKEN)
        path = self.accept_all(found_home, env, now)
        assert path == baseline_file(env, found_home.id)
        assert path.startswith(env["HIPOCAMPUS_STATE"])
        assert os.stat(path).st_mode & 0o777 == 0o600
        text = Path(path).read_text()
        assert TOKEN not in text
        assert sorted(json.loads(text)["results"]) == [f"memory/{DAY}.md", "plans/a.md"]
        loaded = baseline.load_from_file(path)
        assert {item["is_secret"] for items in loaded["results"].values() for item in items} == {False}
        assert loaded["generated_at"] == now.isoformat(timespec="seconds")
        assert loaded["plugins_used"]

    def test_what_somebody_marked_as_real_counts(self, found_home: Home, env, now: datetime) -> None:
        """`detect-secrets audit` on the file may say that a finding is a secret after all."""
        put(found_home.layout, f"memory/{DAY}.md", TOKEN)
        path = Path(self.accept_all(found_home, env, now))
        path.write_text(path.read_text().replace('"is_secret": false', '"is_secret": true'))
        assert len(survey(found_home, DEFAULT, env).findings) == 1

    @pytest.mark.parametrize("text", ["{", "[]", '{"results": 3}', '{"results": {"a": [{}]}}', "{}"])
    def test_a_damaged_baseline_is_named(self, found_home: Home, env, text: str) -> None:
        """It is never read as empty."""
        path = Path(baseline_file(env, found_home.id))
        path.parent.mkdir(parents=True)
        path.write_text(text)
        with pytest.raises(UserError, match="damaged"):
            survey(found_home, DEFAULT, env)

    def test_a_home_without_an_id(self, env, now: datetime) -> None:
        """Has no baseline, and can have none."""
        assert read_accepted(env, "") == frozenset()
        with pytest.raises(UserError, match="no id"):
            accept(env, "", [], now)
