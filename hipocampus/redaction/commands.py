"""Secrets on command lines: flags of known commands, named flags, values piped or set, directives without an operator."""

from __future__ import annotations

import re

from hipocampus.redaction import names, values, words
from hipocampus.redaction.patterns import pattern
from hipocampus.redaction.quoting import read_value
from hipocampus.redaction.view import Span, View

# command, flag as written, what follows: `value`, `user:value`, `user%value`, `user,value`
_TABLE: tuple[tuple[str, str, str], ...] = (
    ("curl wget http https xh curlie", "-u -U -a --user --proxy-user", "user:value"),
    ("curl wget http https xh curlie", "-b", "cookies"),
    ("mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mariadb-dump mycli", "-p", "value"),
    (
        "sshpass docker podman nerdctl helm az oras crane skopeo buildah mongo mongosh mongodump mongorestore mongoexport mongoimport twine cqlsh "
        "rabbitmqadmin rdesktop nxc netexec crackmapexec evil-winrm cf oc ibmcloud jf jfrog singularity apptainer sqoop beeline openfortivpn "
        "redis-cli keydb-cli valkey-cli zip unzip 7z 7za 7zr rar unrar pdftk qpdf htpasswd influx couchbase-cli argocd nmcli vncdo hydra",
        "-p -P -a -b",
        "value",
    ),
    ("sqlcmd bcp isql tsql osql ipmitool mosquitto_pub mosquitto_sub pscp plink psftp", "-P -pw", "value"),
    ("ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete ldappasswd", "-w", "value"),
    ("smbclient rpcclient smbmap net smbget wmic winexe", "-U", "user%value"),
    ("lftp ncftp", "-u", "user,value"),
    ("snmpget snmpwalk snmpset snmpbulkwalk", "-A -X", "value"),
    ("doctl vercel surge wrangler infracost expo", "-t", "value"),
)
_FLAGS = {(command, flag): form for commands, flags, form in _TABLE for command in commands.split() for flag in flags.split()}
_COMMAND = pattern(r"(?<![^\s;|&(`\"'$/])([a-z0-9_-]{2,16})(?=\s)")
_FLAG = pattern(r"\s(--?[A-Za-z-]{1,12})(?:=|[ \t]{1,3}|(?=[\"'!-~]))")
_COMMANDS = frozenset(command for command, _flag in _FLAGS)
_LINE_END = pattern(r"(?<!\\)(?:\n|\\n|[;|&] )")
_PORT = pattern(r"[\d.:]+(?:/(?:tcp|udp))?|[A-Za-z]:?[/\\].*|[./].*|-.*")
_PIPED = pattern(
    r"(?:echo|printf)[ \t]+(?:-[neE]{1,3}[ \t]+)?(?:\\?[\"']?%s(?:\\n)?\\?[\"']?[ \t]+)?\\?([\"']?)([!#-&(-;=?-\[\]-_a-~]{4,4096})\\?\1[ \t]*\|[ \t]*(?:sudo[ \t]+)?"
    r"(?:-S|sudo[ \t]+-S|docker[ \t]+login|podman[ \t]+login|helm[ \t]+registry|gh[ \t]+(?:auth|secret)|chpasswd|passwd|kinit|cryptsetup|openssl|gpg|su\b|wrangler|vault|az\b|oc\b|doppler)"
)
_PIPED_TO = pattern(r"\|[ \t]*(?:sudo[ \t]+)?(?:docker|podman|nerdctl|helm|crane|gh|buildah|skopeo)\b[^\n|]{0,120}(?:--password-stdin|--with-token)")
_SET = pattern(
    r"(?:\b(?:ENV|ARG|setenv|setx|config[ \t]+set|configure[ \t]+set|git[ \t]+config(?:[ \t]+--\w{1,10})?|secret[ \t]+set|secrets?[ \t]+(?:set|put|create|add)|env[ \t]+add|vars?[ \t]+set|put-secret-value|login|authtoken|add-authtoken|auth)"
    r"|\bset[ \t]+-[a-zA-Z]{1,4}|(?:machine[ \t]+[^\s]{1,100}|default)[ \t\r\n]+(?:login|user)[ \t]+[^\s]{1,100})[ \t\r\n]+(?:\S{1,80}[:.])?$",
    re.IGNORECASE,
)
_DIRECTIVES = frozenset("requirepass masterauth rootpw authpassword proxypassword smtppassword sasl_passwd userpass".split())
_SPACES = pattern(r"[ \t]{1,4}(?:--(?:body|value|secret|secret-string|data|plaintext)[ =]|-[bv][ \t]|<<<[ \t]?)|[ \t]{1,8}(?:\\\n[ \t]{0,20})?|,[ \t]{0,3}|[\"'],?\s{1,20}(?=[\"'])")
_COMMAND_LINE = pattern(r"(?:^|\n|[;&|`(])[ \t]{0,20}(?:[$#>%][ \t]{1,4})?(?:sudo[ \t]+)?[a-z][\w./-]{1,40}[ \t][^\n]{0,600}$")


def find(view: View, at: int) -> tuple[Span, ...]:
    """The value after the flag at `at`, if the command in front of it is known for it, or the value that is piped there."""
    match view.lower[at]:
        case " ":
            wanted = view.lower[at + 2 : at + 3] in "puawbtx" or view.lower.startswith(("-user", "-proxy-user"), at + 2)
            return _flag(view, at) if wanted else ()
        case "e":
            return _piped(view.text, at)
        case "i":
            return _identified(view.text, at)
        case _:
            return _secure_string(view.text, at + 12)


def _flag(view: View, at: int) -> tuple[Span, ...]:
    text = view.text
    command = _command(view, at)
    flag = _FLAG.match(text, at) if command else None
    if not command:
        return ()
    form = (_FLAGS.get((command, flag[1])) if flag else None) or _FLAGS.get((command, text[at + 1 : at + 3]))
    if not form:
        return ()
    start = flag.end() if flag and (command, flag[1]) in _FLAGS else at + 3
    return _flag_value(text, start, form, command, spaced=text[start - 1] in " \t=")


def _command(view: View, at: int) -> str:
    """The known command that the flag at `at` belongs to: the last one before it on its line, continued lines included."""
    text, seen = view.text, view.seen
    since = seen.get("flag", 0)
    if at < since or at - since > 600:
        since = max(at - 600, 0)
        seen["command"] = seen["command end"] = -1
    for match in _COMMAND.finditer(text, max(since - 20, 0), at + 1):
        if match[1] in _COMMANDS:
            seen["command"], seen["command end"] = match.start(1), match.end(1)
    seen["flag"] = at
    start = seen.get("command", -1)
    if start < 0 or at - start > 600 or _LINE_END.search(text, start, at):
        return ""
    return text[start : seen["command end"]]


def _flag_value(text: str, start: int, form: str, command: str, spaced: bool) -> tuple[Span, ...]:
    extent = read_value(text, start)
    if not extent:
        return ()
    begin, end, quoted = extent
    value = text[begin:end]
    if "[REDACTED" in value:
        return ()
    if form == "cookies":
        from hipocampus.redaction.headers import session_values

        return session_values(text, begin)
    if form == "value":
        if command.startswith(("mysql", "maria", "mycli")) and spaced:
            return ()
        return ((begin, end, "password", "-p"),) if _is_flag_value(value) else ()
    mark = form[4]
    user, found, password = value.partition(mark)
    after = end + (text[end : end + 1] == mark)
    if not password and not quoted and text[after : after + 1] in ("'", '"'):
        inner = read_value(text, after)
        if inner and _is_flag_value(text[inner[0] : inner[1]]):
            return ((inner[0], inner[1], "password", "-u"),)
    if not password and (found or text[end : end + 1] == mark) and values.is_secret(names.TOKEN, user, values.HARD):
        return ((begin, begin + len(user), "token", "-u"),)
    if found and _is_flag_value(password):
        return ((begin + len(user) + 1, end, "password", "-u"),)
    return ()


def _is_flag_value(value: str) -> bool:
    """Any literal of four characters or more that is no port, path, reference or placeholder."""
    if len(value) < 4 or "[REDACTED" in value or not value.isascii() or _PORT.fullmatch(value):
        return False
    return not (words.is_reference(value) or words.is_placeholder(value) or (value.isalpha() and (len(value) < 6 or words.is_common(value))))


def _piped(text: str, at: int) -> tuple[Span, ...]:
    match = _PIPED.match(text, at)
    if not match:
        return ()
    user, colon, password = match[2].partition(":")
    start = match.start(2) + (len(user) + 1 if colon and "chpasswd" in match[0] else 0)
    value = text[start : match.end(2)]
    return ((start, match.end(2), "password", ""),) if _is_flag_value(value) else ()


_IDENTIFIED = pattern(r"identified(?:\s+with\s+\S{1,60})?\s+(?:by|as)(?:\s+password)?\s+(?:values\s+)?\\{0,3}([\"'])([^\"'\s]{4,256})\\{0,3}\1", re.IGNORECASE)
_STATEMENT = pattern(r"(?:create|alter|grant|set password)\b[^;]{1,280}$", re.IGNORECASE)
_IDENTIFIED_RAW = pattern(r"IDENTIFIED\s+BY\s+([^\s\"';,)]{4,128})")


def _identified(text: str, at: int) -> tuple[Span, ...]:
    match = _IDENTIFIED.match(text, at) or _IDENTIFIED_RAW.match(text, at)
    if not match or not (text[at] == "I" or _STATEMENT.search(text, max(at - 300, 0), at)):
        return ()
    value = match[match.re.groups].rstrip("\\")
    start = match.start(match.re.groups)
    return ((start, start + len(value), "password", "IDENTIFIED BY"),) if _is_flag_value(value) else ()


_SECURE = pattern(r"(?:\s+-(?:String|AsPlainText|Force))*\s+(?:-String\s+)?([\"'])([^\"'\n]{4,200})\1", re.IGNORECASE)


def _secure_string(text: str, after: int) -> tuple[Span, ...]:
    match = _SECURE.match(text, after)
    return ((*match.span(2), "password", ""),) if match and _is_flag_value(match[2]) else ()


_TOOL_AUTH = pattern(r"[ \t]{1,3}([A-Za-z0-9._-]{16,200})(?![\w/])")
_HTPASSWD = pattern(r"[ \t]{1,3}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \t]{1,3}\S{1,80}[ \t]{1,3}\S{1,64}[ \t]{1,3}[\"']?([!#-&(-;=-~]{4,128})")

# start, end, kind, text
Name = tuple[int, int, str, str]


def after_name(text: str, name: Name) -> tuple[Span, ...]:
    """`--password v`, `-Token v`, `ENV NAME v`, `set -x NAME v`, `machine h login u password v`, `requirepass v`."""
    start, end, kind, word = name
    if kind == names.AUTH:
        match = _TOOL_AUTH.match(text, end) if word == "auth" else None
        return ((*match.span(1), "token", word),) if match and values.is_secret(names.TOKEN, match[1], values.HARD) else ()
    if word == "htpasswd":
        match = _HTPASSWD.match(text, end)
        return ((*match.span(1), "password", word),) if match and _is_flag_value(match[1]) else ()
    gap = _SPACES.match(text, end)
    if not gap:
        return ()
    extent = read_value(text, gap.end())
    if not extent:
        return ()
    begin = extent[0] + (5 if text.startswith("pass:", extent[0]) else 0)  # openssl
    extent = (begin, extent[1], extent[2])
    value = text[begin : extent[1]]
    if word.startswith("-"):
        accepted = not value.startswith("-") and _is_flagged(text, start, kind, value, extent[2])
    else:
        accepted = values.is_secret(kind, value, values.HARD) and _is_set(text, start, word)
    return ((extent[0], extent[1], kind, word),) if accepted else ()


def _is_flagged(text: str, start: int, kind: str, value: str, quoted: bool) -> bool:
    if values.is_secret(kind, value, values.QUOTED):
        return True
    plain = kind == names.PASSWORD and values.is_secret(kind, value, values.HARD)
    return plain and (quoted or bool(_COMMAND_LINE.search(text[max(start - 400, 0) : start])))


def _is_set(text: str, start: int, word: str) -> bool:
    line_start = text.rfind("\n", max(start - 200, 0), start) + 1
    if word.lower() in _DIRECTIVES and not text[line_start:start].strip() and line_start + 8 >= start:
        return True
    return bool(_SET.search(text[max(start - 200, 0) : start]))
