"""Private keys, however they are quoted; certificates and public keys stay."""

from __future__ import annotations

import base64
import json

import pytest

from hipocampus.redaction import redact

BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"

STYLES = {
    "plain": "{}\n",
    "indented": "    {}\n",
    "quoted mail": "> {}\n",
    "diff": "+{}\n",
    "comment": "// {}\n",
    "python string": '    "{}\\n"\n',
    "javascript": "'{}\\n' +\n",
    "windows": "{}\r\n",
    "yaml": "  {}\n",
}


@pytest.mark.parametrize("style", STYLES.values(), ids=list(STYLES))
def test_the_body_goes_and_the_armour_stays(style, sampler):
    """Whatever stands before and behind each line, no line of the key is left, and both ends are."""
    body = sampler.key_lines()
    text = "before\n" + "".join(style.format(line) for line in (BEGIN, *body, END)) + "after\n"

    redacted = redact(text).text

    assert not any(line in redacted for line in body)
    assert redacted.startswith("before\n")
    assert redacted.endswith("after\n")
    assert BEGIN in redacted
    assert END in redacted
    assert redact(redacted).text == redacted


def test_numbered_lines_are_read_past(sampler):
    """A key as `cat -n` shows it."""
    body = sampler.key_lines()
    text = "\n".join(f"{number:6}\t{line}" for number, line in enumerate((BEGIN, *body, END), 1))

    assert not any(line in redact(text).text for line in body)


def test_a_key_in_json_leaves_json(sampler):
    """The escapes around the body are kept, so that the text can still be parsed."""
    body = sampler.key_lines()
    text = json.dumps({"private_key": "\n".join((BEGIN, *body, END, "")), "client_email": "a@acme.io"})

    read = json.loads(redact(text).text)

    assert read["client_email"] == "a@acme.io"
    assert not any(line in read["private_key"] for line in body)


def test_a_key_without_an_end_goes_to_its_last_line(sampler):
    """A log that was cut: what still looks like key material goes, the text after it stays."""
    body = sampler.key_lines(4)
    text = "\n".join((BEGIN, *body)) + "\n\nand then the output was cut off here, sorry\n"

    redacted = redact(text).text

    assert not any(line in redacted for line in body)
    assert "and then the output was cut off here, sorry" in redacted


def test_the_tail_of_a_key_goes(sampler):
    """A log that begins in the middle of a key."""
    body = sampler.key_lines(5)

    redacted = redact("\n".join((*body[2:], END)) + "\nrest").text

    assert not any(line in redacted for line in body)
    assert redacted.endswith(f"{END}\nrest")


@pytest.mark.parametrize(
    "label", ["PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]
)
def test_every_kind_of_private_key_goes(label, sampler):
    """The label does not matter, nor do headers in the body."""
    body = sampler.key_lines()
    lines = (f"-----BEGIN {label}-----", "Version: 1", "", *body, "=aB3d", f"-----END {label}-----")

    assert not any(line in redact("\n".join(lines)).text for line in body)


@pytest.mark.parametrize(
    "label", ["CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "PGP MESSAGE", "PGP PUBLIC KEY BLOCK"]
)
def test_what_is_public_stays(label, sampler):
    """Certificates, public keys and encrypted messages are no secrets."""
    body = [line.replace("MIIEvQIBADAN", "MIIDdzCCAl+g") for line in sampler.key_lines()]
    text = "\n".join((f"-----BEGIN {label}-----", *body, f"-----END {label}-----"))

    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        BEGIN,
        f"{BEGIN}\n...\n{END}",
        f"if line.startswith('{BEGIN}'):\n    return parse(line)\n",
        f"HEADER = '{BEGIN}'\nFOOTER = '{END}'\n",
    ],
)
def test_armour_without_a_key_stays(text):
    """Code and documentation name the lines without a body."""
    assert redact(text).text == text


def test_the_base64_of_a_whole_key_goes(sampler):
    """As in a kubeconfig; a certificate that is encoded the same way stays."""
    key = "\n".join((BEGIN, *sampler.key_lines(), END))
    certificate = key.replace("RSA PRIVATE KEY", "CERTIFICATE")
    encoded = base64.b64encode(key.encode()).decode()
    public = base64.b64encode(certificate.encode()).decode()

    redacted = redact(f"blob: {encoded}\nca: {public}").text

    assert encoded[:40] not in redacted
    assert public in redacted
