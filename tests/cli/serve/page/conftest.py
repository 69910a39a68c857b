"""A browser, a server process and a tab in it; tests are skipped, with the reason, without them.

Invariant: a test's tab requests nothing except from the server and logs no error; the home is a
temporary one, and only processes started here are ended.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from .seed import NOW, seed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parents[4]
WAIT = 60_000  # ms: the machine may be slow
USUAL = {"viewport": {"width": 1200, "height": 900}, "timezone_id": "UTC"}

UNTIL = """
import os, sys
from cli.serve.data.background_import import PastImport
real = PastImport.is_running.fget
PastImport.is_running = property(lambda self: real(self) or not os.path.exists({path!r}))
from cli.app import run
sys.exit(run(sys.argv[1:]))
"""
"""A program whose import of past sessions goes on until a file is there: one ends before a page is open."""


COSTS_AFTER = """
import os, sys, time
from cli.serve.data.spent import Spending
real = Spending.by_session
def late(self):
    while not os.path.exists({path!r}):
        time.sleep(0.02)
    return real(self)
Spending.by_session = late
from cli.app import run
sys.exit(run(sys.argv[1:]))
"""
"""A program whose tokens and costs come when a file is there."""


class Served:
    """A running `journal serve`. url: of the page; token: the text after the `#`."""

    def __init__(self, home: Path, address: str) -> None:
        self.home = home
        self.address = address
        self.url, _, self.token = address.partition("#")

    def events(self, project: str, kind: str) -> list[dict[str, Any]]:
        """Read the events of a kind in a project's journal."""
        lines = (self.home / project / "active.jsonl").read_text(encoding="utf-8").splitlines()
        return [event for line in lines if (event := json.loads(line))["type"] == kind]


def environment(top: Path, home: Path | None = None, now: str = NOW) -> dict[str, str]:
    """Build the environment of a person with the home `top` and the journals in `home`."""
    home = home or top / "journal"
    return {"PATH": os.environ["PATH"], "HOME": str(top), "JOURNAL_HOME": str(home), "TZ": "UTC",
            "CLAUDE_CONFIG_DIR": str(top / "claude"), "JOURNAL_NOW": now}  # fmt: skip


@contextmanager
def serving(
    top: Path,
    home: Path | None = None,
    now: str = NOW,
    program: tuple[str, ...] = ("-m", "cli"),
    words: tuple[str, ...] = ("--no-import",),
) -> Iterator[Served]:
    """Run the server on the journals in `home` (`top`/journal), at the time of the seed or now."""
    home = home or top / "journal"
    home.mkdir(exist_ok=True, mode=0o700)
    process = subprocess.Popen(
        [sys.executable, *program, "serve", "--port", "0", *words],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=environment(top, home, now),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert "http://" in first, first + process.stdout.read()
        yield Served(home, "http://" + first.split("http://")[1].strip())
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def find_chromium() -> str | None:
    """Return the system's own browser, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the system's browser."""
    pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = find_chromium()
    if path is None:
        pytest.skip("no chromium on PATH")
    sandbox = ["--no-sandbox"] if os.getuid() == 0 else []
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=sandbox)
        yield started
        started.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Served]:
    """Serve a seeded home to one file; other files do not see what its tests write."""
    top = tmp_path_factory.mktemp("page")
    seed(top / "journal")
    with serving(top) as found:
        yield found


class Watch:
    """The requests and log messages of a tab."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.asked: list[str] = []
        page.on("console", self._logged)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("websocket", lambda socket: self.asked.append(socket.url))

    def _logged(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    @property
    def elsewhere(self) -> list[str]:
        """Requests to another host than this machine."""
        return [url for url in self.asked
                if urlsplit(url).scheme not in ("data", "blob", "about")
                and urlsplit(url).hostname not in ("127.0.0.1", "localhost")]  # fmt: skip


@pytest.fixture(scope="session")
def shared_context(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser context shared by tabs without options, so files are loaded only once."""
    context = chromium.new_context(**USUAL)
    yield context
    context.close()


@pytest.fixture
def tab(chromium: Browser, shared_context: BrowserContext) -> Iterator[Callable[..., Page]]:
    """Open addresses in watched tabs. A tab with context options gets its own context."""
    watched: list[tuple[Any, Watch]] = []

    def go(address: str, **options: Any) -> Page:
        context = chromium.new_context(**{**USUAL, **options}) if options else shared_context
        page = context.new_page()
        page.set_default_timeout(WAIT)
        watched.append((context if options else page, Watch(page)))
        page.goto(address)
        ready(page)
        return page

    yield go
    for one, watch in watched:
        one.close()
        assert watch.errors == []
        assert watch.elsewhere == []


def ready(page: Page) -> None:
    """Wait until the page shows the sessions, or that there are none."""
    page.get_by_text(re.compile("^[0-9]+ sessions?$")).wait_for()


@pytest.fixture
def opened(tab: Callable[..., Page], served: Served) -> Page:
    """The seeded home, opened with its token."""
    return tab(served.address)
