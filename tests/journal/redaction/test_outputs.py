"""What a command prints, if it is one word and the command says that it is a secret."""

from __future__ import annotations

import random

import pytest

from journal.redaction import redact
from journal.redaction.outputs import redact_output
from tests.journal.redaction.published import fill

COMMANDS = (
    "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d", "pass show prod/db",
    "vault kv get -field=password secret/app", "gcloud secrets versions access latest --secret=db",
    "aws secretsmanager get-secret-value --secret-id x --query SecretString --output text",
    "cat ~/.vault_pass", "openssl rand -base64 24", "printenv API_TOKEN", "keyring get acme bob",
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("template", ["qv{a9}7Rx", "{h64}", "Kestrel#{d4}"])
def test_the_output_of_a_command_for_a_secret_goes(command: str, template: str) -> None:
    """Whatever its form; the line break behind it stays."""
    secret = fill(template, random.Random(command))
    assert secret not in redact_output(command, f"{secret}\n")
    assert redact_output(command, f"{secret}\n").endswith("]\n")


def test_it_goes_below_the_command_in_a_terminal() -> None:
    """Below a prompt of a shell; below the same words without a prompt it stays."""
    secret = fill("qv{a4}7{a4}Rx", random.Random(1))
    assert secret not in redact(f"bob@host:~$ op read op://dev/db/password\n{secret}\n")
    other = f"see db/password\n{'q' + 'v7bTmK'}\n"
    assert redact(other) is other


@pytest.mark.parametrize(("command", "output"), [
    ("git log -1 --format=%H -- token.py", "5f3c9a7b1e2d4c6f5f3c9a7b1e2d4c6f5f3c9a7b"),
    ("grep -c token app.py", "12"), ("ls tokens", "parser.py"), ("which pass", "/usr/bin/pass"),
    ("cat token.txt", "two words"), ("ls", "kq7zm2vwrx9b"), ("grep -o password x", "password"),
])  # fmt: skip
def test_other_outputs_stay(command: str, output: str) -> None:
    """Digests of commits, numbers, paths, several words, and what another command prints."""
    assert redact_output(command, output) is output
    assert redact_output(None, output) is output
