"""An installed machine that the doctor examines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli import doctor
from cli.install import distributions, interpreter, probe, source
from cli.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.install.machine import LocalMachine

NOW = "2026-03-01T12:00:00.000Z"
WHOLE = distributions.closure


@pytest.fixture
def examine(
    served: LocalMachine, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, doctor.Check]]:
    """Return a function that examines an installed machine: row name → its worst row."""
    root = str(served.product)
    monkeypatch.setattr(source, "TOP", root)
    cheap = interpreter.StartupCost(30.0, 15.0)
    monkeypatch.setattr(probe, "feed", lambda *_: cheap)
    monkeypatch.setattr(distributions, "closure", lambda *_: WHOLE(["msgspec"], {}))
    served.env["JOURNAL_NOW"] = NOW
    served.write(b"{}")
    served.setup(statusline=True)

    def call(*, spoilt: bool = False, **env: str) -> dict[str, doctor.Check]:
        order = ("ok", "note", "warn", "fail")
        found = doctor.examine(scope_of(served, **env))
        rows = sorted(found, key=lambda row: order.index(row.status))
        graver = [row for row in rows if row.status in ("warn", "fail")]
        assert all(row.remedy for row in graver), graver
        if not spoilt:
            assert not [row for row in rows if "this check failed" in row.what], rows
        return {row.name: row for row in rows}

    return call


def scope_of(machine: LocalMachine, **env: str) -> Scope:
    """Return the scope of a command that runs in the machine's work directory."""
    return Scope({**machine.environment, **env}, cwd=str(machine.work))


def project_of(machine: LocalMachine) -> Path:
    """Directory of the work directory's journal."""
    from journal.home import project_of

    return machine.journal / project_of(str(machine.work), machine.environment).name
