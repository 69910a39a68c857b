"""The status line that setup installs, and what counts as installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.install import statusline

if TYPE_CHECKING:
    from tests.cli.install.machine import LocalMachine


def test_its_record_and_setting_make_it_installed(
    served: LocalMachine,
) -> None:
    """It counts as installed only if its record can be read and the setting is still ours."""
    home = str(served.journal)
    assert not statusline.is_installed(home)
    served.setup(statusline=True)
    assert statusline.is_installed(home)
    ours = served.settings.read_bytes()
    served.write(b'{"statusLine": {"type": "command", "command": "mine"}}')
    assert not statusline.is_installed(home)
    served.write(b"{ nope")
    assert not statusline.is_installed(home)
    served.write(ours)
    Path(statusline.path(home)).write_text("{", encoding="utf-8")
    assert not statusline.is_installed(home)
