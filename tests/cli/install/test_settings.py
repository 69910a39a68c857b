"""The person's settings file before and after setup and uninstall, whatever its form."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.install.settings import Settings
from cli.install.statusline import is_ours
from journal.errors import JournalError
from tests.cli.install.machine import failures
from tests.support.examples import part

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.install.machine import LocalMachine, Machine

PIPES = (
    r"""input=$(cat); echo "$input" | jq -r '.model.id' | sed "s/'/\"/g" && printf '%s\n' "a b" """
)
PREVIOUS = {"type": "command", "command": PIPES, "padding": 0}

READABLE = {
    "none": None,
    "blank": b"",
    "newline": b"\n",
    "empty object": b"{}",
    "spread empty object": b"{\n\n}\n",
    "compact": b'{"model":"opus","hooks":{}}',
    "tabs": b'{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
    "four spaces": b'{\n    "z": 1,\n    "a": 2\n}',
    "crlf": b'{\r\n  "model": "opus",\r\n  "a": [1,\r\n 2]\r\n}\r\n',
    "mark": b'\xef\xbb\xbf{"model": "opus"}',
    "escapes": b'{"a": "\\u00e9\\/ \\ud83d\\ude00 \xc3\xa9", "n": 1.50e3, "big": 123456789012345678901}',
    "repeated key": b'{"a": 1, "a": 2, "statusLine": {"type": "command", "command": "x"}}',
    "braces in texts": b'{"}{": "\\"}{,:", "b": "},\\"statusLine\\": {"}',
    "status line first": b'{"statusLine":{"type":"command","command":"x | y"},"b":1}',
    "status line alone": json.dumps({"statusLine": PREVIOUS}, indent=3).encode(),
    "status line odd": b'{"statusLine": null, "c": 1}',
    "empty holders": b'{"enabledPlugins": {}, "extraKnownMarketplaces": {}}',
    "other plugins": b'{"enabledPlugins": {"a@b": false}, "extraKnownMarketplaces": {"b": {}}}',
}

REFUSED = {
    "comment": (b'{\n  // mine\n  "a": 1\n}', 2),
    "trailing comma": (b'{\n  "a": 1,\n}', None),
    "torn": (b'{"a": ', 1),
    "list": (b'["a"]', None),
    "text": (b'"a"', None),
    "not text": (b'{\n"a": "\xff\xfe"}', 2),
    "nested without end": (b'{"a":' + b"[" * 100_000, None),
}


@pytest.mark.parametrize(
    ("name", "with_client"),
    [*((name, True) for name in READABLE), *((name, False) for name in part(READABLE, 6))],
)
def test_put_back_byte_for_byte(local: LocalMachine, name: str, with_client: bool) -> None:
    """If nobody changed the file in between, uninstall restores its bytes, or its absence."""
    data = READABLE[name]
    if with_client:
        local.with_client()
    if data is not None:
        local.write(data)
    local.setup(statusline=True)
    assert "statusline.py" in local.settings.read_text(encoding="utf-8-sig")
    local.setup(statusline=True)
    local.uninstall()
    assert (local.settings.read_bytes() if local.settings.exists() else None) == data


@pytest.mark.parametrize(
    "data", [d for d in READABLE.values() if d], ids=[k for k, d in READABLE.items() if d]
)
def test_the_rest_keeps_its_bytes(local: LocalMachine, data: bytes) -> None:
    """Adding the status line changes that member alone: values, line ends and BOM stay."""
    local.write(data)
    local.setup(statusline=True)
    now = local.settings.read_bytes()
    before = json.loads(data.decode("utf-8-sig").strip() or "{}")
    after = json.loads(now.decode("utf-8-sig"))
    assert is_ours(after.pop("statusLine"))
    before.pop("statusLine", None)
    assert after == before
    assert (b"\r\n" in now) == (b"\r\n" in data)
    assert now.startswith(codecs.BOM_UTF8) == data.startswith(codecs.BOM_UTF8)
    if b"statusLine" not in data:
        assert all(line.strip(b" {}") in now for line in data.splitlines())


@pytest.mark.parametrize("data, line", REFUSED.values(), ids=REFUSED)
def test_what_is_no_json_is_refused(served: LocalMachine, data: bytes, line: int | None) -> None:
    """An invalid file is named with its line, and nothing at all is changed."""
    served.write(data)
    before = served.tree()
    failed = failures(served.call("setup", statusline=True))
    assert failed[0]["where"].startswith(str(served.settings) + (f":{line}" if line else ""))
    assert failed[0]["remedy"]
    assert served.tree() == before
    assert served.calls() == []


def test_a_read_only_file_is_refused(served: LocalMachine) -> None:
    """A read-only file is assumed to be so on purpose and is not replaced."""
    served.write(b"{}")
    served.settings.chmod(0o444)
    before = served.tree()
    failed = failures(served.call("setup", statusline=True))
    assert "read-only" in failed[0]["what"]
    assert served.tree() == before
    served.settings.chmod(0o644)
    served.setup(statusline=True)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_the_mode_is_kept(served: LocalMachine, mode: int) -> None:
    """The file keeps the mode its owner gave it, both ways."""
    served.write(b'{"a": 1}')
    served.settings.chmod(mode)
    served.setup(statusline=True)
    assert served.settings.stat().st_mode & 0o777 == mode
    served.uninstall()
    assert served.settings.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("relative", [True, False], ids=["relative", "absolute"])
def test_a_link_stays_a_link(served: LocalMachine, relative: bool) -> None:
    """A settings file behind a link is changed in its place, and the link stays."""
    target = served.home / "dotfiles" / "settings.json"
    target.parent.mkdir()
    target.write_bytes(b'{"a": 1}')
    served.settings.parent.mkdir()
    served.settings.symlink_to("../dotfiles/settings.json" if relative else target)
    link = os.readlink(served.settings)
    served.setup(statusline=True)
    assert os.readlink(served.settings) == link
    assert b"statusline.py" in target.read_bytes()
    served.uninstall()
    assert os.readlink(served.settings) == link
    assert target.read_bytes() == b'{"a": 1}'


def test_what_changed_since_stays(served: LocalMachine) -> None:
    """A person's later change survives uninstall; only our entries are removed."""
    served.write(b'{"model": "opus", "statusLine": {"type": "command", "command": "mine"}}')
    served.setup(statusline=True)
    values = json.loads(served.settings.read_text(encoding="utf-8"))
    values["model"] = "sonnet"
    values["env"] = {"A": "1"}
    served.settings.write_text(json.dumps(values, indent=1), encoding="utf-8")
    served.uninstall()
    assert json.loads(served.settings.read_text(encoding="utf-8")) == {
        "model": "sonnet",
        "statusLine": {"type": "command", "command": "mine"},
        "env": {"A": "1"},
    }


def test_a_change_between_two_setups_stays(served: LocalMachine) -> None:
    """After a second setup, uninstall restores the person's latest file without our entries."""
    served.write(b'{\n  "model": "opus"\n}\n')
    served.setup(statusline=True)
    text = served.settings.read_text(encoding="utf-8").replace('"opus"', '"sonnet"')
    served.settings.write_text(text, encoding="utf-8")
    served.setup(statusline=True)
    served.uninstall()
    assert json.loads(served.settings.read_text(encoding="utf-8")) == {"model": "sonnet"}


def test_a_replaced_status_line_stays(served: LocalMachine) -> None:
    """A status line the person put in place of ours stays through setup and uninstall."""
    served.write(b'{"statusLine": {"type": "command", "command": "old"}}')
    served.setup(statusline=True)
    served.settings.write_bytes(b'{"statusLine": {"type": "command", "command": "new"}}')
    served.setup()
    assert json.loads(served.settings.read_bytes())["statusLine"]["command"] == "new"
    served.uninstall()
    assert json.loads(served.settings.read_bytes()) == {
        "statusLine": {"type": "command", "command": "new"}
    }


@pytest.mark.long
def test_the_previous_line_is_kept_for_the_entry(machine: Machine) -> None:
    """The previous value is stored in statusline.json (0600); ours takes over its options."""
    machine.write(json.dumps({"statusLine": PREVIOUS}).encode())
    machine.setup(statusline=True)
    path = machine.journal / "statusline.json"
    assert json.loads(path.read_text(encoding="utf-8"))["previous"] == PREVIOUS
    assert path.stat().st_mode & 0o777 == 0o600
    installed = json.loads(machine.settings.read_bytes())["statusLine"]
    assert installed["padding"] == 0
    assert machine.run(["/bin/sh", "-c", installed["command"]]) == "line\n"


def test_no_status_line_unless_asked(served: LocalMachine) -> None:
    """Without --statusline the status line is not touched; a later plain setup keeps ours."""
    served.write(b'{"a": 1}')
    served.setup()
    assert "statusLine" not in json.loads(served.settings.read_bytes())
    served.setup(statusline=True)
    served.setup()
    assert "statusLine" in json.loads(served.settings.read_bytes())


def test_a_status_line_in_another_file_is_refused(served: LocalMachine) -> None:
    """Only one previous line can be stored, so a second scope's status line is refused."""
    served.write(b"{}")
    served.setup(statusline=True)
    result = served.call("setup", statusline=True, scope="project", project=str(served.work))
    assert str(served.settings) in failures(result)[0]["what"]


def test_lost_copy(served: LocalMachine) -> None:
    """Without the stored copy, uninstall removes our entries from the current file."""
    served.write(b'{"a": 1}')
    served.setup(statusline=True)
    for path in (served.journal / "install").iterdir():
        path.unlink()
    served.uninstall()
    left = json.loads(served.settings.read_bytes())
    assert {key: value for key, value in left.items() if value} == {"a": 1}


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(5_000_000)


@pytest.mark.parametrize("made", [_fifo, _endless, _large, Path.mkdir])
def test_what_is_no_settings_file_is_refused_at_once(
    tmp_path: Path, made: Callable[[Path], None]
) -> None:
    """A FIFO, a device, a huge file or a directory is an error, without waiting or memory use."""
    path = tmp_path / "settings.json"
    made(path)
    with pytest.raises(JournalError, match="cannot be read"):
        Settings(str(path))


def test_a_link_to_a_plain_file_is_read(tmp_path: Path) -> None:
    """A link to a plain file, as in a repository of dotfiles, is read."""
    (tmp_path / "dotfiles.json").write_text('{"model": "opus"}')
    (tmp_path / "settings.json").symlink_to("dotfiles.json")
    assert Settings(str(tmp_path / "settings.json")).values == {"model": "opus"}
