"""Which directories of a journal home may hold a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.logs import journals, log_directories

if TYPE_CHECKING:
    from pathlib import Path


def test_both_sides_of_each_project_in_order(tmp_path: Path) -> None:
    """Each project has a live and an imported log; caches and hidden directories are skipped."""
    for name in ("b-1", "a-1/imported", "cache/a-1", ".hidden"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "config.toml").write_text("")
    assert list(log_directories(str(tmp_path))) == [
        ("a-1", "live", f"{tmp_path}/a-1"),
        ("a-1", "imported", f"{tmp_path}/a-1/imported"),
        ("b-1", "live", f"{tmp_path}/b-1"),
    ]
    assert list(log_directories(str(tmp_path), ["b-1"])) == [("b-1", "live", f"{tmp_path}/b-1")]
    assert list(log_directories(str(tmp_path / "absent"))) == []
    assert list(log_directories(str(tmp_path / "config.toml" / "below a file"))) == []
    with pytest.raises(NotADirectoryError):
        list(log_directories(str(tmp_path / "config.toml")))


def test_a_journal_has_an_active_segment_or_an_import(tmp_path: Path) -> None:
    """A directory with an active segment or an import is a journal, listed once."""
    for name in ("both/imported", "live", "empty", "import/imported"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("both", "live"):
        (tmp_path / name / "active.jsonl").write_text("")
    found = [(name, f"{tmp_path}/{name}") for name in ("both", "import", "live")]
    assert journals(str(tmp_path)) == found
