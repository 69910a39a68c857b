"""What stands around a secret: schemes of headers, calls, continued lines, other languages."""

from __future__ import annotations

import random

import pytest

from journal.redaction import redact
from tests.journal.redaction.published import fill

KEY = "{a40}"
PASSWORD = "Kestrel{d4}!"
FORMS = {
    "a scheme of its own": ("Authorization: sso-key §", KEY),
    "a header by index": ("headers['Authorization'] = 'Basic §'", KEY),
    "a continued line": ("curl https://x.invalid/?a=b \\\n-u bob:§", PASSWORD),
    "a call around it": ('let api_key = String::from("§");', KEY),
    "a constructor": ('[Net.NetworkCredential]::new("admin", "§")', PASSWORD),
    "a flag --key": ("agent link --key=§ --host=x.invalid", KEY),
    "a log that says what happened": ("WARN token refreshed: §", KEY),
    "German": ("Der API-Schlüssel lautet §", KEY),
    "French quotes": ("le mot de passe est « § »", PASSWORD),
    "a user of Redis": ("user default on >§ ~* +@all", PASSWORD),
    "a community of SNMP": ("snmp-server community § RO", KEY),
    "a task of Windows": ("schtasks /create /tn a /ru admin /rp §", PASSWORD),
    "a short flag of a cloud": ("az sql server create -n s -u admin1 -p §", PASSWORD),
    "a here-string": ("databricks configure --token <<< §", KEY),
    "an address that is the key": ("https://eth-mainnet.g.alchemy.com/v2/§", KEY),
}
ORDINARY = (
    "Authorization: sso-key is one of the schemes",
    "tool --key=name-of-the-row --partition-key user_id",
    "WARN token refreshed: the session goes on",
    "user default on the first line of the file",
    'let name = String::from("the api key");',
)  # fmt: skip


@pytest.mark.parametrize(("form", "template"), FORMS.values(), ids=FORMS)
def test_a_secret_goes_by_what_stands_around_it(form: str, template: str) -> None:
    """Twenty random values in each form: nothing of them stays."""
    source = random.Random(form)
    for _ in range(20):
        secret = fill(template, source)
        assert secret[-12:] not in redact(form.replace("§", secret))


@pytest.mark.parametrize("text", ORDINARY)
def test_the_same_words_without_a_secret_stay(text: str) -> None:
    """A name of a scheme, of a row or of a user is no secret."""
    assert redact(text) is text


def test_padded_base64_that_begins_with_a_slash_is_no_path() -> None:
    """A key of 64 bytes begins with `/` once in 64 times."""
    key = "/" + fill("{a40}+{a44}", random.Random(3)) + "=="
    assert key not in redact(f'"STORAGE_ACCOUNT_KEY": "{key}"')
    path = '"ACCOUNT_KEY": "/srv/keys/of/the/storage/account"'
    assert redact(path) is path
