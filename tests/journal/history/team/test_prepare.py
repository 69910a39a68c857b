"""The rows that an export adds are written to files only where this home knows what is new."""

from __future__ import annotations

import duckdb
import pytest

from journal.history.export.columns import ExportOptions
from journal.history.progress import ignore_progress
from journal.history.team.prepare import prepare_rows
from journal.history.team.store import Store
from tests.journal.history.team.conftest import EVENTS, MORE

pytestmark = pytest.mark.team


def prepared(team, folder):
    """Prepare an export of all projects; return its plan."""
    store = Store(str(team.there), "/", {})
    home, options = str(team.journals.home), ExportOptions()
    projects = ["shop-00000001"]
    return prepare_rows(home, "", store, options, projects, str(folder), ignore_progress)


def test_only_what_is_new_is_written(team, tmp_path):
    """Before the first export there is no plan; after it, the plan has the new rows, in files."""
    team.journals.write(EVENTS, "shop-00000001")
    assert prepared(team, tmp_path / "first") is None
    team.export()
    nothing = prepared(team, tmp_path / "none")
    assert (nothing.rows, nothing.marks) == ({}, {})
    team.journals.write(MORE, "shop-00000001")
    plan = prepared(team, tmp_path / "rows")
    assert (plan.rows["events"], plan.rows["tools"], plan.excluded) == (2, 1, 0)
    assert plan.projects == ["shop-00000001"]
    assert set(plan.marks) == set(plan.ends) == set(plan.before)
    files = sorted((tmp_path / "rows").rglob("*.parquet"))
    written = {path.parent.name: duckdb.sql(f"from '{path}'").shape[0] for path in files}
    assert written == plan.rows
