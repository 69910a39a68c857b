"""What a text is after its secrets are replaced."""

# ruff: noqa: RUF001  (full-width signs are part of the texts)
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.redaction import redact
from journal.redaction.rules import RULES
from tests.journal.redaction.rows import MARKERS
from tests.journal.redaction.samples import BARE, GH, KEPT, SECRET
from tests.support.examples import examples
from tests.support.rows import each

PW = "hunt" + "er2"
REPLACED = {
    "url": (
        f"postgres://app:{PW}@db.invalid:5432/x",
        "postgres://app:[redacted:url]@db.invalid:5432/x",
    ),
    "url-no-user": (f"redis://:{PW}@h/0", "redis://:[redacted:url]@h/0"),
    "url-at-in-password": ("amqp://u:p@ss1@h/v", "amqp://u:[redacted:url]@h/v"),
    "export": (f"export DB_PASSWORD={PW}; ls", "export DB_PASSWORD=[redacted:assignment]; ls"),
    "query": (
        f"GET /x?access_token={12 * 'a1'}&page=2",
        "GET /x?access_token=[redacted:assignment]&page=2",
    ),
    "json": (
        f'{{"api_key": "{12 * "a1"}", "n": 1}}',
        '{"api_key": "[redacted:assignment]", "n": 1}',
    ),
    "json-in-json": (
        f'{{\\"password\\":\\"{PW}\\",\\"n\\":1}}',
        '{\\"password\\":\\"[redacted:assignment]\\",\\"n\\":1}',
    ),
    "escaped-lines": (
        f"A=1\\nDB_PASSWORD={PW}\\nB=2",
        "A=1\\nDB_PASSWORD=[redacted:assignment]\\nB=2",
    ),
    "flag": (f"tool --password {PW} --verbose", "tool --password [redacted:flag] --verbose"),
    "mysql": (f"mysql -uroot -p{PW} shop", "mysql -uroot -p[redacted:command] shop"),
    "curl": (f"curl -u bob:{PW} https://h/x", "curl -u bob:[redacted:curl] https://h/x"),
    "header": (
        f"-H 'Authorization: Bearer {8 * 'a1'}' x",
        "-H 'Authorization: Bearer [redacted:header]' x",
    ),
    "annotated": (f'password: str = "{PW}"', 'password: str = "[redacted:assignment]"'),
    "call": (
        f'connect(user="a", password="{PW}", port=1)',
        'connect(user="a", password="[redacted:assignment]", port=1)',
    ),
    "connection-string": (
        f"Server=h;Password={PW};Database=d",
        "Server=h;Password=[redacted:assignment];Database=d",
    ),
    "sentence": (f"It was (password={PW}).", "It was (password=[redacted:assignment])."),
    "reference-then-value": (f"token=$T,password={PW}", "token=$T,password=[redacted:assignment]"),
    "cjk": (f"密码：{PW}，请勿外传", "密码：[redacted:assignment]，请勿外传"),
    "tag-under-a-name": (f"export TOKEN={GH}", "export TOKEN=[redacted:github]"),
    "two": (f"{GH} and {GH}", "[redacted:github] and [redacted:github]"),
    "pem-line-numbers": (
        f"1\t-----BEGIN {'PRIVATE'} KEY-----\n2\tMIIEvQIBADAN\n3\t-----END PRIVATE KEY-----\n4\tx = 1",
        "1\t[redacted:pem]\n4\tx = 1",
    ),
    "pem-cut-then-prose": (
        "-----BEGIN " + f"RSA PRIVATE KEY-----\n{'MIIE' * 16}\n{'Ab1/' * 16}\nthe rest was cut",
        "[redacted:pem]\nthe rest was cut",
    ),
    "colors": (
        f"\x1b[36mDB_PASSWORD\x1b[0m=\x1b[32m{PW}\x1b[0m\x1b[K",
        "DB_PASSWORD=[redacted:assignment]",
    ),
    "color-within": (f"\x1b[1;31m{GH[:6]}\x1b[m{GH[6:]} found", "[redacted:github] found"),
    "dockerfile": (
        f"FROM x\nENV DB_PASSWORD {PW}\nENV MODE fast",
        "FROM x\nENV DB_PASSWORD [redacted:directive]\nENV MODE fast",
    ),
    "pgpass": (f"*:*:*:app:{PW}\nnext", "*:*:*:app:[redacted:password-file]\nnext"),
    "postfix": (
        f"[smtp.invalid]:587 a@b.invalid:{PW}",
        "[smtp.invalid]:587 a@b.invalid:[redacted:password-file]",
    ),
    "redis": (f"requirepass {PW}\nport 1", "requirepass [redacted:directive]\nport 1"),
    "router": (f"enable secret 0 {PW}", "enable secret 0 [redacted:directive]"),
    "expect": (
        f'expect -re "Password:" {{ send "{PW}\\n" }}',
        'expect -re "Password:" { send "[redacted:expect]\\n" }',
    ),
    "oracle": (f"sqlplus -S app/{PW} @run.sql", "sqlplus -S app/[redacted:oracle] @run.sql"),
    "oracle-server": (f"sqlplus app/{PW}@shop", "sqlplus app/[redacted:oracle]@shop"),
    "plugin": (
        f"CREATE USER a IDENTIFIED WITH caching_sha2_password BY '{PW}'",
        "CREATE USER a IDENTIFIED WITH caching_sha2_password BY '[redacted:sql]'",
    ),
    "national": (f"WITH PASSWORD = N'{PW}'", "WITH PASSWORD = N'[redacted:assignment]'"),
    "pem-escaped": (
        'key = "-----BEGIN RSA PRIVATE KEY-----\\nMIIEvQIBADAN\\n-----END PRIVATE KEY-----\\n"',
        'key = "[redacted:pem]\\n"',
    ),
}


@each(("text", "expected"), REPLACED.values(), ids=REPLACED)
def test_only_the_secret_goes(text: str, expected: str) -> None:
    """Names, users, hosts, flags and all text around a secret stay as they are."""
    assert redact(text) == expected


def test_escapes_within_escapes() -> None:
    """However many escapes of a terminal stand within each other, the secret goes."""
    once = redact("\x1b" * 3000 + "[m" * 3000 + f" {GH}")
    assert GH not in once
    assert redact(once) == once


PIECES = st.sampled_from(
    [text for text, _ in SECRET] + KEPT + [text for row in RULES.values() for text in row[1:]]
    + [m for markers in MARKERS.values() for m in markers] + list(BARE.values())
    + ["=", ": ", '"', "'", "\\", "\n", ",", "[redacted:x]", "]", "@", "\x1b[", "\x1b[0m", "密码", " -p", "a1b2c3d4e5"]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=8), st.integers(0, 400))
@examples(400)
def test_twice_is_once(pieces: list[str], cut: int) -> None:
    """Redacting a redacted text changes nothing, wherever the text was cut."""
    text = "".join(pieces)
    for given_text in (text, text[:cut]):
        once = redact(given_text)
        assert redact(once) == once


@each("secret", BARE.values(), ids=BARE)
def test_half_a_secret_at_the_end_goes(secret: str) -> None:
    """A secret cut off at the end of a bounded text is redacted, with or without an ellipsis."""
    half = secret[: max(len(secret) * 3 // 4, 16)]
    for end in ("", "…", "...", "\n"):
        assert half not in redact(f"the value is {half}{end}")


@pytest.mark.parametrize("text", [
    "{\\u0022password\\u0022:\\u0022§\\u0022}", "password=&quot;§&quot;", "&lt;password&gt;§&lt;/password&gt;",
    "&#34;password&#34;: &#34;§&#34;", "%22password%22%3A%22§%22",
])  # fmt: skip
def test_a_secret_between_escaped_quotes_goes(text: str) -> None:
    """What stands around it stays as it is escaped."""
    clean = redact(text.replace("§", "d1g5" + "y2vflu"))
    before, _, after = text.partition("§")
    assert clean.startswith(f"{before}[redacted:")
    assert clean.endswith(f"]{after}")
    assert redact(clean) is clean
