"""Pages that a tool writes are up to date; a test that fails prints the command that updates them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.app import command
from cli.manual import man_page
from tests.cases.world import ROOT
from tests.tools import cli_page, configuration_page, events_page, messages_page, sql_page

if TYPE_CHECKING:
    from collections.abc import Callable

TOOL = ".venv/bin/python -m tests.tools."
GENERATED: dict[str, tuple[Callable[[], str], str]] = {
    "docs/cli.md": (cli_page.page, f"{TOOL}cli_page"),
    "docs/configuration.md": (configuration_page.manual, f"{TOOL}configuration_page"),
    "docs/events.md": (events_page.page, f"{TOOL}events_page"),
    "docs/messages.md": (messages_page.page, f"{TOOL}messages_page"),
    "docs/sql.md": (sql_page.page, f"{TOOL}sql_page"),
    "cli/journal.1": (lambda: man_page(command()), "bin/journal help --man"),
}


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_page_is_current(name: str) -> None:
    """Each page equals what its tool writes."""
    write, words = GENERATED[name]
    is_current = (ROOT / name).read_text(encoding="utf-8") == write()
    assert is_current, f"run: {words} > {name}"
