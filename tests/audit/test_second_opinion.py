"""detect-secrets as a second opinion: whole tokens, and few false alarms."""

from __future__ import annotations

import string

import pytest
from detect_secrets.settings import get_settings

from hipocampus.audit.second_opinion import second_opinion
from tests.audit.conftest import KEY_BLOCK, PASSWORD, TOKEN, letters


def opinion(text: str) -> list[tuple[int, str, str]]:
    """What it says about a text."""
    with second_opinion() as ask:
        return list(ask(text.split("\n")))


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("GitHub Token", f"the token is {TOKEN}.", TOKEN),
        ("GitLab Token", "glpat" + f"-{letters(20)}", "glpat" + f"-{letters(20)}"),
        ("AWS Access Key", "AK" + "IA" + letters(16).upper(), "AK" + "IA" + letters(16).upper()),
        ("Basic Auth Credentials", f"postgres://app:{letters(16)}@db:5432", letters(16)),
        ("Stripe Access Key", "sk" + f"_live_{letters(24)}", "sk" + f"_live_{letters(24)}"),
        ("Slack Token", "xoxb" + f"-123456789012-{letters(24)}", "xoxb" + f"-123456789012-{letters(24)}"),
        ("SendGrid API Key", f"SG.{letters(22)}.{letters(43)}", f"SG.{letters(22)}.{letters(43)}"),
        ("Private Key", KEY_BLOCK, "BEGIN " + "RSA PRIVATE KEY"),
        ("Secret Keyword", f'password = "{PASSWORD}"', PASSWORD),
        ("Secret Keyword", f'db_password: "{PASSWORD}"', PASSWORD),
    ],
)
def test_a_secret_is_found_whole(kind: str, text: str, value: str) -> None:
    """Not the prefix that the plugin itself yields; in a text of other lines, by its line."""
    assert opinion(f"# a log\n\n{text}\n다른 줄") == [(2, kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "The quick brown fox asks for a password, a secret and an api key.",
        "비밀번호는 위키에 있다. 토큰 버킷을 골랐다.",
        'password = "changeme"',
        'password = "your_password_1"',
        'password: "${DB_PASSWORD}"',
        'api_key = "[REDACTED:api-key]"',
        "postgres://user:password@localhost/db",
        "commit " + letters(40, "0123456789abcdef"),
        '"integrity": "sha512-' + letters(86) + '=="',
        f"id=3f9c0a1b7d42 session={letters(8)}",
        "request from 203.0.113.9",
        "ghp_" + "x" * 36,
        KEY_BLOCK.split("\n")[0] + "\n[REDACTED:private-key]\n" + KEY_BLOCK.split("\n")[-1],
        "A key begins with " + "BEGIN RSA " + "PRIVATE KEY and is kept in src/deployment/keys/production.",
        f"{TOKEN}  # pragma: allowlist secret",
        f"<!-- pragma: allowlist nextline secret -->\n{TOKEN}",
        string.ascii_letters,
        "",
    ],
)
def test_what_is_no_secret(text: str) -> None:
    """Prose, placeholders, references, hashes, addresses, what was redacted, what a pragma speaks for."""
    assert opinion(text) == []


@pytest.mark.parametrize("before", [0, 10, 990, 1_500, 1_999, 2_000, 5_000, 12_345])
def test_a_long_line_is_searched_to_its_end(before: int) -> None:
    """Wherever the token stands, and once."""
    assert opinion("a " * (before // 2) + " " * (before % 2) + TOKEN + " b" * 3_000) == [(0, "GitHub Token", TOKEN)]


def test_many_lines() -> None:
    """In order, whatever batches they are searched in."""
    lines = [TOKEN if number % 150 == 149 else f"line {number}" for number in range(900)]
    assert [index for index, _, _ in opinion("\n".join(lines))] == [149, 299, 449, 599, 749, 899]


def test_the_settings_of_the_process_stay() -> None:
    """What detect-secrets was configured with before is what it is configured with after."""
    before = get_settings().json()
    opinion(TOKEN)
    assert get_settings().json() == before
