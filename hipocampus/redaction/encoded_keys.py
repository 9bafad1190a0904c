"""Private keys without their BEGIN line: the base64 of a whole PEM file, of DER, of an OpenSSH or a minisign key."""

from __future__ import annotations

from hipocampus.core.patterns import pattern
from hipocampus.redaction.view import Span

HEADS = frozenset(("LS", "MI", "MC", "MG", "MH", "b3", "RW"))
_BASE64 = pattern(r"[A-Za-z0-9+/]{16,16384}={0,2}")
_NEXT = pattern(
    r"(?:\\{0,2}\r?\n|\\{1,4}r?\\{0,4}n|[\"'][ \t]{0,4}[+.\\]{0,2}[ \t]{0,4}\r?\n)"
    r"[ \t]{0,80}[\"'>|+]{0,2}[ \t]{0,4}(?=[A-Za-z0-9+/]{4})"
)
_LINE = pattern(r"[A-Za-z0-9+/]{4,1024}={0,2}(?![A-Za-z0-9+/=_-])")
# DER of RSA, EC and Ed25519 keys, openssh-key-v1, minisign and signify secret keys.
_BEGINS = pattern(
    r"MII[A-Za-z0-9+/]{2}[A-Za-z0-9+/]IBA[AD]|MI[GH][A-Za-z0-9+/]{1,2}AgEAMB|MIGkAgEBBD|MIHcAgEBBEI|MH[QcY]CAQEE"
    r"|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXktdjE|RWRTY0Iy|RWRCSw"
)


def key_at(text: str, at: int) -> Span | None:
    """The private key whose base64 begins at `at`, over as many lines as it has."""
    if not (_BEGINS.match(text, at) or _is_encoded_pem(text, at)):
        return None
    first = _BASE64.match(text, at)
    if not first:
        return None
    end = first.end()
    for _ in range(400):
        gap = _NEXT.match(text, end) if text[end - 1] != "=" else None
        line = _LINE.match(text, gap.end()) if gap else None
        if not line:
            break
        end = line.end()
    return (at, end, "private-key", None) if end - at >= 56 else None


def _is_encoded_pem(text: str, at: int) -> bool:
    """Base64 of `-----BEGIN … PRIVATE KEY`: certificates, encoded the same way, stay."""
    from binascii import a2b_base64

    if not text.startswith("LS0tLS1CRUdJTi", at):
        return False
    try:
        return b"PRIVATE" in a2b_base64(text[at : at + 64])
    except ValueError:
        return False
