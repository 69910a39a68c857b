"""The reports as a page."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from cli.stats.page import page
from cli.stats.report import Bars, Report
from journal.log.append import Writer
from tests.cli.conftest import SID, START, Workspace


class Page(HTMLParser):
    """Collects open tags, and what the page would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an opening tag."""
        self.tags.add(tag)
        self.loads += [
            f"{tag} {name}" for name, _ in attrs if name in ("src", "href") or name.startswith("on")
        ]
        if tag not in ("meta", "rect", "line", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Record a closing tag."""
        if self.open and self.open[-1] == tag:
            self.open.pop()


def test_the_page(played: Workspace) -> None:
    """One well-formed file, light and dark, which loads and runs nothing."""
    path = played.top / "report.html"
    assert played.journal("stats", "--html", str(path)).code == 0
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert (page.open, page.loads) == ([], [])
    assert {"svg", "table", "polyline"} <= page.tags
    assert "script" not in page.tags
    assert "prefers-color-scheme:dark" in text
    assert not re.search(r"https?://|url\(|@import", text)


def test_the_title_names_the_period(played: Workspace) -> None:
    """A page of what happened since a time says so; one of everything does not."""
    path = played.top / "report.html"
    for since, title in (
        ((), "Journal of shop</h1>"),
        (("--since", "2026-11-20"), " since 2026-11-20 00:00</h1>"),
    ):
        assert played.journal("stats", "--html", str(path), *since).code == 0
        assert title in path.read_text(encoding="utf-8")


def test_figures_come_first_and_what_is_empty_is_left_out(played: Workspace) -> None:
    """Main figures precede the first report; a report without data has no section."""
    path = played.top / "report.html"
    assert played.journal("stats", "--html", str(path)).code == 0
    text = path.read_text(encoding="utf-8")
    assert text.index("<b>1</b><span>session</span>") < text.index("<section")
    assert 'id="compactions"' in text
    assert 'id="stages"' not in text
    assert played.journal("stats", "stages", "--html", str(path)).code == 0
    assert "no data for a report yet" in path.read_text(encoding="utf-8")


def test_another_file_is_not_replaced(played: Workspace) -> None:
    """A file that is not our page is replaced only with --force."""
    path = played.top / "notes.html"
    path.write_text("mine")
    assert played.journal("stats", "--html", str(path)).code == 2
    assert path.read_text() == "mine"
    assert played.journal("stats", "--html", str(path), "--force").code == 0


def test_a_hostile_title(played: Workspace) -> None:
    """Text of events is escaped on the page and in the terminal."""
    with Writer(str(played.directory), START) as writer:
        writer.append(
            {
                "v": 1,
                "type": "session.titled",
                "sid": SID,
                "title": "<script>alert(1)</script>\x1b[31m",
            }
        )
    path = played.top / "report.html"
    result = played.journal("stats", "--html", str(path), "sessions")
    assert result.code == 0
    assert "<script>" not in path.read_text(encoding="utf-8")
    assert "\x1b" not in played.journal("stats", "sessions").out


def test_zero_has_no_bar() -> None:
    """Zero shows no bar, the smallest value a visible one."""
    bars = Bars("per week", [("a", 0, "0"), ("b", 0.001, "<1"), ("c", 900, "900")])
    drawn = page([Report("compactions", [], [bars], {})], "t", "now")
    assert re.findall(r'<i style="width:([\d.]+)%', drawn) == ["0.0", "80.0"]
