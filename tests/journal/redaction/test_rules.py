"""Each row of the table, and where a slow one is tried."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.redaction import redact
from journal.redaction.commands import COMMANDS
from journal.redaction.fields import FIELDS
from journal.redaction.replace import pattern_of
from journal.redaction.rules import RULES, starts
from journal.redaction.tokens import TOKENS
from tests.journal.redaction.rows import check_row
from tests.support.examples import examples
from tests.support.rows import each


@each("name", sorted(RULES.keys() - {row[0] for row in (*TOKENS, *COMMANDS, *FIELDS)}))
def test_row_redacts_its_example_and_keeps_its_counter_example(name: str) -> None:
    """Each row redacts its example with its own tag and returns its counter-example itself."""
    check_row(name)


ASSIGNED = st.lists(
    st.sampled_from((
        "password", "Passwd", "storepass", "keypass", "PASSPHRASE", "passcode", "pwd", "psk", "pw",
        "secret", "secret_access_key", "token", "tokens", "credentials", "encryption_key", "api key",
        "private-key", "the key", "x-key", "_auth", "密码", "口令", "パスワード", "暗証番号", "トークン",
        "apiキー", "비밀번호", "비번", "암호", "토큰", "api 키", "api키", "_prod", "_2", " is ", "は", "=",
        ": ", " ", "\n", "'hunter2x9'", "a1b2c3d4e5f6g7h8", "é", "K", "x",
    )), max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("name", ["assignment", "sentence"])
@given(text=ASSIGNED)
@examples(300)
def test_a_match_begins_only_at_the_listed_starts(name: str, text: str) -> None:
    """A slow row is tried at some characters only: at each one where its expression matches."""
    pattern = pattern_of(name)
    matching = {at for at in range(len(text)) if pattern.match(text, at)}
    assert matching <= set(starts(name, text))


def test_a_sentence_in_any_language_begins_where_it_is_looked_for() -> None:
    """Each word for a password that the expression knows is among the places to look at."""
    words = """
        lösenordet adgangskode salasana heslo jelszó parola şifre wachtwoord hasłem пароль clave
        senha contraseña kennwort passwort 비밀번호 パスワード 密码
        """.split()
    sentences = [f"{word}: kQ&qg=6v" for word in (*words, "kata sandi", "mật khẩu")]
    assert [text for text in sentences if starts("sentence", text) in ([], None)] == []
    assert [text for text in sentences if "kQ&qg=6v" in redact(text)] == []


@pytest.mark.parametrize("name", ["assignment", "sentence"])
def test_a_text_whose_lower_case_is_longer_is_searched_everywhere(name: str) -> None:
    """A letter that becomes two in lower case hides no secret."""
    _, secret, _ = RULES[name]
    assert starts(name, "İ" + secret) is None
    assert starts(name, secret)
    assert f"[redacted:{name}]" in redact("İ " + secret)


@each("text", [
    "mssql://app@server:§@server.example", "postgresql://app:§@/shop", 'expect "*sword:"\nsend "§\\n"',
    'expect \\"Password:\\"\n\nsend \\"§\\n\\"',
])  # fmt: skip
def test_an_unusual_place(text: str) -> None:
    """A user of a server, a URL without a host, a pattern for the prompt, escaped quotes."""
    assert "kq7Zm2wRx" not in redact(text.replace("§", "kq7Zm2wRx"))


@each("text", [
    "git+ssh://git@github.com:org/repo.git@v1.2", "ssh://git@host.example:22/a@v1",
    'expect "*word count*"\nsend "kq7Zm2wRx"', "the pattern is r'password:\\s?$', then",
])  # fmt: skip
def test_no_place_of_a_secret(text: str) -> None:
    """A path behind a host, another prompt, a regular expression."""
    assert redact(text) is text


def test_names_do_not_announce_a_secret() -> None:
    """A tag is not read as the name of a secret, so the text after it is not redacted."""
    for name in RULES:
        for sep in ("=", ": ", '": "'):
            text = f"[redacted:{name}]{sep}hunter2x99"
            assert redact(text) is text
