"""Redaction: what is redacted, what stays, and the laws; `-s` prints the figures."""

# ruff: noqa: RUF001  (full-width signs are part of the texts)
from __future__ import annotations

import json
import re
import string
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from journal.redaction import redact
from journal.redaction.rules import RULES
from tests.journal.redaction.rows import MARKERS
from tests.journal.redaction.samples import BARE, KEPT, SECRET
from tests.support.examples import examples, part, scaled, third

ROOT = Path(__file__).parents[3]
TAG = re.compile(r"\[redacted:[a-z-]+\]")


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


ORDINARY = {
    "pem": "-----BEGIN " + "PRIVATE KEY-----", "token": "token = parser.next(3)", "sha": 4 * "deadbeef00",
}  # fmt: skip


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_text_is_the_same_object(text: str) -> None:
    """A text that only mentions secrets is returned as the same object."""
    assert redact(text) is text


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
    rules = {f"{name}-{ms[0].strip()}": ms[0] for name, ms in MARKERS.items()}
    rules |= {f"{name}-cut": row[1][:-3] for name, row in RULES.items()}
    units = {name: rules[name] for name in part(rules, 24)}
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


@pytest.mark.parametrize("name", third(ADVERSARIES))
def test_time_grows_with_the_length(name: str) -> None:
    """Sixteen times the text costs about sixteen times the time; backtracking would cost 256 times."""
    unit = ADVERSARIES[name]
    head = ("token=x " if unit == "a" else "") + "password: "
    size = max(scaled(1_000, 400), 6 * len(unit))  # of one long unit alone nothing may be redacted
    small, large = (head + unit * (times * size // len(unit)) for times in (1, 16))
    redact(small)  # compiles the patterns
    for _ in range(4):  # the machine may be busy: one quiet round is enough
        if _seconds(large) < 40 * _seconds(small):
            return
    pytest.fail("quadratic")
