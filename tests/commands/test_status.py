"""`hipocampus status`: what the memory holds, when it compacts, and what it costs."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from hipocampus.commands.inventory import summary
from hipocampus.compaction.chain import compact
from hipocampus.store.config import load
from hipocampus.store.files import log_event, log_failure, take_failures
from tests.summarize.scripted import DAY, long_day

# A line that names a path, or a command with one, is as long as that.
NAMING = ("home", "failures", "due", "  because", "search")


@pytest.fixture
def used(shell, logged, env, now):
    """The home after a cycle, with injections and failures of two months in its log."""
    shell("compact", cwd=logged.root)
    for days, hook, characters in (
        (40, "prompt", 9000),
        (3, "prompt", 300),
        (2, "session-start", 5000),
        (1, "prompt", 100),
    ):
        at = (now - timedelta(days=days)).isoformat()
        log_event(
            logged, {"at": at, "kind": "injected", "entry": hook, "chars": characters, "estimate": characters // 3}
        )
    log_event(logged, {"at": "nonsense", "kind": "injected", "entry": "prompt", "chars": 7})
    log_failure(logged, env, now - timedelta(days=5), "flush", OSError(28, "No space left on device"))
    log_failure(logged, env, now - timedelta(days=1), "prompt", "too late")
    return logged


def test_json_has_every_figure(shell, used) -> None:
    """Files per level, ROOT against its limit, triggers, the last cycle, injections of 30 days, failures since when."""
    report = shell("status", "--json", cwd=used.root).json
    files = {shelf["name"]: shelf for shelf in report["files"]}
    assert files["raw logs"]["files"] == 2
    assert (files["raw logs"]["first"], files["raw logs"]["last"]) == ("2026-03-10", "2026-03-14")
    assert files["weekly nodes"]["files"] == 1
    assert 0 < report["root_tokens"] <= report["root_limit"] == 3000
    assert report["trusted"] is True
    assert {"name", "value", "limit", "fired", "sentence"} == set(report["triggers"][0])
    assert report["last_compaction"]["started"].startswith("2026-03-15T10:22:03")
    assert report["last_compaction"]["why"]
    assert report["injected"] == [
        {"hook": "prompt", "times": 2, "characters": 400, "tokens": 133},
        {"hook": "session-start", "times": 1, "characters": 5000, "tokens": 1666},
    ]
    assert report["failures"] == {"count": 2, "since": "2026-03-10T10:22:03+09:00", "last": "prompt: too late"}


def test_the_tables_fit_80_columns(shell, used) -> None:
    """The text says the same, without colour, in 80 columns."""
    result = shell("status", cwd=used.root)
    assert result.code == 0
    assert "\x1b" not in result.out
    lines = [line for line in result.out.splitlines() if not line.startswith(NAMING)]
    assert max(map(len, lines)) <= 80
    for text in ("raw logs", "weekly nodes", "ROOT:", "5,000", "failures: 2 since 2026-03-10"):
        assert text in result.out


def test_hosts_and_triggers_are_in_words(shell, used) -> None:
    """Every host of the memory is named, and each trigger says what it counts and from where on it is due."""
    config = Path(used.config)
    config.write_text(config.read_text().replace('"platform"', '"hosts": ["codex", "openclaw"], "platform"'))
    out = shell("status", cwd=used.root).out
    assert out.splitlines()[0].endswith(" for Claude Code, Codex, OpenClaw")
    assert re.search(r"lines in raw logs since then +0 +above 300\n", out)
    assert re.search(r"hours since the last compaction +0 +from 3 on\n", out)
    assert shell("status", "--json", cwd=used.root).json["hosts"] == ["claude-code", "codex", "openclaw"]


def test_a_first_compaction_is_told_of_until_there_was_one(shell, logged) -> None:
    """Then the row would say nothing for ever."""
    assert "first compaction of this memory" in shell("status", cwd=logged.root).out
    shell("compact", cwd=logged.root)
    assert "first compaction of this memory" not in shell("status", cwd=logged.root).out


@pytest.mark.parametrize("why", ["a session ended", "past sessions were imported"])
def test_why_it_was_compacted(shell, used, env, now, why) -> None:
    """What called for the last cycle, where no trigger did."""
    compact(used, load(used, env), now, force=True, why=why)
    assert f"because {why}\n" in shell("status", cwd=used.root).out


def test_one_is_not_said_as_many(shell, layout) -> None:
    """A single log and node are named in the singular."""
    shell("remember", "always use bun", cwd=layout.root)
    shell("compact", "--force", cwd=layout.root)
    line = summary(layout)
    assert line.startswith("1 raw log from ")
    assert "1 daily node, 1 weekly node, 1 monthly node, ROOT" in line


def test_an_empty_memory(shell, layout) -> None:
    """Nothing there yet is said in words."""
    result = shell("status", cwd=layout.root)
    assert result.code == 0
    assert "last compaction: never" in result.out
    assert "none" in result.out


def test_nodes_that_wait_for_a_summary(shell, logged) -> None:
    """A node says so in its frontmatter, and has something to be summarised; the same words in a body do not count."""
    long_day(logged)
    shell("compact", "--force", cwd=logged.root)
    path = Path(logged.node("weekly", "2026-W09"))
    path.write_text("---\ntype: weekly\nperiod: 2026-W09\n---\nneeds-summarization: true\n")
    assert shell("status", "--json", cwd=logged.root).json["pending"] == [f"memory/daily/{DAY}.md"]
    assert "nodes that wait for a summary: 1 (memory/daily/2026-03-10.md)" in shell("status", cwd=logged.root).out


def test_failures_that_no_home_could_take(shell, layout, env, now) -> None:
    """What hooks could only note in the user state directory counts too, as long as any other."""
    log_failure(None, env, now - timedelta(days=31), "prompt", "long ago")
    log_failure(None, env, now, "session-start", "no home")
    take_failures(None, env)
    failures = shell("status", "--json", cwd=layout.root).json["failures"]
    assert (failures["count"], failures["last"]) == (1, "session-start: no home")


def test_failures_that_a_home_could_only_log_count_once(shell, layout, env, now) -> None:
    """The list of what is to be told cannot be written: it is elsewhere, and the log has each one already."""
    Path(layout.failures).mkdir()
    log_failure(layout, env, now, "prompt", "no list")
    assert shell("status", "--json", cwd=layout.root).json["failures"]["count"] == 1


def test_a_broken_config_is_a_note(shell, layout) -> None:
    """Status still works, with the defaults, and says what is wrong."""
    Path(layout.config).write_text('{"id": "0123456789abcdef", "compaction": {"cooldownHours": "soon"}}')
    result = shell("status", cwd=layout.root)
    assert result.code == 0
    assert "compaction.cooldownHours" in result.err
