r"""Secrets on a command line, and what a value may look like there; rows as in rules.py."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.redaction.tokens import Row

# What may hold the secret of an assignment: quoted (", ', `), quoted with escapes (\"), bare.
# `u` and `h` are bounded; whoever accepts it extends it to the end of its run.
_QUOTED = (
    r'(?:"(?:"")?(?P<d>(?:[^"\\\n]|\\[^\n])+)|'
    r"'(?:'')?(?P<e>(?:[^'\\\n]|\\[^\n])+)|`(?P<g>[^`\n]+)|"
    r"(?P<x>\\+[\"'])(?P<b>(?:(?!(?P=x))[^\n])+))"
)
_BARE = (
    r"(?P<u>(?:[!#-%(-+\--:=?-\[\]-_a-{}~\u00c0-\u024f\u0370-\u052f]|"
    r",(?![\w.-]{1,40}[=:]|\s|\Z)|;(?![\w ]{1,30}=|\s|\Z)|"
    r"&(?![\w.-]{1,40}=|[\s&]|\Z)|\|(?![\s|])|\\(?![nrtu\"'\\\s])){1,160})"
)
VALUE = f"(?:{_QUOTED}|{_BARE})"


def _behind(commands: str, flags: str) -> str:
    """Return the source of one of `commands`, then `flags` in the same command line.

    The gap ends at the next such command, so that gaps never overlap and a scan stays linear.
    """
    gap = rf"(?:(?!(?<![\w-])(?:{commands})[\s\"'])(?:[^|;&\n\\]|\\[\s\S])){{0,400}}?"
    if flags.endswith(" "):  # in a list of arguments, too: "-w", "X"
        flags = flags[:-1] + r"(?: |[\"'], ?(?=[\"']))"
    return rf"(?:{commands})(?=[\s\"']){gap}[\s\"']{flags}"


_ARG = r"[^\s|;&\"']{1,200}"
_PAIR = r"[^\s:|;&\"'\\/]{1,100}:(?=[^\s/])"
_LONG = r"(?=[\"']?[\w+/=.-]{20})"
# (commands, what stands between them and the secret), each in the same command line.
_SECRET_OF: tuple[tuple[str, str], ...] = (
    (r"(?:mysql|mariadb)[\w-]{0,24}", r"-p(?=\S)"),
    (
        (
            r"sshpass|[a-z]\w{0,12} login|conan remote|doveadm pw|beeline|"
            r"mongo\w{0,10}"
        ),
        r"-p[ =]?(?!(?:https|ssh)\b)",  # a protocol: gh auth login -p https
    ),
    (r"(?:redis|valkey|keydb)-cli", r"(?:-a|--pass) "),
    (r"ldap\w{1,12}", r"(?:-[ws] |-w(?=\S))"),
    (r"sqlcmd|bcp|osql|tsql|ipmitool|mosquitto_[ps]ub", r"(?-i:-P) ?"),
    (
        (
            r"cqlsh|useradd|usermod|psexec\S{0,8}|smbmap|crackmapexec|netexec|nxc|evil-winrm|snowsql|"
            r"cypher-shell|ncftp\w{0,3}|rdesktop|racadm|rabbitmqadmin|twine|altool|hydra|"
            r"dotnet nuget|certutil|security (?:unlock|create)-keychain|steghide"
        ),
        r"(?-i:-p) ",
    ),
    (r"winrs|cmdkey|xfreerdp|wfreerdp|signtool", r"[-/]p(?:ass)?[: ]"),
    (r"lftp", r"-u [^\s,]{1,60},"),
    (r"security import", r"(?-i:-P) "),
    (r"security (?:add|find)-[a-z]{2,9}-password", r"-w "),
    (r"swaks", r"-ap "),
    (r"(?:un)?zip", r"(?-i:-P) "),
    (r"7z[az]?|(?:un)?rar", r"(?-i:-h?p)(?=\S)"),
    (r"htpasswd|mosquitto_passwd", r"-\w{0,5}b\w{0,5}\s(?:[^\s|;&]{1,200}\s){1,2}"),
    (r"ssh-keygen", r"(?-i:-[NP]) "),
    (r"openssl (?:enc|aes|des|camellia|aria|chacha20)[\w-]{0,16}", r"(?-i:-[kK]) "),
    (r"openssl dgst", r"-hmac "),
    (r"openssl passwd", r"-(?:1|5|6|apr1) (?=[^-\s])"),
    (r"qpdf", r"--encrypt (?:\[redacted:command\] )?"),
    (r"security set-key-partition-list", r"-k "),
    (r"steamcmd", r"\+login \S{1,60} (?=[^+\s])"),
    (r"pdftk", r"(?:input|user|owner)_pw "),
    (r"smbclient|rpcclient|winexe", r"-U ?[\"']?[^\s%\"']{1,60}%"),
    (r"smbclient", r"//[^\s/]{1,60}/\S{1,60} (?=[^-\s])"),
    (r"snmp(?:walk|get|set|bulkwalk|trap)", r"(?-i:-[AXc]) (?!public|private)"),
    (r"[a-z]\w{0,12} configure set", r"\S{0,40}(?:secret|token|passw)\S{0,20} "),
    (r"aws secretsmanager", r"--secret-string (?=[\"']?[^\s{\"'])"),
    (r"put-parameter|keyvault secret set", r"--value[ =]"),
    (r"etcdctl|skopeo copy", rf"--(?:user|(?:src-|dest-)?creds)[ =]{_PAIR}"),
    (r"jenkins-cli\.jar|sqlmap|govc", rf"-(?:auth|-auth-cred|u)[ =]{_PAIR}"),
    (r"bw", r"(?:unlock|login \S{1,80}@\S{1,80}) (?=[^-\s])"),
    (r"rabbitmqctl", rf"(?:add_user|change_password) {_ARG} "),
    (r"networksetup", rf"-setairportnetwork {_ARG} {_ARG} "),
    (r"poetry config", rf"(?:http-basic\.{_ARG} {_ARG}|pypi-token\.{_ARG}) "),
    (r"composer config", rf"(?:http-basic\.{_ARG} {_ARG}|[\w-]{{1,20}}-(?:oauth|token)\.{_ARG}) "),
    (r"bundle config", rf"(?:set )?(?:--\w+ )?{_ARG} {_PAIR}"),
    (
        (
            r"(?:cargo|wandb) login|ngrok|snyk auth|nuget setapikey|vault operator|"
            r"cloudflared service"
        ),
        rf"(?:(?:authtoken|add-authtoken|unseal|install) )?(?=[^-]){_LONG}",
    ),
    (r"codecov\S{0,12}", rf"-t {_LONG}"),
    (r"gem push|nuget push", rf"(?:(?:--key|-k) |\.nupkg ){_LONG}"),
    (r"mc (?:alias|config host)", rf"(?:set|add) {_ARG} {_ARG} {_ARG} "),
    (r"net use", r"(?:\S{1,2} )?\\{1,4}\S{1,80} (?:/user:\S{1,80} )?(?=[^/\s])"),
    (r"ansible-vault", r"encrypt_string "),
    (r"net user", rf"{_ARG} (?=[^/\s-])"),
    (
        (
            r"consul kv|etcdctl|pulumi config|netlify|glab variable|user-secrets|drush|grafana-cli|"
            r"neo4j-admin|set -g?x|setenv|fastcgi_param"
        ),
        (
            r"(?:(?:env:)?(?:set|put) (?:--secret )?)?[\"']?[\w./:-]{0,60}"
            r"(?:password|passwd|secret|token)[\"']? "
        ),
    ),
)
_COMMAND = (
    r"(?i)(?<![\w-])(?:"
    + "|".join(_behind(*pair) for pair in _SECRET_OF)
    + r"|convertto-securestring(?: -string)? |"
    + r"--?(?:passin|passout|pass|ks-pass|key-pass) [\"']?pass:)"
    + r"(?![\"'`]?\[redacted:)"  # the next pass finds another secret of the same command
    + VALUE
)
# sqlplus USER/PASSWORD@SERVER: the server stays.
_ORACLE = (
    r"(?i)(?<![\w-])(?:"
    + _behind("sqlplus|(?:exp|imp)dp|rman", r"(?:target )?[^\s/@=\"']{1,60}/")
    + r"|jdbc:oracle:thin:[^\s/@\"']{1,60}/)[\"']?(?P<h>[^\s/@\"'][^\s@\"']{0,100})"
)
# The address of a Go driver: USER:PASSWORD@tcp(HOST); one of a server: USER:PASSWORD@10.0.0.1.
_DSN = (
    r"(?<![\w:/.-])(?!redacted:)(?:[\w.-]{1,40}/)?[\w.-]{1,40}:(?P<h>[^\s\"'`/]{1,100}?)"
    r"(?=@(?:(?:tcp|unix)\(|\d{1,3}(?:\.\d{1,3}){3}))"
)
# A secret that a command reads from its standard input: echo X | docker login --password-stdin.
_READERS = (
    r"(?:--password-stdin|--with-token|configure --token|--passphrase-fd 0|sudo -s|"
    r"passwd --stdin|(?<=\|)[ ]?passwd \w|secrets? set|"
    r"(?:docker|gcloud|wrangler) secrets? (?:create|put|versions add)|env add|chpasswd|kinit|"
    r"cryptsetup|pass insert|keyring set|secret-tool store|vncpasswd|"
    r"smbpasswd|saslpasswd2?|-stdinpass|createuser|runas|(?<![\w-])su|(?:log|sign)in)"
)
_STDIN = (
    r"(?i)(?:(?:echo|printf|yes)"
    r"(?: -[a-z]{1,3})?(?: [\"']?%s(?:\\n)?[\"']?)? (?:\"(?P<d>[^\"]{4,200})\"|"
    r"'(?P<e>[^']{4,200})'|(?P<h>[^\s\"'|]{4,200}))\s?(?:(?:\||\n\+{1,3} )[^|\n]{0,120}"
    + _READERS
    + r"|>{1,2} ?[\"']?[\w./~$-]{0,80}(?:passw|[_-]pass|secret|token)[\w-]{0,20}(?:\.txt)?"
    r"(?=[\"'\s]|\Z))|"
    r"(?:echo|printf) (?:-n )?[\"']?[^\s\"':|$]{1,40}:(?P<b>[^\s\"'|$]{4,200})[\"']? ?\| ?base64|"
    + _READERS
    + r"[^<\n]{0,80}<<< ?[\"']?(?P<s>[^\s\"'$]{4,200}))"
)
_LITERAL = (
    r"(?i)(?:--from-literal[= ][\"']?[\w.-]{1,100}=|"
    r"secrets? set [\w-]{1,100}(?:=| (?:(?:--body|--value)[ =]|-[bv][ =]?)?)(?![-<\s])|"
    r"vault (?:login|token \w{4,6}) (?=[\w.-]{20})|rclone obscure |"
    r"(?:\bauth=|basicauth|\.login)\([\"'][^\"'\n]{1,80}[\"'], ?(?=[\"']))"
    r"(?:\"(?P<d>[^\"\n]{4,300})\"|'(?P<e>[^'\n]{4,300})'|(?P<h>[^\s\"']{4,300}))"
)
_CURL = (
    r"(?i)(?<![\w-])(?:curl|https?|xh|ab)(?=[\s\"'])"
    r"(?:(?!(?<![\w-])(?:curl|https?|xh|ab)\s)(?:[^|;\\\n]|\\[\s\S])){0,400}?(?:[\s\"']|\\\n)"
    r"(?:-u|-a|-e|--user|--proxy-user|--auth|--cert)(?:[\"'], ?|[ =]?\\?)[\"']?"
    # a key in place of the user, without a password: -u KEY:
    r"(?:(?P<s>(?=[A-Za-z_-]{0,60}\d)[\w-]{20,256})(?=:x?(?:[\s\"'\\]|\Z))|"
    r"(?:\[redacted:[\w-]+\]|(?!\[redacted)[^\s:\"'\\/]{1,100}):"
    r"[\"']?(?!\[redacted)(?P<h>[^\s\"'\\]{1,200}))"
)
_CURL_COOKIE = (
    r"(?i)(?<![\w-])curl(?=\s)(?:(?!(?<![\w-])curl\s)(?:[^|;\\\n]|\\[\s\S])){0,400}?\s"
    r"(?:-b|--cookie)[ =]?[\"']?(?P<s>[\w.-]{1,40}=[^\s\"';]{8,}[^\n\r\"']{0,400})"
)

COMMANDS: tuple[Row, ...] = (
    ("curl", _CURL,
     "curl -s -u bob:" + "hunter2 https://host/x", "curl -u $USER:$PASS https://host/x"),
    ("curl-cookie", _CURL_COOKIE,
     "curl -b 'sid=" + 10 * "a1" + "' https://host/x", "curl -b cookies.txt https://host/x?a=b"),
    ("stdin", _STDIN,
     "echo hunter2" + "x | docker login -u bob --password-stdin",
     "docker login --password-stdin < file"),
    ("literal", _LITERAL,
     "kubectl create secret generic s --from-literal=a=" + "hunter2", "gh secret set NAME < file"),
    ("oracle", _ORACLE,
     "sqlplus app/" + "hunter2@shop", "sqlplus /nolog @a/b.sql; jdbc:oracle:thin:@host/x"),
    ("dsn", _DSN,
     "root:" + "hunter2@tcp(db:3306)/shop", "dial(user@tcp(db:3306)/shop)"),
    ("command", _COMMAND,
     "mysql -u root -p" + "hunter2 shop", "mkdir -p src && mysql -p shop"),
)  # fmt: skip
