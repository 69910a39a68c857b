"""The form of a value: reference, code, words, or random characters."""

from __future__ import annotations

from journal.redaction import value_kinds
from tests.support.rows import each

TABLE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # question → values it is true of, values it is not true of
    "is_reference": (("$TOKEN", "${TOKEN}", "<token>", "{{ token }}"), ("hunter2x9", "a1b2c3d4")),
    "is_path": (("/etc/passwd", "~/.acme/token", "./a.txt"), ("hunter2x9",)),
    "is_placeholder": (("your-token", "changeme", "example"), ("hunter2x9",)),
    "has_stem": (("my_password", "api-key-2"), ("hunter2x9",)),
    "has_digit": (("a1",), ("abc", "")),
    "is_random": (("kR7vQ2mX9pL4sT8wY1zB3nC6",), ("a-plain-sentence-of-words", "short1")),
    "is_hexadecimal": (("deadbeef00", "5f3c9a7b"), ("hello", "xyz1")),
    "is_mixed": (("hunter2x9", "Ab1"), ("hunter", "4711")),
    "is_common": (("string", "required"), ("hunter",)),
    "is_words": (
        (
            "correct-horse-battery-staple",
            "violet-otter-garage7",
            "Violet-Otter-Garage7",
            "otter_4711",
            "violet.otter.garage",
            "violet_otter_garage",
        ),
        (
            "kR7vQ2mX9pL4",
            "step_12",
            "token_4711",
            "log-in-page",
            "two-words",
            "violet.otter",
            "self.violet.otter",
            "new_user_name",
            "Access-Control-Origin",
        ),
    ),
    "is_numbered": (
        ("otter_violet_4711", "otter.violet4711", "Otter-Violet47"),
        ("violet4711", "otter_violet", "otter_int64", "token_violet47"),
    ),
    "is_made_up": ((".violet47", "-otter1971", "Otter#violet"), ("#12", "otter47", "otter#violet")),
    "is_half_titled": (
        ("Velvet_otter", "Velvet-otter"),
        ("Velvet_Otter", "Access-token", "velvet"),
    ),
    "is_camel": (("TestIsShadowBranch", "SocksClientState5"), ("kR7vQ2mX9pL4", "GXGoxTwQoK")),
    "is_passphrase": (("correct horse battery",), ("the password is wrong", "two words")),
    "is_lettered": (
        ("tangofalcon", "GXGoxTwQoK", "OrchidGalaxy", "rwqdltxki"),
        ("encrypted", "authentication", "credentials", "short", "PASSWORD", "my_password"),
    ),
    "is_shuffled": (("GXGoxTwQoK", "ep-JMjOT.da"), ("SocksClientState", "two-words", "MAX_SIZE")),
    "is_code": (("getpass()", "self.token"), ("hunter2x9",)),
}


@each("question", TABLE)
def test_the_form_of_a_value(question: str) -> None:
    """Each question is answered by the value alone."""
    yes, no = TABLE[question]
    ask = getattr(value_kinds, question)
    assert {value: ask(value) for value in (*yes, *no)} == {
        **dict.fromkeys(yes, True), **dict.fromkeys(no, False),
    }  # fmt: skip


def test_how_often_the_kind_of_character_turns() -> None:
    """Random characters turn often between letters and digits, words and numbers seldom."""
    assert value_kinds.turns("kR7vQ2mX9pL4") > value_kinds.turns("version12") >= 1
    assert value_kinds.longest_word("ab12horse3") == "horse"
