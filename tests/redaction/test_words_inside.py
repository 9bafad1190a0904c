"""A word such as `secret` or `root` makes no placeholder of a password that has more beside it."""

from __future__ import annotations

import pytest

from hipocampus.redaction import names, redact
from hipocampus.redaction.samples import Sampler
from hipocampus.redaction.values import HARD, PROSE, QUOTED, RAW, is_secret

# Put together here, so that no file of ours holds one.
PASSWORDS = (
    "My" + "Secret99",
    "acme" + "Secret2024",
    "top" + "secret42",
    "Pass" + "word2024",
    "company" + "pass1",
    "hunter2" + "secret9",
    "root" + "harbor7",
    "testing4" + "Token77",
    "hidden" + "Valley77",
    "unknown" + "Pleasures9",
    "yourock" + "2024",
)


@pytest.mark.parametrize("syntax", [HARD, QUOTED, RAW, PROSE])
@pytest.mark.parametrize("value", PASSWORDS)
def test_a_password_with_such_a_word_is_one_everywhere(value, syntax):
    """Beside other words, or with a number that does not count from one."""
    assert is_secret(names.PASSWORD, value, syntax)


@pytest.mark.parametrize("seed", range(40))
def test_made_ones_are_found_in_config_and_sentences(seed):
    """Of every form that the sampler has."""
    value = Sampler(seed).named()

    for text in (f"password: {value}", f"DB_PASSWORD={value}", f'"password": "{value}"', f"the password is {value}"):
        assert value not in redact(text).text, text


@pytest.mark.parametrize("value", ["root" + "pass", "admin" + "pass", "Key" + "12345", "Token" + "2024"])
def test_in_an_environment_even_the_plain_ones_are(value):
    """Nothing but a value stands there."""
    assert redact(f"DB_PASSWORD={value}").text == "DB_PASSWORD=[REDACTED:password]"


@pytest.mark.parametrize(
    "text",
    [
        f"use correcthorse{9} as the password",
        f"correcthorse{9} as the password",
        f"set correcthorse{9} as the password for staging.",
        f"APP_SECRET=acmeSecret{2024}",
    ],
)
def test_a_word_and_a_digit_said_to_be_one(text):
    """The sentence says what it is."""
    assert len(redact(text).findings) == 1


@pytest.mark.parametrize("syntax", [HARD, QUOTED, RAW, PROSE])
@pytest.mark.parametrize(
    "value",
    [
        "your_db_password", "yourPassword", "insert-password-here", "[your-password]", "test-secret", "dummy-token",
        "sample_key", "fakeSecretKey", "my-secret-pw", "mysecretpassword", "password", "secret", "root-password",
        "adminPassword", "mySecretKey1",
    ],
)  # fmt: skip
def test_nothing_but_such_words_is_a_placeholder(value, syntax):
    """Joined, in capitals or brackets, with at most one digit at the end."""
    assert not is_secret(names.PASSWORD, value, syntax)


@pytest.mark.parametrize("syntax", [RAW, PROSE])
@pytest.mark.parametrize(
    "value",
    ["newPassword2", "user_password_12", "clientSecret2", "PasswordType2", "SecretV2", "password12", "secret123",
     "test1234", "value2", "dbPass1"],
)  # fmt: skip
def test_names_of_values_are_none_without_quotes(value, syntax):
    """Variables, types, and what documentation counts."""
    assert not is_secret(names.PASSWORD, value, syntax)
