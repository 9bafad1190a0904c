"""Files whose content is never stored, whatever it looks like."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.patterns import vocabulary

# All in small letters: whole names, endings, names by pattern, and places.
_NAMES = vocabulary(
    ".env .envrc .netrc _netrc .npmrc .pypirc .pgpass pgpass.conf .my.cnf .htpasswd htpasswd .git-credentials",
    ".dockercfg .s3cfg .boto .vault-token .vault_pass vault_pass vault_password kubeconfig .kubeconfig shadow gshadow",
    "master.key .wgetrc wp-config.php cookies.sqlite cookies.txt key3.db key4.db logins.json .databrickscfg .secrets",
    ".rediscli_auth credentials .credentials application_default_credentials.json ssh_host_rsa_key ssh_host_ecdsa_key",
    "ssh_host_ed25519_key",
)
_ENDINGS = (
    ".env", ".pem", ".key", ".p8", ".p12", ".pfx", ".jks", ".keystore", ".ppk", ".kdbx", ".kdb", ".gpg", ".asc",
    ".agekey", ".ovpn", ".keytab", ".pkcs12", ".tfstate", ".tfstate.backup", ".tfvars", ".mobileprovision",
    ".agilekeychain",
)  # fmt: skip
_PATTERNS = pattern(
    r"\.env\.(?!example$|sample$|template$|dist$|defaults?$|schema$)[\w.-]+|id_(?:rsa|dsa|ecdsa|ed25519)(?:[_-][\w-]+)?"
    r"|[\w.-]*credentials?\.(?:json|ya?ml|csv|ini|toml|xml|db|txt|properties|enc)"
    r"|[\w.-]*secrets?\.(?:json|ya?ml|toml|ini|env|txt|properties|xml|yml\.enc)|passwords?\.(?:txt|csv|json|xlsx?)"
    r"|client_secret[\w.-]*\.json|service[-_]?account[\w.-]*\.json|[\w.-]*-firebase-adminsdk-[\w.-]*\.json"
)
_PLACES = pattern(
    r"(?:^|/)(?:\.aws/(?:credentials|cli/cache/.*|sso/cache/.*)|\.kube/(?:config|cache/.*)|\.docker/config\.json"
    r"|\.ssh/(?!known_hosts|config|authorized_keys).+|\.gnupg/.+|\.config/(?:gh/hosts\.yml|gcloud/.+)|\.azure/.+"
    r"|\.password-store/.+|proc/[^/]+/environ|run/secrets/.+)$"
)
_SHOWN = (".pub", ".md", ".example", ".sample", ".template", ".dist")


def is_secret_file(path: str) -> bool:
    """Does the path name a file that exists to hold secrets: `.env`, `id_rsa`, `credentials.json`, `*.pem`?"""
    plain = path.replace("\\", "/").rstrip("/").lower()
    name = plain.rpartition("/")[2]
    if name.endswith(_SHOWN):
        return False
    return name in _NAMES or name.endswith(_ENDINGS) or bool(_PATTERNS.fullmatch(name) or _PLACES.search(plain))
