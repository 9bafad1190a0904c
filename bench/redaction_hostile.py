"""Texts of one megabyte that try to make a rule slow: repeated words, endless lines, openings without an end."""

from __future__ import annotations

import base64
import random
import textwrap
from collections.abc import Callable, Iterator

SIZE = 1_000_000

# name, the piece that is repeated to a megabyte
PIECES: tuple[tuple[str, str], ...] = (
    ("password=", "password="),
    ("password in a row", 'password = "a1b2c3" "'),
    ("here string", "su <<< a1b2 "),
    ("sign tool", "signtool /p ab12"),
    ("u and p", "u: aa p: hunter2x "),
    ("lines that go on", "a\\\nb"),
    ("half of an AWS key", '"AKIA1", '),
    ("key of no name", "here is the key: "),
    ("said by a command", '--password-command "echo '),
    ("printed twice", 'echo -e "a1b2c3d4\\n'),
    ("strings in parentheses", 'token = ( "ab" '),
    ('password="', 'password="'),
    ("password='a", "password='a"),
    ("password: ", "password: "),
    ("password is ", "password is "),
    ("password for ", "password for "),
    ("the password of the ", "the password of the "),
    ("password\\n", "password\n"),
    ("password(", "password("),
    ("password|", "password |"),
    ("token ", "token "),
    ("key-", "key-"),
    ("api_key", "api_key"),
    ("secret_secret_", "secret_secret_"),
    ("token=a&", "token=a&"),
    ("a.b.token.", "a.b.token."),
    ("cookie", "cookie: a=b; "),
    ("cookie token", "cookie: token=a; "),
    ("authorization:", "authorization: "),
    ("authorization basic", "authorization: basic "),
    ("bearer ", "bearer "),
    ("Bearer aaaa", "Bearer aaaaaaaaaaaa "),
    ("://", "://"),
    ("http://a:", "http://a:"),
    ("http://a:b@", "http://a:b@"),
    ("http://@", "http://@@@@"),
    ("eyJ.", "eyJ."),
    ("eyJhbGci.eyJ.", "eyJhbGciOiJI.eyJhbGci."),
    ("sk-ant-", "sk-ant-"),
    ("ghp_", "ghp_"),
    ("ghp_ lines", "ghp_aaaaaaaaaaaaaaaa1B\n"),
    ("AKIA", "AKIA"),
    ("xoxb-", "xoxb-1"),
    ("SG.", "SG."),
    ("-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n"),
    ("-----END PRIVATE KEY-----", "-----END PRIVATE KEY-----\n"),
    ("BEGIN and a line", "-----BEGIN PRIVATE KEY-----\nAAAABBBBCCCCDDDDEEEEFFFF1234\n"),
    ("PRIVATE KEY", "PRIVATE KEY "),
    ("base64 line", "MIIEvQIBADANBgkqhkiG9w0B\n"),
    ("LS0tLS1CRUdJTi", "LS0tLS1CRUdJTi"),
    ("Private-Lines", "Private-Lines: 99\n"),
    ("kind: Secret", "kind: Secret\ndata:\n  a: bbbbbbbb\n"),
    ("kind: Secret alone", "kind: Secret\n"),
    ("data:", "data:\n"),
    ("kty", '"kty":"RSA","d":"'),
    ("curl -u", "curl -u a:b "),
    ("mysql -p", "mysql -p"),
    (" -p", " -p"),
    (" --user", " --user"),
    ("echo a | ", "echo a | "),
    ("identified by", "identified by "),
    ("log in with", "log in with a/"),
    ("seed phrase", "seed phrase: abandon ability able "),
    ("words", "abandon "),
    ("$", "$"),
    ("$2b$12$", "$2b$12$"),
    ("pbkdf2$", "pbkdf2_sha256$1$a$"),
    ("backslashes", "\\"),
    ('\\"', '\\"'),
    ('password\\"', 'password\\\\\\":\\\\\\"'),
    ("quotes", "\"'`"),
    ("&quot;", "&quot;"),
    ("\\u003d", "\\u003d"),
    ("ANSI", "\x1b[32m"),
    ("<private>", "<private>"),
    ("</private>", "</private>"),
    ("<password>", "<password>"),
    ("<a ", "<password a="),
    ("name=", 'name="password" '),
    ("value=", 'name="password" value='),
    ("one word", "a"),
    ("one number", "7"),
    ("dashes", "-"),
    ("dots", "."),
    ("spaces", " "),
    ("newlines", "\n"),
    ("slashes", "/"),
    ("hex", "0123456789abcdef"),
    ("mixed run", "aB3-"),
    ("underscores", "a_"),
    ("비밀번호는 ", "비밀번호는 "),
    ("비밀번호", "비밀번호"),
    ("토큰 키", "토큰 키 "),
    ("密码", "密码"),
    ("emoji", "🔑"),
    ("surrogates", "\ud83d"),
    ("NUL", "\x00"),
    ("hooks.slack.com", "hooks.slack.com/services/"),
    ("hook", "hook"),
    (":A", "12345678:A"),
    ("pragma", "# pragma: allowlist secret\n"),
    ("redacted", "[REDACTED:token] "),
    ("name=value storm", "=:="),
    ("colons", ":"),
    ("equals", "="),
    ("password==", "password===="),
    ("password: quote", "password: \"'"),
    ("private tags", "<private>a</private>"),
    ("private tags of secrets", "<private>password=hunter22</private>\n"),
    ("open private tags", "<private>a "),
    ("Bearer tokens", "Bearer aB3dE5gH7jK9mN1pQ3sT5 "),
    ("URL of at signs", "https://a:b" + "@" * 400 + "c "),
    ("URLs with a slash", "https://u:p/w@d/"),
    ("URL and name", "postgres://app:s3cr3tPw@db/"),
    ("query of tokens", "?token=aB3dE5gH7jK9mN1pQ3sT5&token="),
    ("JSON pairs", '"password":"a",'),
    ("JSON in JSON in JSON", '\\\\\\"token\\\\\\":\\\\\\"a\\\\\\",'),
    ("quoted pairs", "'password' 'a' "),
    ("kind: Secret", "kind: Secret\ndata:\n  a: b\n"),
    ("kind: Secret line", "kind: Secret data: "),
    ("apiVersion", "apiVersion: v1\nkind: Secret\n"),
    ("-u flags", "curl -u a:b "),
    ("machine login", "machine a login b password "),
    ("set password for", "set password for "),
    ("key = value", "secret key = "),
    ("creds", "creds: admin / "),
    ("ID/PW", "id/pw a/b "),
    ("Authorization in JSON", '"authorization":"basic '),
    ("auth tuple", 'auth=("a","b",'),
    ("use as the password", "a1 as the password "),
    ("value of name", "name: API_TOKEN\n  value: "),
    ("table cells", "| password | a |"),
    ("comments", "password # "),
    ("backslash newline", "password\\\n"),
    ("string + string", '"a" + '),
    ("fullwidth", "ｐａｓｓｗｏｒｄ："),
    ("zero width", "pass\u200bword\u200b"),
    ("soft hyphens", "\u00ad"),
    ("scripts", "비밀번호 パスワード 密码 contraseña пароль "),
    ("escaped Korean", "\\ube44\\ubc88"),
    ("percent codes", "password%3D%22"),
    ("JWTs cut", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx"),
    ("base64 of a key", "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t"),
    ("AWS pair", "AKIAIOSFODNN7ABCDEFG,"),
    ("same value", 'token = "aB3dE5gH7jK9mN1pQ3sT5"\n'),
)


def text_of(piece: str) -> str:
    """The piece repeated to a megabyte of characters."""
    return (piece * (SIZE // len(piece) + 1))[:SIZE]


def _filled(template: str) -> str:
    """The template once for each of many numbers of eight digits, to a megabyte."""
    numbers = (10_000_000 + number * 48_271_393 % 89_999_989 for number in range(SIZE // (len(template) + 4)))
    return "".join(template.format(number) for number in numbers)[:SIZE]


def _base64_wall() -> str:
    chance = random.Random(7)  # noqa: S311 - the same text at every run
    return base64.b64encode(chance.randbytes(SIZE * 3 // 4)).decode("ascii")


# What a repeated piece cannot be: a name, and what makes a megabyte of it.
BUILT: tuple[tuple[str, Callable[[], str]], ...] = (
    ("many values", lambda: _filled('token = "aB3d{}H7jK9mN1pQ3sT5"\n')),
    ("many passwords", lambda: _filled("password: hu{}nter\n")),
    ("many names", lambda: _filled("key{0}_token: tokens[{0}]\n")),
    ("many provider tokens", lambda: _filled("ghp_aB3dE5gH7jK9mN1pQ3sT5uV{}x\n")),
    ("many cookies", lambda: "Cookie: " + _filled("sid{0}=aB{0}cD; ")),
    ("many cookie lines", lambda: _filled("Cookie: sid=aB{0}cD\n")),
    ("many URLs", lambda: _filled("https://u:pW{0}@h{0}.io/\n")),
    ("many bearers", lambda: _filled("Authorization: Bearer aB{}cDeFgHiJk\n")),
    ("many near misses", lambda: _filled("the token of step {0} is number {0}.\n")),
    ("many hashes", lambda: _filled("$2b$12${0}{0}{0}{0}{0}{0}abcde\n")),
    ("many PEM beginnings", lambda: _filled("-----BEGIN RSA PRIVATE KEY-----\nMIIE{0}{0}{0}{0}\n")),
    ("many sentences", lambda: _filled("the password for db{0} is hu{0}nter, ok?\n")),
    ("many Korean sentences", lambda: _filled("비밀번호는 hu{0}nter 입니다.\n")),
    ("many SQL users", lambda: _filled("CREATE USER a{0} IDENTIFIED BY 'p{0}w';\n")),
    ("many command lines", lambda: _filled("curl -u a{0}:p{0}w --token t{0} x\n")),
    ("base64 wall", _base64_wall),
    ("base64 lines", lambda: "\n".join(textwrap.wrap(_base64_wall()[: SIZE // 4], 76))),
    ("words without end", lambda: "password" + "".join(map(chr, range(97, 123))) * (SIZE // 26)),
    ("backslashes and quotes", lambda: "".join("\\" * (n % 16) + '"password' for n in range(SIZE // 17))),
)


def texts() -> Iterator[tuple[str, str]]:
    """Name and text of every hostile megabyte."""
    for name, piece in PIECES:
        yield name, text_of(piece)
    for name, built in BUILT:
        yield name, built()
