"""What setup records, so that uninstall undoes exactly that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.install.record import (
    Baseline,
    Record,
    damaged,
    load,
    paths,
    read_copy,
    remove,
    save,
    store_copy,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> str:
    """Return an empty journal home."""
    path = tmp_path / "journal"
    path.mkdir(mode=0o700)
    return str(path)


def test_what_is_recorded_is_read_back(home: str) -> None:
    """Settings files and scopes are read as they were written; without a record there are none."""
    assert load(home) == Record()
    record = Record({"/a/settings.json": Baseline("settings-1", "d1", "d0")}, [["user", ""]])
    save(home, record)
    assert load(home) == record
    remove(home)
    remove(home)
    assert load(home) == Record()


@pytest.mark.parametrize("data", [b"{}", b"", b"\xff not JSON"])
def test_a_copy_is_the_very_bytes(home: str, data: bytes) -> None:
    """A copy has the bytes of the file before setup, whatever they are."""
    baseline = store_copy(home, "/a/settings.json", data)
    assert read_copy(home, baseline) == data
    assert store_copy(home, "/a/settings.json", data).before == baseline.before
    assert store_copy(home, "/b/settings.json", data).before != baseline.before


def test_where_there_was_no_file_there_is_no_copy(home: str, tmp_path: Path) -> None:
    """A file that setup created has no copy, and nothing is written for it."""
    baseline = store_copy(home, "/a/settings.json", None)
    assert (baseline, read_copy(home, baseline)) == (Baseline("", ""), None)
    assert list((tmp_path / "journal").iterdir()) == []


def test_a_damaged_copy_is_named_and_not_used(home: str, tmp_path: Path) -> None:
    """A copy with other bytes is not put back; an earlier version's has no digest to compare."""
    baseline = store_copy(home, "/a/settings.json", b"{}")
    save(home, Record({"/a/settings.json": baseline}))
    assert damaged(home) == {}
    copy = tmp_path / "journal" / "install" / baseline.before
    copy.write_bytes(b"{")
    assert read_copy(home, baseline) is None
    assert damaged(home) == {str(copy): "the copy of /a/settings.json from before setup"}
    assert read_copy(home, Baseline(baseline.before, "")) == b"{"
    (tmp_path / "journal" / "install.json").write_text("{")
    assert damaged(home) == {paths(home)[0]: "the record of what setup changed"}


def test_a_name_leads_to_no_other_file(home: str, tmp_path: Path) -> None:
    """A copy is looked for in its directory, whatever the record says."""
    (tmp_path / "secret").write_text("x")
    assert read_copy(home, Baseline("../../secret", "")) is None
