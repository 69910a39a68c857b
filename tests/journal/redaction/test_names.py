"""What the name of a value says about it."""

from __future__ import annotations

import pytest

from journal.redaction.named_values import kind_of, name_start

KINDS = {
    "password": ("password", "db_password", "密码", "root-passwd", "storepass", "dbpass", "psk",
                 "wifi_psk", "adminpw"),
    "pass": ("pass", "pw"),
    "token": ("token", "api_token"),
    "secret": ("secret", "client_secret", "secretorkey", "api_key", "private-key", "access key", "credentials",
               "_auth", "cli_auth"),
    "key": ("acme_key", "salt", "secret_id", "proxy_auth"),
    "": ("key", "sort_key", "cachekey", "page_token", "next-token", "compass", "name", "bypass",
         "public_key", ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_of_a_name(kind: str) -> None:
    """Passwords, tokens and secrets are told from keys of data and words that only end like them."""
    assert {name: kind_of(name) for name in KINDS[kind]} == dict.fromkeys(KINDS[kind], kind)


@pytest.mark.parametrize(
    ("text", "name"),
    [("x db-root_password", "db-root_password"), ("--api-token", "api-token"), ("密token", "token"),
     ("a" * 100 + "token", "a" * 48 + "token"), ("token", "token")],
)  # fmt: skip
def test_where_a_name_begins(text: str, name: str) -> None:
    """A name is letters, digits, `_` and `-` before its last part, 48 at most, without dashes of a flag."""
    last = max(text.rfind("password"), text.rfind("token"))
    assert text[name_start(text, last) :] == name
