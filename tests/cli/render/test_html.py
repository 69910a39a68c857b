"""A page of HTML, and where it may be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.render.html import document, write_page
from journal.errors import JournalError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_texts_of_a_page_are_escaped() -> None:
    """Title and footer are texts; the page may load nothing and run nothing."""
    text = document("a <b>\x1b[31m", "<p>x</p>", "made & done")
    assert text.startswith("<!doctype html>")
    assert text.count("a &lt;b&gt;") == 2
    assert "\x1b" not in text
    assert "<p>x</p>" in text
    assert "<footer>made &amp; done</footer>" in text
    assert "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"" in text


def test_only_a_page_of_ours_is_replaced(tmp_path: Path) -> None:
    """Another file is replaced only if the person asked for it; a directory never."""
    path = tmp_path / "page.html"
    write_page(str(path), document("one", "", ""))
    assert path.stat().st_mode & 0o777 == 0o600
    write_page(str(path), document("two", "", ""))
    assert "<title>two</title>" in path.read_text()
    path.write_text("mine")
    with pytest.raises(UsageError, match="not a page of the journal"):
        write_page(str(path), document("three", "", ""))
    assert path.read_text() == "mine"
    write_page(str(path), document("four", "", ""), replace=True)
    assert "four" in path.read_text()
    with pytest.raises(JournalError, match="not a regular file"):
        write_page(str(tmp_path), "", replace=True)
