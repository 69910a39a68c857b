"""What a terminal shows whose encoding lacks some characters."""

from __future__ import annotations

import pytest

from cli.app import use_plain_signs


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("██▌ 3", "### 3"),
        ("▁▃█", "###"),
        ("caf\u00e9 \u2026", "caf\\xe9 \\u2026"),
        ("\ud83d", "\\ud83d"),
    ],
)
def test_in_ascii(text: str, shown: str) -> None:
    """Bars stay bars; other characters, also half a surrogate, are shown by their number."""
    assert text.encode("ascii", use_plain_signs()).decode() == shown


def test_bytes_that_are_no_text() -> None:
    """The handler is for output alone."""
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", use_plain_signs())
