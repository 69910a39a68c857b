r"""Secrets that their surroundings give away: names, headers, command lines, addresses.

The rows have the form of those of tokens.py. What is replaced is the group `s`; or a group of
`d`, `e`, `g`, `b`, `u`, `h`, whose value values.py weighs first. A source that starts with `(?i)`
has its markers in the table of those looked for in lower-cased text.
"""

from __future__ import annotations

from journal.redaction.codes import CODES
from journal.redaction.commands import COMMANDS, VALUE
from journal.redaction.fields import FIELDS
from journal.redaction.tokens import TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from journal.redaction.tokens import Row

_KEYS = r"(?:api|access|private|auth|encryption|signing|master|account|storage)[_\- ]?key"
_WORDS = (
    rf"secret[_ -]?(?:access[_ -]?)?key|secret[_-]?id|secret|token|credentials?|{_KEYS}|"
    r"(?:hash|password|secur(?:ity)|signing|secret|auth|logged_in|nonce)_?salt|_pat|_jwt|bearer|"
    r"erlang_?cookie|root_token_id"
)
_PASSWORDS = (
    r"passw(?:or)?d|pass_?phrase|passcode|(?:store|key)?pass|pwd|psk|keymaterial|authtok|"
    r"(?:\b|(?<=_)|(?<=db)|(?<=bind)|(?<=root)|(?<=admin)|(?<=user)|(?<=login))pw"
)
_SUFFIX = (
    r"(?:[_-]?\d{1,3}|_?base64|(?:[_-]|(?-i:(?=[A-Z])))(?:confirm(?:ation)?|prod(?:uction)?|dev|"
    r"stag(?:e|ing)|test|live|old|new|again|repeat|reset|raw|value|base|b64|data|plain|string))?"
)
# `name = value` in the ways of shells, languages, YAML blocks, CSV; "name": NAME, "value": VALUE.
_OPERATOR = (
    r"(?:=>(?:\s{1,4}string\(\d{1,4}\))?|:{1,3}=|\?{1,2}=|[.+]=|={1,3}(?=[ \t]{0,2}[\"'])|"
    r"=(?![=~>])|%3d|:-(?=[^\s-])|<-|(?:\|\||\?\?|\bor\b)(?=[ \t]{0,2}[\"'])|"
    r":\s{0,2}\{\s{0,2}\"S\"\s{0,2}:|"
    r":\s{0,2}\{[^{}]{0,80}?\"(?:default)?value\"\s{0,2}:|:(?![:=])"
    r"[ \t]{0,2}(?:[|>][+-]?[ \t]{0,4}\n\s{1,16})?|"
    r"\uff1a|\uff1d|(?<=[a-z])\{(?=\")|(?<=[码碼令])[是为為]|"
    r"[ \t]{0,2}(?:,(?:\s{0,16}[\"']\w{1,20}[\"']: ?[\"'][^\"'\n]{0,60}[\"'],)?|,?\s{1,16})"
    r"\s{0,16}(?:[\"']?|[a-z]{1,12}:)[a-z]{0,12}value[\"']?[ \t]?[=:]|"
    r"(?:(?<=[\"'a-z])[ \t]{0,2},|\()(?=[ \t]{0,12}[\"']))"
)
_TYPED = (
    r"(?:[ \t]{0,8}:[ \t]{0,2}&?[a-z_][\w.\[\]|]{0,30}(?: \| none)?(?=[ \t]{1,2}=|=[ \t]?[\"'])|"
    r"\)(?= ?(?:\|\||\?\?|or\b))|: &'static str(?= =)|\[\d{0,3}\](?= ?=)|"
    r"[ \t]as[ \t]string(?=[ \t]=)|"
    r"[ \t]string(?=[ \t]{0,2}:?=))?"
)
_BETWEEN = (
    r"(?P<o>(?:%5d|[\"'`\\\]*]{0,6})"
    + _TYPED
    + r"[ \t]{0,64}"
    + _OPERATOR
    + r"(?:[ \t]{0,4}</?(?:b|strong|code|em|i|td|span|pre|tt)>|\*\*(?= )){0,3}[ \t]{0,12}"
    + r"(?:[rfbun](?=[\"']))?)"
)
# A call around the value: String::from("X"), SecretStr("X"), []byte("X").
_WRAPPER = (
    r"(?:(?:string::from|secret(?:str|string)?|sensitive|atob|\[\]byte|[\w.]{0,24}getbytes|"
    r"pulumi\.string)\((?=[\"'])|[\"']?\$\{\w{1,40}:?[-=](?=\w))?"
)
_ASSIGN = (
    rf"(?i)(?P<k>{_PASSWORDS}|{_WORDS}|[a-z0-9](?:[_.:-]|(?-i:(?=K)))key|_auth|密码|密碼|口令|パスワード|비밀번호)"
    rf"{_SUFFIX}{_BETWEEN}{_WRAPPER}{VALUE}"
)
_FLAG = (
    r"(?i)(?<![\w-])(?P<k>--?(?:[a-z0-9]{1,20}[-_.]){0,4}[a-z0-9]{0,12}?"
    rf"(?:{_PASSWORDS}|{_WORDS}|"
    rf"key(?=[ =][\"']?[\w+/=.-]{{24}})))(?P<o>[ =]|\n[ ]{{0,20}}- |"
    rf"[\"'], ?(?=[\"'])|, (?=[^\s,\]]{{6,80}}[\],])){VALUE}"
)

# What other languages call a password or a key.
_FOREIGN = (
    r"パスワード|パスフレーズ|合言葉|暗証番号|パス(?=は |: )|(?:root|admin|user)のパス|"
    r"トークン|シークレット(?:キー)?|秘密鍵|"
    r"(?:api ?|アクセス|暗号化|(?<![ァ-ヶー]))キー|비밀번호|비번|암호|패스워드|토큰|\bpw(?=[는은])|"
    r"시크릿(?: ?키)?|"
    r"api[- ]?schlüssel|zugangsschlüssel|(?:api|인증|비밀|개인|액세스|접근|암호화|보안) ?키|"
    r"(?<=[a-z0-9] )키|"
    r"密码|密碼|口令|令牌|密钥|密鑰|私钥|"
    r"passwor[td]|kennwort|mot de passe|\bmdp\b|contrase[nñ]a|\bsenha|\bclave\b|"
    r"[Пп]арол[\u0430-\u0457]{0,4}|geslo|passord(?:et)?|contrasenya|κωδικός(?: πρόσβασης)?|"
    r"סיסמ[א-ת]{0,2}|كلمة (?:المرور|السر)|पासवर्ड|รหัสผ่าน(?:ใหม่)?|"
    r"wachtwoord|lozinka|лозинка|hasł(?:o|a|em)|lösenord(?:et)?|adgangskode|salasana|heslo|"
    r"jelsz(?:ó|av[a-z]{0,2})|parola|şifre|"
    r"kata sandi|mật khẩu"
)

# What a sentence says: "the password is X", "API key: X", 「パスワードは X です」.
_SAID = (
    r"(?i)(?P<k>pa{1,2}s{1,2}(?:w(?:or|ro)|ow?r)ds?|passphrase|\bp/w|"
    r"\b(?:pass|pw)(?= is | on | for )|tokens?|passwd|"
    r"(?:api[ _]?|access |secret |private |the |this |encryption |license |licence |"
    r"activation |product |serial |recovery |master |deploy |signing |unseal )"
    r"keys?(?: \d{1,2}(?=:))?|\b(?:my|our|your) (?:[a-z]{2,20} )?keys?|"
    r"(?<![\w-])[a-z]{2,20} key(?=s?(?: is | ?[=:-] ))|unlock code|secret|"
    rf"{_FOREIGN})"
    r"(?P<o>(?: (?:for|of|on|in|between|du|de la|de|del|für|von|vom|da|"
    r"do|di|till|van|voor|для|от|к|пользователя|użytkownika|dla|pro|"
    r"pentru|của) [\w.@'/:-]{1,60}(?: [\w.@-]{1,20}){0,4}"
    r"(?: \([^)\n]{1,60}\))?(?=,? (?:is|est|es|é|è|ist|är|je|to|este|là|—) |:))?"
    r"(?: \([^)\n]{1,30}\)(?=:))?(?: (?:you|we|i|they) [a-z]{2,10}(?= is))?"
    r"(?: (?:created|refreshed|generated|issued|updated|rotated|received)(?=:))?\*{0,2}[ \t]{0,2}"
    r"(?:is generated for \S{1,80}:|(?:, which |should |will )?(?:is|be|was|has been)(?: (?:now|"
    r"currently|still|just|actually|(?:(?:re)?set|changed|updated|rotated) to))?\b|are|to(?=:? )|"
    r"(?:(?:re)?set|changed|updated|rotated) (?:to|from)(?=:? )|"
    r"(?:lautet|ist)(?: jetzt| nun)?|auf|,? (?:it's|c'est)(?: now)?|"
    r"to(?= [^\s]*[\d!#$%^*])|är|je|az|adalah|"
    r"est|es|é|è|este|er(?= )|là|είναι|\u0435|है|هي|היא|คือ|"
    r"->|→|=>|[-\u2013\u2014](?= )|,? (?:type|enter)|(?:a|à|en|por)(?= [^\s]*\d)|'s(?= )|"
    r"には?|として|は|が|を|를|을|는|은|가|[改设設](?:成|为|為|置为|置成)|就?是|为|為|"
    r"(?<=[호번드号码])\((?=[^\s()]{6,60}\))|[:\uff1a])\*{0,2}"
    r"(?:[ \t:]{0,3}\n\s{0,8}|[ \t:]{0,3})|[ \t]{1,2}|\n[ \t]{0,4}|"
    r",(?=[\w+/=-]{15}))"
    r"(?P<q>(?:[\"'`\u300c\u201c\u201e]|\u00ab[ \u00a0\u202f]?)?)(?P<h>[!#-&(-+\--_a-~]{4,160})"
)

_HEADER = (
    r"(?i)(?:(?P<k>authorization)[\"'\\\]]{0,4}[ \t]{0,3}"
    r"(?:[:=]|,(?:\s{0,20}[\"']value[\"']:)?)[ \t]{0,3}(?:[bf](?=[\"']))?"
    r"[\"'`\\]{0,4}"
    r"(?P<t>(?:bearer|basic|token|digest|negotiate|"
    r"(?:[a-z]{2,12}-)?(?:api-?)?key|bot|(?P<x>[a-z]\w{2,20}))[ \t]{1,3})?|"
    r"bearer[ \t]{1,3})"
    r"(?P<h>[\w.~+/=:!$-]{6,160})"
)
_URL = (
    r"://(?:(?P<s>(?=[A-Za-z._-]{0,60}\d)(?:[A-Za-z0-9._-]{20,256}={0,2}|(?=[a-z0-9]{0,18}[A-Z])(?=[A-Z0-9]{0,18}[a-z])[A-Za-z0-9]{12,19})(?::[^\s/@\"'`<>\\]{0,256})?)(?=@\w)|"
    r"(?:\[redacted:[\w-]+\]|<[\w -]{1,30}>|(?!\[redacted:)[^\s/:@\"'`<>\\]{0,80}|"
    # a user of a server: bob@server:X@server.host
    r"[^\s/:@\"'`<>\\]{1,60}@[\w.-]{1,60}(?=:[^\s/:@\"'`<>\\]{4,256}@\w)):"
    r"(?P<h>(?:[^\s/\"'`<>\\]{1,256}|(?!\d{1,5}[/?#])[^\s@\"'`<>\\]{1,256}))(?=@[\w\[$({%</]))"
)
_LINE_END = r"(?=[ \t]{0,8}(?:[\"'`\\\n]|\Z))"
# Configuration files whose names and values have a space in between.
_DIRECTIVE = (
    r"(?i)(?:(?<![\w-])(?:requirepass|masterauth|rootpw(?: --plaintext)?)|"
    r"(?:username [\w.-]{1,60}(?: privilege \d{1,2})?|enable) (?:password|secret) [057]|"
    r"(?-i:(?<![\w$./-])(?:ENV|SetEnv)[ \t]{1,4}[A-Z0-9_]{0,40}?"
    r"(?:PASSW(?:OR)?D|PASSPHRASE|PASS|PWD|SECRET|TOKEN|CREDENTIALS?|(?<=_)KEY)))[ \t]{1,8}"
    + VALUE
    + _LINE_END
)
# ~/.pgpass: host:port:database:user:password. Postfix: [host]:port user:password.
_COLON_FIELDS = (
    r"(?<![^\s\"'`])(?:(?:[^\s:/\"'`]{1,100}|/(?:var/|private/)?(?:run|tmp)[\w./-]{0,80}):"
    r"(?:(?P<p>54\d\d|6432|\*)|\d{4,5}):[\w.*-]{1,60}:[\w.@*-]{1,60}|"
    r"(?P<q>\[[\w.-]{1,100}\]:\d{2,5}|[\w-]{1,60}\.[\w.-]{1,60}:(?:25|465|587|"
    r"2525))[ \t]{1,8}[^\s:]{1,80}):"
    r"(?P<h>[^\s:\"'`]{4,160})(?=[\s\"'`]|\Z)"
)
_EXPECT = (
    r"(?i)(?<![\w.-])expect(?: -\w{1,9})? (?:\{\s{1,20})?\\?[\"'{][^\n]{0,60}"
    r"(?:ass(?:w|phrase)|ss?w(?:or)?d)[^\n]{0,60}[\n;{]\s{0,20}"
    r"send(?: --)? \\?"
    r"(?:\"(?P<d>[^\"\n\\]{4,160})|'(?P<e>[^'\n\\]{4,160}))"
)
_COOKIES = r"(?P<s>[\w.-]{1,40}=[^\s\"';]{12,}[^\n\r\"']*)"
_THIS = (
    r"(?:(?:the|my|our|your|an?) (?:[\w-]{1,20} ){0,2}(?:password|passphrase|token|secret|"
    r"(?:api|access|secret) key)|(?-i:[A-Z][A-Z0-9_]{0,40}_(?:PASSWORD|TOKEN|SECRET|KEY)))"
)
_IS_THE = (
    r"(?i)(?<![!-~])(?://|/\*|#|;|--)?[\"'`]?(?P<h>[!-~]{6,160}?)[\"'`]?"
    r"(?:(?:,? (?:that|this|which|it)(?:'s| is| was)| is| as) "
    + _THIS
    + r"| als (?:pass|kenn|wachtwoord)| as passw| come passw"
    + r"| como (?:contraseña|senha)| comme mot de passe"
    + r"| an? (?:strong|good|safe|secure|weak|valid)(?: enough)? passw"
    + r"| when (?:prompted|asked) for the pass| ?(?:が|という|を)パスワード|"
    + r" ?[가이] 비밀번호| ?是密[码碼])"
)

_ROWS: tuple[Row, ...] = (
    *TOKENS,
    ("azure", (r"(?i)(?:accountkey|sharedaccesskey|sharedsecret|[?&;]sig|[ -]signature)"
    r"=(?P<s>[A-Za-z0-9+/=%_-]{16,})"),
     "AccountName=a;AccountKey=" + 22 * "a1b/" + "==;", "AccountKey=<key>;sig=none"),
    ("url", _URL,
     "postgres://app:" + "hunter2@db/x", "https://host:8080/@scope/pkg"),
    ("header", _HEADER,
     "Authorization: Bearer " + 8 * "a1", "Authorization: Bearer $TOKEN"),
    ("cookie", (r"(?i)cookie(?:: ?| ?= ?[\"'])"
     r"(?=[\w.-]{1,40}=(?:[^\s\"';]{0,40}\d|[A-Za-z]{24}))") + _COOKIES,
     "Cookie: sid=" + 10 * "a1" + "; theme=dark", "Cookie: name=value"),
    *COMMANDS,
    ("flag", _FLAG,
     "tool --password " + "hunter2 up", "tool --token $TOKEN --password-file x9 --max-tokens 400"),
    ("directive", _DIRECTIVE,
     "requirepass " + "hunter2x", "requirepass <password>"),
    ("password-file", _COLON_FIELDS,
     "db.example.com:5432:shop:app:" + "hunter2x", "10:5432:a:b at app.py:5432:5:9"),
    ("expect", _EXPECT,
     'expect "*assword:"\nsend "' + 'hunter2x\\r"', 'expect "password"\nsend "$password\\r"'),
    ("sql", (r"(?i)(?:identified(?: with [\w']{1,40})? by|password(?: for [^\s=]{1,80} ?=)?) {1,3}"
     r"(?:'(?P<e>[^'\n]+)'|\\?\"(?P<d>[^\"\\\n]+))"),
     "CREATE ROLE a PASSWORD '" + "hunter2'", "the password 'as typed' is hashed"),
    ("markup", (r"(?i)<[\w:.-]{0,40}(?:password|passphrase|psk|wpa_key|keymaterial|"
     r"\bpwd?|\bpass|secret|token|api-?key)>\s{0,40}"
     r"(?P<h>[!-;=?-~]{4,})(?=\s{0,40}</)"),
     "<password>" + "hunter2</password>", "<password>${db.password}</password>"),
    ("assignment", _ASSIGN,
     "password = '" + "hunter2'", "password = getpass(); token = parser.next(3); secret: str"),
    *CODES,
    *FIELDS,
    ("is-the", _IS_THE,
     "hunter2x!" + " is the password", "this is the token, that is the password"),
    ("sentence", _SAID,
     "the password is " + "hunter2x", "the password is `required`, and 8 characters long"),
)  # fmt: skip

RULES: dict[str, tuple[str, str, str]] = {row[0]: row[1:] for row in _ROWS}
"""`{name: (source, example, counter)}`, in the order in which they replace."""


def _at_once(parts: str) -> Iterator[tuple[str, int]]:
    return ((part.replace("+", " "), 0) for part in parts.split())


_PARTS: dict[str, tuple[tuple[str, int], ...]] = {
    "assignment": (
        *(("pass", 5), ("key", 11), ("salt", 10), ("cookie", 7), ("token_id", 5)),
        *_at_once("""
            pw psk keymaterial secret token credential _auth _pat _jwt bearer authtok 密码 密碼 口令
            パスワード 비밀번호
            """),
    ),
    "sentence": (
        *(("key", 22), ("キー", 6), ("키", 5), ("code", 7), ("schlüssel", 7), ("パス", 6)),
        *_at_once("""
            pas paa pw p/w token secret 合言葉 シークレット 暗証番号 トークン 秘密鍵 비밀번호 비번
            암호 토큰 패스워드 시크릿 密码 密碼 口令 令牌 密钥 密鑰 私钥 kennwort mot+de mdp
            contrase senha clave wachtwoord hasł mật+khẩu lösenord adgangskode salasana heslo
            jelsz parola şifre kata+sandi lozinka лозинка парол geslo contrasenya κωδικός סיסמ
            كلمة पासवर्ड รหัสผ่าน
            """),
    ),
}
"""`{name: ((part, before), …)}`: each match of these slow rows begins at most `before` characters
ahead of one of the parts, in lower case."""


def starts(name: str, text: str) -> list[int] | None:
    """Return, in order, where a match of a row can begin; None for anywhere.

    To find the parts first is many times as fast as to try the expression at each character.
    """
    parts = _PARTS.get(name)
    lower = text.lower() if parts else ""
    if parts is None or len(lower) != len(text):  # İ becomes two characters
        return None
    found: set[int] = set()
    for part, before in parts:
        at = lower.find(part)
        while at >= 0:
            found.update(range(max(at - before, 0), at + 1))
            at = lower.find(part, at + 1)
    return sorted(found)
