r"""The table of secrets: what a secret looks like, one row per kind.

A row is `(name, markers, near, source, example, counter)`:

- name: what stands in `[redacted:NAME]`. It never ends in a word that itself announces a secret.
- markers: substrings, one of which every match contains. Where `source` starts with `(?i)` they
  are lower case and are looked for in the lower-cased text.
- near: `(characters, from, to)`, or `None`: one of the characters must stand within that distance
  of the end of a marker (before it, where negative), so that common words cost no expression.
- source: the regular expression, compiled with `re.ASCII`. What is replaced is the group `s`; or a
  group of `d`, `e`, `g`, `b`, `u`, `h`, whose value secret_judge.py weighs first.
- example: a text of which a part must be redacted; counter: a near miss that must stay.

Invariant: every quantifier is bounded or cannot give back what it took, so a scan is linear.
Examples are joined from pieces so that scanners of source code do not report them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Near = tuple[str, int, int] | None
    Row = tuple[str, tuple[str, ...], Near, str, str, str]

# A token starts where no ASCII letter or digit stands before it, or right behind an escape
# (\n of JSON text, %3D of a URL, the m of a terminal colour). CJK text is no obstacle.
_START = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})|"
    r"(?<=\[\dm)|(?<=\[\d\dm)|(?<=;\dm)|(?<=;\d\dm))"
)
_END = r"(?=(?:\u2026|\.{3})?\s{0,8}\Z)"  # the text was cut here
_MIXED = r"(?=[a-z_-]{0,40}[A-Z0-9])"  # more than a lower-case word
_HALF = 18 * "a1"
_UPPER = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _token(prefix: str, chars: str = "A-Za-z0-9", least: int = 16) -> str:
    """Return the source of `prefix` and a run of `chars`: `least` of them, or 10 at a cut."""
    run = f"[{chars}]"
    return f"{_START}(?P<s>{prefix}(?:{run}{{{least},}}|{_MIXED}{run}{{10,}}{_END}))"


# What may hold the secret of an assignment: quoted (", ', `), quoted with escapes (\"), bare.
# `u` and `h` are bounded; whoever accepts it extends it to the end of its run.
_QUOTED = (
    r'(?:"(?P<d>(?:[^"\\\n]|\\[^\n])+)|' + r"'(?P<e>(?:[^'\\\n]|\\[^\n])+)|`(?P<g>[^`\n]+)|"
    r"(?P<x>\\+[\"'])(?P<b>(?:(?!(?P=x))[^\n])+))"
)
_BARE = (
    r"(?P<u>(?:[!#-%(-+\--:=?-\[\]-_a-{}~\u00c0-\u024f\u0370-\u052f]|"
    r",(?![\w.-]{1,40}[=:]|\s|\Z)|;(?![\w ]{1,30}=|\s|\Z)|"
    r"&(?![\w.-]{1,40}=|[\s&]|\Z)|\|(?![\s|])|\\(?![nrtu\"'\\\s])){1,160})"
)
_VALUE = f"(?:{_QUOTED}|{_BARE})"
_KEYS = r"(?:api|access|private|auth|encryption|signing|master|account|storage)[_\- ]?key"
_WORDS = rf"secret[_-]?(?:access[_-]?)?key|secret|token|credentials?|{_KEYS}"
_PASSWORDS = r"passw(?:or)?d|passphrase|passcode|(?:store|key)?pass|pwd"
_SUFFIX = (
    r"(?:[_-]?\d{1,3}|[_-](?:prod(?:uction)?|dev|stag(?:e|ing)|test|live|old|new|value|base|b64))?"
)
_ASSIGN = (
    rf"(?i)(?P<k>{_PASSWORDS}|{_WORDS}|_auth|密码|密碼|口令|パスワード|비밀번호){_SUFFIX}"
    r"(?P<o>[\"'`\\\]]{0,6}(?:[ \t]{0,8}:[ \t]{0,2}[a-z_][\w.\[\]|]{0,30}(?: \| none)?"
    r"(?=[ \t]{0,2}=)|[ \t]string(?=[ \t]{0,2}:?=))?[ \t]{0,8}"
    r"(?:=>|:=|=(?![=~>])|:(?![:=])|\uff1a|\uff1d|(?<=[码碼令])是|"
    r"(?:(?<=[\"'])[ \t]{0,2},|\()(?=[ \t]{0,2}[\"']))[ \t]{0,8}(?:[rfbu](?=[\"']))?)" + _VALUE
)
_FLAG = (
    r"(?i)(?<![\w-])(?P<k>--?(?:[a-z0-9]{1,20}-){0,4}[a-z0-9]{0,12}?"
    rf"(?:{_PASSWORDS}|{_WORDS}))(?P<o>[ =]){_VALUE}"
)


def _behind(commands: str, flags: str) -> str:
    """Return the source of one of `commands`, then `flags` in the same command line.

    The gap ends at the next such command, so that gaps never overlap and a scan stays linear.
    """
    gap = rf"(?:(?!(?<![\w-])(?:{commands})\s)(?:[^|;&\n\\]|\\[\s\S])){{0,400}}?"
    return rf"(?:{commands})(?=\s){gap}\s{flags}"


_COMMAND = (
    r"(?i)(?<![\w-])(?:"
    + _behind(r"(?:mysql|mariadb)[\w-]{0,12}", r"-p(?=\S)")
    + "|"
    + _behind(r"sshpass|(?:docker|podman|az|registry) login|mongo\w{0,10}", r"-p[ =]?")
    + "|"
    + _behind(r"redis-cli", "-a ")
    + "|"
    + _behind(r"ldap\w{1,12}", "-w ")
    + "|"
    + _behind("sqlcmd", "-P ?")
    + r"|-pass(?:in|out)? pass:)"
    + _VALUE
)
_CURL = (
    r"(?i)(?<![\w-])(?:curl|http)(?=\s)"
    r"(?:(?!(?<![\w-])(?:curl|http)\s)(?:[^|;\\\n]|\\[\s\S])){0,400}?\s"
    r"(?:-u|-a|--user|--proxy-user|--auth)[ =]?(?:\\?[\"'])?[^\s:\"'\\/]{1,100}:"
    r"(?P<h>[^\s\"'\\]{1,200})"
)
_HEADER = (
    r"(?i)(?:(?P<k>authorization)[\"'\\]{0,4}[ \t]{0,3}[:=,][ \t]{0,3}(?:[bf](?=[\"']))?"
    r"[\"'`\\]{0,4}"
    r"(?P<t>(?:bearer|basic|token|digest|negotiate|api-?key|bot)[ \t]{1,3})?|bearer[ \t]{1,3})"
    r"(?P<h>[\w.~+/=:-]{6,160})"
)
_PEM = (
    r"(?P<s>-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?=\s|\\)(?:"
    # whole: up to its END line, whatever line numbers or quotes stand between
    r"(?=(?:\\+[nrt]|[\s>|+\d\"',→#]){1,40}[A-Za-z0-9+/=]{4})"
    r"(?:(?!-----)[\s\S])*-----END[A-Z0-9 ]*-{0,5}|"
    # cut: only what can be key material, so that text behind it stays
    r"(?:(?:\\+[nrt]|[\s>|\"',→])+(?:(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]*|"
    r"\d{1,6}(?=[\s→|:])|[A-Za-z0-9+/]{20,}={0,2}|[A-Za-z0-9+/]{4,19}(?:==?|(?=[\s.…-]*\Z))))+"
    r"))"
)
_URL = (
    r"://(?:[^\s/:@\"'`<>\\]{0,80}:(?P<h>(?:[^\s/\"'`<>\\]{1,256}|(?!\d{1,5}[/?#])"
    r"[^\s@\"'`<>\\]{1,256}))(?=@[\w\[$({%])|"
    r"(?P<s>(?=[a-z_-]{0,40}\d)[A-Za-z0-9_-]{24,256})(?=@\w))"
)

_AWS = (
    r"(?i)(?:aws[_ -]?secret(?:[_ -]?access)?[_ -]?key|secret[_ -]?access[_ -]?key|"
    r"aws_session_token)(?: \[[^\]\n]{0,30}\])?"
    r"[\"'\\]{0,4}\s{0,4}(?:[:=]|=>|(?<=_key)(?= [A-Za-z0-9/+=]{40}\b))\s{0,4}"
    r"[\"'\\]{0,4}(?P<s>[A-Za-z0-9/+=]{16,})"
)
_ANTHROPIC = (
    _START + r"(?P<s>sk-ant-(?:[a-z]{2,12}\d\d-[\w-]{6,}|[\w-]{16,}|"
    r"(?=[a-z-]{0,40}\d)[\w-]{5,}" + _END + "))"
)
_OPENAI = (
    _START + r"(?P<s>sk-(?:(?:[a-z0-9]{2,8}-){0,2}(?=[A-Za-z_-]{0,80}[0-9A-Z])"
    r"[A-Za-z0-9_]{20,}[\w-]*|(?:proj|svcacct|admin)-(?=[A-Za-z_-]{0,80}\d)[\w-]{16,}|"
    r"(?:proj-)?(?=[a-z-]{0,40}[A-Z0-9])[A-Za-z0-9]{10,}" + _END + "))"
)
_PLAIN = r"(?P<h>[!-~]{4,})"
_COOKIES = r"(?P<s>[\w.-]{1,40}=[^\s\"';]{12,}[^\n\r\"']*)"
_JWT = (
    # the lookahead settles once per run of characters whether a second part follows at all
    r"(?<![\w-])(?=[\w-]++\.(?:[\w-]{6}|[\w-]{1,5}" + _END + r"))[\w-]*?"
    r"(?P<s>eyJ[\w-]{6,}\.(?:[\w-]{6,}(?:\.[\w-]*){0,3}|[\w-]{1,5}" + _END + "))"
)

PATTERNS: tuple[Row, ...] = (
    ("pem", ("PRIVATE KEY",), None, _PEM,
     "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEowIBAAKC\n-----END RSA PRIVATE KEY-----",
     'if head == "-----BEGIN PRIVATE KEY-----": print("-----END PRIVATE KEY-----")'),
    ("aws", ("AKIA", "ASIA"), None,
     _START + r"(?P<s>A(?:KIA|SIA)"
     r"(?:[A-Z0-9]{16,}|(?=[A-Z]{0,9}[0-9])[A-Z0-9]{10,}" + _END + "))",
     "AKIA" + "IOSFODNN7EXAMPLE", "SOUTHEASTASIAREGIONOFTHEWORLD"),
    ("aws-private", ("secret", "session_token"), ("_:=", 0, 24), _AWS,
     "aws_secret_access_key = " + 4 * "wJalr/7+Kx", "aws_secret_access_key = os.environ[NAME]"),
    ("github", ("gh", "github_pat"), ("_", 0, 2),
     _token("(?:gh[pousr]_(?!pat_)|github_pat_[A-Za-z0-9]{0,22}_?)"),
     "ghp_" + _HALF, "highp_precision_in_shaders"),
    ("gitlab", ("gl",), ("-", 2, 4),
     _token("gl(?:pat|dt|rt|cbt|ptt|oas)-", r"\w.-"), "glpat-" + 10 * "x1", "glpat-your-token"),
    ("slack", ("xox", "xapp-"), None,
     _START + r"(?P<s>(?:xox[a-z](?:\.xox[a-z])?|xapp)-(?=[A-Za-z-]{0,60}\d)[A-Za-z0-9-]{10,})",
     "xoxb-" + "123456789012-abcdefABCDEF", "xoxb-your-token-here"),
    ("slack-hook", ("hooks.slack.com/",), None,
     r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[\w/-]{8,})",
     "https://hooks.slack.com/" + "services/T000/B000/" + 12 * "x1",
     "https://hooks.slack.com/docs/intro"),
    ("stripe", ("k_live_", "k_test_", "whsec_"), None,
     _START + r"(?P<s>(?:[sr]k_(?:live|test)|whsec)_"
     r"(?:[A-Za-z0-9]{16,}|(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{8,}))",
     "sk_" + "live_" + 12 * "a1", "task_test_configuration1234"),
    ("anthropic", ("sk-ant-",), None, _ANTHROPIC,
     "sk-ant-" + "api03-FAKE-FAKE-FAKE", "task-ant-colony-optimisation-run-2"),
    ("openai", ("sk-",), (_UPPER, 0, 30), _OPENAI,
     "sk-" + "proj-" + _HALF, "risk-free task-runner disk-usage sk-fading-circle"),
    ("google", ("AIza", "ya29.", "GOCSPX-"), None,
     _token(r"(?:AIza|ya29\.|GOCSPX-)", r"\w-", 20), "AIza" + _HALF, "AIzaShort"),
    ("npm", ("npm_",), None, _token("npm_", least=24), "npm_" + _HALF, "npm_config_registry"),
    ("pypi", ("pypi-AgE",), None,
     _token("pypi-AgE", r"\w-"), "pypi-AgEI" + _HALF, "pypi-AgEnt"),
    ("huggingface", ("hf_",), None, _token("hf_", least=24), "hf_" + _HALF, "hf_hub_download"),
    ("sendgrid", ("SG.",), None,
     _START + r"(?P<s>SG\.[\w-]{16,}\.(?:[\w-]{16,}|[\w-]*" + _END + "))",
     "SG." + 11 * "a1" + "." + _HALF, "SG.example.com"),
    ("twilio", ("SK", "AC"), ("0123456789", 0, 16),
     _START + r"(?P<s>(?:SK|AC)[0-9a-f]{32})(?![0-9A-Za-z])",
     "SK" + 16 * "a1", "TASK-1234 and MAC 00ff"),
    ("telegram", (":A",), ("0123456789", -3, -2),
     r"(?<!\d)(?P<s>\d{6,12}:A(?:[\w-]{30,}|(?=[a-z_-]{0,40}[A-Z0-9])[\w-]{12,}" + _END + "))",
     "123456789" + ":AA" + 17 * "x1", "at 10:Alpha"),
    ("discord", ("M", "N", "O"), (".", 21, 31),
     _START + r"(?P<s>[MNO][\w-]{21,30}\.[\w-]{6}\.[\w-]{20,})",
     "MTIz" + 10 * "a1" + "." + "Gabc12." + 14 * "x1", "NOTES.about.the.release"),
    ("discord-hook", ("/api/webhooks/",), None,
     r"/api/webhooks/\d{5,25}/(?P<s>[\w-]{16,})",
     "discord.com/api/webhooks/123456789/" + _HALF, "/api/webhooks/list/all"),
    ("digitalocean", ("_v1_",), ("abcdef0123456789", 0, 2),
     _token("do[opr]_v1_"), "dop_v1_" + 32 * "a1", "dop_v1_name"),
    ("vendor", ("hvs.", "dckr_pat_", "shpat_", "lin_api_", "glsa_", "PMAK-", "NRAK-", "ATATT3",
                "gsk_"), None,
     _token(r"(?:hvs\.|dckr_pat_|shpat_|lin_api_|glsa_|PMAK-|NRAK-|ATATT3|gsk_)" + _MIXED,
            r"\w-", 20),
     "hvs." + _HALF, "gsk_buff_alloc_and_free_list_entry"),
    ("azure", ("accountkey", "sharedaccesskey", "sharedsecret", "sig="), None,
     r"(?i)(?:accountkey|sharedaccesskey|sharedsecret|[?&;]sig)=(?P<s>[A-Za-z0-9+/=%_-]{16,})",
     "AccountName=a;AccountKey=" + 22 * "a1b/" + "==;", "AccountKey=<key>;sig=none"),
    ("jwt", ("eyJ",), None, _JWT,
     "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + _HALF, "eyJhbGciOi... is how they start"),
    ("url", ("://",), ("@", 0, 340), _URL,
     "postgres://app:" + "hunter2@db/x", "https://host:8080/@scope/pkg"),
    ("header", ("authorization", "bearer "), None, _HEADER,
     "Authorization: Bearer " + 8 * "a1", "Authorization: Bearer $TOKEN"),
    ("cookie", ("cookie:",), ("=", 0, 60),
     r"(?i)cookie: ?(?=[\w.-]{1,40}=[^\s\"';]{0,40}\d)" + _COOKIES,
     "Cookie: sid=" + 10 * "a1" + "; theme=dark", "Cookie: name=value"),
    ("curl", ("curl ", "http "), (":", 0, 520), _CURL,
     "curl -s -u bob:" + "hunter2 https://host/x", "curl -u $USER:$PASS https://host/x"),
    ("command", ("mysql", "mariadb", "sshpass", " login ", "mongo", "redis-cli", "ldap", "sqlcmd",
                 "-pass"), ("-:", 0, 420), _COMMAND,
     "mysql -u root -p" + "hunter2 shop", "mkdir -p src && mysql -p shop"),
    ("flag", ("-pass", "-pwd", "-secret", "-token", "-key", "-apikey", "-credential", "-storepass",
              "-auth", "-access"), (" =", 0, 16), _FLAG,
     "tool --password " + "hunter2 up", "tool --token $TOKEN --password-file x9 --max-tokens 400"),
    ("netrc", ("machine ", "default login"), None,
     r"(?i)(?:machine\s{1,8}\S{1,200}|default)\s{1,8}login\s{1,8}\S{1,80}\s{1,8}password\s{1,8}"
     + _PLAIN,
     "machine h login bob password " + "hunter2", "login with your password to see it"),
    ("sql", ("identified by", "passw"), ("'\"", 0, 9),
     r"(?i)(?:identified by|password) {1,3}(?:'(?P<e>[^'\n]+)'|\\?\"(?P<d>[^\"\\\n]+))",
     "CREATE ROLE a PASSWORD '" + "hunter2'", "the password 'as typed' is hashed"),
    ("markup", ("passw", "passp", "secret", "token", "apikey", "-key"), (">", 0, 7),
     r"(?i)<[\w:.-]{0,40}(?:password|passphrase|secret|token|api-?key)>(?P<h>[!-;=?-~]{4,})(?=</)",
     "<password>" + "hunter2</password>", "<password>${db.password}</password>"),
    ("assignment", ("passw", "passp", "passc", "pass=", "pass:", 'pass"', "pass'", "pwd", "secret",
                    "token", "credential", "_key", "-key", "apikey", "api key", "accesskey",
                    "privatekey", "authkey", "encryptionkey", "signingkey", "masterkey", "_auth",
                    "密码", "密碼", "口令", "パスワード", "비밀번호"),
     ("=:'\"\uff1a\uff1d是", -1, 20), _ASSIGN,
     "password = '" + "hunter2'", "password = getpass(); token = parser.next(3); secret: str"),
)  # fmt: skip
