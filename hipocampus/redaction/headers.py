"""Authorization headers, as headers, in code and in dictionaries; `Bearer` wherever it stands."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import names, values, words
from hipocampus.redaction.forms import is_known_form
from hipocampus.redaction.patterns import digits_in
from hipocampus.redaction.view import Span, View

# From a header's name to its value: a colon, an assignment, the next argument or the next item of a dictionary.
SEPARATOR = (
    r"(?:\\{0,15}[\"'`]|\])?[ \t]{0,3}(?:[:=,]|=>|\{)[ \t]{0,4}\(?[ \t]{0,4}"
    r"[rbfu$@]{0,2}\\{0,15}[\"'`]?[ \t]{0,3}"
)
_SCHEMES = (
    "basic|bearer|token|apikey|api-key|api-token|key|ssws|splunk|oauth|digest|ntlm|negotiate|bot|jwt|geniekey|flyv1|mac|hawk"
    "|aws4-hmac-sha256|aws|googlelogin|zoho-oauthtoken|pveapitoken|sharedaccesssignature|klaviyo-api-key|discogs|sso-key"
    "|client-id|stytch|session|user|x-access-token|service-account"
)
_SIGNED = ("digest", "aws4-hmac-sha256", "oauth", "mac", "hawk", "sharedaccesssignature")
_AUTHORIZATION = pattern(
    rf"{SEPARATOR}(?:({_SCHEMES})[ \t=:]{{1,3}})?(?:\\?[\"'])?(?:(?:token|key|auth|id)=\\?[\"']?)?"
    r"([A-Za-z0-9._~+/=:@!%*$^|-]{6,8192})",
    IGNORECASE,
)
_PARAMETER = pattern(
    r"(?:response|signature|mac|oauth_signature)\s?=\s?\\{0,3}[\"']?([A-Za-z0-9+/=%_-]{16,512})", IGNORECASE
)
_BEARER = pattern(
    r"bearer[ \t]{0,2}[ \t:=][ \t]{0,2}(?:\\\r?\n[ \t]{0,20})?\\{0,3}[\"'`]?("
    r"[A-Za-z0-9._~+/=:%|-]{12,8192})",
    IGNORECASE,
)
_ARGUMENT = r"(?:\w{1,20}\s{0,2}=\s{0,2})?[rbu]?"
_TUPLE = pattern(
    rf"\s{{0,3}}=?\s{{0,3}}\(\s{{0,20}}{_ARGUMENT}[\"'][^\"'\n]{{1,80}}[\"']\s{{0,3}},"
    rf"\s{{0,20}}{_ARGUMENT}([\"'])([^\"'\s]{{4,200}})\1\s{{0,20}}[,)]"
)
_BASE64 = pattern(r"[A-Za-z0-9+/]{6,}={0,2}")


def find(view: View, at: int) -> tuple[Span, ...]:
    """The token after the word `Bearer` at `at`."""
    match = _BEARER.match(view.text, at)
    if not match:
        return ()
    value = match[1].rstrip(".,:;")
    if not _is_credential(value) or (len(value) < 16 and not values.is_strong(value)):
        return ()
    return ((match.start(1), match.start(1) + len(value), "bearer", ""),)


def authorization(text: str, after: int, name: str) -> tuple[Span, ...]:
    """What an `Authorization`-like name carries: credentials after a scheme, base64 of `user:password`, or a token."""
    match = _AUTHORIZATION.match(text, after)
    if not match:
        return _arguments(text, after, name)
    scheme, start = (match[1] or "").lower(), match.start(2)
    value = match[2].rstrip(".,:;")
    if scheme in _SIGNED:
        return _signatures(text, start, name)
    decoded = _decoded(value) if scheme in ("", "basic") else None
    is_damaged = scheme == "basic" and decoded is None and values.is_secret(names.TOKEN, value, values.QUOTED)
    if is_damaged or (decoded and _is_basic(decoded)):
        return ((start, start + len(value), "basic-auth", name),)
    if not scheme:
        return _bare(text, start, value, name) or _arguments(text, after, name)
    if scheme == "basic" or not _is_credential(value):
        return ()
    return ((start, start + len(value), "bearer" if scheme == "bearer" else "token", name),)


def _is_credential(value: str) -> bool:
    """After a scheme stands a credential, unless it is a placeholder, a reference or a known form."""
    if len(value) < 8 or is_known_form(value):
        return False
    if values.is_secret(names.TOKEN, value, values.QUOTED):
        return True
    if len(value) < 20 or len(set(value)) < 10 or not digits_in(value):
        return False
    return not (words.is_reference(value) or words.is_placeholder(value))


def _signatures(text: str, start: int, name: str) -> tuple[Span, ...]:
    newline = text.find("\n", start, start + 2048)
    stop = newline if newline >= 0 else start + 2048
    return tuple((*match.span(1), "signature", name) for match in _PARAMETER.finditer(text, start, stop))


def _decoded(value: str) -> str | None:
    """The text of which the value is the base64, if it is one."""
    from binascii import Error, a2b_base64

    value = value.replace("%3D", "=").replace("%3d", "=")
    if not _BASE64.fullmatch(value):
        return None
    try:
        return a2b_base64(value + "=" * (-len(value) % 4)).decode("ascii")
    except (Error, UnicodeDecodeError):
        return None


def _is_basic(decoded: str) -> bool:
    """Is it `user:password`, and neither of them a placeholder?"""
    user, colon, password = decoded.partition(":")
    if not colon or not decoded.isprintable() or len(decoded) < 9 or password.lower() == user.lower():
        return False
    return not (words.is_reference(password) or words.is_placeholder(password or user))


def _bare(text: str, start: int, value: str, name: str) -> tuple[Span, ...]:
    """`user:password` or a token without a scheme."""
    user, colon, password = value.partition(":")
    strong = 0 < len(user) < 40 and values.is_strong(password)
    if colon and strong and values.is_secret(names.PASSWORD, password, values.HARD):
        return ((start + len(user) + 1, start + len(value), "password", name),)
    syntax = values.QUOTED if text[start - 1] in "\"'`" else values.RAW
    if len(value) >= 16 and values.is_secret(names.TOKEN, value, syntax):
        return ((start, start + len(value), "token", name),)
    return ()


def _arguments(text: str, after: int, name: str) -> tuple[Span, ...]:
    """`auth=("user", "password")`, `HTTPBasicAuth('user', 'password')`, `NetworkCredential("user", "password")`."""
    match = _TUPLE.match(text, after)
    if not match or not values.is_secret(names.PASSWORD, match[2], values.QUOTED):
        return ()
    sure = (
        "cred" not in name.lower()
        or "password" in name.lower()
        or "=" in match[0].partition("(")[0]
        or values.is_strong(match[2])
        or values.is_token(match[2], values.QUOTED)
    )
    return ((*match.span(2), "password", name),) if sure else ()
