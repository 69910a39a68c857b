"""The status line that the person had before, run with the same input and shown above ours."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hooks.status_line.previous import NESTED

if TYPE_CHECKING:
    from tests.hooks.status_line.conftest import Client


def wrap(client: Client, command: object) -> None:
    """Store a previous status line, as setup does."""
    client.home.mkdir(mode=0o700, exist_ok=True)
    previous = {"type": "command", "command": command, "padding": 0}
    (client.home / "statusline.json").write_text(json.dumps({"previous": previous}))


@pytest.mark.parametrize("command, shown", [
    ("printf 'theirs'", "theirs\n"),
    ("printf 'a\\nb\\n'", "a\nb\n"),
    ("cat | tr -d '\\n' | cut -c1-13", '{"session_id"\n'),
    ("printf '\\033[32mgreen\\033[0m'", "\x1b[32mgreen\x1b[0m\n"),
    ("echo oops >&2; exit 3", ""),
    ("exit 1", ""),
    ("no-such-command-here", ""),
    ("true", ""),
    (7, ""), (None, ""), ("echo \0", ""),
])  # fmt: skip
def test_the_previous_line_is_shown_above(command, shown, client):
    """The person's own line gets the same input and is printed above ours unchanged."""
    wrap(client, command)
    done = client.run(json.dumps(client.input()).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    theirs, found, ours = done.stdout.decode().rpartition("context ")
    assert (theirs, found) == (shown, "context ")
    assert ours.startswith("96% left")


def test_a_previous_line_in_an_open_home_is_not_run(client):
    """If others can write to the journal home, a previous line stored there is not run."""
    wrap(client, f"touch {client.project}/ran; printf theirs")
    client.home.chmod(0o777)
    assert "theirs" not in client.line()
    assert not (client.project / "ran").exists()
    client.home.chmod(0o700)
    assert client.line().startswith("theirs\n")


def test_a_previous_line_that_hangs_is_ended(client, monkeypatch):
    """A previous line that hangs is ended with its children; its output so far is shown."""
    monkeypatch.setattr("hooks.status_line.previous.TIMEOUT", 0.4)
    wrap(client, f"echo begun; sleep 60 & echo $! > {client.project}/pid; wait")
    assert client.line().startswith("begun\ncontext 96%")
    pid = int((client.project / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text():
            break
        os.sched_yield()
    else:
        pytest.fail("the child of the command still runs")


@pytest.mark.parametrize("command", ["python3 -I -S /opt/journal/hooks/statusline.py", "env"])
def test_it_never_calls_itself(command, client):
    """A previous line that is our own is not run, nor is any from within a previous line."""
    wrap(client, command)
    nested = command == "env"
    done = client.run(json.dumps(client.input()).encode(), **({NESTED: "1"} if nested else {}))
    assert done.stdout.decode().count("\n") == 1
