"""`hipocampus config`: settings and where they come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hipocampus.store.config import NOT_SET_HERE, load


def write(layout, tree: object) -> None:
    Path(layout.config).write_text(json.dumps(tree))


def test_each_setting_has_value_and_origin(shell, layout) -> None:
    """Defaults and values of the file are told apart, in the table and in JSON."""
    write(layout, {"id": "0123456789abcdef", "compaction": {"cooldownHours": 0}})
    rows = {row["key"]: row for row in shell("config", "show", "--json", cwd=layout.root).json}
    assert rows["compaction.cooldownHours"] == {"key": "compaction.cooldownHours", "value": 0.0, "origin": "file"}
    assert rows["search.embedModel"]["origin"] == "default"
    assert "compaction.rootMaxTokens" in shell("config", "show", cwd=layout.root).out


def test_a_wrong_type_is_named_after_the_rest_is_shown(shell, layout) -> None:
    """The table is printed with the default in force, then the error names file and key, exit 1."""
    write(layout, {"id": "0123456789abcdef", "compaction": {"rootMaxTokens": "many"}})
    result = shell("config", "show", cwd=layout.root)
    assert result.code == 1
    assert "3000" in result.out
    assert "hipocampus.config.json: compaction.rootMaxTokens must be" in result.err


def test_an_unknown_key_is_a_note(shell, layout) -> None:
    """A typing error is told with the nearest name, on standard error, and is no failure."""
    write(layout, {"id": "0123456789abcdef", "compaction": {"cooldownHour": 1}})
    result = shell("config", "show", cwd=layout.root)
    assert result.code == 0
    assert "compaction.cooldownHours" in result.err


@pytest.mark.parametrize(
    ("key", "value", "stored"),
    [
        ("compaction.cooldownHours", "0", 0),
        ("search.vector", "false", False),
        ("search.embedModel", "neural", "neural"),
        ("redact.allowNames", '["123"]', ["123"]),
        ("redact.allow", '["EXAMPLE"]', ["EXAMPLE"]),
    ],
)
def test_set_writes_one_value(shell, layout, key: str, value: str, stored: object) -> None:
    """The value is read as JSON, or as a bare word where only that fits; other keys stay."""
    write(layout, {"id": "0123456789abcdef", "mine": 1})
    assert shell("config", "set", key, value, cwd=layout.root).code == 0
    tree = json.loads(Path(layout.config).read_text())
    for part in key.split("."):
        tree = tree[part]
    assert tree == stored
    assert json.loads(Path(layout.config).read_text())["mine"] == 1


LATER = "note: ROOT stays as it is until the next compaction; at once: hipocampus compact --force\n"


@pytest.mark.parametrize(
    ("key", "value", "note"),
    [
        ("compaction.rootMaxTokens", "300", LATER),
        ("compaction.rootMaxTokens", "3000", LATER),
        ("compaction.rootImport", "true", LATER),
        ("platform", "codex", LATER),
        ("hosts", '["codex"]', LATER),
        ("hosts", '["opencode"]', ""),
        ("compaction.cooldownHours", "1", ""),
        ("recall.promptTokens", "100", ""),
    ],
)
def test_what_a_compaction_applies_is_said(shell, logged, key: str, value: str, note: str) -> None:
    """When, and how to have it at once; without a ROOT there is nothing that could be of another size."""
    assert shell("config", "set", key, value, cwd=logged.root).err == ""
    shell("compact", cwd=logged.root)
    shell(
        "config", "set", key, "claude-code" if key == "platform" else "[]" if key == "hosts" else value, cwd=logged.root
    )
    assert shell("config", "set", key, value, cwd=logged.root).err == note


def test_a_smaller_root_is_there_after_the_command_that_is_named(shell, logged) -> None:
    """A compaction that is due by nothing else would not come."""
    for number in range(60):
        shell("checkpoint", "--topic", f"topic number {number}", "--field", f"outcome=result {number}", cwd=logged.root)
    shell("compact", "--force", cwd=logged.root)
    before = Path(logged.root_md).stat().st_size
    shell("config", "set", "compaction.rootMaxTokens", "300", cwd=logged.root)
    assert Path(logged.root_md).stat().st_size == before
    assert shell("compact", "--force", cwd=logged.root).code == 0
    assert Path(logged.root_md).stat().st_size < before


@pytest.mark.parametrize(
    ("key", "value", "right"),
    [
        ("search.vector", "perhaps", "true or false"),
        ("compaction.rootMaxTokens", "-1", "a whole number from 100 to 200000"),
        ("search.embedModel", "nonsense", "one of auto, static, neural"),
        ("platform", "emacs", "one of claude-code, codex, opencode, openclaw"),
        ("hosts", "emacs", "a list of claude-code, codex, opencode, openclaw"),
        ("hosts", '["emacs"]', "a list of claude-code, codex, opencode, openclaw"),
        ("x", "1", "No setting x; hipocampus config show lists all"),
        ("llm.foo", "3", "did you mean llm.model? hipocampus config show lists all"),
        ("llm.modle", "x", "did you mean llm.model?"),
        ("llm.maxtokens", "3000", "did you mean llm.maxTokens?"),
    ],
)
def test_set_refuses_what_would_not_be_read(shell, layout, key: str, value: str, right: str) -> None:
    """A wrong value or key changes nothing and says what is right."""
    before = Path(layout.config).read_bytes()
    result = shell("config", "set", key, value, cwd=layout.root)
    assert result.code == 1
    assert key in result.err
    assert right in result.err
    assert Path(layout.config).read_bytes() == before


@pytest.mark.parametrize(
    ("key", "value", "attribute", "setting"),
    [
        ("llm.backend", "command", "llm_backend", "command"),
        ("llm.model", "claude-a", "llm_model", "claude-a"),
        ("llm.command", "claude", "llm_command", ("claude",)),
        ("llm.command", '["say", "it well"]', "llm_command", ("say", "it well")),
        ("llm.command", "say 'it well'", "llm_command", ("say", "it well")),
    ],
)
def test_what_starts_a_program_holds_after_it_was_set(
    shell, layout, env, key: str, value: str, attribute: str, setting: object
) -> None:
    """Setting it is the consent; the same line in a file that came along is none."""
    assert shell("config", "set", key, value, cwd=layout.root).code == 0
    assert getattr(load(layout, env), attribute) == setting
    assert load(layout, {**env, "HIPOCAMPUS_STATE": env["HOME"]}, trusted=True).origins[key] == NOT_SET_HERE


def test_a_command_with_a_secret_is_refused(shell, layout) -> None:
    """The config is redacted as every file, so it would not be the same command; and it is no place for a key."""
    before = Path(layout.config).read_bytes()
    token = "ghp" + "_" + "a1B2c3D4e5F6" * 3
    result = shell("config", "set", "llm.command", f"ask --token {token}", cwd=layout.root)
    assert (result.code, Path(layout.config).read_bytes()) == (1, before)
    assert "llm.command holds what looks like a secret" in result.err
    assert token not in result.err


@pytest.mark.parametrize(
    ("command", "note"), [("/bin/nosuch", "no program /bin/nosuch on PATH"), ("bin/x", "no program bin/x"), ("sh", "")]
)
def test_a_command_that_is_not_there_is_a_note(shell, layout, command: str, note: str) -> None:
    """It is set all the same: it may be installed later. A script of the working directory is none."""
    script = Path(layout.root, "bin", "x")
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    result = shell("config", "set", "llm.command", command, cwd=layout.root)
    assert result.code == 0
    assert (note in result.err) if note else (result.err == "")
    assert json.loads(Path(layout.config).read_text())["llm"]["command"] == command


def test_a_verb_that_others_have_leads_to_ours(shell, layout) -> None:
    """`config get` names the one that shows, and not the one that changes."""
    result = shell("config", "get", "llm.model", cwd=layout.root)
    assert result.code == 2
    assert "No such command 'get'. hipocampus config show prints every setting." in result.err
