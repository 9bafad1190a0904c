"""What an identifier promises about the value beside it."""

from __future__ import annotations

import pytest

from hipocampus.redaction import names
from hipocampus.redaction.names import classify


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("password", "password"),
        ("DB_PASSWORD", "password"),
        ("dbPassword", "password"),
        ("mysql_root_password", "password"),
        ("spring.datasource.password", "password"),
        ("password2", "password"),
        ("DATABASE_PASSWORD_PROD", "password"),
        ("newPassword", "password"),
        ("dbpassword", "password"),
        ("smtp_pwd", "password"),
        ("PGPASSWORD", "password"),
        ("client_secret", "secret"),
        ("clientSecret", "secret"),
        ("SECRET_KEY_BASE", "secret"),
        ("aws_secret_access_key", "secret"),
        ("AUTH_SALT", "secret"),
        ("token", "token"),
        ("_authToken", "token"),
        ("GITHUB_TOKEN", "token"),
        ("GITHUB_PAT", "token"),
        ("refreshToken", "token"),
        ("TOKEN_GITHUB", "token"),
        ("jwt", "token"),
        ("api_key", "api-key"),
        ("apiKey", "api-key"),
        ("X-API-Key", "api-key"),
        ("STRIPE_KEY", "api-key"),
        ("API_KEY_OPENAI", "api-key"),
        ("AccountKey", "api-key"),
        ("client-key-data", "api-key"),
        ("privateKey", "private-key"),
        ("signing_key", "private-key"),
        ("authorization", "auth"),
        ("credentials", "credentials"),
    ],
)
def test_a_name_of_a_secret_has_its_kind(name, kind):
    """Snake, camel, dashes, dots, capitals, numbers and what stands behind the word: the kind is the same."""
    assert classify(name) == kind


@pytest.mark.parametrize(
    "name",
    [
        "", "key", "keys", "cacheKey", "primary_key", "PRIMARY_KEY", "public_key", "publicKeyToken",
        "sort_key", "hotkey", "keyboard", "tokenizer", "token_count", "max_tokens_total", "eos_token",
        "pad_token", "csrf_token", "nextPageToken", "csrfToken", "continuation_token", "password_file",
        "password_policy", "PASSWORD_MIN_LENGTH", "secret_name", "SECRET_ARN", "token_type", "token_url",
        "TOKEN_TTL", "api_key_id", "AWS_ACCESS_KEY_ID", "author", "authors", "compass", "bypass", "passed",
        "passenger", "HEX_PAT", "path", "salt", "debug-pass", "two_pass", "session_id", "x",
    ],
)  # fmt: skip
def test_other_names_have_none(name):
    """Keys of maps, counts, files, policies, lexers, pagination and ordinary words promise no secret."""
    assert classify(name) is None


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        ("API", "api-key"),
        ("secret", "secret"),
        ("encryption", "private-key"),
        ("primary", None),
        ("the", None),
        ("", None),
    ],
)
def test_the_word_before_a_bare_key_decides(before, kind):
    """`API key` is one, `primary key` and `the key` are not."""
    assert classify("key", before) == kind


def test_every_word_of_the_tables_is_known_by_its_hint():
    """What is asked first, because it is fast, hides none of the words."""
    assert [word for word in (*names._LAST, *names._ENDINGS) if not names._HINT.search(word)] == []
