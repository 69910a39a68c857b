"""What setup and uninstall print."""

from __future__ import annotations

import pytest

from cli import doctor
from cli.doctor.installation import Check
from cli.install import setup, uninstall
from cli.install.model import SetupResult, SetupStep

KEPT = SetupStep("the journal stays (9 bytes)", "unchanged", "/j", "to delete it: rm -r /j")
GONE = SetupStep("removed", "done", "/j/plugin")
LEFT = SetupStep("not in the client's list", "failed", "/claude", "run: claude plugin uninstall")


@pytest.mark.parametrize(
    ("checked", "printed"),
    [([GONE], []), ([GONE, LEFT], ["! not in the client's list (/claude)", f"    {LEFT.remedy}"])],
    ids=["clean", "left"],
)
def test_uninstall_ends_with_the_journal(
    workspace, monkeypatch, checked: list[SetupStep], printed: list[str]
) -> None:
    """Each place is one line, a finding of the last check is named, the journal's line is last."""
    result = SetupResult([GONE, KEPT], checked=checked)
    monkeypatch.setattr(uninstall, "uninstall", lambda _options: result)
    found = workspace.journal("uninstall")
    steps = ["+ removed (/j/plugin)", "= the journal stays (9 bytes) (/j)", f"    {KEPT.remedy}"]
    assert found.out.splitlines() == [*printed, *steps]
    assert found.code == bool(printed)


@pytest.mark.parametrize(
    ("typed", "last"), [((), "Next: start claude."), (("/plugin",), "/plugin")]
)
def test_setup_ends_with_what_to_do(
    workspace, monkeypatch, typed: tuple[str, ...], last: str
) -> None:
    """It ends with what is left to do: start the client, or type what registers the plugin."""
    result = SetupResult([GONE], to_type=list(typed))
    monkeypatch.setattr(setup, "setup", lambda _options: result)
    found = workspace.journal("setup")
    assert (found.code, last in found.out, "Next: " in found.out) == (0, True, not typed)
    assert "Next: " not in workspace.journal("setup", "--dry-run").out


@pytest.mark.parametrize("status", ["done", "planned"])
def test_a_planned_step_is_explained(workspace, monkeypatch, status) -> None:
    """Only where steps are planned, it says that nothing was changed, and what comes after them."""
    result = SetupResult([SetupStep("removed", status, "/j/plugin"), KEPT], to_type=("/plugin x",))
    monkeypatch.setattr(uninstall, "uninstall", lambda _options: result)
    out = workspace.journal("uninstall", "--dry-run").out
    planned = status == "planned"
    assert ("Nothing was changed. ? marks what would be done." in out) is planned
    assert ("After that, type in Claude Code:" in out) is planned


def test_a_wrapped_remedy_has_one_arrow(workspace, monkeypatch) -> None:
    """A remedy that takes several lines is marked once; the others stand below its text."""
    row = Check("client", "note", "is missing", remedy="add claude to PATH, or name its path here")
    monkeypatch.setattr(doctor, "examine", lambda *_: [row])
    lines = workspace.journal("doctor", COLUMNS="40").out.splitlines()
    assert lines[1:] == ["     → add claude to PATH, or name its", "       path here"]


@pytest.mark.parametrize("columns", ["40", "80"])
def test_a_long_path_stays_whole(workspace, monkeypatch, columns: str) -> None:
    """A path that does not fit stands on a line of its own, unbroken; a short one stands behind."""
    long = "/home/dev/" + "deep/" * 20 + "journal"
    rows = [Check("hook", "ok", "12 ms", long), Check("home", "ok", "private", "/home/dev")]
    monkeypatch.setattr(doctor, "examine", lambda *_: rows)
    lines = workspace.journal("doctor", COLUMNS=columns).out.splitlines()
    assert lines == ["ok   hook: 12 ms", f"     ({long})", "ok   home: private (/home/dev)"]
