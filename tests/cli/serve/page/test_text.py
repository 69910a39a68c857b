"""How the page writes times, damage and errors."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from freezegun import freeze_time

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from cli.render.local_time import local_time
from cli.serve.errors import ConflictError, MissingError
from cli.serve.page.text import describe_damage, describe_error
from journal.errors import JournalError
from journal.log.append import Busy

if TYPE_CHECKING:
    from pathlib import Path

HOME = "/home/dev/.claude/journal"


@pytest.mark.parametrize(
    "zone, wanted",
    [
        pytest.param("UTC", "2026-11-21 23:30", id="utc"),
        pytest.param("Asia/Tokyo", "2026-11-22 08:30", id="the-next-day"),
        pytest.param("America/New_York", "2026-11-21 18:30", id="the-same-day"),
    ],
)
def test_local_time(monkeypatch: pytest.MonkeyPatch, zone: str, wanted: str) -> None:
    """A time is shown in the machine's zone, with the offset of that time, not of today."""
    with monkeypatch.context() as patched, freeze_time("2026-07-01"):
        patched.setenv("TZ", zone)
        time.tzset()
        assert local_time("2026-11-21T23:30:00.000Z") == wanted
    time.tzset()
    assert local_time("") == ""


@pytest.mark.parametrize(
    "error, words",
    [
        pytest.param(
            JournalError(f"{HOME}/cache/search.sqlite", "is locked"),
            "the journal's cache cannot be used: is locked: rebuild it: journal rebuild",
            id="cache",
        ),
        pytest.param(
            JournalError(f"{HOME}/cache", f"{HOME}/cache is a file"),
            "the journal's cache cannot be used: a file is a file: rebuild it",
            id="cache-in-the-sentence",
        ),
        pytest.param(
            JournalError(f"{HOME}/shop-1a2b3c4d/active.jsonl:7", "is cut", "run: journal repair"),
            "the journal of shop: is cut: run: journal repair",
            id="segment",
        ),
        pytest.param(
            PermissionError(13, "Permission denied", f"{HOME}/shop-1a2b3c4d/imported/active.jsonl"),
            "the journal of shop: permission denied: make it readable",
            id="system",
        ),
        pytest.param(
            Busy(f"{HOME}/shop-1a2b3c4d"),
            "the journal of shop: another process holds the journal's lock: try again",
            id="lock",
        ),
        pytest.param(
            RuntimeError(f'IO Error: cannot open file "{HOME}/cache/tables/x.parquet" (2)'),
            '(RuntimeError: IO Error: cannot open file "the journal\'s cache" (2)). To find the cause',
            id="unexpected",
        ),
        pytest.param(
            JournalError("/home/dev/shop/query.sql", "is no text file"),
            "/home/dev/shop/query.sql: is no text file",
            id="a-file-of-the-person",
        ),
        pytest.param(MissingError("", "there is no session x", "GET /api"), "session x", id="none"),
        pytest.param(ConflictError("", "capture is off", "GET /api"), "capture is off", id="off"),
    ],
)
def test_describe_error(error: Exception, words: str) -> None:
    """An error names what the person knows and what to run, never a file of the journal home."""
    shown = describe_error(error, {"HOME": "/home/dev"})
    assert words in shown
    assert HOME not in shown
    assert "/api" not in shown


def test_each_damaged_project_has_a_line_with_its_commands() -> None:
    """What is wrong, and what to run for it, stand together; whole logs say nothing."""
    found = describe_damage(["shop: torn", "market: gap"], ["shop: 2 events"])
    assert found.split("\n") == [
        "The journal is damaged, so this page is not complete:",
        "shop: torn. Run journal verify --project shop, then journal repair --project shop.",
        "market: gap. Run journal verify --project market, then journal repair --project market.",
        "Known losses: shop: 2 events.",
    ]
    assert describe_damage([], []) == ""


def test_an_error_names_a_project_as_commands_do(tmp_path: Path) -> None:
    """Where two projects have the same name, an error names the journal with its digest."""
    for name in ("shop-1a2b3c4d", "shop-5e6f7a8b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "active.jsonl").touch()
    shown = describe_error(Busy(f"{tmp_path}/shop-5e6f7a8b"), {"JOURNAL_HOME": str(tmp_path)})
    assert shown.startswith("the journal of shop-5e6f7a8b: ")
