"""Secrets in calls, tables, files and settings."""

from __future__ import annotations

from journal.redaction import redact
from journal.redaction.fields import FIELDS
from tests.journal.redaction.rows import check_row
from tests.support.rows import each


@each("name", [row[0] for row in FIELDS])
def test_row_redacts_its_example_and_keeps_its_counter_example(name: str) -> None:
    """Each row redacts its example with its own tag and returns its counter-example itself."""
    check_row(name)


@each("text", [
    'login(uri("http://localhost:" + port), "realm", "bob", "§")', "client.bind('cn=root', '§', f)",
    '#define WIFI_PASS "§"', "<pass>§</pass>", 'db.connect("localhost", "root", "§", "webdata")',
    'ssh.connect("10.0.0.4", 22, "root", "§")', "c.expect(['password: '])\nc.sendline('§')",
])  # fmt: skip
def test_a_secret_in_a_place_for_one(text: str) -> None:
    """Calls among the arguments before it, or a definition, do not hide a secret."""
    assert "hunter2x" not in redact(text.replace("§", "hunter2x"))


@each("text", [
    'login(uri("http://localhost:" + port), "realm")', "client.bind('cn=root', callback, f)",
    '#define WIFI_PASS "wifi_pass"', "<pass>none</pass>", "c.expect(r'password:\\s?$')",
    'db.connect("localhost", "root", "", "webdata")',
])  # fmt: skip
def test_a_place_for_a_secret_without_one(text: str) -> None:
    """The same places stay where a name or nothing stands in them."""
    assert redact(text) is text
