"""The form of a word that could be a secret."""

from __future__ import annotations

import pytest

from journal.redaction.value_forms import form_of, is_plain
from tests.support.rows import each

FORMS = {
    "typed": "Kes" + "trel2359!",
    "name": "Kes" + "trelGondola2359",
    "letters": "rwqdl" + "TXKIvbn",
    "generated": "kQ7z" + "m2VwRx9Bt4L",
    "mixed": "kQ7z" + "m2-VwRx9Bt4L",
    "short": "kq7zm" + "2vwrx9",
    "hexadecimal": 4 * "0a1b2c3d",
    "strong": "Kq7" + "z!mvW",
}


@pytest.mark.parametrize("form", FORMS)
def test_what_a_generator_or_a_person_makes_up_has_a_form(form: str) -> None:
    """The form says how close a word for a secret has to be."""
    assert form_of(FORMS[form])[0] == form


@pytest.mark.parametrize("word", [
    "required", "db_password", "your-key-here", "0x1F00AB9C4411", "20260302", "SocksClientState5",
])  # fmt: skip
def test_words_names_and_numbers_have_none(word: str) -> None:
    """Nor have placeholders, and names of secrets."""
    assert form_of(word)[0] == ""


@each(("value", "form"), [
    ("kQ7z" + "m2VwRx9", "generated"), ("4L23O-NCAQB-" + "0A5IF-9UCX8", "generated"),
    ("II4M6GVV" + "JRMFB4BJ", "generated"), ("Z.LVj*Nw" + "*Bu3qM_Au", "typed"),
    ("Madrid!" + "8633", "typed"), ("Arsenal_" + "Sommer44", "name"),
    ("Kestrel" + "2024&", "typed"), ("Kestrel" + "Otter638_", "typed"), ("Sha" + "256&", ""),
    ("quartz" + "Buster29", "name"), ("iNCdda-" + "qDaTMb-DcsiI5", "typed"),
    ("rygbem-" + "7kuttu-wyhPov", "typed"), ("e^l*jW" + "E5GUAW_K", "typed"),
])  # fmt: skip
def test_what_only_a_program_makes_up(value: str, form: str) -> None:
    """Both cases and digits that alternate, a license key, base32; and what a person makes up."""
    assert form_of(value)[0] == form


@each("name", [
    "Float8E4M3FN", "xmlSecHrefRsaMd5", "SocksClientV5Handler", "Iop_Add64", "0x00FF2A7B1C",
    "MSGS-WITH-MANY-CAPS", "2026-1127-1200-0000", "ABCDEF234567ABCD", "METADATA2BLOCK16", "dbus!103",
    "Python-Update-Line01", "xmlSaveUri@LIBXML2_2.4.30", "a-zA-Z0-9.!#$%&", "a%2Fb%3Ac%40D", "x2*Y_3*aB4*Zc",
])  # fmt: skip
def test_names_in_code_need_a_word_for_a_secret(name: str) -> None:
    """They have words in them, or are numbers."""
    assert form_of(name)[0] not in ("typed", "generated")


@pytest.mark.parametrize(("value", "plain"), [
    ("matrix" + "falcon", True), ("fJ+SF" + "mOVq", True), ("hunter" + "x12", True),
    ("base64-encoded", False), ("at-least-8", False), ("confirm2", False), ("get_user_2fa", False),
    ("SecureString", False), ("bob@mail.invalid", False),
])  # fmt: skip
def test_a_plain_value_is_no_word_and_no_code(value: str, plain: bool) -> None:
    """Right behind a word for a password, nearly anything else is one."""
    assert is_plain(value) is plain
