r"""Tokens whose form names their issuer: one row per issuer, after its published format.

A row is `(name, source, example, counter)`:

- name: what stands in `[redacted:NAME]`. It never ends in a word that itself announces a secret.
  markers.py lists by that name the substrings without which the row is not asked.
- source: the regular expression, compiled with `re.ASCII`. A source without a group is wrapped by
  `pattern`: it starts where a word starts, and a token cut off at the end of a text counts too.
- example: a text of which a part must be redacted; counter: a near miss that must stay.

Invariant: every quantifier is bounded or cannot give back what it took, so a scan is linear.
Examples are joined from pieces so that scanners of source code do not report them.
"""

from __future__ import annotations

import re

from journal.redaction.markers import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    Row = tuple[str, str, str, str]

_HALF = 18 * "a1"
_UUID = "12345678-1234-1234-1234-123456789abc"

# A token starts where no ASCII letter or digit stands before it, or right behind an escape
# (\n of JSON text, %3D of a URL, the m of a terminal colour). CJK text is no obstacle.
START = (
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})|"
    r"(?<=\[\dm)|(?<=\[\d\dm)|(?<=;\dm)|(?<=;\d\dm))"
)
END = r"(?=(?:\u2026|\.{3})?\s{0,8}\Z)"  # the text was cut here
_MIXED = r"(?=[a-z_-]{0,40}[A-Z0-9])"  # more than a lower-case word
# With upper case and digits, or hexadecimal: what is left of a token at a cut.
_RANDOM = (
    r"(?:(?=[a-z0-9_+/=.-]{0,80}[A-Z])(?=[A-Za-z_+/=.-]{0,80}\d)|(?=[0-9a-f]{10,}" + END + "))"
)


def _token(prefix: str, chars: str = "A-Za-z0-9", least: int = 16) -> str:
    """Return the source of `prefix` and a run of `chars`: `least` of them, or 10 at a cut."""
    run = f"[{chars}]"
    return f"{START}(?P<s>{prefix}(?:{run}{{{least},}}|{_MIXED}{run}{{10,}}{END}))"


def pattern(name: str, source: str) -> str:
    """Return the source of a row, complete."""
    if "(?P<" in source:
        return source
    starts = [m for group, near, markers in WORDS if group == name and not near for m in markers]
    cut = [m.replace(".", r"\.") for m in starts if m[-1] in "-_." and m[0].isalnum()]
    if cut:
        source += f"|(?:{'|'.join(cut)}){_RANDOM}[\\w+/=.-]{{10,}}{END}"
    return f"{START}(?P<s>{source})"


def end_of_token(text: str, end: int) -> int:
    """Return where a token ends of which its row recognized the part before `end`.

    Issuers lengthen their tokens and use more signs in them; a tail left behind is a leak.
    """
    match = _REST.match(text, end)
    return match.end() if match else end


def start_of_token(text: str, start: int) -> int:
    """Return where a token begins whose row matched behind a hyphen in it."""
    head = _HEAD.search(text, max(start - _LONGEST_HEAD, 0), start)
    drawn = head and head[0] not in (head[0].lower(), head[0].upper())
    return head.start() if head and drawn else start


_LONGEST_HEAD = 60  # characters
_HEAD = re.compile(r"[\w-]*-\Z", re.ASCII)
# A path or the next word of a URL is no tail: it has no capital and no digit.
_REST = re.compile(
    r"(?:[A-Za-z0-9_-]|[+/=.~](?=[a-z+/=_-]{0,9}[A-Z0-9])(?=[\w+/=-]{8}))*=*", re.ASCII
)
_PEM = (
    r"(?P<s>-{4,5} ?BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?=\s|\\)(?:"
    # whole: up to its END line, whatever line numbers or quotes stand between
    r"(?=(?:\\+[nrt]|[\s>|+\d\"',→#]){1,40}[A-Za-z0-9+/=]{4})"
    r"(?:(?!----)[\s\S])*-{4,5} ?END[A-Z0-9 ]*-{0,5}|"
    # cut: only what can be key material, so that text behind it stays
    r"(?:(?:\\+[nrt]|[\s>|\"',→])+(?:(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]*|"
    r"\d{1,6}(?=[\s→|:])|[A-Za-z0-9+/]{20,}={0,2}|[A-Za-z0-9+/]{4,19}(?:==?|(?=[\s.…-]*\Z))))+"
    r"))"
)

_PUTTY = (
    r"Private-Lines: \d{1,3}(?P<s>(?:\\r|\\n|[\r\n])+(?:[A-Za-z0-9+/=]{4,64}(?:\\r|\\n|\s|\Z)+)+)"
)

_ANTHROPIC = (
    START + r"(?P<s>sk-ant-(?:[a-z]{2,12}\d\d-[\w-]{6,}|[\w-]{16,}|"
    r"(?=[a-z-]{0,40}\d)[\w-]{5,}" + END + "))"
)

_OPENAI = (
    START + r"(?P<s>sk-(?:(?:[a-z0-9]{2,8}-){0,2}(?=[A-Za-z_-]{0,80}[0-9A-Z])"
    r"[A-Za-z0-9_]{20,}[\w-]*|(?:proj|svcacct|admin)-(?=[A-Za-z_-]{0,80}\d)[\w-]{16,}|"
    r"(?:proj-)?(?=[a-z-]{0,40}[A-Z0-9])[A-Za-z0-9]{10,}" + END + "))"
)

_JWT = (
    # the lookahead settles once per run of characters whether a second part follows at all
    r"(?<![\w-])(?=[\w-]++={0,2}\.(?:\.?[\w-]{6}|[\w-]{1,5}" + END + r"))[\w-]*?"
    r"(?P<s>e(?:yJ|wog)[\w-]{6,}={0,2}\.(?:\.?[\w-]{6,}(?:\.[\w-]*){0,3}|[\w-]{1,5}" + END + "))"
)

# Any issuer's token: a short word or more, then letters and digits at random; values.py decides.
_PREFIXED = (
    START + r"(?P<h>(?:[A-Za-z$][A-Za-z0-9]{0,15}(?:[_.-][A-Za-z0-9]{1,16}){0,4}[_.-]|"
    r"\d{1,3}-(?=[A-Za-z0-9]{64})|[12](?=[A-Za-z0-9]{26}_))"
    r"(?:(?=[A-Za-z]{0,30}\d)[A-Za-z0-9]{20,200}[\w+/=.~-]{0,200}|"
    r"-?[A-Za-z0-9][\w-]{25,200}[\w+/=.~-]{0,200}))"
)
# A token whose words say that it is one: acme_live_…, secret-….
_KEYED = (
    START + r"(?:(?P<s>(?:[a-z0-9]{0,8}(?:sk|key|token|secret|pat|api|sdk)|"
    r"link-(?:production|sandbox))[_-](?:[a-z]{2,6}[_-])?"
    r"(?=[A-Za-z-]{0,30}\d)[0-9A-Za-z]{8}(?:-[0-9A-Za-z]{4}){3}-[0-9A-Za-z]{12}(?![\w-]))|"
    r"(?P<h>(?:[A-Za-z0-9]{1,12}[_-]){0,3}"
    r"(?:key_|(?:token|secret|private|sk|pat|live|prod|production|sandbox|test|api)[_-])"
    r"(?:[a-z]{2,4}[_.-])?(?:(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{16,200}[\w=-]{0,200}|"
    r"(?=[\w+/-]{0,30}\d)[\w+/-]{26,200}={0,2})))"
)

TOKENS: tuple[Row, ...] = (
    ("pem", _PEM,
     "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEowIBAAKC\n-----END RSA PRIVATE KEY-----",
     'if head == "-----BEGIN PRIVATE KEY-----": print("-----END PRIVATE KEY-----")'),
    ("putty", _PUTTY,
     "Private-Lines: 1\n" + 8 * "a1B2" + "\nPrivate-MAC: 0", "Private-Lines: none"),
    ("aws", START + r"(?P<s>(?:A(?:KIA|SIA|BIA|CCA)|L[KS]IA)"
     r"(?:[A-Z0-9]{16,}|(?=[A-Z]{0,9}[0-9])[A-Z0-9]{10,}" + END + r")|amzn\.mws\.[0-9a-z-]{36}|"
     r"da2-(?=[a-z]{0,25}\d)[a-z0-9]{26}(?![a-z0-9])|ABSK[\w+/=-]{80,}|"
     r"bedrock-api-key-[\w+/=-]{20,})",
     "AKIA" + "IOSFODNN7EXAMPLE", "SOUTHEASTASIAREGIONOFTHEWORLD"),
    ("github", _token("(?:gh[pousr]_(?!pat_)|github_pat_[A-Za-z0-9]{0,22}_?)"),
     "ghp_" + _HALF, "highp_precision_in_shaders"),
    ("gitlab", _token("(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|oas|soat|ffct|imt|agent|wt|ct)-|GR1348941|"
            "_gitlab_session=)", r"\w.-"), "glpat-" + 10 * "x1", "glpat-your-token"),
    ("slack", START + r"(?P<s>(?:xox[a-ce-z](?:\.xox[a-z])?|xapp|xwfp)-(?=[A-Za-z-]{0,60}\d)"
    r"[A-Za-z0-9-]{10,}|xoxd-(?=[A-Za-z%/+_-]{0,60}\d)[\w%/+=-]{10,})",
     "xoxb-" + "123456789012-abcdefABCDEF", "xoxb-your-token-here"),
    ("slack-hook", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[\w/+-]{8,})",
     "https://hooks.slack.com/" + "services/T000/B000/" + 12 * "x1",
     "https://hooks.slack.com/docs/intro"),
    ("stripe", START + r"(?P<s>(?:[sr]k_(?:live|test|prod)|whsec)_"
     r"(?:[A-Za-z0-9]{16,}(?:[+/=_][A-Za-z0-9+/=]{8,})?|(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{8,}))",
     "sk_" + "live_" + 12 * "a1", "task_test_configuration1234"),
    ("anthropic", _ANTHROPIC,
     "sk-ant-" + "api03-FAKE-FAKE-FAKE", "task-ant-colony-optimisation-run-2"),
    ("openai", _OPENAI,
     "sk-" + "proj-" + _HALF, "risk-free task-runner disk-usage sk-fading-circle"),
    ("google", _token(r"(?:AIza|ya29\.|GOCSPX-|1//0(?=[\w-]{0,40}[A-Z]))", r"\w-", 20),
     "AIza" + _HALF, "AIzaShort"),
    ("npm", _token("npm_", least=24), "npm_" + _HALF, "npm_config_registry"),
    ("pypi", _token("pypi-AgE", r"\w-"), "pypi-AgEI" + _HALF, "pypi-AgEnt"),
    ("huggingface", _token("(?:hf|api_org)_", least=24),
     "hf_" + _HALF, "hf_hub_download"),
    ("sendgrid", START + r"(?P<s>SG\.(?:[\w=-]{60,}|"
     r"[\w-]{16,}\.(?:[\w-]{16,}|[\w-]*" + END + ")))",
     "SG." + 11 * "a1" + "." + _HALF, "SG.example.com"),
    ("twilio", START + r"(?P<s>(?:SK|AC)[0-9a-f]{32})(?![0-9A-Za-z])",
     "SK" + 16 * "a1", "TASK-1234 and MAC 00ff"),
    ("telegram",
     r"(?<!\d)(?P<s>\d{6,12}:A(?:[\w-]{30,}|(?=[a-z_-]{0,40}[A-Z0-9])[\w-]{12,}" + END + "))",
     "123456789" + ":AA" + 17 * "x1", "at 10:Alpha"),
    ("discord", START + r"(?P<s>[MNO][\w-]{21,30}\.[\w-]{6}\.[\w-]{20,}|"
     r"mfa\.(?=[A-Za-z_-]{0,60}\d)[\w-]{40,})",
     "MTIz" + 10 * "a1" + "." + "Gabc12." + 14 * "x1", "NOTES.about.the.release"),
    ("discord-hook", r"/api/webhooks/\d{5,25}/(?P<s>[\w-]{16,})",
     "discord.com/api/webhooks/123456789/" + _HALF, "/api/webhooks/list/all"),
    ("zapier-hook", r"hooks\.zapier\.com/hooks/catch/(?P<s>\d{4,}/[\w-]{5,})",
     "https://hooks.zapier.com/hooks/" + "catch/1234567/a1b2c3d/", "hooks.zapier.com/docs"),
    ("office-hook", r"/webhookb2/(?P<s>[\w@/-]{60,})",
     "https://x.webhook.office.com/webhookb2/" + 40 * "a1", "/webhookb2/docs"),
    ("digitalocean", _token("do[oprs]_v1_"), "dop_v1_" + 32 * "a1", "dop_v1_name"),
    ("docker", r"dckr_[po]at_[\w-]{20,}", "dckr_pat_" + _HALF, "dckr_pat_name"),
    ("groq", _token("gsk_" + _MIXED, r"\w-", 20), "gsk_" + _HALF,
     "gsk_buff_alloc_and_free_list_entry"),
    ("nkey", START + r"(?P<s>S[AUOCNX](?=[A-Z]{0,55}[2-7])[A-Z2-7]{56})(?![A-Za-z0-9])",
     "SU" + 28 * "A2", "SUMMARY, SAMPLE"),
    ("1p", (r"ops_eyJ[\w+/=-]{40,}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})"
    r"(?:-[A-Z0-9]{5}){3}"),
     "A3-" + "AB12CD-EF34GH-IJ56K-LM78N-OP90Q-RS12T", "A3-sized paper, ops_eyJ"),
    ("adobe", r"p8e-[A-Za-z0-9]{24,}",
     "p8e-" + _HALF, "p8e-short"),
    ("age", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{40,}",
     "AGE-SECRET-" + "KEY-1" + 29 * "Q9", "AGE-SECRET-KEY-1 is how it starts"),
    ("airtable", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{40,}",
     "pat" + 7 * "a1" + "." + 32 * "b2", "path/to/some/file.txt"),
    ("akamai", r"akab-[0-9a-z]{16}-[0-9a-z]{16}",
     "akab-" + 8 * "a1" + "-" + 8 * "b2", "akab-host.luna.akamaiapis.net"),
    ("alibaba", (r"LTAI[A-Za-z0-9]{12,}|STS\.(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{12,}|"
    r"CAIS(?=[A-Za-z+/_-]{0,30}\d)[\w+/-]{24,}={0,2}"),
     "LTAI" + 10 * "a1", "LTAI is how they start"),
    ("artifactory", r"AKCp[\w-]{50,}|cmVmd[\w-]{50,}",
     "AKCp" + 35 * "a1", "AKCp is how they start"),
    ("atlassian", (r"AT[AC]TT3[\w=-]{20,}|ATBB[A-Za-z0-9]{24,}|BBDC-[\w+/=-]{32,}|"
    r"ATCO(?=[A-Za-z_-]{0,40}\d)[\w-]{24,}"),
     "ATATT3" + 20 * "xF9_", "ATBBOTTOM, BBDC-style"),
    ("authress", (r"(?:sc|ext|scauth|authress)"
    r"_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,}"),
     "sc_" + "a1b2c3.d4e5.acc-" + 8 * "a1" + "." + 20 * "b2", "the file x.acc-old"),
    ("azure-app", r"[\w.~-]{3}\dQ~[\w.~-]{31,34}",
     "aB1" + "8Q~" + 17 * "x1", "FAQ~old"),
    ("braintree", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-z]{32}",
     "access_token" + "$production$" + 8 * "a1" + "$" + 16 * "b2", "access_token$name"),
    ("buildkite", r"bk(?:ua|at|ct)_[A-Za-z0-9]{20,}",
     "bkua_" + 20 * "a1", "bkua_name"),
    ("circleci", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{12,}_[0-9a-f]{30,}",
     "CCIPAT_" + 11 * "a1" + "_" + 20 * "b2", "CCIPAT_TOKEN"),
    ("clickhouse", r"4b1d(?=[A-Za-z0-9]{0,37}[G-Zg-z])[A-Za-z0-9]{38}(?![A-Za-z0-9])",
     "4b1d" + 19 * "zT", "4b1d3f2a9c0e3f2a9c0e3f2a9c0e3f2a9c0e3f2a"),
    ("clojars", r"CLOJARS_[0-9a-f]{50,}",
     "CLOJARS_" + 30 * "a1", "CLOJARS_USERNAME"),
    ("cloudflare", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}|cf(?:ut|at|k)_[A-Za-z0-9]{30,}",
     "cfut_" + 24 * "a1", "v1.0-beta-2"),
    ("contentful", r"CFPAT-[\w-]{30,}",
     "CFPAT-" + 22 * "a1", "CFPAT-token"),
    ("databricks", r"d(?:api|ose)[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])",
     "dapi" + 16 * "a1", "dapibus, dose3"),
    ("defined", r"dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{40,}",
     "dnkey-" + 13 * "A2" + "-" + 26 * "B3", "dnkey-file"),
    ("doppler", r"dp\.(?:pt|st|ct|sa|scim|audit|said)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{38,}",
     "dp." + "pt." + 22 * "a1", "dp.st.name"),
    ("dropbox", (r"sl\.(?:u\.)?(?=[A-Za-z_=-]{0,60}\d)[\w=-]{70,}|"
    r"(?=[a-z]{0,10}\d)[a-z0-9]{11}A{10}[\w=-]{43,}"),
     "sl." + 65 * "aB1", "ssl.Context, sl.A1"),
    ("duffel", r"duffel_(?:test|live)_[\w=-]{30,}",
     "duffel_" + "test_" + 22 * "a1", "duffel_test_mode"),
    ("dynatrace", r"dt0[a-z]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{40,}",
     "dt0" + "c01." + 12 * "A1" + "." + 32 * "B2", "dt0c01.short"),
    ("easypost", r"EZ[AT]K[A-Za-z0-9]{40,}",
     "EZAK" + 27 * "a1", "EZAKUZA"),
    ("facebook", (r"EAA(?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{80,}|IG(?:QV|AA)[\w-]{80,}|(?<![\w|.-])"
    r"\d{13,17}\|(?=[A-Za-z_-]{0,26}\d)(?=[a-z0-9_-]{0,26}[A-Z])[\w-]{27,40}(?![\w|])"),
     "EAA" + 50 * "a1", "1234567890123456|a plain cell"),
    ("figma", r"fig[a-z]{1,2}_[\w-]{30,}",
     "figd_" + 20 * "a1", "figd_name"),
    ("flutterwave", r"FLW(?:SECK|PUBK)(?:_TEST)?-[0-9A-Za-z]{12,}(?:-X)?",
     "FLWSECK_TEST-" + 16 * "a1" + "-X", "FLWSECK_TEST"),
    ("fly", r"fo1_[\w-]{40,}|fm(?:1[ar]|2)_[\w+/=-]{60,}",
     "fo1_" + 22 * "a1", "fm2_radio"),
    ("frameio", r"fio-u-[\w=-]{40,}",
     "fio-u-" + 32 * "a1", "fio-u-file"),
    ("grafana", r"glc_[\w+/=-]{32,}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|eyJrIjoi[\w+/=-]{40,}",
     "glsa_" + 16 * "a1" + "_" + 4 * "b2", "glsa_name"),
    ("harness", r"[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}",
     "pat." + 11 * "a1" + "." + 12 * "b2" + "." + 10 * "c3", "what.the.file.holds"),
    ("heroku", r"HRKU-[\w-]{30,}",
     "HRKU-" + 30 * "a1", "HRKU-key"),
    ("hubspot", r"pat-[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
     "pat-" + "na1-" + _UUID, "spat-a-name"),
    ("infracost", r"ico-(?=[A-Za-z]{0,31}\d)(?=[a-z0-9]{0,31}[A-Z])[A-Za-z0-9]{32}(?![\w-])",
     "ico-" + 15 * "aB" + "c1", "ico-file-large"),
    ("langsmith", r"lsv2_(?:pt|sk)_[0-9a-fA-F]{32}_[0-9a-fA-F]{10}|ls__[0-9a-f]{32}",
     "lsv2_pt_" + 16 * "a1" + "_" + 5 * "b2", "lsv2_pt_name"),
    ("launchdarkly", r"(?:api|sdk|mob)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
     "sdk-" + _UUID, "sdk-versions-of-it"),
    ("linear", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}",
     "lin_api_" + 20 * "a1", "lin_api_name"),
    ("llama", r"llx-[\w-]{32,}",
     "llx-" + 24 * "a1", "llx-name"),
    ("mailchimp", r"[0-9a-f]{32}-us\d{1,2}(?!\d)",
     16 * "a1" + "-us21", "part-us2"),
    ("mailgun", r"key-(?=[A-Za-z]{0,31}\d)[0-9A-Za-z]{32}(?![0-9A-Za-z])",
     "key-" + 16 * "a1", "key-value-store-2"),
    ("maxmind", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
     3 * "a1" + "_" + 14 * "b2" + "c_mmk", "x_mmk"),
    ("mercadopago", r"APP_USR-(?=[A-Za-z-]{0,30}\d)[\w-]{24,}|TEST-\d{12,16}-[\w-]{40,}",
     "APP_USR-" + "1234567890123456-010203-" + 16 * "a1" + "-123456789", "APP_USR-id"),
    ("netlify", r"nf(?:p|c|o|u)_[A-Za-z0-9]{32,}",
     "nfp_" + 18 * "a1", "nfp_name"),
    ("newrelic", (r"NR(?:AK|II|IQ|RA)-[\w-]{25,}|NR(?:JS|BR)-[0-9a-f]{19,}|"
     r"[0-9a-f]{32}(?:[0-9a-f]{4}|FFFF)NRAL"),
     "NRAK-" + 13 * "A1" + "B", "NRAK-key"),
    ("notion", (r"ntn_\d{9,11}[A-Za-z0-9]{30,}|secret_(?=[A-Za-z]{0,42}\d)"
    r"(?=[a-z0-9]{0,42}[A-Z])[A-Za-z0-9]{43}(?![\w])"),
     "ntn_" + "12345678901" + 17 * "a1" + "b", "secret_Name, ntn_x"),
    ("nuget", r"oy2[a-z0-9]{43}(?![a-z0-9])",
     "oy2" + 21 * "a1" + "b", "boy2man"),
    ("nvidia", r"nvapi-[\w-]{40,}",
     "nvapi-" + 32 * "a1", "nvapi-name"),
    ("nylas", r"nyk_v0_[A-Za-z0-9]{40,}",
     "nyk_v0_" + 32 * "a1", "nyk_v0_name"),
    ("octopus", r"API-(?=[A-Z]{0,25}\d)[A-Z0-9]{25,26}(?![A-Za-z0-9-])",
     "API-" + 13 * "A1", "API-V2-compatible"),
    ("perplexity", r"pplx-[A-Za-z0-9]{40,}",
     "pplx-" + 24 * "a1", "pplx-70b-online"),
    ("persona", r"persona_(?:sandbox|production)_[0-9a-f-]{30,}",
     "persona_" + "sandbox_" + 18 * "a1", "persona_sandbox_mode"),
    ("plaid", (r"access-(?:sandbox|development|production)"
    r"-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
     "access-" + "sandbox-" + _UUID, "access-control-list"),
    ("planetscale", r"pscale_(?:tkn|oauth|pw)_[\w=.-]{30,}",
     "pscale_tkn_" + 20 * "a1", "pscale_tkn_name"),
    ("polar", r"polar_(?:oat|pat|at(?:_[ou])?|rst|cs|whs)_(?=[A-Za-z_]{0,30}\d)\w{18,}",
     "polar_oat_" + 20 * "a1", "polar_oat_name"),
    ("posthog", r"ph[acrsx]_[A-Za-z0-9]{32,}",
     "phx_" + 21 * "a1", "graphs_x"),
    ("postman", r"PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34}|PMA[KT]-[A-Za-z0-9]{20,}",
     "PMAT-" + 13 * "A1", "PMAK-key"),
    ("prefect", r"pn[ub]_[A-Za-z0-9]{36}",
     "pnu_" + 18 * "a1", "pnu_name"),
    ("pulumi", r"pul-[a-f0-9]{40}",
     "pul-" + 20 * "a1", "pul-request"),
    ("rapidapi", r"[0-9a-z]{10}msh[0-9a-z]{15}p1[0-9a-z]{6}jsn[0-9a-z]{12}",
     5 * "a1" + "msh" + 7 * "b2" + "cp1" + 3 * "d3" + "jsn" + 6 * "e4", "jsnotes"),
    ("razorpay", r"rzp_(?:live|test)_[A-Za-z0-9]{14,}",
     "rzp_" + "live_" + 7 * "a1", "rzp_test_mode"),
    ("readme", r"rdme_[a-z0-9]{40,}",
     "rdme_" + 35 * "a1", "rdme_name"),
    ("replicate", r"r8_[A-Za-z0-9]{37,}",
     "r8_" + 20 * "a1", "var8_name"),
    ("resend", (r"re_(?=[A-Za-z_]{0,32}\d)(?=[a-z0-9_]{0,32}[A-Z])"
    r"[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![\w])"),
     "re_" + 4 * "a1" + "_" + 12 * "bC", "re_compiled_pattern"),
    ("riot", r"RGAPI-[0-9a-z-]{36}",
     "RGAPI-" + _UUID, "RGAPI-key"),
    ("rubygems", r"rubygems_[a-f0-9]{40,}",
     "rubygems_" + 24 * "a1", "rubygems_api_key"),
    ("salesforce", r"00D[A-Za-z0-9]{9,14}![\w.]{40,}|3MVG[\w.+/=]{60,}|5A(?:ep|EP)861[\w.=]{60,}",
     "00D" + 6 * "a1" + "!" + 30 * "b2", "00D is how it starts"),
    ("scalingo", r"tk-us-[\w-]{40,}",
     "tk-us-" + 24 * "a1", "tk-us-name"),
    ("brevo", r"x(?:key|smtp)sib-[A-Fa-f0-9]{40,}(?:-[A-Za-z0-9]{16})?",
     "xkeysib-" + 32 * "a1" + "-" + 8 * "b2", "xkeysib-name"),
    ("sentry", r"sntry[suai]_[\w+/=-]{40,}",
     "sntryu_" + 32 * "a1", "sntryu_name"),
    ("settlemint", r"sm_[aps]at_[A-Za-z0-9]{16,}",
     "sm_pat_" + 8 * "a1", "sm_pat_name"),
    ("shippo", r"shippo_(?:live|test)_[a-fA-F0-9]{30,}",
     "shippo_" + "live_" + 20 * "a1", "shippo_test_mode"),
    ("snyk", r"snyk_(?:uat|sat|pat)\.[0-9a-f]{8}\.[\w-]{30,}",
     "snyk_uat." + 4 * "a1" + "." + 30 * "b2", "snyk_uat"),
    ("sonar", r"sq[apub]_[0-9a-f]{40}",
     "squ_" + 20 * "a1", "squ_name"),
    ("sourcegraph", r"(?:sgp|slk)_(?:(?:local|[0-9a-fA-F]{16})_)?[0-9a-fA-F]{40,}",
     "sgp_" + 20 * "a1", "sgp_local_name"),
    ("square", r"sq0[a-z]{3}-[\w-]{20,}|EAAA(?=[A-Za-z_-]{0,50}\d)[\w-]{50,}",
     "sq0atp-" + 11 * "a1", "sq0abc-x"),
    ("stytch", r"secret-(?:live|test)-(?=[a-z_-]{0,40}[A-Z0-9])[\w-]{28,}",
     "secret-" + "live-" + 16 * "a1", "secret-test-case-for-the-login-page-of-it"),
    ("supabase", r"sbp_(?=[A-Za-z_-]{0,39}\d)[\w-]{40,}|sb_secret_[\w-]{24,}",
     "sbp_" + 20 * "a1", "sbp_name, sb_secret_key"),
    ("swarm", r"SWM(?:TKN|KEY)-1-[\w-]{40,}",
     "SWMTKN-1-" + 25 * "a1" + "-" + 12 * "b2", "SWMTKN-1-token"),
    ("tailscale", (r"tskey-(?:[a-z]{2,12}-)?(?=[A-Za-z-]{0,20}\d)"
    r"[A-Za-z0-9]{6,}(?:-[A-Za-z0-9]{8,}){0,2}"),
     "tskey-" + "auth-" + 6 * "a1" + "CNTRL-" + 16 * "b2", "tskey-auth-name"),
    ("tavily", r"tvly-(?:dev-|prod-)?[\w-]{28,}",
     "tvly-" + 16 * "a1", "tvly-name"),
    ("terraform", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}",
     7 * "a1" + ".atlasv1." + 34 * "b2", "x.atlasv1.y"),
    ("together", r"tgp_v1_[\w-]{36,}",
     "tgp_v1_" + 22 * "a1", "tgp_v1_name"),
    ("twitter", (r"A{20,30}(?=[A-Z%]{0,40}[a-z0-9])(?=[A-Za-z%]{0,60}\d)"
    r"[A-Za-z0-9%]{60,}(?![A-Za-z0-9+/=%])"),
     22 * "A" + 20 * "b1C%", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
    ("typeform", r"tfp_[\w.=-]{40,}",
     "tfp_" + 30 * "a1", "tfp_name"),
    ("vault", (r"hv[sbr]\.[\w-]{20,}|s\.(?=[A-Za-z]{0,23}\d)(?=[a-z0-9]{0,23}[A-Z])"
    r"[A-Za-z0-9]{24}(?![\w.])"),
     "hvs." + _HALF, "self.args.Name, its s.Value"),
    ("vercel", r"vc[piark]_(?=[A-Za-z_-]{0,40}\d)[\w-]{20,}|vercel_blob_rw_\w{30,}",
     "vcp_" + 15 * "a1", "vcp_name"),
    ("wakatime", r"waka_(?:tok_)?[0-9a-f]{8}-[0-9a-f-]{27}",
     "waka_" + _UUID, "waka_time"),
    ("wundergraph", r"cosmo_[0-9a-f]{32}",
     "cosmo_" + 16 * "a1", "cosmo_router"),
    ("xai", r"xai-(?=[A-Za-z]{0,40}\d)[\w-]{40,}",
     "xai-" + 40 * "a1", "xai-name"),
    ("datadog", r"ddapp_[A-Za-z0-9]{34}(?![\w-])",
     "ddapp_" + 17 * "a1", "ddapp_name"),
    ("langfuse", r"[sp]k-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
     "sk-lf-" + _UUID, "sk-lf-name"),
    ("yandex", r"AQVN[\w-]{30,}|t1\.[\w-]{10,}={0,2}\.[\w-]{80,}={0,2}|YCA[\w-]{30,}|y0_[\w-]{50,}",
     "AQVN" + 18 * "a1", "test1.name"),
    ("pinecone", r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}",
     "pcsk_" + 3 * "a1" + "_" + 30 * "b2", "pcsk_name"),
    ("e2b", r"e2b_[0-9a-f]{32,}",
     "e2b_" + 20 * "a1", "e2b_sandbox"),
    ("atlas", r"mdb_sa_sk_[\w-]{30,}",
     "mdb_sa_sk_" + 20 * "a1", "mdb_sa_sk_name"),
    ("firecrawl", r"fc-(?=[a-f]{0,31}\d)[0-9a-f]{32}(?![0-9a-z-])",
     "fc-" + 16 * "a1", "fc-2024"),
    ("fireworks", r"fw_(?=[A-Za-z]{0,23}\d)(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{22,32}(?!\w)",
     "fw_" + 8 * "aB1", "fw_version2"),
    ("paseto", r"(?:v[1-4]\.local|k[1-4]\.(?:local|secret)(?:-pw)?)\.[\w-]{20,}",
     "v2.local." + 20 * "a1", "app.local.test"),
    ("asana", r"[12]/\d{10,20}(?:/\d{10,20})?:[0-9a-f]{32}",
     "1/" + "1234567890123456:" + 16 * "a1", "1/2: half"),
    ("twitch", r"oauth:(?=[a-z]{0,29}\d)[a-z0-9]{30}(?![a-z0-9])",
     "oauth:" + 15 * "a1", "oauth:grant-type:device_code"),
    ("cerebras", r"csk-(?=[a-z]{0,40}\d)[a-z0-9]{40,}",
     "csk-" + 24 * "a1", "csk-name"),
    ("neon", r"napi_(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{32,}",
     "napi_" + 32 * "a1", "napi_create_function"),
    ("zuplo", r"zpka_[0-9a-z]{32}_[0-9a-z]{8}",
     "zpka_" + 16 * "a1" + "_" + 4 * "b2", "zpka_key"),
    ("expo", r"exp_(?=[A-Za-z]{0,39}\d)(?=[a-z0-9]{0,39}[A-Z])[A-Za-z0-9]{40}(?!\w)",
     "exp_" + 10 * "aB1c", "exp_decay1"),
    ("inngest", r"signkey-(?:[a-z]{2,12}-)?[0-9a-f]{32,}",
     "signkey-" + "prod-" + 32 * "a1", "signkey-prod-name"),
    ("trigger", r"tr_(?:prod|dev|stg)_[A-Za-z0-9]{20,}",
     "tr_" + "prod_" + 10 * "a1", "str_dev_name"),
    ("crates", r"cio(?=[A-Za-z]{0,31}\d)(?=[a-z0-9]{0,31}[A-Z])[A-Za-z0-9]{32}(?!\w)",
     "cio" + 14 * "aB" + "c1d2", "socioEconomic1"),
    ("jsr", r"(?:jsrp|ddp|ddo)_[A-Za-z0-9]{32,}",
     "ddp_" + 18 * "a1", "added_ddp_name"),
    ("onesignal", r"os_v2_(?:app|org)_[a-z0-9]{40,}",
     "os_v2_app_" + 30 * "a1", "os_v2_app_id"),
    ("liveblocks", r"sk_(?:dev|prod)_[\w-]{24,}",
     "sk_" + "dev_" + 30 * "a1", "task_dev_name"),
    ("modal", (r"a[ks]-(?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])(?=[A-Z0-9]{0,21}[a-z])"
    r"[A-Za-z0-9]{22}(?![\w-])"),
     "ak-" + 10 * "aB" + "c1", "was-Built2 as-is"),
    ("asaas", r"\$aact_(?:prod|hmlg)_[\w:+/=-]{20,}",
     "$aact_" + "prod_" + 20 * "a1", "$aact_prod_name"),
    ("canva", r"cnvca(?=[A-Za-z_-]{0,40}\d)[\w-]{40,}",
     "cnvca" + 25 * "a1", "cnvcatalogue"),
    ("cockroach", r"CCDB1_\w{30,}",
     "CCDB1_" + 11 * "a1" + "_" + 20 * "b2", "CCDB1_name"),
    ("devcycle", r"dvc_(?:server|client|mobile)_[\w-]{8,}",
     "dvc_server_" + 8 * "a1", "dvc_server_"),
    ("devin", (r"apk_(?:user_)?(?=[A-Za-z_+/-]{0,60}\d)[\w+/-]{60,}|"
     r"cog_(?=[a-z]{0,40}\d)[a-z0-9]{40,}"),
     "cog_" + 26 * "a1", "apk_user_data, cog_name"),
    ("endor", r"endr\+[A-Za-z0-9]{16,}",
     "endr+" + 8 * "a1", "endr+1"),
    ("mem0", r"m0-(?=[A-Za-z]{0,19}\d)(?=[a-z0-9]{0,19}[A-Z])[A-Za-z0-9]{20,}",
     "m0-" + 12 * "aB1", "cm0-plus-firmware2"),
    ("midtrans", r"(?:SB-)?Mid-(?:server|client)-(?=[A-Za-z_-]{0,20}\d)[\w-]{12,}",
     "Mid-server-" + 12 * "a1", "Mid-server-side-rendering"),
    ("onfido", r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[\w.-]{20,}",
     "api_live_us." + 11 * "a1" + "." + 16 * "b2", "api_live.py"),
    ("rootly", r"rootly_[0-9a-f]{40,}",
     "rootly_" + 32 * "a1", "rootly_name"),
    ("wandb", r"wandb_v1_\w{40,}",
     "wandb_v1_" + 38 * "a1", "wandb_v1_name"),
    ("zoho", r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}",
     "1000." + 16 * "a1" + "." + 16 * "b2", "1000.50"),
    ("django", r"django-insecure-[^\s\"'\\]{40,60}",
     "django-insecure-" + 10 * "a$(b1", "django-insecure-keys"),
    ("brave", r"BSA(?=[A-Za-z_-]{0,28}\d)(?=[A-Z0-9_-]{0,28}[a-z])[\w-]{26,}",
     "BSA" + 9 * "aB1" + "c", "BSA-2023-Documents"),
    ("notify", r"gcntfy-[\w-]{1,60}?-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9a-f-]{36}",
     "gcntfy-my_test-" + _UUID + "-" + _UUID, "gcntfy-name"),
    ("configcat", r"configcat-sdk-\d/[\w-]{20,}/[\w-]{20,}",
     "configcat-sdk-1/" + 11 * "a1" + "/" + 11 * "b2", "configcat-sdk-1/docs"),
    ("astra", r"AstraCS:\w{20,}(?::[0-9a-f]{20,})?",
     "AstraCS:" + 12 * "aB" + ":" + 32 * "c3", "AstraCS:name"),
    ("exoscale", r"EXO(?=[a-f]{0,23}\d)[0-9a-f]{24}(?![A-Za-z0-9])",
     "EXO" + 12 * "a1", "EXOabc"),
    ("linkedin", r"WPL_AP\d\.[\w.+/-]{12,}={0,2}",
     "WPL_AP1." + 8 * "aB" + ".MTIzNA==", "WPL_AP1"),
    ("honeycomb", r"hc[abx]ik_[0-9a-z]{40,}", "hcaik_" + 30 * "a1", "hcaik_name"),
    ("amazon-login", r"amzn1\.(?:oa2-cs\.v1|application-oa2-client)\.[0-9a-f]{32,}",
     "amzn1." + "oa2-cs.v1." + 32 * "a1", "amzn1.oa2-cs.v1.name"),
    ("paddle", r"pdl_(?:live|sdbx)_apikey_\w{26,}",
     "pdl_" + "live_apikey_" + 13 * "a1" + "_" + 11 * "B2" + "_aBc", "pdl_live_apikey_name"),
    ("telnyx", r"KEY(?=[A-Za-z_-]{0,54}\d)(?=[A-Z0-9_-]{0,54}[a-z])[\w-]{55,}",
     "KEY" + 16 * "A1" + "_" + 11 * "b2", "KEYCODE_1"),
    ("upcloud", r"ucat_[A-Z0-9]{26}(?![A-Za-z0-9])",
     "ucat_" + 13 * "A1", "ucat_name"),
    ("voyage", r"pa-(?=[A-Za-z_-]{0,42}\d)(?=[a-z0-9_-]{0,42}[A-Z])[\w-]{43}(?![\w-])",
     "pa-" + 14 * "aB1" + "c", "pa-rt2-of-the-page"),
    ("trello", r"ATTA[0-9a-f]{56,}[0-9A-F]{0,8}",
     "ATTA" + 30 * "a1", "ATTACHMENT"),
    ("stackhawk", r"hawk\.[\w-]{20}\.[\w-]{20}(?![\w-])",
     "hawk." + 10 * "a1" + "." + 10 * "b2", "hawk.name"),
    ("databento", r"db-(?=[A-Za-z]{0,28}\d)(?=[a-z0-9]{0,28}[A-Z])[A-Za-z0-9]{29}(?![\w-])",
     "db-" + 14 * "aB" + "1", "db-2-name"),
    ("encoded-pem", r"LS0tLS1CRUdJTi[\w+/]{0,16}?(?:QUklWQVRF|BSSVZBVE|UFJJVkFUR)[\w+/=-]{20,}",
     "LS0tLS1CRUdJTi" + "BSU0EgUFJJVkFURSBLRVktLS0tLQ" + 10 * "a1",
     "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJVUFJ"),
    ("encoded-jwt", r"ZXlK(?=[A-Za-z+/]{0,60}\d)[\w+/]{60,}={0,2}",
     "ZXlK" + "aGJHY2lPaUpJVXpJMU5pSjkuZXlKMWMyVnlJam94ZlEu" + 12 * "a1", "ZXlKZXlK"),
    ("freemius", r"sk_(?=[\w#&@*$.-]{0,28}[#&@*$])(?=[^\s\d]{0,28}\d)[\w#&@*$.-]{29}(?![\w#&@*$-])",
     "sk_" + "a1B2c#D4e5F&" + 8 * "a1" + "x", "sk_buff_of_the_1st_node&sk_buff"),
    ("infisical", r"st\.[0-9a-f-]{8,36}\.[0-9a-f]{8,}\.[0-9a-f]{16,}",
     "st." + 6 * "a1" + "." + 8 * "b2" + "." + 8 * "c3", "first.deadbeef.name"),
    ("access", r"(?:xa[ap]t-|isat_|ovsxat_)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
     "xaat-" + _UUID, "xaat-name"),
    ("minimax", r"MINIMAX(?:-[0-9A-Z]{8}){4}",
     "MINIMAX" + 4 * "-A1B2C3D4", "MINIMAX-M2"),
    ("voiceflow", r"VF\.(?:[A-Z]{2}\.)?[0-9a-f]{24}\.[A-Za-z0-9]{16}",
     "VF." + "DM." + 12 * "a1" + "." + 8 * "b2", "VF.DM.name"),
    ("adyen", r"AQE[a-z](?=[A-Za-z+/]{0,80}\d)[\w+/]{80,}={0,2}(?:-[\w+/{}<>()=]{10,})?",
     "AQEa" + 50 * "b1" + "=-" + 10 * "c2", "AQEab"),
    ("aiven", r"AVNS_(?=[A-Za-z_-]{0,18}\d)[\w-]{15,24}", "AVNS_" + 9 * "a1", "AVNS_name"),
    # what Azure writes into its keys so that they are found
    ("azure-key", (r"[\w+/-]{33,90}(?:\+ASt|\+ABa|\+ACR[A-D]?|\+AMC|AIoT|\+ARm|\+AEh|\+ASb|ACDb|"
     r"AZEG|AzSe[A-D]|AzFu|AzCa|APIM|AZDO|JQQJ9)[\w+/]{3,32}={0,2}(?![\w+/=])"),
     20 * "aB1c" + "AZDOa1B2", "theAPIMkey and AZDO"),
    ("baidu", r"ALTAK(?:-|-[A-Z]-)?(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{21,}(?:/[0-9a-f]{40})?",
     "ALTAK" + 11 * "a1", "ALTAKTISCHE"),
    ("payment-session", r"(?:sandbox|production)_(?=[a-z]{0,7}\d)[a-z0-9]{8}_[a-z0-9]{16}(?!\w)",
     "sandbox_" + 4 * "a1" + "_" + 8 * "b2", "sandbox_mode1"),
    ("confluent", r"cflt(?=[A-Za-z+/]{0,59}\d)[\w+/]{60}", "cflt" + 30 * "a1", "cflt"),
    ("convex", r"(?:prod|dev|preview):[\w-]{3,60}(?::[\w-]{3,60})?\|[\w+/=-]{40,}",
     "prod:" + "happy-name-1|" + 20 * "aZ1", "dev:a|b"),
    ("deepl", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:fx", _UUID + ":fx", "a:fx"),
    ("fauna", r"fnA(?=[A-Za-z_-]{0,36}\d)(?=[a-z0-9_-]{0,36}[A-Z])[\w-]{37}(?![\w-])",
     "fnA" + 9 * "aB1c" + "d", "fnAdd"),
    ("firebase", r"AAAA[\w-]{7}:(?=[A-Za-z_-]{0,100}\d)[\w-]{130,}",
     "AAAA" + "abcdefg:" + 50 * "aZ1", "AAAA:name"),
    ("intercom", r"dG9rO(?=[A-Za-z+/]{0,40}\d)[\w+/]{50,}={0,2}", "dG9rO" + 28 * "a1", "dG9rO"),
    ("k3s", r"K10[0-9a-f]{64}::[\w.-]{1,40}:(?=[a-z.]{0,32}\d)[\w.]{8,}",
     "K10" + 32 * "a1" + "::server:" + 16 * "b2", "K10::server"),
    ("laravel", r"\d{1,7}\|(?=[A-Za-z]{0,38}\d)(?=[a-z0-9]{0,38}[A-Z])[A-Za-z0-9]{40,48}(?!\w)",
     "12|" + 12 * "aB1c", "12|a plain cell"),
    ("mailersend", r"mlsn\.[0-9a-f]{40,}", "mlsn." + 32 * "a1", "mlsn.name"),
    ("rancher", r"token-[a-z0-9]{5}:[a-z0-9]{54}", "token-" + "ab1cd:" + 27 * "a1", "token-name:x"),
    ("scaleway",
     r"SCW(?=[A-Z]{0,16}\d)[A-Z0-9]{17}(?![A-Za-z0-9])", "SCW" + 8 * "A1" + "B", "SCW_NAME"),
    ("tencent", (r"(?:AKID|AKLT)(?=[A-Za-z]{0,31}\d)(?=[A-Z0-9]{0,31}[a-z])"
     r"[A-Za-z0-9]{32,}={0,2}"),
     "AKID" + 8 * "aB1c", "AKID is how they start"),
    ("unleash", r"[\w*-]{1,40}:[\w*-]{1,40}\.[0-9a-f]{56}(?![0-9a-f])",
     "*:development." + 28 * "a1", "default:development.name"),
    ("woocommerce", r"c[ks]_[0-9a-f]{40}(?![0-9a-z])", "cs_" + 20 * "a1", "cs_name"),
    ("wallet", r"[xyz]prv[1-9A-HJ-NP-Za-km-z]{100,}", "xprv" + 30 * "aB1c", "xprv and xpub"),
    ("keyed", _KEYED,
     "acme_key_" + 14 * "a1", "key_1a2b, monkey_12345678901234567890abcd, api_test_case_1"),
    ("prefixed", _PREFIXED,
     "acme_" + 10 * "aB1c", "sha512_" + 10 * "aB1c" + ", chunk-vendors-of-the-page2"),
    ("okta", r"SSWS (?P<s>[\w-]{20,})", "SSWS " + 21 * "00", "SSWS is the scheme"),
    ("jwt", _JWT,
     "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + _HALF, "eyJhbGciOi... is how they start"),
    ("encoded-json", r"(?<!base64,)eyJ(?=[A-Za-z_-]{0,40}\d)[\w-]{40,}={0,2}",
     "eyJ" + 22 * "a1", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9 is a header"),
)  # fmt: skip

ISSUED = frozenset(row[0] for row in TOKENS) - {"pem"}
"""The rows whose whole match is a token, so that what follows without a space belongs to it."""
