"""Settings of a home: one table of keys, checked once when the file is read."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hipocampus.core.neutral import one_line
from hipocampus.errors import UserError
from hipocampus.redaction import Policy, Redacted, make_policy, scrub, scrub_json
from hipocampus.store.files import read_text, write_text
from hipocampus.store.home import home_id
from hipocampus.store.layout import Layout
from hipocampus.store.locks import locked
from hipocampus.store.settings import BY_NAME, KEYS, SECTIONS
from hipocampus.store.user_state import is_set_here, is_trusted

_LIMIT = 1024 * 1024
NOT_SET_HERE = "not set here"
"""The origin of a setting that stands in the file, holds only as it was set on this machine, and was not."""


class ConfigError(UserError):
    """The config has a value that cannot be used; names file and key."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in force. `origins` says for each dotted key where its value comes from: default, file, narrowed (as
    in a home that is not trusted), or `NOT_SET_HERE`.

    `platform` is the host that this home was made for, `hosts` are those that were added to it since.
    `root_max_tokens` and `dag_token_budget` are sizes in estimated tokens, `cooldown_hours` the least time between two
    compactions (0: none), `dag_auto_entries` the size from which a memory file is summarised by itself, `policy` what
    the three `redact` settings mean to the redactor. `snapshots_kept` of a file stay, and all of the last
    `snapshot_days`. `warnings` are whole lines for the user.
    """

    platform: str
    hosts: tuple[str, ...]
    search_enabled: bool
    search_vector: bool
    search_embed_model: str
    search_qmd: bool
    recall_prompt_tokens: int
    root_max_tokens: int
    root_import: bool
    cooldown_hours: float
    llm_backend: str
    llm_model: str
    llm_command: tuple[str, ...]
    llm_max_tokens: int
    llm_timeout: int
    llm_retries: int
    llm_per_hour: int
    snapshots_kept: int
    snapshot_days: int
    dag_chunk_size: int
    dag_fanout: int
    dag_max_depth: int
    dag_token_budget: int
    dag_auto_entries: int
    redact_allow: tuple[str, ...]
    redact_allow_names: tuple[str, ...]
    redact_extra: tuple[Mapping[str, object], ...]
    policy: Policy
    origins: Mapping[str, str]
    warnings: tuple[str, ...]

    @property
    def all_hosts(self) -> frozenset[str]:
        """Every host that uses this home."""
        return frozenset((self.platform, *self.hosts))

    def shown(self) -> Iterator[tuple[str, object, str]]:
        """Key, value and origin of every setting, in the order of the table."""
        for key in KEYS:
            yield key.name, getattr(self, key.attribute), self.origins[key.name]


_OTHER = ("id",)
_CREDENTIAL = re.compile(r"[\w.-]{0,40}?(?:api|auth|access|secret)[-_.]?(?:key|token)[\w-]{0,20}", re.IGNORECASE)
NO_KEYS = "the key of an API is read from the environment only (ANTHROPIC_API_KEY)"


def load(layout: Layout, env: Mapping[str, str], trusted: bool | None = None) -> Config:
    """The settings of a home; ConfigError at the first value that cannot be used.

    The config of a home that is not trusted may only narrow: a smaller budget, a longer cooldown, less to search. Left
    out, `trusted` is what the user state says.
    """
    config, errors = _settings(layout, env, trusted)
    if errors:
        raise ConfigError(errors[0])
    return config


def load_lenient(layout: Layout, env: Mapping[str, str], trusted: bool | None = None) -> Config:
    """Like ``load`` for hooks: never raises, a bad value counts as absent and its error is among the warnings."""
    config, _errors = _settings(layout, env, trusted)
    return config


def check(layout: Layout) -> None:
    """ConfigError where there is a file that is no JSON object, so that nothing can be set in it."""
    _parse(layout)


def defaults() -> Config:
    """The settings without any file."""
    return _made({}, {}, ())


def save(layout: Layout, changes: Mapping[str, object]) -> None:
    """Set dotted keys in the config file under the lock; every other key stays. ConfigError if it is not an object.

    The file is redacted like every other, but for what its own `redact` settings allow.
    """
    with locked(layout):
        tree = _parse(layout)
        for name, value in changes.items():
            branch = tree
            *sections, last = name.split(".")
            for section in sections:
                inner = branch.setdefault(section, {})
                if not isinstance(inner, dict):
                    raise ConfigError(f"{one_line(layout.config)}: {section} must be an object")
                branch = inner
            branch[last] = value
        config, _errors = _checked(layout, tree, trusted=True, is_own=lambda *_: False)
        pretty = json.dumps(json.loads(scrub_json(tree, config.policy)), ensure_ascii=False, indent=2)
        write_text(layout.config, Redacted(pretty + "\n"))


def _settings(layout: Layout, env: Mapping[str, str], trusted: bool | None) -> tuple[Config, list[str]]:
    """The settings, and the errors that a command stops for."""
    try:
        tree = _parse(layout)
        failed = []
    except ConfigError as error:
        tree, failed = {}, [str(error)]
    if trusted is None:
        trusted = _is_trusted(layout, env)
    return _checked(layout, tree, trusted, lambda key, value: _is_set_here(layout, env, key, value), failed)


def _is_trusted(layout: Layout, env: Mapping[str, str]) -> bool:
    try:
        return is_trusted(env, layout.root, home_id(layout))
    except UserError:  # there is no user state
        return False


def _is_set_here(layout: Layout, env: Mapping[str, str], key: str, value: object) -> bool:
    try:
        return is_set_here(env, layout.root, home_id(layout), key, value)
    except UserError:
        return False


def _checked(
    layout: Layout,
    tree: Mapping[str, object],
    trusted: bool,
    is_own: Callable[[str, object], bool],
    failed: Sequence[str] = (),
) -> tuple[Config, list[str]]:
    """Every setting, as far as it is allowed to this home; `is_own` says of a key and value whether it was set here."""
    errors, warnings = list(failed), []
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    for name, value in _leaves(tree):
        key = BY_NAME.get(name)
        if key is None and _CREDENTIAL.fullmatch(name):
            errors.append(f"{one_line(layout.config)}: {one_line(scrub(name))}: {NO_KEYS}; take it out of this file")
            continue
        if key is None:
            warnings += _strange(layout, name)
            continue
        try:
            read = key.read(value)
        except ValueError as expected:
            errors.append(f"{one_line(layout.config)}: {name} must be {expected}")
            continue
        is_whole = trusted and (not key.is_own or is_own(name, read))
        values[key.attribute] = read if is_whole else key.narrow(key.default, read)
        less = NOT_SET_HERE if trusted else "narrowed"
        origins[name] = "file" if values[key.attribute] == read else less
    return _made(values, origins, (*errors, *warnings)), errors


def _made(values: Mapping[str, object], origins: Mapping[str, str], warnings: tuple[str, ...]) -> Config:
    settings: dict[str, Any] = {key.attribute: values.get(key.attribute, key.default) for key in KEYS}
    policy = make_policy(settings["redact_allow"], settings["redact_allow_names"], settings["redact_extra"])
    found = {key.name: origins.get(key.name, "default") for key in KEYS}
    return Config(**settings, policy=policy, origins=found, warnings=(*warnings, *policy.problems))


def _parse(layout: Layout) -> dict[str, object]:
    name = one_line(layout.config)
    try:
        text = read_text(layout.config, _LIMIT)
        tree = {} if text is None else json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{name}: not JSON at line {error.lineno}, column {error.colno}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: JSON that cannot be read: {error}") from error
    except UserError as error:
        raise ConfigError(str(error)) from error
    except OSError as error:
        raise ConfigError(f"{name}: {error.strerror}") from error
    if not isinstance(tree, dict):
        raise ConfigError(f"{name}: must be a JSON object")
    return tree


def _leaves(tree: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in tree.items():
        if name in SECTIONS and isinstance(value, dict):
            for inner, leaf in value.items():
                yield f"{name}.{inner}", leaf
        else:
            yield name, value


def _strange(layout: Layout, name: str) -> list[str]:
    if name in _OTHER:
        return []
    if name in SECTIONS:
        return [f"{one_line(layout.config)}: {name} must be an object; its settings are not read"]
    hint = nearest(name)
    shown = one_line(scrub(name))
    return [f"{one_line(layout.config)}: no setting {shown!r}" + (f"; did you mean {hint!r}?" if hint else "")]


def nearest(name: str) -> str:
    """The setting that was probably meant by a name; empty where none is like it."""
    last = name.rpartition(".")[2].casefold().replace("_", "").replace("-", "")
    for key in KEYS:
        if key.name.rpartition(".")[2].casefold() == last:
            return key.name
    close = difflib.get_close_matches(name, BY_NAME, n=1, cutoff=0.6)
    return close[0] if close else ""
