"""What a terminal shows whose encoding lacks some characters."""

from __future__ import annotations

import io
import json
import sys

import pytest

from cli.app import use_plain_signs
from cli.render.text import emit_json


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("██▌ 3", "### 3"),
        ("▁▃█", "###"),
        ("── ┈ • →", "-- - - ->"),
        ("caf\u00e9 \u2026", "caf\\xe9 \\u2026"),
        ("\ud83d", "\\ud83d"),
    ],
)
def test_in_ascii(text: str, shown: str) -> None:
    """Bars stay bars, and lines lines; other characters, also half a surrogate, are shown by their number."""
    assert text.encode("ascii", use_plain_signs()).decode() == shown


def test_bytes_that_are_no_text() -> None:
    """The handler is for output alone."""
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", use_plain_signs())


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "euc-jp", "utf-8"])
def test_json_in_any_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """JSON on an output of any encoding is UTF-8 and says the same."""
    out = io.BytesIO()
    stream = io.TextIOWrapper(out, encoding, errors=use_plain_signs(), write_through=True)
    monkeypatch.setattr(sys, "stdout", stream)
    emit_json([{"caf\u00e9": "\u91d1 \U0001f6d2"}])
    assert json.loads(out.getvalue()) == [{"caf\u00e9": "\u91d1 \U0001f6d2"}]
