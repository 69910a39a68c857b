r"""Secrets of words or digits: PINs, codes of a second factor, passphrases; rows as in rules.py."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.redaction.tokens import Row

_PHRASE = (
    r"(?i)(?:pass_?phrase|パスフレーズ|合言葉|암호문|密码短语)"
    r"(?: (?:of|for|von|für)(?: [\w.@'-]{1,30}){1,3}?(?= (?:is|ist|was)|:))?"
    r"(?: (?:is|ist|lautet|was))?(?:は|는|은|是)?[ :=\uff1a]{0,3}(?:[|>][+-]?\n\s{1,16})?"
    r"[\"'`「„“]?(?P<h>(?:[a-z0-9]{3,12} ){3,7}[a-z0-9]{3,12})(?![\w ])"
)
_MNEMONIC = (
    r"(?i)(?:mnemonic|bip-?39|(?:seed|recovery|backup)[ _-]?(?:phrase|words)|fromphrase|"
    r"(?:1[258]|2[14]|wallet|twelve) words)[^\n]{0,40}?[\"'\s:=]{1,6}"
    r"(?P<s>(?:(?!(?:the|and|for|are|was|has|its) )[a-z]{3,8} ){11,23}[a-z]{3,8})(?! ?[a-z])"
)
# A PIN or a one-time code: four to eight digits, so that the numbers of GPIO pins stay.
_PIN = (
    r"(?i)(?:(?:(?<![a-z0-9])(?:pin|puk|otp|passcode)(?:[ _-]?(?:code|number))?|"
    r"\b(?:door|gate|alarm|safe|entry|verification|security|one-time|login|2fa) "
    r"(?:pass)?(?:code|word)|"
    r"\bcode(?= for (?:the|my|our) (?:door|gate|alarm|safe|entry|lock|phone|sim)\b)|"
    r"\b(?:the|der) code (?:they|you|i|we|he|she|aus|per|from|sent)(?: [\w']{1,12}){0,4}|"
    r"(?:bestätigungs|sicherheits|einmal|verifizierungs)code|(?<![a-z])tan)"
    r"(?:[\"'`]{0,2} ?(?:[:>→]|={1,3}|[-=]>) ?|"
    r"(?: (?:for|of|on|für|pour|para|per|voor)(?: [^\s:]{1,20}){1,4})?(?:: |"
    r" (?:is|ist|lautet|est|es) (?:now |still )?)|(?<=-pin)[ ]|(?<=code) (?=\d))|"
    r"(?-i:\b(?:PIN|PUK|OTP|TAN)) |\b(?:unlock|card|sim|door|the|my) pin |"
    r"(?:暗証番号|認証コード|確認コード|핀 ?번호|인증 ?(?:번호|코드)|"
    r"验证码|驗證碼|(?:动态|校验|确认)码|"
    r"(?:비밀번호|비번)(?: ?\d자리)?|パスワード|密[码碼]|"
    r"(?<![a-z0-9])pin(?:コード| ?코드| ?번호|[码碼])? ?"
    r"(?=[はが은는이가是为\uff1a]|(?<=[ド드호码碼] )\d))"
    r" ?(?:は|が|은|는|이|가|是|[:=\uff1a])? ?|"
    r"(?<![\w.,:/-])(?:G-)?(?=\d{4,8} is (?:your|the|my) (?:[\w-]{1,20} ){0,2}"
    r"(?:(?:verification|security|login|one-time|confirmation) code|pin)\b))"
    r"[\"'`「]?(?P<s>\d{4,8})(?![\w%年月日字文桁자개년월]|[.,:/-]\d|"
    r" ?(?:m?[AVsm]|[kMG]?Hz|px|bytes)\b)"
)
# Codes that replace a second factor or a password, in a list or in groups; each pass finds one.
_CODES = (
    r"(?i)(?:(?:recovery|backup|rescue|scratch|2fa|two-factor|bitlocker|manual entry|setup|"
    r"totp|mfa|otp|authenticator|emergency(?: access)?)[ _-]?"
    r"(?:recovery )?(?:codes?|keys?|seeds?|secrets?)|"
    r"app(?:lication)?[ _-]?passwords?|smtp_pass(?:word)?|"
    r"backup-?codes|リカバリーコード|バックアップコード|복구 ?(?:코드|키)|백업 ?코드|"
    r"恢复(?:码|代码)|备[用份]码|wiederherstellungs-?(?:codes?|schlüssel))"
    r"(?: \([^)\n]{0,30}\)| (?:for|of|für|is|are|ist|sind|my|the|(?:\w+ ){1,2}account)){0,5}"
    r"(?:は|는|은|是|为)?[\"'`]{0,2}[ :=\uff1a]{0,4}"
    r"(?:\[redacted:(?:codes|assignment)\]|[\s,;、\uff0c\"'`*•|&+\[(-]|\d{1,2}[.)] |"
    r"(?:and|und|と|와) ?){0,99}?"
    r"(?P<s>(?:[a-z0-9]{4} ){3,11}[a-z0-9]{4}|(?=[a-z ]{0,20}\d)(?:[a-z0-9]{4} ){2}[a-z0-9]{4}|"
    r"(?=[a-z -]{0,20}\d)(?:[a-z0-9]{4,8}-){1,9}[a-z0-9]{4,8}|\d{3,6} \d{3,6}|\d{6,10}|"
    r"(?=[a-z]{0,12}\d)[a-z0-9]{8,64})(?![\w-])"
)
CODES: tuple[Row, ...] = (
    (
        "pin",
        _PIN,
        "the PIN for the door is " + "4711",
        "pin: 13, otp: 27.3, GPIO pin is 4711a, opin: 1234",
    ),
    (
        "codes",
        _CODES,
        "recovery codes: " + "a1b2c-3d4e5 f6g7h-8i9j0",
        "backup codes are kept in the vault, see page 12",
    ),
    (
        "mnemonic",
        _MNEMONIC,
        "seed phrase: " + 11 * "ability " + "able",
        "the seed phrase is a list of twelve words that you write down",
    ),
    (
        "phrase",
        _PHRASE,
        "the passphrase is " + "violet otter garage lantern",
        "the passphrase is not needed for public keys",
    ),
)
