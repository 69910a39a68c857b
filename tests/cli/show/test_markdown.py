"""A conversation as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.conftest import workspace as workspace  # noqa: PLC0414 (a fixture)
from tests.journal.history.conversations.lines import SID

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace


def test_markdown_keeps_its_structure(imported: Workspace) -> None:
    """Texts are quotations: HTML and pictures in them take no effect, code stays as it is."""
    out = imported.journal("show", SID, "--markdown").out
    assert "&lt;script>" in out
    assert r"!\[x]" in out
    assert "> total <b>" in out
    assert [row for row in out.splitlines() if row.startswith("# ")] == [out.splitlines()[0]]
