r"""Secrets in calls, tables, files and settings whose form names them; rows as in rules.py."""

from __future__ import annotations

from journal.redaction.commands import VALUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.redaction.tokens import Row

_NAME = (
    r"(?:passw(?:or)?d|passphrase|passwort|pwd|(?<=[_.-])pass|secret|token|"
    r"api[-_. ]?key|access[-_. ]?key|secret[-_. ]key)"
)
_NAMED = rf"[^\"'`\n]{{0,60}}{_NAME}\]?"
_ONE = r"(?:(?:[^,()\n]|\([^()\n]{0,60}\)){1,80}, ?)"
_LITERAL = r"(?:\"(?P<d>[^\"\n]{4,200})\"|'(?P<e>[^'\n]{4,200})'|`(?P<g>[^`\n]{4,200})`)"
# Calls that take a name or a user, then the secret; or nothing but the secret.
_CALLS = (
    # .fill("#password", X), headers.set("X-Api-Key", X), setItem("token", X)
    rf"(?:set\w{{0,16}}|add|append|header|fill|type|put)\([\"'`]{_NAMED}[\"'`], ?",
    # getByLabel("Password").fill(X), (By.ID, "password").send_keys(X)
    (
        rf"{_NAME}[\]\"'`/i]{{1,4}}\){{1,2}}\.(?:fill|type|send_?keys|val|setvalue|"
        rf"presssequentially)\("
    ),
    # Password.hash(X), isValidPassword(X), but not getSecret(NAME)
    (
        r"\b(?!get|has|find|read|fetch|load|delete|remove|ask|prompt|use)\w{0,20}"
        r"(?:password|passphrase|secret)\w{0,16}(?:\.\w{2,16})?\((?:\w{1,20}, ?)?"
        r"(?=[\"'][^\"':\n]{4,200}[\"'])"
    ),
    r"(?:\w(?:[.:]|->)auth\((?![^\n)]*,)|\.call\([\"']auth[\"'], ?|\] \"auth\" )",
    # Capybara: fill_in "Password", with: X
    rf"fill_in[ (](?:[\"']{_NAMED}[\"']|:\w{{0,30}}{_NAME}\w{{0,20}}), with: ?",
    (
        r"expect\(\[?r?[\"'][^\"'\n]{0,30}(?:assphrase|ss?word)[^\"'\n]{0,9}[\"']\]?"
        r"(?:, ?timeout=\d{1,4})?\)[;\s]{1,20}\w{1,12}\.sendline\("
    ),
    (
        r"(?:bcrypt|fernet|bcrypt\.\w{4,12}|generate_password_hash|make_password|password_hash|"
        r"crypt|hash::make|"
        r"check_password|cookieparser|hmac\.new|toequal|\.password\.tobe|password\)\.tobe|"
        r"password\.equals|\bload\(in,)\(? ?"
    ),
    r"(?:check_password_hash|(?:pgp_sym_|aes[._])(?:en|de)crypt)\([^,\n]{1,80}, ?",
    (
        r"(?:(?:signing|security|encoding|decoding|secret)key\w{0,4}|keyspec)(?:::from_secret)?\("
        r"(?:[\w.]{0,24}getbytes\()?"
    ),
    r"jwt\.(?:sign|verify|encode|decode)\((?:\{[^}\n]{0,80}\}|[^,\n\"']{1,80}), ?",
    r"(?:createhmac|hash_hmac)\([\"'][\w-]{1,12}[\"'],(?:[^,\n\"']{1,40},)? ?",
    (
        rf"(?:(?:auth|login|sign_?in(?!g)|bind|credential|basic|changeuserp|userpass)\w{{0,24}}\]?"
        rf"(?:\.basic|\.new|\.create|\.verify|::new)?)(?:\(|[ ](?=['\"])){_ONE}{{1,6}}"
    ),
    (
        rf"(?:mysqli(?:_connect)?|pdo|ftp|getconnection|sequelize|dbi->connect|create_(?:super)?user)"
        rf"\((?:[\"'][^\"'\n]{{0,80}}[\"'], ?|{_ONE}){{2}}"
    ),
    rf"(?:wifi\.begin|\.addap|createasync|signwith)\({_ONE}",
    # connect(host, user, X), connect(host, 22, user, X)
    (
        rf"(?:plainauth\({_ONE}{{2}}|(?:\w\.|_real_)connect\("
        rf"(?:{_ONE}\d{{1,5}}, ?{_ONE}|{_ONE}{{2}}(?:(?! ?[\"']){_ONE})?))"
    ),
)
_CALL = rf"(?i)(?:{'|'.join(_CALLS)})(?:b|some\()?(?:\{{noop\}})?{_LITERAL}(?=[,) .;\]}}]|\Z)"
# <property name="db.password">X</property>, <key>password</key><string>X</string>
_ELEMENT = (
    rf"(?i)(?:<[\w:.-]{{1,40}} [^<>\n]{{0,80}}(?:name|key|id|"
    rf"type)=[\"'][^\"'<>\n]{{0,80}}(?:{_NAME}|(?P<k>[a-z0-9][_.-]key))(?:text)?"
    rf"[\"'][^<>\n]{{0,80}}>(?:<value>)?|<(?:key|name|t[dh]|dt)>[^<>\n]{{0,60}}{_NAME}</\w+>\s{{0,20}}<(?:string|value|td|dd)>|"
    rf"<[\w:.-]{{0,40}}(?:{_NAME}|secretkey)(?: [^<>\n]{{0,80}})?>\s{{0,20}}<value>|<secretkey>)"
    r"(?P<h>[^<>\s]{4,200})(?=\s{0,20}</)"
)
# variable "db_password" { default = "X" }; {"value": "X", "name": "DB_PASSWORD"}
_DEFAULT = (
    rf"(?i)(?:variable \"[\w-]{{0,60}}{_NAME}\" ?\{{[^}}]{{0,300}}?default\s{{0,20}}=\s{{0,4}}"
    r"\"(?P<d>[^\"\n$]{4,200})\"|"
    rf"\"value\" ?: ?\"(?P<e>[^\"\n]{{4,200}})\",\s{{0,20}}\"(?:name|"
    rf"key)\" ?: ?\"[\w.-]{{0,60}}{_NAME}\"|"
    rf"<meta name=\"[\w-]{{0,20}}(?:token|key|secret)\" content=\"(?P<g>[^\"\n]{{8,200}})\")"
)
# Settings of servers, routers and networks: the secret follows its word.
_SETTING = (
    r"(?i)(?:(?:\A|(?<=\n)|(?<=[|+-] )|(?<=: )|(?<=; ))[ \t]{0,40}(?:#define[ \t]{1,4})?"
    # a name of several words, a value and no more
    r"(?:(?:[\w.-]{1,40}[._-]|(?:[a-z]{2,20} )?\w{2,40})"
    r"(?:passw(?:or)?d|passphrase|pass|authtok|psk|pw)(?=[ \t]{1,64}\S{4,80}[ \t]*(?:\n|\Z))|"
    r"(?<=#define )\w{0,40}(?:passw?|pwd|secret)\w{0,20}(?=[ \t]{1,64}\")|"
    r"auth[-_]?pass|snmp-server community(?= \S{1,60} r[ow]\b)|pac key \d|"
    r"bindpw:?|olcrootpw:|(?:secret|password|pass)(?![a-z])|(?:option )?key(?= [\"'])|"
    r"set (?:pass\w{0,6}|psksecret|pw|token)|"
    r"d-i passwd/[\w-]{1,40} password|(?:ppp )?chap password \d|insecure-password|"
    r"user [\w.-]{1,40} (?:insecure-)?password|stats auth [\w.-]{1,40}:|"
    r"(?:username [\w.-]{1,40} (?:privilege \d{1,2} )?|enable )(?:secret|password))[ \t]{0,64}|"
    r"\blogin=[\w.@+-]{1,40}:|"
    r"\bconnect to [^\n;]{1,60} user \S{1,40} using |pragma (?:re)?key ?= ?|"
    r"attach [^;\n]{1,80} key |"
    r"(?:pre-shared-secret|plain-text-password[\w-]{0,10}) |\br[ow]community |"
    r"\bcreateuser \S{1,40} (?:md5|sha\S{0,4}) (?:\S{1,200} (?:aes|des)\S{0,4} )??"
    r"(?![\"']?\[redacted)|\.(?:secret|access)\.key |"
    r"sentinel auth-pass \S{1,60} |neighbor \S{1,60} password(?: \d)? |"
    r"message-digest-key \d{1,3} md5(?: \d)? |(?:nick|auth)serv :?identify (?:\S{1,30} (?=\S))?|"
    r"(?:tacacs-server|radius-server(?: host \S{1,60})?|isakmp) key |"
    r"pre-shared-key(?: ascii-text)?[ =]|"
    r"(?<=: )(?:psk|eap) |snmp-server user [^\n]{1,60} auth \w{2,6} |\bhub-password |"
    r"\bname=\"pass\w{0,16}\"\r?\n\r?\n|"
    r"(?:redis[^\n]{0,40}|command[^\n]{0,40})--requirepass[ \",]{1,4}|"
    r"\"redis-cli\", \"-a\", |(?:>|\A|(?<=\n)) ?auth (?:default |(?-i:(?<=AUTH )"
    r"[\w.-]{1,40} (?=\S)(?!CRAM-|DIGEST-|SCRAM-|XOAUTH)))?|(?:acl setuser|user) \S{1,40} "
    r"on (?:[~&+@*]\S{1,20} ){0,4}>|"
    r"wifi-sec\.psk |pass(?:word)?[-_]?(?:eval|command|cmd)[ =:'\"]{1,4}(?:echo|printf)(?: -\w)? |"
    r"chap-secrets: \S{1,40} \S{1,40} |(?:poll|user) [^\n]{1,80} password |"
    r"account \S{1,40} password |[\"\w][\w@.\"-]{0,40}[ \t]\*[ \t](?=\S{4,80}[ \t]\*)|"
    r"\blist:(?: \|)?\s{1,20}(?:- )?[\w.-]{1,40}:|\bpass \")" + VALUE
)
# /etc/shadow, .htpasswd: what a password hash of crypt(3) looks like.
_HASH = (
    r"(?P<s>\$(?:1|5|6|y|apr1|2[abxy]|argon2\w{1,2})\$[\w./$=,+-]{20,200}|\{(?:S?SHA\d{0,3}|"
    r"SMD5|CRYPT)\}"
    r"[A-Za-z0-9+/=$.]{20,160})"
)
_SQL_BARE = r"(?i)identified by (?!values\b|externally\b|globally\b)(?P<h>[^\s;\"'`()<>]{4,80})"
# A user and a password: creds: bob / X; log in as bob with password X; id/pw: bob/X; (pw)X
_PAIR = (
    r"(?i)(?:(?:(?<!/)\b(?:creds?|credentials|log(?:ging)? ?in|zugangsdaten|anmeldedaten|"
    r"credenciales|credenziali|identifiants|inloggen|"
    r"(?:test|demo|dev|qa|service|user|login) ?(?:account|user|login)|"
    r"ログイン情報|접속 ?정보)(?:\b|(?=[:\uff1a]))"
    r"(?: (?:are|is|with|as|using|mit|avec|con|met|sind|son|sont|sono))? ?[:(]? ?"
    r"[\"'`]?[\w.@+-]{2,40}[\"'`]?|(?<![\w/.-])(?:admin|root(?= / ))) ?[/:] ?|"
    r"\b(?:creds|credentials(?: are)?):? [\w.@+-]{2,40} (?:and )?|\bu/p: ?[\w.@+-]{2,40} ?/ ?|"
    r"\buse [\w.@-]{2,40}(?::| / )(?=\S{6,40} to log ?in)|"
    r"\b(?:(?:log|sign)(?:ged)? ?in|entr[ae]|acced[ei]|connecte-toi|inloggen|zaloguj się|anmelden) "
    r"(?:with|as|using|con|avec|com|mit|met|als|jako) [\w.@+-]{2,40} "
    r"(?:and|with|y|e|et|und|en|i) |"
    r"(?:\b(?:with|using|use|user(?:name)? [\w.@-]{1,40},?|log ?in as [\w.@-]{1,40}))(?: the)? "
    r"(?:password|pass|pw) |"
    r"(?:id|user(?:name)?|login|account|логин|아이디|계정)\)? ?[/&:,(]? ?"
    r"\(?(?:p/?w|pwd|passw(?:or)?d|pass|пароль)\)?(?: for [\w.-]{1,30})?"
    r"(?: ?(?:->|[:=(-]| are | is) ?| )(?:[\w.@+-]{2,40} ?(?://|[/:,(]) ?){1,2}|"
    r"(?<![\w-])(?:-u|--(?:[a-z]{2,10}-)?(?:user|auth|creds))(?:[ =]|[\"'], ?)[\"']?"
    r"[\w.@+-]{2,40}:|"
    r"\((?:root|admin|user|test|sa)/(?=[^\s/()]{6,40}\))|"
    r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5})?(?![\w.:/])"
    r"(?:[ ,;>-]{1,5}\w{1,12}){0,2}[ ,;>|-]{0,5}\(?[\w.@-]{2,30}(?: ?[/:;|,] ?| - )|"
    r"\((?:pw|pwd|password|pass)\)[:=]? ?|"
    r"\b(?:echo|printf)(?: -\w{1,2})? [\"']?(?:%s[\"']? [\"']?)?"
    r"(?=[^\s|]{6,80}[\"']? ?\| ?base64))"
    r"[\"'`]?(?P<h>[^\s\"'`,;()\\]{6,80})"
)
# Services whose addresses are the key to them.
_HOOK = (
    r"(?:otpauth://[^\s\"'?]{1,120}\?(?:[^\s\"'&]{1,60}&){0,4}secret=|ifttt\.com/trigger/[\w-]{1,80}/with/key/|/hooks/(?=[a-z0-9]{26}\b)|"
    r"/open-apis/bot/v2/hook/|"
    r"/cgi-bin/webhook/send\?key=|hook\.[a-z]{2}\d\.make\.com/|pagerduty\.com/integration/|"
    r"alchemyapi\.io/v2/|g\.alchemy\.com/v2/|infura\.io/(?:ws/)?v3/|"
    r"hooks\.airtable\.com/workflows/v1/genericWebhook/|office\.com/webhook/|/receiver/v1/http/)(?P<s>[\w@/+-]{16,240}={0,2})"
)
# `key=` has other meanings outside of an address, so there values.py asks for more.
_QUERY = (
    r"(?i)(?:(?<=[?&])(?:key|auth|appid|signature|code|jwt|sid|session|pwd|pw|t|ticket|invite|hash)=|"
    r"/(?:[\w-]{1,20}[_-])?(?:magic|invite|invitation|reset|verify|confirm|unsubscribe)[\w-]{0,16}/|"
    r"(?P<k>(?<![\w?&$])(?:key|auth|login)|(?<=[a-z][._])login)[\"']?(?:=|: ?)[\"'`]?)"
    r"(?P<h>[\w.~%/+-]{16,300}={0,2})(?![\w.~%])"
)
# Characters drawn at random, bare or behind any name; drawn.py decides.
_DRAWN = (
    r"(?:(?<![\w+/.%@#&$~-])|(?<=\\[nrt])|(?<=[\s\"'`=][A-Za-z0-9]{8}\.)|"
    r"(?<=\w/)(?=[\w-]{20,120}(?![\w/.-])))"
    r"(?P<h>(?:(?<=[=\"' ])[+/])?[A-Za-z0-9][\w+/-]{19,200}+={0,2}+)"
    r"(?![=@(]|\.\w)"
)
FIELDS: tuple[Row, ...] = (
    ("hash", _HASH,
     "bob:$apr1$" + "a1b2c3d4$" + 11 * "x1", "the prefix is $2b$12$ or {SHA}"),
    ("hook", _HOOK,
     "https://maker.ifttt.com/trigger/x/with/key/" + 11 * "a1", "https://x/hooks/pre-commit-of-it"),
    ("query", _QUERY,
     "https://maps.x/js?key=" + 12 * "aB1" + "&v=3", "https://x/y?key=a-name-of-words&code=authorization"),
    ("drawn", _DRAWN,
     "export ACME=" + 6 * "aB1c2x" + "Qz", "etag: " + 6 * "aB1c2x" + "Qz"),
    ("call", _CALL,
     'page.fill("#password", "' + 'hunter2x")',
     'page.fill("#password", "password1"); login(page, "user")'),
    ("element", _ELEMENT,
     '<string name="db_password">' + "hunter2x</string>",
     '<string name="password">Password</string>'),
    ("default", _DEFAULT,
     'variable "db_password" {\n  default = "' + 'hunter2x"\n}',
     'variable "password" {\n  default = ""\n}'),
    ("bare-sql", _SQL_BARE,
     "ALTER USER bob IDENTIFIED BY " + "hunter2x;", "a row is identified by number"),
    ("setting", _SETTING,
     "tacacs-server key " + "hunter2x", "secret agents; password reset; set password later"),
    ("pair", _PAIR,
     "creds: bob / " + "hunter2x", "log in with bob/admin or use password auth2, user password"),
)  # fmt: skip
