"""Files whose content is never stored, whatever it looks like."""

from __future__ import annotations

from hipocampus.redaction.patterns import pattern

# Matched against the last component, in lower case.
_NAMES = pattern(
    r"\.env(?:\.(?!example$|sample$|template$|dist$|defaults?$|schema$)[\w.-]+)?|[\w.-]*\.env|\.envrc"
    r"|(?:ssh_host_)?(?:id_)?(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)(?:_key)?"
    r"|id_[\w.-]+(?<!\.pub)"
    r"|[\w.-]*\.(?:pem|key|p8|p12|pfx|jks|keystore|ppk|kdbx|kdb|gpg|asc|agekey|ovpn|keytab|pkcs12|tfstate|tfvars|mobileprovision|agilekeychain)(?:\.backup)?"
    r"|[\w.-]*credentials?(?:\.(?:json|ya?ml|csv|ini|toml|xml|db|txt|properties|enc))?|\.?credentials"
    r"|[\w.-]*secrets?\.(?:json|ya?ml|toml|ini|env|txt|properties|xml|py|yml\.enc)|\.secrets?"
    r"|client_secret[\w.-]*\.json|service[-_]?account[\w.-]*\.json|[\w.-]*-firebase-adminsdk-[\w.-]*\.json|application_default_credentials\.json"
    r"|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|pgpass\.conf|\.my\.cnf|\.htpasswd|htpasswd|\.git-credentials|\.dockercfg|\.docker_config|\.s3cfg|\.boto"
    r"|\.vault-token|\.vault_pass(?:\.txt)?|vault_pass(?:word)?(?:\.txt)?|kubeconfig|kube\.?config|\.kubeconfig|shadow|gshadow|master\.key|secring\.\w+"
    r"|\.?wgetrc|wp-config\.php|login data|cookies(?:\.sqlite|\.txt)?|key[34]\.db|logins\.json|\.databrickscfg|\.rediscli_auth|passwords?\.(?:txt|csv|json|xlsx?)"
)
_PLACES = pattern(
    r"(?:^|/)(?:\.aws/(?:credentials|cli/cache/.*|sso/cache/.*)|\.kube/(?:config|cache/.*)|\.docker/config\.json|\.ssh/(?!known_hosts|config|authorized_keys|.*\.pub$).+|\.gnupg/.+|\.config/gh/hosts\.yml|\.config/gcloud/.+|\.azure/.+|\.password-store/.+|secrets/.+|proc/[^/]+/environ|run/secrets/.+)$"
)


def is_secret_file(path: str) -> bool:
    """Does the path name a file that exists to hold secrets: `.env`, `id_rsa`, `credentials.json`, `*.pem`, `~/.aws/credentials`?"""
    plain = path.replace("\\", "/").rstrip("/").lower()
    name = plain.rpartition("/")[2]
    return bool(_NAMES.fullmatch(name) or _PLACES.search(plain)) and not name.endswith(
        (".pub", ".md", ".example", ".sample", ".template")
    )
