"""Secrets on a command line."""

from __future__ import annotations

import re

import pytest

from journal.redaction import redact
from journal.redaction.commands import COMMANDS
from tests.journal.redaction.rows import check_row


@pytest.mark.parametrize("command", [
    "ssh-keygen -p -P {} -N '{}' -f key", 'snmpget -v3 -A {} -X "{}" host sysName.0',
    "pdftk a.pdf output b.pdf owner_pw {} user_pw {}",
    "openssl pkcs12 -in a.p12 -passin pass:{} -passout pass:{}",
    "mysqladmin -u root -p{} password {}", "zip -P {} a.zip b; unzip -P {} c.zip",
    "curl -u bob:{} a.io; curl 'b.io' -u 'AC93fa7c1f9b2e4c0d8f1a6b3e5d7c9f02:{}'",
])  # fmt: skip
def test_each_secret_of_a_command_goes(command: str) -> None:
    """Of several secrets in one command none stays; what stands between them does."""
    secrets = ("kq7Zm2wRx", "Vb94tLp-s")
    user = "AC93fa7c1f9b2e4c0d8f1a6b3e5d7c9f02"  # redacted as an issuer's token, before the rest
    shown = redact(command.format(*secrets)).replace("[redacted:twilio]", user)
    assert re.sub(r"\[redacted:\w+\]", "{}", shown) == command


@pytest.mark.parametrize("count", [1, 4, 5, 9, 40])
@pytest.mark.parametrize("flag", ["-N {}", "-P '{}'"])
def test_many_secrets_of_a_command(flag: str, count: int) -> None:
    """However many a command has, searching its text again finds nothing more."""
    secrets = " ".join(flag.format(f"Kq{at}zV8mW{at}t") for at in range(count))
    once = redact(f"ssh-keygen {secrets} -f key")
    assert redact(once) is once
    assert "Kq0zV8mW0t" not in once
    if count < 10:
        assert "zV8mW" not in once


@pytest.mark.parametrize("name", [row[0] for row in COMMANDS])
def test_row_redacts_its_example_and_keeps_its_counter_example(name: str) -> None:
    """Each row redacts its example with its own tag and returns its counter-example itself."""
    check_row(name)
