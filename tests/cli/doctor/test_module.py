"""`journal doctor` says whether the module records, and whether the formula is accurate."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from cli.doctor.installed import module
from cli.scope import Scope

if TYPE_CHECKING:
    from pathlib import Path

    from cli.doctor.installation import Check

FITS = [["window", "200000", "status line"], ["compaction threshold", "167000", "Claude Code"]]
OFF = [*FITS, ["formula", "150000", "differs from Claude Code's"]]


def checked(base: Path, *readings: dict[str, Any], text: str = "") -> list[tuple[str, str]]:
    """Run the check on a journal with these readings; (status, what) of each row."""
    return [(row.status, row.what) for row in rows(base, *readings, text=text)]


def rows(base: Path, *readings: dict[str, Any], text: str = "", managed: tuple = ()) -> list[Check]:
    """Run the check on a journal with these readings and managed settings."""
    scope = Scope({"HOME": str(base)}, cwd=str(base))
    directory = base / ".claude" / "journal" / scope.project.name
    directory.mkdir(parents=True)
    (directory.parent / "config.toml").write_text(text)
    lines = [
        json.dumps({"type": "pressure.sampled", **reading}, separators=(",", ":"))
        for reading in readings
    ]
    (directory / "active.jsonl").write_text("\n".join([*lines, '{"type":"pressure.sampled"']))
    install: Any = SimpleNamespace(scope=scope, directory=str(directory), managed=managed)
    return module(install)


def test_it_records(tmp_path: Path) -> None:
    """With the client's own readings and a threshold equal to the formula's all is ok."""
    (row,) = checked(tmp_path, {"source": "client", "point": 167_000, "terms": FITS})
    assert row == ("ok", "records; Claude Code compacts at 167,000 tokens, as the formula says")


def test_the_formula_is_off(tmp_path: Path) -> None:
    """The newest reading with Claude Code's own threshold decides."""
    (row,) = checked(
        tmp_path,
        {"source": "client", "point": 150_000, "terms": FITS},
        {"source": "client", "point": 167_000, "terms": OFF},
        {"source": "transcript", "point": 150_000, "terms": []},
    )
    assert row == ("warn", "Claude Code compacts at 167,000 tokens, the formula says 150000")


def test_without_a_threshold(tmp_path: Path) -> None:
    """Before the end of the first turn Claude Code has not reported its threshold."""
    assert checked(tmp_path, {"source": "client", "terms": []}) == [("ok", "records")]


def test_a_client_without_modules(tmp_path: Path) -> None:
    """With readings from transcripts alone one line says that only speed is lost.

    It claims no more than it knows: one short `claude -p` ends before the module records.
    """
    ((status, what),) = checked(tmp_path, *[{"source": "transcript", "terms": []}] * 2)
    assert status == "note"
    assert what == "recorded none of the last 2 readings: command hooks record, more slowly"


@pytest.mark.parametrize("managed, says", [((), "2.1.287"), ((("/etc/x", {"a": 1}),), "managed")])
def test_why_it_does_not_run(tmp_path: Path, managed: tuple, says: str) -> None:
    """The row names managed settings where there are some, else the version that it needs."""
    (row,) = rows(tmp_path, {"source": "transcript", "terms": []}, managed=managed)
    assert says in row.remedy
    assert (row.where == "/etc/x") == bool(managed)


def test_switched_off(tmp_path: Path) -> None:
    """If it is switched off, the row names the setting."""
    ((status, what),) = checked(tmp_path, text="[capture]\nwarm = false\n")
    assert (status, "capture.warm" in what) == ("note", True)


@pytest.mark.parametrize("terms", [[["formula"]], [[1, 2, 3]]])
def test_terms_of_another_form(tmp_path: Path, terms: list) -> None:
    """An invalid term is skipped."""
    assert checked(tmp_path, {"source": "client", "terms": terms}) == [("ok", "records")]


def test_no_reading(tmp_path: Path) -> None:
    """Without any reading there is no row."""
    assert checked(tmp_path) == []
