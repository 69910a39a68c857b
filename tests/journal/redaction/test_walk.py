"""Values of any shape are redacted string by string."""

from __future__ import annotations

import json

from journal.redaction import redact_value
from tests.journal.redaction.samples import GH
from tests.support.rows import each

PW = "hunt" + "er2"
WORDS = "tango" + "falcon"


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


@each(
    "value, expected",
    [
        ({GH: 1}, {"[redacted:github]": 1}),
        ({GH: 1, GH + "b": 2}, {"[redacted:github]": 1, "[redacted:github]+": 2}),
        ({"password": PW}, {"password": "[redacted:assignment]"}),
        ({"env": {"DB_PASS": PW}}, {"env": {"DB_PASS": "[redacted:assignment]"}}),
        (
            {"name": "DB_PASSWORD", "value": WORDS},
            {"name": "DB_PASSWORD", "value": "[redacted:assignment]"},
        ),
        ({"args": ["-u", "--password", WORDS]}, {"args": ["-u", "--password", "[redacted:flag]"]}),
        (
            {"argv": ["sshpass", "-p", PW, "ssh"]},
            {"argv": ["sshpass", "-p", "[redacted:command]", "ssh"]},
        ),
        ({"Authorization": f"Bearer {WORDS}9"}, {"Authorization": "Bearer [redacted:header]"}),
        ({"pin": "4711"}, {"pin": "[redacted:pin]"}),
        (
            {"element": "Password field", "ref": "e12", "text": WORDS},
            {"element": "Password field", "ref": "e12", "text": "[redacted:assignment]"},
        ),
        (
            {"kind": "Secret", "data": {"db": "dGFuZ29mYWxjb24="}},
            {"kind": "Secret", "data": {"db": "[redacted:manifest]"}},
        ),
        ({"query": "reset password", "limit": 5, "ref": "main"}, None),
        ({"options": ["ask for the password", "keep the token"]}, None),
        ({"password": "required", "token": "a b", "tokens": "x1" * 9}, None),
        ({"password": "[redacted:assignment]"}, None),
        (7, None),
    ],
    ids=[
        "key",
        "two-keys",
        "under-a-name",
        "nested",
        "name-value",
        "arguments",
        "command",
        "header",
        "pin",
        "page",
        "manifest",
        "neighbors",
        "options",
        "ordinary",
        "again",
        "number",
    ],
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
