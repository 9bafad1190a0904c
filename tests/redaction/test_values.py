"""The verdict on a value, for each syntax that it can stand in."""

from __future__ import annotations

import pytest

from hipocampus.redaction import names, redact
from hipocampus.redaction.values import HARD, PROSE, QUOTED, RAW, is_secret

EVERYWHERE = (HARD, QUOTED, RAW, PROSE)


@pytest.mark.parametrize("syntax", EVERYWHERE)
@pytest.mark.parametrize("seed", range(20))
def test_a_chosen_password_is_one_everywhere(syntax, seed):
    """Six characters and more with a digit, as people choose and generators make them."""
    from hipocampus.redaction.samples import Sampler

    assert is_secret(names.PASSWORD, Sampler(seed).password(), syntax)


@pytest.mark.parametrize("syntax", EVERYWHERE)
@pytest.mark.parametrize(
    ("chars", "count"), [("A", 24), ("A", 40), ("H", 32), ("H", 64), ("W", 43), ("U", 26), ("N", 30)]
)
def test_a_machine_made_token_is_one_everywhere(syntax, chars, count, sampler):
    """Letters and digits by chance, of every class, whatever stands around them."""
    assert is_secret(names.TOKEN, sampler.of_class(chars, count), syntax)


def test_a_plain_word_is_a_password_only_where_nothing_else_can_stand():
    """In an environment line a word is the value; in code, config and sentences it is a word."""
    word = "sun" + "shine"

    assert [is_secret(names.PASSWORD, word, syntax) for syntax in EVERYWHERE] == [True, False, False, False]


@pytest.mark.parametrize("syntax", EVERYWHERE)
@pytest.mark.parametrize("letters", ["a", "dab", "kr"])
def test_digits_with_a_letter_between_are_no_algorithm(letters, syntax, sampler):
    """Hexadecimal that has by chance hardly a letter, each of which is the name of some algorithm."""
    value = "".join(sampler.of_class("d", 7) + letter for letter in letters) + sampler.of_class("d", 7)

    assert is_secret(names.PASSWORD, value, syntax)


@pytest.mark.parametrize("syntax", EVERYWHERE)
@pytest.mark.parametrize(
    "value",
    [
        "", "abc", "changeme", "your_password", "password", "my-secret-token", "xxxxxxxx", "********",
        "<password>", "[hidden]", "${DB_PASSWORD}", "$PASSWORD", "$(pass show db)", "{{ password }}",
        "%DB_PASSWORD%", "process.env.TOKEN", "self.password", "os.environ['X']", "get_password()",
        "arn:aws:iam::1", "vault:secret/db#pw", "op://vault/db", "None", "example-1", "[REDACTED:password]",
        "8-character", "SHA-256", "AES-256-GCM", "PBKDF2-SHA256-600000", "2024-01-02", "1.2.3", "v2.1.0",
        "/etc/passwd1", "./keys/id_rsa2", "config2.yaml", "https://acme.io/x1", "bob1@acme.io", "application/json",
        "localhost:8080", "varchar(255)", "비밀번호1234", "sha256:" + "ab12" * 16,
    ],
)  # fmt: skip
def test_references_placeholders_and_forms_are_none_anywhere(value, syntax):
    """What stands for a value or names its place, and what has a form of its own, is no secret in any syntax."""
    assert not is_secret(names.PASSWORD, value, syntax)
    assert not is_secret(names.TOKEN, value, syntax)


@pytest.mark.parametrize(
    "value",
    [
        "password2",
        "value1",
        "user_password",
        "token.value",
        "func(arg1)",
        "items[0]",
        "a->b1",
        "x=1",
        "string?",
        "Optional[str]",
    ],
)
def test_code_is_no_password_without_quotes(value):
    """Names, calls, subscripts and types that stand where a value could be."""
    assert not is_secret(names.PASSWORD, value, RAW)


@pytest.mark.parametrize(
    "value",
    [
        "rust_openssl.hpke.PrivateKey",
        "AutoTokenizer.from_pretrained",
        "getAccessTokenSilently",
        "user-session-storage-key",
    ],
)
def test_words_are_no_token(value):
    """Long names are made of words, tokens are not."""
    assert not is_secret(names.TOKEN, value, RAW)


def test_a_uuid_is_a_token_beside_its_name(sampler):
    """Under the name of a token a UUID counts; names without one never come here."""
    assert is_secret(names.API_KEY, sampler.uuid(), RAW)


def test_behind_thousands_of_values_one_like_those_before_is_a_secret_too(sampler):
    """Such a text is a dump of secrets; the next text starts from nothing, and placeholders stay even there."""
    dump = "".join(f"token = '{sampler.of_class('A', 24)}'\n" for _ in range(3000))
    redaction = redact(dump + "token = 'your-token-goes-in-here'\n")

    assert len(redaction.findings) > 2985  # by chance one may look like words
    assert redaction.text.endswith("token = 'your-token-goes-in-here'\n")
    assert redact(dump).text == redact(dump).text
    assert redact(redaction.text).text == redaction.text
