"""Whether the value of a name is a secret."""

from __future__ import annotations

import pytest

from journal.redaction import redact_value
from journal.redaction.named_values import is_key, of_flag


@pytest.mark.parametrize(
    ("key", "value", "secret"),
    [("password", "hunter2x9", True), ("password", "required", False), ("password", "$PW", False),
     ("db_password", "hunter2x9", True), ("token", "a b", False), ("tokens", "x1" * 9, False),
     ("api_key", "kR7vQ2mX9pL4sT8wY1zB3nC6", True), ("sort_key", "user_id2", False),
     ("password", "violet-otter-garage", True), ("secret", "grafana-admin-creds", False),
     ("name", "hunter2x9", False), ("password", "[redacted:assignment]", False)],
)  # fmt: skip
def test_a_value_under_a_key(key: str, value: str, secret: bool) -> None:
    """A typed-in value under a name for a secret is one; references, types and states are not."""
    assert (redact_value({key: value}) != {key: value}) is secret


@pytest.mark.parametrize(
    ("flag", "value", "quoted", "secret"),
    [("--password", "hunter2x9", False, True), ("--password", "$PW", False, False),
     ("--token", "kR7vQ2mX9pL4sT8wY1zB3nC6", False, True), ("--token", "<token>", False, False),
     ("--password", "swordfish", True, True)],
)  # fmt: skip
def test_a_value_of_a_flag(flag: str, value: str, quoted: bool, secret: bool) -> None:
    """A value that a person typed behind a flag for a secret is one."""
    assert of_flag(flag, value, quoted=quoted) is secret


def test_the_form_of_a_key() -> None:
    """A key is random characters; names, words and versions are none."""
    assert is_key("kR7vQ2mX9pL4sT8wY1zB3nC6")
    assert not is_key("node-modules-v2-linux-x64-of-the-build")
