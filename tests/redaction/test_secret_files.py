"""Files that exist to hold secrets are known by name."""

from __future__ import annotations

import pytest

from hipocampus.redaction import is_secret_file


@pytest.mark.parametrize(
    "path",
    [
        ".env", "app/.env", ".env.local", ".env.production", "prod.env", ".envrc", "~/.ssh/id_rsa",
        "id_ed25519", "id_rsa_work", "server.pem", "tls.key", "app.p12", "release.jks", "credentials.json",
        "aws_credentials.csv", "/home/u/.aws/credentials", "client_secret_123.json", "service-account.json",
        "secrets.yml", ".npmrc", ".netrc", ".pgpass", ".git-credentials", "/home/u/.kube/config",
        "/home/u/.docker/config.json", "terraform.tfstate", "vault.kdbx", "/proc/self/environ",
        "/run/secrets/db", "C:\\Users\\u\\.ssh\\id_rsa", "ID_RSA", "passwords.txt",
    ],
)  # fmt: skip
def test_a_secret_file_is_known_by_its_name(path):
    """Whatever the directory, the case or the separator."""
    assert is_secret_file(path)


@pytest.mark.parametrize(
    "path",
    [
        "", ".", "README.md", "src/auth.py", "src/secrets.ts", "tokenizer.json", "id_rsa.pub",
        "~/.ssh/known_hosts", ".env.example", "environment.yml", "keyboard.py", "monkey.txt", "config.json",
        "id_map.json", "docs/credentials.md", "key.ts", "credentials.py", "package-lock.json", ".env.sample",
        "public.pem.md",
    ],
)  # fmt: skip
def test_other_files_are_not(path):
    """Examples, public halves, source files and documents about secrets are stored like any other."""
    assert not is_secret_file(path)
