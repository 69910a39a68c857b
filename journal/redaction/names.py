"""What the name of a value says about it: `db_password`, `API_TOKEN`, `sort_key`.

Imported only once a regular expression of the table has matched.
"""

from __future__ import annotations

_PASSWORDS = tuple(
    "password passwd passphrase passcode pwd storepass keypass keymaterial authtok pass_phrase "
    "密码 密碼 口令 パスワード 비밀번호".split()
)
_OWNERS = tuple(
    "_ - . db bind root pg admin user login smtp mail key ssh ftp ldap sudo remote proxy mqtt "
    "wifi imap email require master".split()
)
_SECRETS = ("secret", "credential", "credentials", "erlang_cookie", "root_token_id")
_PEPPER = ("salt", "secret_id", "secretid", "_pat", "_jwt", "bearer")  # random, or a reference
_CURSORS = ("page_token", "pagetoken", "next_token", "nexttoken", "page-token", "next-token")
_KEYS = tuple(
    "api access secret private auth encryption signing master account storage jwt".split()
)
# Keys of data, not of access.
_ORDINARY_KEYS = tuple(
    "public pub primary foreign cache sort partition hash index group idempotency routing dedupe "
    "dedup unique natural object row query lookup s3 host etag".split()
)
_NAME_LIMIT = 48  # characters looked at before a keyword for the whole name


def name_start(text: str, at: int) -> int:
    """Return where the name begins whose last part, a keyword, begins at `at`."""
    start = at
    while start > 0 and at - start < _NAME_LIMIT:
        c = text[start - 1]
        if not (c.isascii() and (c.isalnum() or c in "_-")):
            break
        start -= 1
    while start < at and text[start] == "-":
        start += 1
    return start


def kind_of(key: str) -> str:
    """Return `password`, `pass`, `secret`, `token`, `key` or "" for a lower-case name."""
    kind = ""
    if key.endswith(_PASSWORDS):
        kind = "password"
    elif key.endswith(("psk", "pw", "pass")):
        head = key.removesuffix("psk").removesuffix("pw").removesuffix("pass")
        kind = "pass" if not head else ""
        if head.endswith(_OWNERS) or key == "psk":
            kind = "password"
    elif key.endswith("token"):
        kind = "" if key.endswith(_CURSORS) else "token"
    elif key.endswith("key"):
        owner = key[:-3].rstrip("_-: ")
        kind = "secret" if owner.endswith(_KEYS) else ""
        if owner and not kind and not owner.endswith(_ORDINARY_KEYS):
            kind = "key"
    elif key.endswith(_PEPPER) or (key.endswith("_auth") and key != "_auth"):
        kind = "secret" if key.endswith("cli_auth") else "key"
    elif key == "_auth" or key.endswith(_SECRETS):
        kind = "secret"
    return kind
