"""Whether the value that a row found is a secret, and where it ends."""

from __future__ import annotations

import pytest

from journal.redaction import redact
from journal.redaction.replace import pattern_of
from journal.redaction.values import secret_span
from tests.support.rows import each


def span(text: str) -> str | None:
    """Return the part of a text that is a secret behind `password=`, None for none."""
    match = pattern_of("assignment").search(text)
    if match is None:
        return None
    found = secret_span("assignment", match, text)
    return text[slice(*found)] if found else None


@pytest.mark.parametrize(
    ("text", "secret"),
    [("password=hunter2x9", "hunter2x9"), ("password=hunter2x9, next", "hunter2x9"),
     ("password=$PASSWORD", None), ("password=None", None),
     ("password=" + "kR7vQ2mX9p" * 20, "kR7vQ2mX9p" * 20)],
)  # fmt: skip
def test_a_secret_has_its_whole_run(text: str, secret: str | None) -> None:
    """A bounded match is extended to the end of its run, without the signs behind; references stay."""
    assert span(text) == secret


def test_one_word_at_the_end_of_a_line_is_a_password() -> None:
    """Behind a colon or an arrow, or in quotes behind `the secret is`; not one that names a state."""
    for text in ("Your temporary password is: {}", "password -> {}\nnext", "The secret is `{}`"):
        assert "maple" not in redact(text.format("maple"))
        assert redact(text.format("required")) == text.format("required")
    assert redact("password: maple syrup") == "password: maple syrup"


LETTERS = "tango" + "falcon"
WORDS = "violet-otter-" + "garage"


@each("text", [
    "the root password is {} for now", "user admin, password {}", "Created user bob with password {}",
    "パスワードは{}です", "rootのパスを{}に変更して", "비밀번호는 {} 입니다", "패스워드({})",
    "Das Passwort lautet {}", "Contraseña: {}", "pass:{}", "bob@10.0.0.9 (pw:{})", "ID/PW(bob/{})",
    "[client]\nuser = bob\npassword = {}\n", "cy.get('#password').type('{}')",
    "doppler secrets set DB_PASSWORD {}", "Пароль: {}", "PW는 {}",
    'variable "db_password" {{\n  default = "{}"\n}}', "winexe -U bob%{} //10.0.0.8 cmd",
    "steamcmd +login bob {} +quit", "yes {} | passwd bob", "openssl passwd -6 {}", "pasword: {}",
])  # fmt: skip
def test_a_password_of_letters_alone_goes_behind_its_name(text: str) -> None:
    """Words run together, or with hyphens, are a password where a word for one announces them."""
    assert LETTERS not in redact(text.format(LETTERS))
    assert WORDS not in redact(text.format(WORDS))


@pytest.mark.parametrize("text", [
    "the password is encrypted", "This password supersedes any other", "with password authentication",
    "password = credentials", "the password is out-of-date", "pass: something", "username/password combinations",
])  # fmt: skip
def test_words_behind_the_name_of_a_password_stay(text: str) -> None:
    """A word of prose or a name in code is no password."""
    assert redact(text) is text


KEPT = (
    "password = getpass()", "token = parser.next(3)", "password: str", "self.token = token",
    "the token is refreshed", "curl -u $USER:$PASS https://x.invalid",
    "https://user@host.invalid/x", "Authorization: Bearer <token>", "secret: Int32? = null",
)  # fmt: skip


@pytest.mark.parametrize("text", KEPT)
def test_references_stay(text: str) -> None:
    """Names, types, calls and placeholders are returned as the same object."""
    assert redact(text) is text


def test_a_phrase_in_quotes_goes_to_the_closing_one() -> None:
    """Where a sentence says that it is the password; words of prose stay."""
    phrase = "quiver hollow " + "raven puzzle"
    for text in ("the master password is '{}'", "password: “{}”", "my password is `{}`, ok?"):
        assert not set(phrase.split()) & set(redact(text.format(phrase)).split())
    assert redact("the password is 'not found in the list'").endswith("'not found in the list'")


@each(("text", "secret"), [
    ("gpg --passphrase=§ -d f", "Tokyo." + "Rocky90"),
    ("git clone https://§@x.invalid/a", "4sc3e5" + "LrOLH97c"),
    ("HMAC_SECRET_HEX=§", "dzeQzsNzrcEVHk" + "LYjJbqdvy94RSO5ScY"), ("alarm code §", "95" + "26"),
    ("Manual entry key: §", "iajr dnyc ywv7 " + "njeh apju tkod"),
    ("usa la contrasena §", "seoul" + "674"),
    ("TOTP secret: §", "nv2v uefh tp57 " + "skwh ezya"), ("unlock pin §", "95" + "26"),
    ("postgres://bob:§@db.invalid/x", "passw0rd" + "1"),
    ('app_secret = """§"""', "kettle" + "-Pond_47x"), ("password=§", "%sap" + "phire4845"),
    ("admin_password = §", "-otter" + "1971"), ("AUTH bob §", ".otter" + "71"),
    ("tool --password=§", "Velvet" + "_pony"), ("Password = §", "velvet_pony" + "_4711"),
    ("[a]\n-pass = §\n+pass = x", "otter" + "47"), ('Config["Jwt:Key"] = "§"', "Violet" + "Otter4711"),
    ("is § a strong password?", "Otter.Violet" + "4711"),
    ("the db password is otter-violet-47x on a but on b it is §", "otter" + "Violet4711"),
    ("Document.cookie = 'sid=§'", "kRvQmXpLsTwYzBnCkRvQmXpLsTwY"),
    ("otpauth://totp/a:b?issuer=a&secret=§", "NBSWY3DPEHPK3PXP"),
    ('"adminPassword": {"type": "securestring", "defaultValue": "§"}', "otter" + "violet"),
    ('"adminPassword": {\n  "value": "§"\n}', "?otter" + "1971"),
    *((f"{words}§", 11 * "ability " + "able") for words in ("BIP39: ", "SEED_WORDS='")),
])  # fmt: skip
def test_more_places_of_values(text: str, secret: str) -> None:
    """Each with the part of a value, or the name, that gives it away."""
    assert secret not in redact(text.replace("§", secret))


@each("text", [
    "passphrase = Config.Value32", "https://johnsmith@x.invalid/a",
    "DIGEST_HEX=dzeQzsNzrcEVHkLYjJbqdvy94RSO5ScY",
    "--- PASS: TestIsShadowBranch (0.01s)", "password = %s", 'password = ""',
    "Session: 05d4a287-8403-43ce-8a55-9194126050dc is over; the API key is unset",
    "mot de passe oublié", "пароль изменён", "the password changed, it's fine now",
    "passport.authenticate('oauth2', f)", "self.connect('clicked', 'on_click')",
    "postgres://USER:PASSWORD@HOST/x", "ftp://user:pass@x.invalid", "GPIO pin 95",
    "write down 12 words: " + 6 * "ability for ",
    "a.py,sha256=VOOEKZ_Hfbu--vQQ_j66d9Scy_UBURoL8zgs4jNzxoA,3389",
    "alarm code 95262626262", "setup key is in the manual",
])  # fmt: skip
def test_places_like_them_stay(text: str) -> None:
    """Names in code, users, digests and numbers."""
    assert redact(text) == text
