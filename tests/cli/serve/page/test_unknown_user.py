"""If the system does not report who connects, the page needs its token to show anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .conftest import WAIT, serving
from .seed import seed

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

pytestmark = pytest.mark.page

NOBODY = """
import sys
import cli.serve.app
cli.serve.app.build_app.__kwdefaults__["owner"] = lambda *_: None
from cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def test_the_page_needs_its_token(tmp_path: Path, chromium: Browser) -> None:
    """With the token it lists the sessions; without it, it says so and lists none."""
    seed(tmp_path / "journal")
    with serving(tmp_path, program=("-c", NOBODY)) as served:
        for address, let in ((served.url, False), (served.address, True)):
            context = chromium.new_context()
            page = context.new_page()
            page.set_default_timeout(WAIT)
            page.goto(address)
            wanted = page.locator(".j-row.is-session") if let else page.get_by_role("note")
            wanted.first.wait_for()
            assert bool(page.locator(".j-row").count()) is let
            assert page.get_by_text("needs its token").count() == (0 if let else 1)
            context.close()
