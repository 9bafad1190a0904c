"""Settings of a home."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.redaction import scrub
from hipocampus.store.config import NOT_SET_HERE, ConfigError, defaults, load, load_lenient, save
from hipocampus.store.layout import Layout
from hipocampus.store.settings import BY_NAME, KEYS, Key
from hipocampus.store.user_state import note_set_here

Env = dict[str, str]
ORIGINAL = {
    "platform": "claude-code",
    "search": {"vector": True, "embedModel": "auto"},
    "compaction": {"rootMaxTokens": 3000, "cooldownHours": 3},
}
HOME_ID = "0123456789abcdef"
RULE = {"name": "badge", "regex": "B-[0-9]{6}"}


def put(layout: Layout, config: object) -> None:
    """Write a config: text as it is, anything else as JSON."""
    text = config if isinstance(config, str) else json.dumps(config)
    Path(layout.config).write_text(text, encoding="utf-8")


def nested(name: str, value: object) -> dict[str, object]:
    """``{"a": {"b": value}}`` for ``a.b``."""
    section, _, last = name.rpartition(".")
    return {section: {last: value}} if section else {last: value}


def test_without_a_file_the_defaults_hold(layout: Layout, env: Env) -> None:
    """Those of the original."""
    os.unlink(layout.config)
    config = load(layout, env)
    assert config == defaults()
    assert [(key, value) for key, value, origin in config.shown() if origin == "default"] == [
        ("platform", "claude-code"),
        ("hosts", ()),
        ("search.enabled", True),
        ("search.vector", True),
        ("search.embedModel", "auto"),
        ("search.qmd", False),
        ("recall.promptTokens", 500),
        ("compaction.rootMaxTokens", 3000),
        ("compaction.rootImport", False),
        ("compaction.cooldownHours", 3.0),
        ("llm.backend", "agent"),
        ("llm.model", "auto"),
        ("llm.command", ()),
        ("llm.maxTokens", 8000),
        ("llm.timeout", 180),
        ("llm.retries", 2),
        ("llm.perHour", 60),
        ("budget.keepSnapshots", 20),
        ("budget.keepDays", 30),
        ("dag.chunkSize", 20),
        ("dag.fanout", 5),
        ("dag.maxDepth", 4),
        ("dag.tokenBudget", 8000),
        ("dag.autoEntries", 200),
        ("redact.allow", ()),
        ("redact.allowNames", ()),
        ("redact.extra", ()),
    ]


def test_hosts_that_were_added_count_beside_the_first(layout: Layout, env: Env) -> None:
    """The platform of the original is one of them, and none is named twice."""
    put(layout, {"platform": "opencode", "hosts": ["codex", "opencode", "codex"]})
    config = load(layout, env, trusted=True)
    assert config.hosts == ("codex", "opencode")
    assert config.all_hosts == {"codex", "opencode"}


def test_a_config_of_the_original_is_read(layout: Layout, env: Env) -> None:
    """All its keys, with nothing to complain about, and each value's origin is the file."""
    put(layout, ORIGINAL)
    config = load(layout, env, trusted=True)
    assert config.warnings == ()
    assert [key for key, _value, origin in config.shown() if origin == "file"] == [
        "platform",
        "search.vector",
        "search.embedModel",
        "compaction.rootMaxTokens",
        "compaction.cooldownHours",
    ]


@pytest.mark.parametrize(
    ("key", "value", "attribute", "setting"),
    [
        ("platform", "openclaw", "platform", "openclaw"),
        ("search.enabled", False, "search_enabled", False),
        ("search.vector", False, "search_vector", False),
        ("search.embedModel", "neural", "search_embed_model", "neural"),
        ("search.embedModel", "static", "search_embed_model", "static"),
        ("compaction.rootMaxTokens", 10_000, "root_max_tokens", 10_000),
        ("compaction.rootImport", True, "root_import", True),
        ("compaction.cooldownHours", 0, "cooldown_hours", 0.0),
        ("compaction.cooldownHours", 0.5, "cooldown_hours", 0.5),
        ("llm.maxTokens", 256, "llm_max_tokens", 256),
        ("llm.timeout", 3600, "llm_timeout", 3600),
        ("llm.retries", 0, "llm_retries", 0),
        ("llm.perHour", 0, "llm_per_hour", 0),
        ("dag.chunkSize", 2, "dag_chunk_size", 2),
        ("dag.fanout", 8, "dag_fanout", 8),
        ("dag.maxDepth", 0, "dag_max_depth", 0),
        ("dag.tokenBudget", 500, "dag_token_budget", 500),
        ("dag.autoEntries", 1000, "dag_auto_entries", 1000),
        ("redact.allow", ["EXAMPLE"], "redact_allow", ("EXAMPLE",)),
        ("redact.allowNames", ["SESSION"], "redact_allow_names", ("SESSION",)),
        ("redact.extra", [RULE], "redact_extra", (RULE,)),
    ],
)
def test_a_setting_is_read(layout: Layout, env: Env, key: str, value: object, attribute: str, setting: object) -> None:
    """As a typed attribute."""
    put(layout, nested(key, value))
    config = load(layout, env, trusted=True)
    assert getattr(config, attribute) == setting
    assert type(getattr(config, attribute)) is type(setting)
    assert config.origins[key] == "file"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("platform", "emacs", "one of claude-code, codex, opencode, openclaw"),
        ("platform", 7, "one of claude-code"),
        ("platform", ["codex"], "one of claude-code"),
        ("search.vector", "yes", "true or false"),
        ("search.vector", 1, "true or false"),
        ("search.embedModel", "", "a text that is not empty"),
        ("search.embedModel", None, "a text that is not empty"),
        ("compaction.rootMaxTokens", "3000", "a whole number from 100 to 200000"),
        ("compaction.rootMaxTokens", 3000.5, "a whole number from 100 to 200000"),
        ("compaction.rootMaxTokens", True, "a whole number from 100 to 200000"),
        ("compaction.rootMaxTokens", 0, "a whole number from 100 to 200000"),
        ("llm.backend", "openai", "one of agent, anthropic, command, none"),
        ("llm.command", [], "a program with its arguments"),
        ("llm.command", "say 'it", "a program with its arguments"),
        ("llm.command", ["say", "a\0b"], "a program with its arguments"),
        ("llm.command", {"claude": []}, "a program with its arguments"),
        ("llm.timeout", 0, "a whole number from 1 to 3600"),
        ("llm.perHour", -1, "a whole number from 0 to 10000"),
        ("dag.chunkSize", 1, "a whole number from 2 to 1000"),
        ("dag.fanout", 1, "a whole number from 2 to 100"),
        ("dag.maxDepth", True, "a whole number from 0 to 20"),
        ("dag.autoEntries", "many", "a whole number from 1 to 1000000"),
        ("compaction.rootImport", "true", "true or false"),
        ("compaction.cooldownHours", -1, "a number of hours from 0 to 100000"),
        ("compaction.cooldownHours", "3h", "a number of hours from 0 to 100000"),
        ("compaction.cooldownHours", False, "a number of hours from 0 to 100000"),
        ("compaction.cooldownHours", float("nan"), "a number of hours from 0 to 100000"),
        ("compaction.cooldownHours", float("inf"), "a number of hours from 0 to 100000"),
        ("compaction.cooldownHours", 10**400, "a number of hours from 0 to 100000"),
        ("redact.allow", "EXAMPLE", "a list of texts"),
        ("redact.allow", [1], "a list of texts"),
        ("redact.allow", [""], "a list of texts"),
        ("redact.allowNames", {}, "a list of texts"),
        ("redact.extra", RULE, "a list of"),
        ("redact.extra", ["B-[0-9]"], "a list of"),
    ],
)
def test_a_wrong_type_names_file_and_key(layout: Layout, env: Env, key: str, value: object, expected: str) -> None:
    """A command stops with one clear line; a hook goes on with the default and keeps the line as a warning."""
    put(layout, nested(key, value))
    with pytest.raises(ConfigError) as caught:
        load(layout, env, trusted=True)
    assert str(caught.value).startswith(f"{layout.config}: {key} must be {expected}")
    lenient = load_lenient(layout, env, trusted=True)
    assert lenient.warnings == (str(caught.value),)
    assert lenient.origins[key] == "default"
    assert list(lenient.shown()) == list(defaults().shown())


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "not JSON at line 1, column 1"),
        ('{\n  "platform": claude\n}', "not JSON at line 2, column 15"),
        ('{"platform": "codex",}', "not JSON at line 1"),
        ("[]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("[" * 200_000, "JSON that cannot be read: "),
        ("1" * 5_000, "JSON that cannot be read: "),
        (" " * 1_048_577, "larger than"),
    ],
)
def test_a_file_that_is_no_config_is_named(layout: Layout, env: Env, content: str, complaint: str) -> None:
    """With the place, where there is one."""
    put(layout, content)
    with pytest.raises(ConfigError) as caught:
        load(layout, env, trusted=True)
    assert str(caught.value).replace(" is larger", ": larger").startswith(f"{layout.config}: {complaint}")
    assert load_lenient(layout, env, trusted=True).warnings == (str(caught.value),)


@pytest.mark.parametrize(
    ("config", "hint"),
    [
        ({"plattform": "codex"}, "'platform'"),
        ({"search": {"vectr": True}}, "'search.vector'"),
        ({"search": {"embedmodel": "auto"}}, "'search.embedModel'"),
        ({"compaction": {"root_max_tokens": 1}}, "'compaction.rootMaxTokens'"),
        ({"rootMaxTokens": 1}, "'compaction.rootMaxTokens'"),
        ({"cooldown-hours": 1}, "'compaction.cooldownHours'"),
        ({"compaction": {"coolDownHrs": 1}}, "'compaction.cooldownHours'"),
    ],
)
def test_an_unknown_key_is_a_warning_with_the_nearest_name(
    layout: Layout, env: Env, config: dict[str, object], hint: str
) -> None:
    """A slip of the pen does not stop anything, and does not pass unseen."""
    put(layout, config)
    (warning,) = load(layout, env, trusted=True).warnings
    assert warning.startswith(f"{layout.config}: no setting ")
    assert warning.endswith(f"did you mean {hint}?")


def test_a_key_near_to_nothing_gets_no_guess(layout: Layout, env: Env) -> None:
    """A wrong guess is worse than none; a section that is no object is said so; the id is no setting."""
    put(layout, {"id": "x", "zzz\n": 1, "search": True})
    assert load(layout, env, trusted=True).warnings == (
        f"{layout.config}: no setting 'zzz'",
        f"{layout.config}: search must be an object; its settings are not read",
    )


@pytest.mark.parametrize(
    ("key", "value", "attribute", "setting"),
    [
        ("compaction.rootMaxTokens", 500, "root_max_tokens", 500),
        ("compaction.rootMaxTokens", 100_000, "root_max_tokens", 3000),
        ("compaction.cooldownHours", 24, "cooldown_hours", 24.0),
        ("compaction.cooldownHours", 0, "cooldown_hours", 3.0),
        ("compaction.rootImport", True, "root_import", False),
        ("search.enabled", False, "search_enabled", False),
        ("search.vector", False, "search_vector", False),
        ("search.embedModel", "neural", "search_embed_model", "auto"),
        ("search.qmd", True, "search_qmd", False),
        ("platform", "codex", "platform", "claude-code"),
        ("llm.backend", "none", "llm_backend", "none"),
        ("llm.backend", "anthropic", "llm_backend", "agent"),
        ("llm.backend", "command", "llm_backend", "agent"),
        ("llm.command", ["sh", "-c", "id"], "llm_command", ()),
        ("llm.model", "the-dearest", "llm_model", "auto"),
        ("llm.maxTokens", 64_000, "llm_max_tokens", 8000),
        ("llm.timeout", 3600, "llm_timeout", 180),
        ("llm.retries", 10, "llm_retries", 2),
        ("llm.perHour", 10_000, "llm_per_hour", 60),
        ("llm.perHour", 0, "llm_per_hour", 0),
        ("dag.chunkSize", 1000, "dag_chunk_size", 20),
        ("dag.fanout", 100, "dag_fanout", 5),
        ("dag.maxDepth", 20, "dag_max_depth", 4),
        ("dag.tokenBudget", 500, "dag_token_budget", 500),
        ("dag.tokenBudget", 100_000, "dag_token_budget", 8000),
        ("dag.autoEntries", 1, "dag_auto_entries", 200),
        ("redact.allow", ["."], "redact_allow", ()),
        ("redact.allowNames", ["password"], "redact_allow_names", ()),
        ("redact.extra", [{"name": "slow", "regex": "(a+)+$"}], "redact_extra", ()),
    ],
)
def test_a_home_that_came_from_elsewhere_may_only_narrow(
    layout: Layout, env: Env, key: str, value: object, attribute: str, setting: object
) -> None:
    """A clone cannot widen a budget, nor weaken the redactor or slow it down; the origin says so."""
    put(layout, nested(key, value))
    config = load(layout, env, trusted=False)
    assert getattr(config, attribute) == setting
    assert config.origins[key] == ("file" if setting == value else "narrowed")


@given(st.sampled_from(KEYS), st.integers() | st.booleans() | st.floats() | st.text())
def test_every_key_says_how_it_narrows(key: Key, value: object) -> None:
    """No value of an untrusted home gives more than the default does, whatever the key; narrowing is final."""
    try:
        read = key.read(value)
    except ValueError:
        return
    narrowed = key.narrow(key.default, read)
    assert narrowed in (key.default, read)
    assert key.narrow(key.default, narrowed) == narrowed
    if narrowed != key.default:
        more = {
            "search.enabled": -1,
            "search.vector": -1,
            "compaction.rootMaxTokens": -1,
            "compaction.cooldownHours": 1,
            "recall.promptTokens": -1,
            "llm.backend": 1,  # "none"
            "llm.maxTokens": -1,
            "llm.timeout": -1,
            "llm.retries": -1,
            "llm.perHour": -1,
            "budget.keepSnapshots": 1,
            "budget.keepDays": 1,
            "dag.maxDepth": -1,
            "dag.tokenBudget": -1,
            "dag.autoEntries": 1,
        }
        assert more[key.name] == (1 if narrowed > key.default else -1)


@pytest.mark.parametrize(
    ("key", "attribute", "value", "other", "default"),
    [
        ("llm.backend", "llm_backend", "anthropic", "command", "agent"),
        ("llm.model", "llm_model", "claude-a", "claude-b", "auto"),
        ("llm.command", "llm_command", ["say", "it"], ["say", "that"], ()),
    ],
)
def test_what_starts_a_program_holds_only_as_it_was_set_here(
    layout: Layout, env: Env, tmp_path: Path, key: str, attribute: str, value: object, other: object, default: object
) -> None:
    """Trust is not enough: the file may have come with a clone, or be changed by a pull after it was trusted."""
    put(layout, {"id": HOME_ID} | nested(key, value))
    config = load(layout, env)
    assert (getattr(config, attribute), config.origins[key]) == (default, NOT_SET_HERE)
    read = tuple(value) if isinstance(value, list) else value
    note_set_here(env, layout.root, HOME_ID, key, read)
    config = load(layout, env)
    assert (getattr(config, attribute), config.origins[key]) == (read, "file")
    put(layout, {"id": HOME_ID} | nested(key, other))
    assert load(layout, env).origins[key] == NOT_SET_HERE
    put(layout, {"id": "fedcba9876543210"} | nested(key, value))
    assert load(layout, env, trusted=True).origins[key] == NOT_SET_HERE
    elsewhere = Layout(str(tmp_path), str(tmp_path))
    put(elsewhere, {"id": HOME_ID} | nested(key, value))
    assert load(elsewhere, env, trusted=True).origins[key] == NOT_SET_HERE


def test_no_llm_holds_wherever_it_was_set(layout: Layout, env: Env) -> None:
    """A home that came from elsewhere may say that nobody is to be asked."""
    put(layout, {"id": HOME_ID, "llm": {"backend": "none"}})
    config = load(layout, env)
    assert (config.llm_backend, config.origins["llm.backend"]) == ("none", "file")


@pytest.mark.parametrize("name", ["llm.apiKey", "llm.api_key", "llm.authToken", "anthropicApiKey", "ANTHROPIC_API_KEY"])
def test_a_key_of_an_api_is_refused(layout: Layout, env: Env, name: str) -> None:
    """It would be in every clone of the project; it is never used, and the line does not repeat it."""
    value = "sk-" + "ant-" + "x" * 40
    put(layout, nested(name, value))
    with pytest.raises(ConfigError) as caught:
        load(layout, env)
    assert str(caught.value) == (
        f"{layout.config}: {name}: the key of an API is read from the environment only (ANTHROPIC_API_KEY); "
        "take it out of this file"
    )


def test_the_page_about_llms_names_every_setting_with_its_default() -> None:
    """As the table of settings has them, in its order."""
    page = Path(__file__).parents[2].joinpath("docs", "llm.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in page.partition("## Settings")[2].split("\n") if line.startswith("| `")]
    shown = {name.strip(" `"): value.strip(" `") for name, value in rows if name.strip(" `") in BY_NAME}
    assert shown == {
        key.name: str(key.default) if key.default != () else "none" for key in KEYS if key.name.startswith("llm.")
    }
    assert list(shown) == [key.name for key in KEYS if key.name.startswith("llm.")]


def test_trust_is_looked_up_where_it_is_not_given(layout: Layout, env: Env, tmp_path: Path) -> None:
    """Forgetting to say it cannot widen anything."""
    save(layout, {"compaction.rootMaxTokens": 9000})
    assert load(layout, env).root_max_tokens == 9000
    for stranger in ({**env, "HIPOCAMPUS_STATE": str(tmp_path / "elsewhere")}, {}):
        assert load(layout, stranger).root_max_tokens == 3000


def test_the_policy_of_the_redactor_comes_from_the_settings(layout: Layout, env: Env) -> None:
    """What the user allows and adds; a pattern that is of no use is a warning, and the others hold."""
    put(layout, {"redact": {"allow": ["EXAMPLE", "("], "extra": [RULE, {"name": "no pattern"}]}})
    config = load(layout, env, trusted=True)
    assert scrub("badge B-123456", config.policy) == "badge [REDACTED:badge]"
    assert [warning.partition(":")[0] for warning in config.warnings] == ["redact.allow", "redact.extra"]


class TestSave:
    """Changing single keys."""

    def test_the_rest_stays(self, layout: Layout, env: Env) -> None:
        """Unknown keys, order and id; the file is made where missing and looks as a person would write it."""
        put(layout, {"mine": [1], "id": "0123456789abcdef", "search": {"vector": False}})
        save(layout, {"search.embedModel": "qwen3", "compaction.cooldownHours": 0, "platform": "codex"})
        assert Path(layout.config).read_text(encoding="utf-8").splitlines() == [
            "{",
            '  "mine": [',
            "    1",
            "  ],",
            '  "id": "0123456789abcdef",',
            '  "search": {',
            '    "vector": false,',
            '    "embedModel": "qwen3"',
            "  },",
            '  "compaction": {',
            '    "cooldownHours": 0',
            "  },",
            '  "platform": "codex"',
            "}",
        ]
        os.unlink(layout.config)
        save(layout, {"platform": "codex"})
        assert load(layout, env, trusted=True).platform == "codex"

    @pytest.mark.parametrize("content", ["[]", "{", '{"search": 7}'])
    def test_a_damaged_file_is_not_overwritten(self, layout: Layout, content: str) -> None:
        """A person's work in it is worth more than the setting."""
        put(layout, content)
        with pytest.raises(ConfigError):
            save(layout, {"search.vector": False})
        assert Path(layout.config).read_text(encoding="utf-8") == content

    def test_a_secret_in_the_file_is_not_written_again(self, layout: Layout) -> None:
        """Every write is redacted, this one too."""
        token = "ghp" + "_" + "a1B2c3D4e5F6" * 3
        put(layout, {"note": f"key {token}"})
        save(layout, {"platform": "codex"})
        assert token not in Path(layout.config).read_text(encoding="utf-8")

    def test_a_value_that_the_user_allows_stays(self, layout: Layout) -> None:
        """The list of what may stay is itself full of such values."""
        example = "ghp" + "_" + "Z9y8X7w6V5u4" * 3
        put(layout, {"redact": {"allow": [example]}})
        save(layout, {"platform": "codex"})
        assert example in Path(layout.config).read_text(encoding="utf-8")
