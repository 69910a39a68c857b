"""A conversation as a page."""

from __future__ import annotations

import os
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from tests.cli.conftest import workspace as workspace  # noqa: PLC0414 (a fixture)
from tests.cli.show.conftest import SECRET
from tests.journal.history.conversations.lines import SID

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace


class Page(HTMLParser):
    """Collects what a browser would load or run from a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag and its targets."""
        self.tags.append(tag)
        self.links += [
            value or "" for name, value in attrs if name in ("src", "href", "style", "onload")
        ]


def test_html_is_one_file_that_loads_nothing(imported: Workspace) -> None:
    """No script, picture or link; only its owner can read it; texts are escaped."""
    path = imported.top / "out.html"
    assert imported.journal("show", SID, "--html", str(path)).code == 0
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert not {"script", "img", "link", "iframe", "a"} & set(page.tags)
    assert page.links == []
    assert SECRET not in text
    assert "salary" not in text
    assert "<pre>total &lt;b&gt;</pre>" in text
    assert "default-src 'none'" in text
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_an_error_names_the_file_that_was_asked_for(imported: Workspace) -> None:
    """No error is about the temporary file beside it."""
    path = imported.top / "nowhere" / "out.html"
    failed = imported.journal("show", SID, "--html", str(path))
    assert failed.code == 3
    assert f"{path}: no such file or directory" in failed.err
    assert "a new file needs a directory that exists" in failed.err


def test_html_replaces_only_a_page_of_its_own(imported: Workspace) -> None:
    """Another file or a directory is not replaced without --force; our own page is."""
    path = imported.top / "notes.html"
    path.write_text("mine")
    refused = imported.journal("show", SID, "--html", str(path))
    assert refused.code == 2
    assert "--force" in refused.err
    assert path.read_text() == "mine"
    assert imported.journal("show", SID, "--html", str(path), "--force").code == 0
    assert imported.journal("show", SID, "--html", str(path)).code == 0
    assert imported.journal("show", SID, "--html", str(imported.top)).code == 3
