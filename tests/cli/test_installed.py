"""What setup and uninstall print."""

from __future__ import annotations

import pytest

from cli.install import removing
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
    monkeypatch.setattr(removing, "uninstall", lambda _options: result)
    found = workspace.journal("uninstall")
    steps = ["+ removed (/j/plugin)", "= the journal stays (9 bytes) (/j)", f"    {KEPT.remedy}"]
    assert found.out.splitlines() == [*printed, *steps]
    assert found.code == bool(printed)
