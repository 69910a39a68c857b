"""Redaction: what is redacted, what stays, and the laws; `-s` prints the figures."""

# ruff: noqa: RUF001  (full-width signs are part of the texts)
from __future__ import annotations

import json
import random
import re
import runpy
import string
import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from journal.redaction import found, redact, redact_value
from journal.redaction.markers import EXACT, FOLDED, WORDS
from journal.redaction.replace import pattern_of
from journal.redaction.rules import RULES, starts
from tests.support.examples import examples, scaled

ROOT = Path(__file__).parents[3]
LINES = runpy.run_path(str(Path(__file__).with_name("redact_lines.py")))
SECRET: list[tuple[str, str]] = LINES["SECRET"]
KEPT: list[str] = LINES["KEPT"]
MARKERS = {
    name: [m for group, _, ms in (*WORDS, *EXACT, *FOLDED) if group == name for m in ms]
    for name in RULES
}
TAG = re.compile(r"\[redacted:[a-z-]+\]")


@pytest.mark.parametrize("name", RULES)
def test_row_redacts_its_example_and_keeps_its_counter_example(name: str) -> None:
    """Each row redacts its example with its own tag and returns its counter-example itself."""
    source, secret, counter = RULES[name]
    any_case = source.startswith("(?i)")
    assert f"[redacted:{name}]" in redact(secret)
    assert redact(counter) is counter
    assert name in found(secret)
    assert not any_case or all(marker == marker.lower() for marker in MARKERS[name])
    assert name in {group for group, *_ in (FOLDED if any_case else (*WORDS, *EXACT))}


def test_every_kind_of_secret_has_its_markers_and_its_rule() -> None:
    """Every marker leads to a rule and every rule has a marker; four kinds have modules of their own."""
    assert {name for name, *_ in (*WORDS, *EXACT, *FOLDED)} == {
        "private",
        "beside",
        "columns",
        "manifest",
        *RULES,
    }


ASSIGNED = st.lists(
    st.sampled_from((
        "password", "Passwd", "storepass", "keypass", "PASSPHRASE", "passcode", "pwd", "psk", "pw",
        "secret", "secret_access_key", "token", "tokens", "credentials", "encryption_key", "api key",
        "private-key", "the key", "x-key", "_auth", "密码", "口令", "パスワード", "暗証番号", "トークン",
        "apiキー", "비밀번호", "비번", "암호", "토큰", "api 키", "api키", "_prod", "_2", " is ", "は", "=",
        ": ", " ", "\n", "'hunter2x9'", "a1b2c3d4e5f6g7h8", "é", "K", "x",
    )), max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("name", ["assignment", "sentence"])
@given(text=ASSIGNED)
@examples(300)
def test_a_match_begins_only_at_the_listed_starts(name: str, text: str) -> None:
    """A slow row is tried at some characters only: at each one where its expression matches."""
    pattern = pattern_of(name)
    matching = {at for at in range(len(text)) if pattern.match(text, at)}
    assert matching <= set(starts(name, text))


@pytest.mark.parametrize("name", ["assignment", "sentence"])
def test_a_text_whose_lower_case_is_longer_is_searched_everywhere(name: str) -> None:
    """A letter that becomes two in lower case hides no secret."""
    _, secret, _ = RULES[name]
    assert starts(name, "İ" + secret) is None
    assert starts(name, secret)
    assert f"[redacted:{name}]" in redact("İ " + secret)


def test_names_do_not_announce_a_secret() -> None:
    """A tag is not read as the name of a secret, so the text after it is not redacted."""
    for name in RULES:
        for sep in ("=", ": ", '": "'):
            text = f"[redacted:{name}]{sep}hunter2x99"
            assert redact(text) is text


def test_precision_and_recall(capsys) -> None:
    """On the public lines precision and recall are at least 98 % each."""
    missed = [(text, secret) for text, secret in SECRET if secret in redact(text)]
    wrong = [(text, redact(text)) for text in KEPT if redact(text) != text]
    caught = len(SECRET) - len(missed)
    precision, recall = caught / (caught + len(wrong)), caught / len(SECRET)
    with capsys.disabled():
        print(
            f"\nredact: {len(SECRET)} secret and {len(KEPT)} ordinary lines: "
            f"precision {precision:.3f}, recall {recall:.3f}"
        )
    assert len(SECRET) >= 80
    assert len(KEPT) >= 120
    assert all(secret in text for text, secret in SECRET)
    assert precision >= 0.98, wrong
    assert recall >= 0.98, missed


PW = "hunt" + "er2"
GH = "ghp" + "_" + 9 * "FAKE"
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
    "dockerfile": (
        f"FROM x\nENV DB_PASSWORD {PW}\nENV MODE fast",
        "FROM x\nENV DB_PASSWORD [redacted:env]\nENV MODE fast",
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


@pytest.mark.parametrize(("text", "expected"), REPLACED.values(), ids=REPLACED)
def test_only_the_secret_goes(text: str, expected: str) -> None:
    """Names, users, hosts, flags and all text around a secret stay as they are."""
    assert redact(text) == expected


BARE = {
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "github": GH,
    "github-pat": "github" + "_pat_" + 11 * "1A" + "_" + 29 * "x9",
    "gitlab": "glpat" + "-" + 10 * "x1",
    "slack": "xoxb" + "-123456789012-1234567890123-" + 12 * "aB",
    "stripe": "sk" + "_live_" + 12 * "4e",
    "anthropic": "sk-" + "ant-api03-FAKE-FAKE-FAKE-FAKE",
    "openai": "sk" + "-proj-" + 12 * "Ab3_",
    "google": "AIza" + "Sy" + 11 * "D-9",
    "npm": "npm" + "_" + 18 * "a1",
    "huggingface": "hf" + "_" + 17 * "aB",
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0." + 12 * "s1_",
    "telegram": "123456789" + ":AA" + 17 * "x1",
    "digitalocean": "dop" + "_v1_" + 32 * "a1",
}
CJK = "这里是说明文字。日本語の文章、그리고 한국어"
EDGES = st.text(
    string.ascii_letters + string.digits + CJK + " \n\t\"'`{}[](),.;:=<>|&-_/\\", max_size=40
)
SEPARATORS = st.sampled_from(
    [
        " ",
        "\n",
        '"',
        "'",
        "`",
        "=",
        ": ",
        "(",
        "，",
        "密钥",
        "\\n",
        "\\t",
        "%3D",
        "\x1b[32m",
        "，\n",
    ]
)


@pytest.mark.parametrize("secret", BARE.values(), ids=BARE)
@given(before=EDGES, left=SEPARATORS, right=SEPARATORS, after=EDGES)
@examples(40)
@example(before="", left="\\n", right="\\n", after="x")
@example(before="文", left="字", right="是", after="")
def test_secret_survives_nowhere(
    secret: str, before: str, left: str, right: str, after: str
) -> None:
    """The secret is gone whether bare, quoted, escaped, in JSON, after a newline or in CJK text."""
    text = before + left + secret + right + after
    assert secret not in redact(text)
    assert secret not in redact(json.dumps({"text": text}))
    assert secret not in redact(json.dumps({"text": text}, ensure_ascii=False))


PIECES = st.sampled_from(
    [text for text, _ in SECRET] + KEPT + [text for row in RULES.values() for text in row[1:]]
    + [m for markers in MARKERS.values() for m in markers] + list(BARE.values())
    + ["=", ": ", '"', "'", "\\", "\n", ",", "[redacted:x]", "]", "@", "密码", " -p", "a1b2c3d4e5"]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=8), st.integers(0, 400))
@examples(400)
def test_twice_is_once(pieces: list[str], cut: int) -> None:
    """Redacting a redacted text changes nothing, wherever the text was cut."""
    text = "".join(pieces)
    for given_text in (text, text[:cut]):
        once = redact(given_text)
        assert redact(once) == once


@given(st.text(max_size=300))
@examples(300)
def test_text_without_a_marker_is_the_same_object(text: str) -> None:
    """A text without a marker is returned as the same object; one with a secret is not."""
    markers = [m for _, _, ms in (*WORDS, *EXACT, *FOLDED) for m in ms]
    if not any(marker in text or marker in text.lower() for marker in markers):
        assert redact(text) is text
    assert redact(text + "\n" + GH) is not text


@pytest.mark.parametrize("secret", BARE.values(), ids=BARE)
def test_half_a_secret_at_the_end_goes(secret: str) -> None:
    """A secret cut off at the end of a bounded text is redacted, with or without an ellipsis."""
    half = secret[: max(len(secret) * 3 // 4, 16)]
    for end in ("", "…", "...", "\n"):
        assert half not in redact(f"the value is {half}{end}")


ORDINARY = {
    "pem": "-----BEGIN " + "PRIVATE KEY-----", "token": "token = parser.next(3)", "sha": 4 * "deadbeef00",
}  # fmt: skip


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_text_is_the_same_object(text: str) -> None:
    """A text that only mentions secrets is returned as the same object."""
    assert redact(text) is text


def test_value_keeps_identity_and_is_not_mutated() -> None:
    """A value without a secret is returned itself; with one, only the changed parts are copied."""
    clean = {"a": [1, 2.5, None, True, "plain", {"b": ("x", "y")}], "tokens": 12}
    assert redact_value(clean) is clean
    untouched = {"k": ["v"]}
    dirty = {"a": untouched, "b": [f"x {GH}", 1], "t": (GH,)}
    copy = json.dumps(dirty)
    fresh = redact_value(dirty)
    assert json.dumps(dirty) == copy
    assert fresh == {"a": untouched, "b": ["x [redacted:github]", 1], "t": ("[redacted:github]",)}
    assert fresh["a"] is untouched


@pytest.mark.parametrize(
    "value, expected",
    [
        ({GH: 1}, {"[redacted:github]": 1}),
        ({GH: 1, GH + "b": 2}, {"[redacted:github]": 1, "[redacted:github]+": 2}),
        ({"password": PW}, {"password": "[redacted:assignment]"}),
        ({"env": {"DB_PASS": PW}}, {"env": {"DB_PASS": "[redacted:assignment]"}}),
        ({"password": "required", "token": "a b", "tokens": "x1" * 9}, None),
        ({"password": "[redacted:assignment]"}, None),
        (7, None),
    ],
    ids=["key", "two-keys", "under-a-name", "nested", "ordinary", "again", "number"],
)
def test_value_of_mappings(value, expected) -> None:
    """Secret keys are redacted, and a string under a key like password is checked with that key."""
    fresh = redact_value(value)
    assert fresh == (value if expected is None else expected)
    assert (fresh is value) == (expected is None)
    assert redact_value(fresh) is fresh


def test_value_too_deep_is_dropped_not_passed() -> None:
    """Too deep nesting raises nothing and is replaced, so no secret passes unchecked."""
    value: object = GH
    for _ in range(100_000):
        value = [value]
    fresh, depth = redact_value(value), 0
    while isinstance(fresh, list):
        fresh, depth = fresh[0], depth + 1
    assert fresh == "[redacted:depth]"
    assert depth < 1000


def test_few_ids_hold_a_marker() -> None:
    """Of 3,000 keys of events none has a rule's marker, of UUIDs at most 1 %, of API ids 3 %."""
    some = random.Random(5)
    letters = string.ascii_letters + string.digits
    ids = ["".join(some.choices(letters, k=22)) for _ in range(3_000)]
    for start in ("toolu_01", "msg_01", "req_011", "toolu_bdrk_01", "msg_vrtx_01"):
        assert sum(1 for id_ in ids if found(start + id_)) <= 90, start
    keys = [f"{some.randbytes(8).hex()}.20261121090003000" for _ in range(3_000)]
    assert found(":".join(keys)) == set()
    uuids = [str(UUID(bytes=some.randbytes(16), version=4)) for _ in range(3_000)]
    assert 0 < sum(1 for uuid in uuids if found(uuid)) <= 30


def test_a_token_with_01_in_it_is_no_id() -> None:
    """Only what begins like an id of the API passes for one."""
    assert found("toolu_01Xy7Qm3kLp9Rs2TvBn4Wc8") == set()
    assert found("acmeK-4Xq_01Xy-7Qm3kLp_9Rs2TvBn4Wc8")


def test_paths_of_tests_hold_no_marker() -> None:
    """A test file with a number in its name is no token that begins with `test_`; a token is."""
    for path in (
        "tests/test_cart2.py",
        "src/test_pricing_v2.py",
        "/tmp/test_instructions0/a.jsonl",
    ):
        assert found(path) == set(), path
    assert found("test_" + "9f3c1e7a" * 5)


def test_no_regular_expressions_until_a_marker_hits() -> None:
    """Importing the module and reading ordinary text loads no `re`; a secret loads it."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from journal.redaction import redact_value;"
        "redact_value({'prompt': 'fix the parser: 14000 tokens left', 'cwd': '/home/dev/x'});"
        "print('re' in sys.modules); redact_value(['password=hun' + 'ter2']); print('re' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "True"]


def _adversaries() -> dict[str, str]:
    units = {f"{name}-{ms[0].strip()}": ms[0] for name, ms in MARKERS.items()}
    units |= {f"{name}-cut": row[1][:-3] for name, row in RULES.items()}
    units |= {
        "assign-reject": "token=$X,", "assign-run": "token=", "assign-colon": "token:a", "quote": 'token="',
        "quotes": "token=\"token='", "escaped": 'token=\\"', "backslashes": "token=\\\\", "url": "://a:",
        "url-deep": "://a:b/", "header-run": "authorization:authorization ", "header-tight": "authorization:",
        "curl": "curl -u ", "mysql": "mysql -p$x ", "jwt-run": "eyJ-", "jwt-colour": "eyJ1m", "sg": "SG.a",
        "pem-bare": "-----BEGIN " + "PRIVATE KEY-----\nabcd ", "dash": "--a-", "xml": "<password>a",
        "sk": "sk-a-", "discord": "MTIzMTIzMTIzMTIzMTIzMTIzMTIz", "letters": "a", "space": "password= \t",
    }  # fmt: skip
    return units


ADVERSARIES = _adversaries()


def _seconds(text: str) -> float:
    started = time.thread_time()  # the CPU time of this thread, so that other load does not count
    redact(text)
    return time.thread_time() - started


@pytest.mark.parametrize("unit", ADVERSARIES.values(), ids=ADVERSARIES)
def test_time_grows_with_the_length(unit: str) -> None:
    """Sixteen times the text costs about sixteen times the time; backtracking would cost 256 times."""
    head = ("token=x " if unit == "a" else "") + "password: "
    size = scaled(1_000, 500)
    small, large = (head + unit * (times * size // len(unit)) for times in (1, 16))
    redact(small)  # compiles the patterns
    for _ in range(4):  # the machine may be busy: one quiet round is enough
        if _seconds(large) < 40 * _seconds(small):
            return
    pytest.fail("quadratic")
