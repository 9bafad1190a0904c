"""Findings that somebody looked at and accepted, in detect-secrets' own baseline format.

Only false alarms belong in it: it holds a hash of each value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from hipocampus.audit.second_opinion import second_opinion
from hipocampus.errors import UserError
from hipocampus.store import user_state


@dataclass(frozen=True, slots=True)
class Accepted:
    """What identifies a finding: file, kind and the hash of its value. The line is where it stood when accepted."""

    file: str
    type: str
    hash: str
    line: int = 0


def hash_of_value(value: str) -> str:
    """The hash that a baseline has of a value."""
    from detect_secrets.core.potential_secret import PotentialSecret

    return str(PotentialSecret.hash_secret(value.encode("utf-8", "replace").decode("utf-8")))


def read_accepted(env: Mapping[str, str], home_id: str) -> frozenset[tuple[str, str, str]]:
    """File, kind and hash of everything that was accepted. UserError where the baseline is damaged."""
    text = user_state.read_baseline(env, home_id)
    try:
        results = json.loads(text)["results"] if text else {}
        return frozenset(
            (str(file), str(item["type"]), str(item["hashed_secret"]))
            for file, items in results.items()
            for item in items
            if item.get("is_secret") is not True
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        place = user_state.baseline_file(env, home_id)
        raise UserError(f"{place} is damaged: {error}; mend it, or delete it to accept anew") from None


def accept(env: Mapping[str, str], home_id: str, news: Iterable[Accepted], now: datetime) -> str:
    """Add findings to the baseline; the path of its file."""
    from detect_secrets.core.baseline import format_for_output
    from detect_secrets.core.potential_secret import PotentialSecret
    from detect_secrets.core.secrets_collection import SecretsCollection

    old = [Accepted(*key) for key in sorted(read_accepted(env, home_id))]
    collection = SecretsCollection()
    for one in (*old, *news):
        secret = PotentialSecret(one.type, one.file, "", one.line, is_secret=False)
        secret.secret_hash = one.hash
        collection[one.file].add(secret)
    with second_opinion():  # the format tells which rules were asked
        output = {**format_for_output(collection), "generated_at": now.isoformat(timespec="seconds")}
    return user_state.write_baseline(env, home_id, json.dumps(output, indent=2) + "\n")
