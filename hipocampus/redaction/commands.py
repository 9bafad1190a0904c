"""Secrets on command lines: flags of known commands, named flags, what is piped or set."""

from __future__ import annotations

from hipocampus.core.native import lru_cache
from hipocampus.core.patterns import IGNORECASE, pattern
from hipocampus.redaction import names, values, words
from hipocampus.redaction.identifiers import Name
from hipocampus.redaction.patterns import digits_in, vocabulary
from hipocampus.redaction.quoting import Extent, read_value
from hipocampus.redaction.view import Span, View

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

# commands, flags as written, what follows: `value`, `user:value`, `user%value`, `user,value`, `cookies`
_TABLE: tuple[tuple[str, str, str], ...] = (
    ("curl wget http https xh curlie", "-u -U -a --user --proxy-user", "user:value"),
    ("curl wget http https xh curlie", "-b", "cookies"),
    ("mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mariadb-dump mycli", "-p", "value"),
    ("sshpass docker podman nerdctl helm az oras crane skopeo buildah singularity apptainer", "-p", "value"),
    ("mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh sqoop beeline influx", "-p", "value"),
    ("twine cf oc ibmcloud jf jfrog argocd couchbase-cli rabbitmqadmin openfortivpn nmcli", "-p", "value"),
    ("rdesktop nxc netexec crackmapexec evil-winrm hydra vncdo", "-p", "value"),
    ("redis-cli keydb-cli valkey-cli", "-a", "value"),
    ("zip unzip 7z 7za 7zr rar unrar pdftk qpdf", "-p -P", "value"),
    ("sqlcmd bcp isql tsql osql ipmitool mosquitto_pub mosquitto_sub pscp plink psftp ssh", "-P -pw", "value"),
    ("ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete ldappasswd", "-w", "value"),
    ("smbclient rpcclient smbmap net smbget wmic winexe", "-U", "user%value"),
    ("lftp ncftp", "-u", "user,value"),
    ("snmpget snmpwalk snmpset snmpbulkwalk", "-A -X", "value"),
    ("doctl vercel surge wrangler infracost expo codecov", "-t", "value"),
    ("useradd usermod security", "-p", "value"),
    ("openssl", "-k", "value"),
)
_FLAGS = {
    (command, flag): form
    for commands, flags, form in _TABLE
    for command in commands.split()
    for flag in flags.split()
}  # fmt: skip
_COMMANDS = frozenset(command for command, _flag in _FLAGS)
_ATTACHED_ONLY = vocabulary("mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mariadb-dump mycli")
_COMMAND = pattern(r"(?<![^\s;|&(`\"'$/])([a-z0-9_-]{2,16})(?=\s)")
_LINE_END = pattern(r"(?<!\\)(?:\n|\\n|[;|&] )")
_MAY_END = pattern(r"[\n;|&\\]")  # how _LINE_END begins: most lines have none of these
_FLAG = pattern(r"\s(--?[A-Za-z-]{1,12})(?:=|[ \t]{1,3}|(?=[\"'!-~]))")
_NO_VALUE = pattern(r"[\d.:]+(?:/(?:tcp|udp))?|[A-Za-z]:?[/\\].*|[./].*|-.*")  # ports, paths, the next flag
_READERS = (
    r"-S|sudo[ \t]+-S|docker[ \t]+login|podman[ \t]+login|helm[ \t]+registry|gh[ \t]+(?:auth|secret)|chpasswd|passwd"
    r"|kinit|cryptsetup|openssl|gpg|su\b|wrangler|vault|az\b|oc\b|doppler"
)
_PIPED = pattern(
    r"echo[ \t]+(?:-[neE]{1,3}[ \t]+)?\\{0,7}([\"']?)([!#-&(-;=?-\[\]-_a-~]{4,4096})\\{0,7}\1[ \t]*\|[ \t]*"
    rf"(?:sudo[ \t]+)?(?:{_READERS})"
)
# --password-command "echo v", --password-file <(echo v)
_SAYS = pattern(r"pass(?:word|phrase)?-(?:command|file|cmd)[= ][\"']?(?:<\()?$")
_ECHOED = pattern(r"echo (?:-n )?[\"']?([!#-&*-\[\]-~]{4,256})")
_PRINTED = pattern(
    r"echo[ \t]+-e[ \t]+[\"']([!#-&(-\[\]-~]{4,256})\\n([!#-&(-\[\]-~]{4,256})[\"'][ \t]*"
    r"\|[ \t]*(?:sudo[ \t]+)?(?:passwd|smbpasswd)\b"
)
_SECURE_STRING = pattern(r"securestring(?:\s+-(?:String|AsPlainText|Force))*\s+([\"'])([^\"'\n]{4,200})\1", IGNORECASE)
# aws ssm put-parameter --type SecureString --value v
_SECURE_PARAMETER = pattern(
    r"securestring[\"']?\s{1,20}(?:--[a-z-]{1,20}[ =]\S{1,60}\s{1,20}){0,3}--value[ =][\"']?([!#-&(-~]{4,512})",
    IGNORECASE,
)
# net use \\\\host\\share /user:bob v; net user bob v /add; xfreerdp /u:bob /p:v
_NET = pattern(
    r"net use(?:r[ \t]+[\w.@-]{1,40}|\b[^\n]{0,120}?[ \t]/user:[\w.\\@-]{1,60})[ \t]+[\"']?((?!/|\*)[!#-&(-~]{4,128})",
    IGNORECASE,
)
_RABBIT = pattern(r"rabbitmqctl (?:add_user|change_password)[ \t]+\S{1,64}[ \t]+[\"']?([!#-&(-~]{4,128})")
_ENCRYPTED = pattern(r"encrypt_string[ \t]+[\"']([^\"'\s]{4,256})[\"']")
_SLASHED = pattern(r" /p(:|[ \t]{1,3})[\"']?((?![A-Za-z_]\w*=)[!#-&(-~]{4,128})", IGNORECASE)
_HERE = pattern(r"<<<[ \t]{0,3}(\\{0,7}[\"']?)([!#-&(-;=-\[\]-~]{4,256})")
_READS = pattern(rf"(?<![\w-])(?:{_READERS}|\S+ [^\n]{{0,100}}--password-stdin)(?![\w-])")
# ["mysqladmin", "-uroot", "-pv"]
_LISTED = pattern(r"\"-p([!#-&(-~]{4,128})\"")

_SETTERS = (
    r"env|arg|setenv|setx|config[ \t]+set|configure[ \t]+set|git[ \t]+config(?:[ \t]+--\w{1,10})?|env[ \t]+add"
    r"|secrets?[ \t]+(?:set|put|create|add)|vars?[ \t]+set|put-secret-value|login|authtoken|add-authtoken|auth"
    r"|set[ \t]+-[a-zA-Z]{1,4}|wifi[ \t]+connect[ \t]+\S{1,60}"
)
_NETRC = r"(?:machine[ \t]+\S{1,100}|default)[ \t\r\n]+(?:login|user)[ \t]+\S{1,100}"
_SET = pattern(rf"\b(?:{_SETTERS}|{_NETRC})[ \t\r\n]+(?:\S{{1,80}}[:.])?$")  # of small letters
# Settings that stand at the start of a line with their value after a space.
_DIRECTIVES = vocabulary("requirepass masterauth rootpw authpassword proxypassword smtppassword sasl_passwd userpass")
_GAP = pattern(
    r"[ \t]{1,4}(?:--(?:body|value|secret|secret-string|data|plaintext)[ =]|-[bv][ \t]"
    r"|(?:[a-z]{3,12}[ \t]{1,4})?<<<[ \t]?)"
    r"|[ \t]{1,8}(?:\\\n[ \t]{0,20})?|,[ \t]{0,3}|[\"'],?\s{1,20}(?=[\"'])"
)
_COMMAND_LINE = pattern(
    r"(?:^|\n|[;&|`(])[ \t]{0,20}(?:[$#>%][ \t]{1,4})?(?:sudo[ \t]+)?[a-z][\w./-]{1,40}[ \t][^\n]{0,600}$"
)
_HTPASSWD = pattern(
    r"[ \t]{1,3}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \t]{1,3}\S{1,80}[ \t]{1,3}\S{1,64}[ \t]{1,3}"
    r"[\"']?([!#-&(-;=-~]{4,128})"
)
_SECOND = pattern(r"[ \t]{1,3}\S{1,64}[ \t]{1,3}[\"']?([!#-&(-~]{8,63})")
# AUTH v, as Redis takes it
_REDIS = pattern(r"[ \t]{1,3}(?:default[ \t]{1,3})?[\"']?([!#-&(-~]{6,256})[\"']?[ \t]{0,3}(?=[\r\n]|$)")
_TOOL_AUTH = pattern(r"[ \t]{1,3}([A-Za-z0-9._-]{16,200})(?![\w/])")


def find(view: View, at: int) -> tuple[Span, ...]:
    """The value after the flag at `at`, if the command in front of it takes one, or the value that is piped there."""
    lower = view.lower
    match lower[at]:
        case " " if lower[at + 1] == "-":
            wanted = lower[at + 2 : at + 3] in "puawbtxk" or lower.startswith(("-user", "-proxy-user"), at + 2)
            return _flag(view, at) if wanted else ()
        case " ":
            return _slashed(view.text, at)
        case "<":
            return _here(view.text, at)
        case '"':
            return _in_list(view.text, at)
        case "n" | "r":
            return _password((_NET if lower[at] == "n" else _RABBIT).match(view.text, at), 1)
        case "e":
            return _password(_ENCRYPTED.match(view.text, at), 1) or _piped(view.text, at)
        case _:
            parameter = _password(_SECURE_PARAMETER.match(view.text, at), 1)
            return parameter or _password(_SECURE_STRING.match(view.text, at), 2)


def _slashed(text: str, at: int) -> tuple[Span, ...]:
    """`xfreerdp /p:v`, `signtool sign /p v`; other programs have another /p with a space behind it."""
    match = _SLASHED.match(text, at)
    if match and match[1] != ":":
        line = text.rfind("\n", max(at - 300, 0), at) + 1
        match = match if "signtool" in text[max(line, at - 300) : at].lower() else None
    return _password(match, 2)


def _here(text: str, at: int) -> tuple[Span, ...]:
    """`kinit bob <<< v`: what a command that asks for a password reads."""
    line = max(text.rfind("\n", max(at - 200, 0), at) + 1, at - 200)
    return _password(_HERE.match(text, at), 2) if _READS.search(text, line, at) else ()


def _password(match: re.Match[str] | None, group: int) -> tuple[Span, ...]:
    return ((*match.span(group), "password", ""),) if match and is_literal(match[group]) else ()


def is_literal(value: str) -> bool:
    """Any value of four characters or more that is no port, path, flag, reference, placeholder or common word."""
    if len(value) < 4 or "[REDACTED" in value or not value.isascii() or _NO_VALUE.fullmatch(value):
        return False
    if words.is_reference(value) or words.is_placeholder(value):
        return False
    return not value.isalpha() or (len(value) >= 6 and not words.is_common(value))


def _in_list(text: str, at: int) -> tuple[Span, ...]:
    """A flag that has its value attached, among the strings of a list whose first is a command that takes it."""
    match = _LISTED.match(text, at)
    line = text.rfind("\n", max(at - 300, 0), at) + 1
    around = text[max(line, at - 300) : at]
    return _password(match, 1) if match and any(f'"{command}' in around for command in _ATTACHED_ONLY) else ()


def _flag(view: View, at: int) -> tuple[Span, ...]:
    text = view.text
    command = _command(view, at)
    if not command:
        return ()
    flag = _FLAG.match(text, at)
    known = _FLAGS.get((command, flag[1])) if flag else None
    form = known or _FLAGS.get((command, text[at + 1 : at + 3]))
    if not form:
        return ()
    start = flag.end() if flag and known else at + 3
    if command in _ATTACHED_ONLY and text[start - 1] in " \t=":
        return ()  # mysql asks for the password there
    extent = read_value(text, start)
    return _flag_value(text, extent, form) if extent and "[REDACTED" not in text[extent[0] : extent[1]] else ()


def _command(view: View, at: int) -> str:
    """The known command that the flag at `at` belongs to: the last one before it on its line or a continued one."""
    text, seen = view.text, view.seen
    since = seen.get("flag", 0)
    if at < since or at - since > 600:
        since = max(at - 600, 0)
        seen["command"] = seen["command end"] = -1
    known = [match for match in _COMMAND.finditer(text, max(since - 20, 0), at + 1) if match[1] in _COMMANDS]
    if known:
        seen["command"], seen["command end"] = known[-1].span(1)
    seen["flag"] = at
    start = seen.get("command", -1)
    if start < 0 or at - start > 600 or (_MAY_END.search(text, start, at) and _LINE_END.search(text, start, at)):
        return ""
    return text[start : seen["command end"]]


def _flag_value(text: str, extent: Extent, form: str) -> tuple[Span, ...]:
    begin, end, _quoted = extent
    value = text[begin:end]
    if form == "cookies":
        from hipocampus.redaction.cookies import session_values

        return session_values(text, begin)
    if form == "value":
        return ((begin, end, "password", "-p"),) if is_literal(value) else ()
    mark = form[4]
    user, found, password = value.partition(mark)
    if found and is_literal(password):
        return ((begin + len(user) + 1, end, "password", "-u"),)
    return () if password else _without_password(text, extent, user, mark, bool(found))


def _without_password(text: str, extent: Extent, user: str, mark: str, marked: bool) -> tuple[Span, ...]:
    """`-u TOKEN:`, where the user is the secret, and `-u bob:'v'`, where only the password is quoted."""
    begin, end, quoted = extent
    after = end + (text[end : end + 1] == mark)
    inner = read_value(text, after) if not quoted and text[after : after + 1] in ("'", '"') else None
    if inner and is_literal(text[inner[0] : inner[1]]):
        return ((inner[0], inner[1], "password", "-u"),)
    if (marked or after > end) and values.is_secret(names.TOKEN, user, values.HARD):
        return ((begin, begin + len(user), "token", "-u"),)
    return ()


def _piped(text: str, at: int) -> tuple[Span, ...]:
    """`echo v | docker login --password-stdin`, `echo root:v | chpasswd`."""
    match = _PIPED.match(text, at)
    if not match:
        said = _ECHOED.match(text, at) if _SAYS.search(text, max(at - 40, 0), at) else None
        return _password(said, 1) or _twice(text, at)
    user, colon, _rest = match[2].partition(":")
    start = match.start(2) + (len(user) + 1 if colon and "chpasswd" in match[0] else 0)
    return ((start, match.end(2), "password", ""),) if is_literal(text[start : match.end(2)]) else ()


def _twice(text: str, at: int) -> tuple[Span, ...]:
    """`echo -e "v\\nv" | passwd bob`: the new password, and again."""
    match = _PRINTED.match(text, at) if text.startswith("echo -e", at) else None
    if not match or not is_literal(match[1]) or not is_literal(match[2]):
        return ()
    return tuple((*match.span(group), "password", "") for group in (1, 2))


def after_name(text: str, name: Name) -> tuple[Span, ...]:
    """`--password v`, `-Token v`, `ENV NAME v`, `set -x NAME v`, `machine h login u password v`, `requirepass v`."""
    if name.kind == names.AUTH:
        line = text[text.rfind("\n", 0, name.start) + 1 : name.start]
        match = _REDIS.match(text, name.end) if name.text == "AUTH" and line.strip()[-1:] in ("", ">") else None
        if match and digits_in(match[1]) > 1 and is_literal(match[1]):
            return ((*match.span(1), "password", "AUTH"),)
        match = _TOOL_AUTH.match(text, name.end) if name.text == "auth" else None
        is_token = match and values.is_secret(names.TOKEN, match[1], values.HARD)
        return ((*match.span(1), "token", "auth"),) if match and is_token else ()
    if name.text == "htpasswd":
        return _password(_HTPASSWD.match(text, name.end), 1)
    if name.text == "wpa_passphrase":
        return _password(_SECOND.match(text, name.end), 1)
    gap = _GAP.match(text, name.end)
    extent = read_value(text, gap.end()) if gap else None
    if not extent:
        return ()
    start = extent[0] + (5 if text.startswith("pass:", extent[0]) else 0)  # openssl -passin pass:v
    value = text[start : extent[1]]
    if name.text.startswith("-"):
        accepted = not value.startswith("-") and _is_flagged(text, name, value, extent[2])
    else:
        accepted = values.is_secret(name.kind, value, values.HARD) and _is_set(text, name)
    return ((start, extent[1], name.kind, name.text),) if accepted else ()


def _is_flagged(text: str, name: Name, value: str, quoted: bool) -> bool:
    """After a flag a plain word counts only on what looks like a command line, not in a sentence about the flag."""
    if values.is_secret(name.kind, value, values.QUOTED):
        return True
    if name.kind != names.PASSWORD or not values.is_secret(name.kind, value, values.HARD):
        return False
    return quoted or bool(_COMMAND_LINE.search(text, max(name.start - 400, 0), name.start))


def _is_set(text: str, name: Name) -> bool:
    line = text.rfind("\n", max(name.start - 200, 0), name.start) + 1
    if name.text.lower() in _DIRECTIVES and name.start - line <= 8 and not text[line : name.start].strip():
        return True
    return _ends_in_setter(text[max(name.start - 140, 0) : name.start])


@lru_cache(maxsize=256)
def _ends_in_setter(before: str) -> bool:
    return bool(_SET.search(before.lower()))
