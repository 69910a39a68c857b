"""Recall on formats and forms outside the product's own table, and an independent scanner."""

from __future__ import annotations

import importlib
import random

import pytest

from journal.redaction import redact
from tests.journal.redaction.published import ASSIGNED, EVERYDAY, FORMATS, VALUES, fill
from tests.support.examples import scaled

BARE = [
    "use {t} to deploy it",
    "I set it to {t} and it works",
    "curl https://x.invalid/?q={t}",
    "tool login {t}",
    '"{t}"',
    "export X='{t}'",
    "the new one is `{t}`, try again",
    "{t}",
]
PASSWORD = "hunter" + "2x!"
SCANNERS = {
    "aws": "AWSKeyDetector",
    "azure_storage_key": "AzureStorageKeyDetector",
    "discord": "DiscordBotTokenDetector",
    "github_token": "GitHubTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "jwt": "JwtTokenDetector",
    "mailchimp": "MailchimpDetector",
    "openai": "OpenAIDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "telegram_token": "TelegramBotTokenDetector",
    "twilio": "TwilioKeyDetector",
}


def recall(rows: list[tuple[str, str]]) -> tuple[float, list[str]]:
    """Return the share of secrets that were redacted, and the texts that still contain theirs."""
    missed = [text for text, secret in rows if secret in redact(text)]
    return 1 - len(missed) / len(rows), missed


def bare_tokens(count: int) -> list[tuple[str, str]]:
    """Return (text, token) for `count` tokens of each format in each sentence or command."""
    source = random.Random(5)
    tokens = [fill(template, source) for _, template in FORMATS for _ in range(count)]
    return [(form.replace("{t}", token), token) for token in tokens for form in BARE]


def test_tokens_that_stand_alone(capsys) -> None:
    """At least 99 % of tokens in published formats are redacted, in sentences, commands and quotes."""
    share, missed = recall(bare_tokens(scaled(3, 1)))
    with capsys.disabled():
        print(f"\nbare tokens, {len(FORMATS)} formats: recall {share:.4f}")
    assert len(FORMATS) >= 200
    assert share >= 0.99, missed[:20]


def test_each_format_is_recognised_bare() -> None:
    """A token of each single format is redacted between spaces."""
    source = random.Random(9)
    rows = [(name, fill(template, source)) for name, template in FORMATS]
    assert not [name for name, token in rows if token in redact(f"use {token} now")]


def test_assigned_tokens(capsys) -> None:
    """At least 99 % of random values assigned to a name that announces a secret are redacted."""
    source = random.Random(6)
    rows = []
    for form in ASSIGNED:
        for value in VALUES:
            for issuer in ("adobe", "Coinbase"):
                secret = fill(value, source)
                rows.append((form.replace("{i}", issuer).replace("{s}", secret), secret))
    share, missed = recall(rows)
    with capsys.disabled():
        print(f"\nassigned values, {len(ASSIGNED)} forms: recall {share:.4f}")
    assert share >= 0.99, missed[:20]


def test_everyday_secrets(capsys) -> None:
    """At least 98 % of the ways people write secrets in prompts and commands are recognised."""
    source = random.Random(7)
    rows = []
    for form, template in EVERYDAY:
        secret = fill(template.replace("{P}", PASSWORD[:-1]), source)
        rows.append((form.replace("{s}", secret), secret))
    share, missed = recall(rows)
    with capsys.disabled():
        print(f"\neveryday forms, {len(rows)}: recall {share:.4f}")
    assert share >= 0.98, missed


def test_a_scanner_finds_nothing_left() -> None:
    """A scanner by other authors finds tokens in these texts, and none after redaction."""
    pytest.importorskip("detect_secrets", reason="part of the extra dev")
    texts = [(text, redact(text)) for text, _ in bare_tokens(1)[::2]]
    found = 0
    for module, name in SCANNERS.items():
        kind = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)
        scanner = kind()
        for text, clean in texts:
            found += bool(set(scanner.analyze_string(text)))
            assert not set(scanner.analyze_string(clean)), (name, text)
    assert found > 60
