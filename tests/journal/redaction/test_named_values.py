"""Whether the value of a name is a secret."""

from __future__ import annotations

import pytest

from journal.redaction import redact, redact_value
from journal.redaction.named_values import is_key, of_flag
from tests.support.rows import each


@each(
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


@pytest.mark.parametrize(
    ("text", "secret"),
    [("tool -e 'db_password=§' up", "g.fdKk"), ('post "user=bob&passwd=§"', "tulip"),
     ("password: §", "ep-JMjOTda"), ("rclone x pass=§ y", "orchard"),
     ("client_secret: §\nhost: x", "RLGptyFWEiB"), ("password: §", "271828"),
     ("password: §\n", "violet.otter.garage.maple"), ("password = §", "violet_otter_garage_maple"),
     ("api.clientSecret('§')", "pilot123"), ("passwordRepeat: '§'", "swordfish"),
     ("db.password=§\n", "violet_otter"), ("password = §\n", "VioletOtter"),
     ("credentials=§ mode=self", "copper_otter"), ("mail_password = §\n", "84925280"),
     ("psk=§ passphrase", "summer-otter"), ("token: '§'", "946594"), ("GH_TOKEN=§ x", "Lucas@1"),
     ("SECRET_KEY = '§'", "k3x(5v-&m0v(cu*_1i"), ("**Password:** §", "violet.otter"),
     ("DB_PASS: §\n", "otter.bridge"), ("#define PASSWORD_RAW" + 40 * " " + '"§"', "0m@r73"),
     ("use constant KEY_PASSWORD" + 40 * " " + "=> '§';", "otter63537")],
)  # fmt: skip
def test_a_bare_value_that_is_no_code(text: str, secret: str) -> None:
    """Quotes around name and value, the end of the line, a sign without spaces: no variable."""
    assert secret not in redact(text.replace("§", secret))


@pytest.mark.parametrize("text", [
    "x = user['password=' + key]", "login(password=user['password'])", "client_secret: string",
    "'token': credentials['Token'],", "password = self.settings", "password: 271828, max: 3",
    "password = violet.otter.garage.maple()", "violet_otter = password_of_garage", "x.getToken('a1b2c3d4')",
    "password <- rstudioapi::askForPassword()", "login(password=violet_otter, user=bob)",
    "f('password', 'email', 'user2')", "('db_password', 'db_user', 'db_host')", "getSecret('prod1')",
])  # fmt: skip
def test_code_around_a_name_stays(text: str) -> None:
    """A quote behind an index does not end a text that holds the name."""
    assert redact(text) is text


@pytest.mark.parametrize("text", [
    "values ('29','jira_password','§')", 'modparam("rr", "cookie_secret", "§")',
    'strcpy(ctx->up.password, "§");', "define('ADMIN_PASSWORD', '§')",
    'Password.obfuscate("§")', "user.verifyPassword(user, '§')", "mysqli_connect('h', 'root', '§')",
])  # fmt: skip
def test_a_value_in_a_list_or_a_call(text: str) -> None:
    """Behind a name for a secret, in a row, a list or a call, a number or an odd word is one."""
    for secret in ("Otter1994", "p3pp3r!"):
        assert secret not in redact(text.replace("§", secret))


def test_the_form_of_a_key() -> None:
    """A key is random characters; names, words and versions are none."""
    assert is_key("kR7vQ2mX9pL4sT8wY1zB3nC6")
    assert not is_key("node-modules-v2-linux-x64-of-the-build")
