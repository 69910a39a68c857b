"""The commands that add an optional part and remove the package, for each way of installing."""

from __future__ import annotations

import json
import os
import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from journal import installation

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make this process appear to run in an environment of its own; return its path."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    return tmp_path


def test_a_checkout(prefix: Path) -> None:
    """In a checkout, the running environment's pip installs the packages."""
    python = str(prefix / "bin" / "python")
    assert installation.way() == "checkout"
    command = installation.extra_command("semantic")
    assert command.startswith(f"{python} -m pip install 'fastembed>=")


def test_setup_is_named_so_that_the_shell_finds_it(prefix: Path) -> None:
    """Without `journal` on PATH, the command has the path of this copy."""
    folder = os.path.join(installation._top(), "bin")
    assert installation.setup_command({"PATH": folder}) == "journal setup"
    command = installation.setup_command({"PATH": str(prefix)})
    assert shlex.split(command) == [os.path.join(folder, "journal"), "setup"]


def test_pipx(prefix: Path) -> None:
    """With pipx the package is injected, because that survives `pipx upgrade`."""
    (prefix / "pipx_metadata.json").touch()
    assert installation.extra_command("ui").startswith("pipx inject context-journal 'nicegui>=")


@pytest.mark.parametrize(
    "found, address",
    [
        ({"url": "file:///x/journal", "dir_info": {}}, "file:///x/journal"),
        ({"url": "file:///x/j.whl", "archive_info": {}}, "file:///x/j.whl"),
        ({"url": "https://x.org/j.git", "vcs_info": {"vcs": "git"}}, "git+https://x.org/j.git"),
    ],
    ids=["checkout", "wheel", "repository"],
)
def test_uv_installs_from_where_it_came(
    prefix: Path, monkeypatch: pytest.MonkeyPatch, found: dict[str, object], address: str
) -> None:
    """A uv tool is reinstalled with the extra, from the address it came from."""
    (prefix / "uv-receipt.toml").touch()
    info = prefix / "context_journal-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: context-journal\nVersion: 1\n")
    (info / "direct_url.json").write_text(json.dumps(found))
    monkeypatch.syspath_prepend(str(prefix))
    command = installation.extra_command("ui")
    assert command == f"uv tool install --force 'context-journal[ui] @ {address}'"


def test_without_pip(prefix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pip in the environment, uv installs into it, or else another Python's pip."""
    python = str(prefix / "bin" / "python")
    monkeypatch.setitem(sys.modules, "pip", None)
    programs = prefix / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    command = installation.extra_command("ui")
    assert command.startswith(f"python3 -m pip --python {python} install 'nicegui>=")
    (programs / "uv").write_text("#!/bin/sh\n")
    os.chmod(programs / "uv", 0o755)
    assert installation.extra_command("ui").startswith(f"uv pip install --python {python} ")


@pytest.mark.parametrize(
    "found, command",
    [
        ("uv", "uv tool uninstall context-journal"),
        ("pipx", "pipx uninstall context-journal"),
        ("pip", "{python} -m pip uninstall context-journal"),
        ("checkout", ""),
        ("copy", ""),
    ],
)
def test_what_removes_the_package(
    prefix: Path, monkeypatch: pytest.MonkeyPatch, found: str, command: str
) -> None:
    """A package is removed with what installed it; a checkout or a copy is no package."""
    monkeypatch.setattr(installation, "way", lambda: found)
    assert installation.removal_command() == command.format(python=prefix / "bin" / "python")
