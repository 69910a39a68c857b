"""What Claude Code has installed, and whether its hooks run."""

from __future__ import annotations

import itertools
import json
import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from cli import doctor
from cli.doctor import installed
from cli.doctor.installation import Installation
from cli.install import distributions, interpreter, probe, source
from tests.cli.doctor.examined import WHOLE, scope_of
from tests.cli.install.machine import ID, REPO
from tests.support.examples import part

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.install.machine import LocalMachine


@pytest.mark.parametrize(
    ("known", "client", "set_up"),
    part(itertools.product(("ours", "another", "none"), (True, False), (True, False)), 5),
)
def test_no_row_contradicts_another(
    served: LocalMachine, monkeypatch: pytest.MonkeyPatch, set_up: bool, client: bool, known: str
) -> None:
    """In every state of an installation exactly one row says whether the client has the plugin."""
    monkeypatch.setattr(source, "TOP", str(served.product))
    monkeypatch.setattr(distributions, "closure", lambda *_: WHOLE(["msgspec"], {}))
    cheap = interpreter.StartupCost(30.0, 15.0)
    monkeypatch.setattr(probe, "feed", lambda *_: cheap)
    where = {"source": "github", "repo": "o/r"}
    values: dict[str, Any] = {}
    if known != "none":
        ours = {"source": "directory", "path": str(served.plugin)}
        source_ = {"ours": ours, "another": where}[known]
        values["extraKnownMarketplaces"] = {"context-journal": {"source": source_}}
        values["enabledPlugins"] = {ID: True}
    if set_up:
        served.setup()
    served.write(json.dumps(values).encode())
    if not client:
        served.env["PATH"] = "/usr/bin:/bin"
    rows = doctor.examine(scope_of(served))
    [row] = [row for row in rows if row.name == "plugin"]
    assert ("not" in row.what.split()) == (row.status != "ok")
    expected = {
        ("ours", True): "set up for user", ("ours", False): "no longer exist",
        ("another", True): "from o/r", ("another", False): "from o/r",
        ("none", True): "not installed", ("none", False): "not installed",
    }[known, set_up]  # fmt: skip
    if client:
        assert expected in row.what
    assert row.status == "ok" or row.remedy
    assert not [
        other
        for other in rows
        if other is not row and "set up" in other.remedy and other.status == "fail"
    ]


@pytest.mark.parametrize("field", ["version", "folderVersion"])
@pytest.mark.parametrize("version", ["0.0.1", "9.9.9", "", None])
def test_a_command_of_another_version_than_the_plugin(
    served: LocalMachine, monkeypatch: pytest.MonkeyPatch, field: str, version: str | None
) -> None:
    """If Claude Code updates the plugin, the row names the command that updates `journal`."""
    monkeypatch.setattr(source, "TOP", str(served.product))
    own = source.version()
    entry = {"id": ID, "version": "old", "readFromFolder": "/a b", field: version or own}
    if version == "":
        del entry[field]
    install = SimpleNamespace(other="o/r", version=own, unreadable=[], set_up=True)
    row = installed._entry(install, entry)  # type: ignore[arg-type]
    used = entry.get("folderVersion") or entry.get("version")
    differs = used is not None and used != own
    assert row.status == ("note" if differs else "ok")
    assert ("'/a b/bin/journal' setup" in row.remedy) == differs
    assert (f"version {used}" in row.what) == differs


def test_a_hook_that_fails(
    examine: Callable[..., dict[str, doctor.Check]],
    served: LocalMachine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The hook is really run: recording no event is a failure, a high cost a warning."""
    dear = interpreter.StartupCost(90.0, 15.0)
    monkeypatch.setattr(probe, "feed", lambda *_: dear)
    assert (examine()["hook"].status, examine()["hook"].what) == (
        "warn", "90 ms, 6.0 times the bare interpreter (15 ms)",
    )  # fmt: skip
    monkeypatch.undo()
    shutil.copytree(REPO / "journal", served.plugin / "journal", dirs_exist_ok=True)
    row = {row.name: row for row in doctor.examine(scope_of(served))}
    assert row["hook"].status in ("ok", "warn"), row["hook"]


def test_a_hook_whose_program_is_gone(
    examine: Callable[..., dict[str, doctor.Check]],
    served: LocalMachine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the copy has lost its interpreter, the row says so in words, with the next command."""
    monkeypatch.undo()
    [copy] = served.copies
    shutil.rmtree(copy / "venv")
    rows = {row.name: row for row in doctor.examine(scope_of(served))}
    row = rows["hook"]
    assert (row.status, row.what) == ("fail", "the program that runs the hooks is missing")
    assert row.remedy == "run: journal setup"


def test_a_copy_without_its_list_of_hooks(
    examine: Callable[..., dict[str, doctor.Check]], served: LocalMachine
) -> None:
    """If the copy has lost hooks.json, each row that needs it names the file and the next command."""
    [copy] = served.copies
    (copy / "plugin" / "hooks" / "hooks.json").unlink()
    rows = [row for row in examine().values() if "hooks.json" in row.where]
    assert len(rows) >= 2
    assert {(row.status, row.what, row.remedy) for row in rows} == {
        ("fail", "missing", "run: journal setup")
    }


def test_packages_matter_to_hooks_that_run(bare: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a plugin no hook runs, so that its missing packages are no finding."""
    monkeypatch.setattr(source, "TOP", str(bare.product))
    ran = SimpleNamespace(returncode=1)
    monkeypatch.setattr(installed.interpreter, "run", lambda *_, **__: ran)
    install = Installation(scope_of(bare))
    assert [row.status for row in installed.packages(install)] == ["note"]
    install.entries = [{"id": ID}]
    assert [row.status for row in installed.packages(install)] == ["warn"]
