"""What `journal export` accepts and prints."""

from __future__ import annotations

import pytest

from journal.installation import extra_command
from tests.journal.history.export.conftest import export, journals, there, tools_only

__all__ = ["journals", "there", "tools_only"]


@pytest.mark.usefixtures("tools_only")
def test_dry_run(there):
    """--dry-run reports the same files and writes none."""
    planned = export(there, "--dry-run")
    assert planned["written"]
    assert not there.there.exists()
    assert export(there)["written"] == planned["written"]


def test_faults(there):
    """A bad target exits 2 inside the journal home or for an unknown project, otherwise 3."""
    journal = there.workspace.journal
    assert journal("export", "--to", str(there.home / "x")).code == 2
    (there.workspace.top / "file").write_text("")
    assert journal("export", "--to", str(there.workspace.top / "file")).code == 3
    unknown = journal("export", "--to", "nope://bucket/x", "--format", "parquet")
    assert unknown.code == 3
    assert f" {extra_command('export-s3')}\n" in unknown.err
    assert journal("export", "--to", "x", "--redact", "some").code == 2
    assert journal("export", "--to", "x", "--project", "none-there").code == 2
    (there.workspace.top / "empty").mkdir()
    assert journal("export", "--to", "x", "--project", str(there.workspace.top / "empty")).code == 3


@pytest.mark.usefixtures("tools_only")
def test_lines_that_are_no_rows_are_said(there):
    """A corrupt line is counted in the output, and the exit code is 1."""
    with (there.home / "shop-00000001" / "active.jsonl").open("ab") as file:
        file.write(b"\0\n")
    assert export(there, code=1)["lines_excluded"] == 1
