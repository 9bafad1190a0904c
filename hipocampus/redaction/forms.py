"""Forms that look mixed but are no secrets: paths, URLs, versions, dates, quantities, digests, algorithms."""

from __future__ import annotations

from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction.patterns import digits_in, vocabulary
from hipocampus.redaction.wordlike import is_wordy

_NUMBERS = pattern(
    r"[v~^<>=]{0,3}\d{1,6}(?:\.\d{1,6}){1,4}(?:[-+.][\w.+-]{1,40})?[,;]?"  # a version, an address
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T_ -]?\d{1,2}[:.]?\d{2}.{0,20})?"  # a date
    r"|[-+]?\d+(?:[.,]\d+)*\s?(?:%|[A-Za-z]{0,3}|[A-Za-z]{2,10})"  # a quantity: 64, 10MB, 30days
    r"|\d+[-+]?[A-Za-z]{1,9}(?:-[A-Za-z]+){0,3}"  # 8-character, 2nd, 3rd-party
    r"|\d{1,2}:\d{2}(?::\d{2})?(?:[ap]m)?"
    r"|[#@]\d{1,7}"
)
_QUANTITY = pattern(r"[-+]?\d[\d.,]*[-+]?([A-Za-z%]{0,10})(?:-[A-Za-z]+){0,3}")
_PATH = pattern(r"(?:\.{0,2}|~|[A-Za-z]:)[/\\]{1,2}[\w.@+-]+(?:[/\\]{1,2}[\w.@+-]*)*")
_URL = pattern(r"[a-z][a-z0-9+.-]{1,20}://\S*", IGNORECASE)
_EMAIL = pattern(r"[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,4}\.[A-Za-z]{2,6}")
_ADDRESS = pattern(r"(?:localhost|[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}):\d{2,5}")
_DIGEST = pattern(
    r"(?:[\w.-]{1,128}@)?(?:sha-?[1235]\d{0,2}|md[245]|blake[23][bs]?|crc32|etag|integrity)[-:=/_].+|W/.*",
    IGNORECASE,
)
_TYPE = pattern(
    r"(?:n?varchar|char|u?int\d*|string|float\d*|bytes?|bool|text|decimal|number|optional|list|array|dict|map|vec|union)\W.*",
    IGNORECASE,
)
_PAIRS = pattern(
    r"[A-Za-z_]{1,24}\|\d{1,2}|[\w.]{1,40}=[^&=\s]{0,80}(?:&[\w.]{1,40}=[^&=\s]{0,80})+|[A-Za-z_]\w*=(?:[Tt]rue|[Ff]alse|None|null|\d+)"
)
_MEDIA = vocabulary("application text image audio video multipart font model")
_SEPARATED = (_DIGEST, _TYPE, _ADDRESS, _EMAIL, _PAIRS)
_UNITS = vocabulary(
    "b kb mb gb tb k m g px em rem pt s ms us ns h d w y min mins sec secs hr hrs x fa st nd rd th pm am usd eur",
    "krw bit bits byte bytes char chars character characters digit digits hour hours day days minute minutes",
    "second seconds week weeks month months year years token tokens word words time times user users item items",
    "line lines attempt attempts step steps factor letter letters way pass passes core cores node nodes rounds",
    "round iterations",
) | {""}
_EXTENSIONS = vocabulary(
    "yaml yml json json5 jsonl env py pyi js mjs cjs ts tsx jsx go rs rb java kt php cs cpp cc h hpp c sh txt md",
    "rst toml ini cfg conf config pem key crt cer p12 pfx jks properties xml html htm css lock log sql db sqlite",
    "sqlite3 csv png jpg jpeg gif svg gz zip tar enc local example dist tmpl tf tfvars secret secrets pub gpg asc",
    "der kdbx service com org net io dev app",
)
_WORDS = pattern(r"[A-Za-z]+")
_SYMBOLS = frozenset("!@#$%^&*?=")
_ALGORITHMS = vocabulary(
    "aes rsa des tdes ecdsa eddsa ed x ecdh dsa hmac sha md pbkdf bcrypt scrypt scram argon argon2 id d i base",
    "url chacha poly blowfish twofish utf latin ascii oauth oidc saml jwt jws jwe hs rs es ps ssh tls ssl pkcs",
    "http https ipv gpg pgp rfc iso cve gcm cbc ctr ecb cfb ofb siv kw wrap hkdf kdf otp totp hotp sm ntlm krb",
    "kerberos p k r secp curve prime fips web with and encoded hashed encrypted protected only based string",
    "urlsafe hex key token salted hash digest bit bits v keepass unicode python node java py openssl openssh",
    "mysql postgres postgresql sqlite redis mongodb s a b uint int float array buffer",
)

_NO_ALGORITHMS = vocabulary("key token string hash digest salted hex")  # by themselves, before a long number
# As many as PBKDF2-SHA256-600000 has, and a few: with more the letters between them are hexadecimal digits.
_MOST_DIGITS = 12


def is_known_form(value: str) -> bool:
    """Is the whole value something that people write beside such names and that is no secret?"""
    if _is_measure(value) or _is_algorithm(value):
        return True
    if value.isalnum():
        return False  # the other forms have a separator
    return _is_path(value) or _is_file_name(value) or any(form.fullmatch(value) for form in _SEPARATED)


def _is_measure(value: str) -> bool:
    """A version, a date, a time, or digits with at most a unit: `8-character` and `10MB`, but not `84hunter`."""
    if value == "1Password":
        return True
    if not (value[0].isdigit() or value[0] in "v~^<>=-+#@"):
        return False
    quantity = _QUANTITY.fullmatch(value)
    return bool(_NUMBERS.fullmatch(value)) and (quantity is None or quantity[1].lower() in _UNITS)


def _is_path(value: str) -> bool:
    if "/" not in value and "\\" not in value:
        return False
    if value.startswith("//") or _URL.fullmatch(value) or value.partition("/")[0] in _MEDIA:
        return True
    return bool(_PATH.fullmatch(value)) and (len(value) < 20 or is_wordy(value))


def _is_file_name(value: str) -> bool:
    stem, dot, extension = value.rpartition(".")
    return bool(dot) and extension.rstrip(",;") in _EXTENSIONS and (len(stem) < 16 or is_wordy(stem))


def _is_algorithm(value: str) -> bool:
    """`SHA-256`, `AES-256-GCM`, `base64url-encoded`: names of algorithms and formats joined by digits and dashes."""
    if len(value) > 32 or not value.strip("0123456789") or not _SYMBOLS.isdisjoint(value):
        return False
    if digits_in(value) > _MOST_DIGITS:
        return False
    if value[-4:].isdigit() and value.rstrip("0123456789").lower() in _NO_ALGORITHMS:
        return False
    return all(word[0].lower() in _ALGORITHMS for word in _WORDS.finditer(value))
