"""The table of settings: name, default, what a value may be, and what of it a home from elsewhere may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hipocampus.store.prompt_budget import DEFAULT, budget
from hipocampus.store.setting_values import (
    BACKENDS,
    MODELS,
    boolean,
    default_only,
    default_or_none,
    hours,
    larger,
    one_in,
    platform,
    platforms,
    rules,
    smaller,
    split_words,
    tokens,
    whole,
    word,
    words,
)


@dataclass(frozen=True, slots=True)
class Key:
    """One setting. `read` turns the JSON value into the setting or raises ValueError with what it should have been;
    `narrow(default, value)` is what of the value an untrusted home may have. Only `choices`, where there are any, can
    be set; a file that another version wrote may hold more. One that `is_own` starts a program or sends text away: even
    in a trusted home it holds only as somebody set it on this machine.
    """

    name: str
    attribute: str
    default: Any
    read: Callable[[object], Any]
    narrow: Callable[[Any, Any], object]
    choices: tuple[str, ...] = ()
    is_own: bool = False


KEYS = (
    Key("platform", "platform", "claude-code", platform, default_only),
    Key("hosts", "hosts", (), platforms, default_only),
    Key("search.enabled", "search_enabled", True, boolean, smaller),
    Key("search.vector", "search_vector", True, boolean, smaller),
    Key("search.embedModel", "search_embed_model", "auto", word, default_only, MODELS),
    Key("search.qmd", "search_qmd", False, boolean, smaller),
    Key("recall.promptTokens", "recall_prompt_tokens", DEFAULT, budget, smaller),
    Key("compaction.rootMaxTokens", "root_max_tokens", 3000, tokens, smaller),
    Key("compaction.rootImport", "root_import", False, boolean, smaller),
    Key("compaction.cooldownHours", "cooldown_hours", 3.0, hours, larger),
    Key("llm.backend", "llm_backend", "agent", one_in(BACKENDS), default_or_none, BACKENDS, is_own=True),
    Key("llm.model", "llm_model", "auto", word, default_only, is_own=True),
    Key("llm.command", "llm_command", (), split_words, default_only, is_own=True),
    Key("llm.maxTokens", "llm_max_tokens", 8000, whole(256, 64_000), smaller),
    Key("llm.timeout", "llm_timeout", 180, whole(1, 3600), smaller),
    Key("llm.retries", "llm_retries", 2, whole(0, 10), smaller),
    Key("llm.perHour", "llm_per_hour", 60, whole(0, 10_000), smaller),
    Key("budget.keepSnapshots", "snapshots_kept", 20, whole(1, 100_000), larger),
    Key("budget.keepDays", "snapshot_days", 30, whole(1, 100_000), larger),
    Key("dag.chunkSize", "dag_chunk_size", 20, whole(2, 1000), default_only),
    Key("dag.fanout", "dag_fanout", 5, whole(2, 100), default_only),
    Key("dag.maxDepth", "dag_max_depth", 4, whole(0, 20), smaller),
    Key("dag.tokenBudget", "dag_token_budget", 8000, tokens, smaller),
    Key("dag.autoEntries", "dag_auto_entries", 200, whole(1, 1_000_000), larger),
    Key("redact.allow", "redact_allow", (), words, default_only),
    Key("redact.allowNames", "redact_allow_names", (), words, default_only),
    Key("redact.extra", "redact_extra", (), rules, default_only),
)
BY_NAME = {key.name: key for key in KEYS}
SECTIONS = {key.name.partition(".")[0] for key in KEYS if "." in key.name}
