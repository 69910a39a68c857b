"""Leftovers: work after a kill, work files of other directories, failed compactions."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from .api import call
from .client import Client, has_tmux, new_id
from .conversation import converse
from .scene import SHUFFLED, days_in, without_offers, write_progress
from .terminal import Terminal
from .wire import Reply, Tool
from .work import journal, plugin_command_alone, saves

if TYPE_CHECKING:
    from pathlib import Path

    from .api import Api
    from .logbook import Logbook

pytestmark = pytest.mark.client

BEGIN = ("stage start", "unit start U-1 --title Codes --item Parse --item Print", saves(2))
BLOCKED = '{"hooks": {"PreCompact": [{"hooks": [{"type": "command", "command": "exit 2"}]}]}}'


class Elsewhere(Client):
    """The same person's machine, in another working directory."""

    where = ""

    def __post_init__(self) -> None:
        """Do not set up the machine again."""

    @property
    def project(self) -> Path:
        """The directory the client works in."""
        return self.root / self.where


def elsewhere(client: Client, where: str) -> Elsewhere:
    """Return the machine of a client in a directory below its root."""
    found = Elsewhere(client.root, client.url, client.executable)
    found.where = where
    return found


def continued(client: Client, api: Api, logbook: Logbook, first: str) -> None:
    """Check that a new session is offered all of it, and that the person decides about it."""
    second = new_id()
    taken = journal(
        "stage resume", "unit adopt U-1", f"progress adopt {first}", asked="`journal stage resume"
    )
    api.script(taken, "Taken up.", "More is missing.")
    client.say("continue all of it", second)
    (text,) = [
        told for told in client.context_texts(second, "SessionStart") if "Unfinished work" in told
    ]
    for command in ("stage resume", "stage abandon", "unit adopt U-1", "unit discard U-1",
                    f"progress adopt {first}", f"progress discard {first}"):  # fmt: skip
        assert f"`journal {command}" in text, command
    views = {
        name: logbook.view(name, "--session", second) for name in ("stage", "unit", "progress")
    }
    assert (views["stage"]["status"], views["stage"]["stage"]) == ("open", "sprint")
    assert views["unit"]["current"]["title"] == "Codes"
    assert views["progress"]["state"]["phase"] == "2"
    third = new_id()
    client.say("something else", third)
    (text,) = [
        told for told in client.context_texts(third, "SessionStart") if "Unfinished work" in told
    ]
    assert second in text  # the first session ended with its work unfinished
    assert first not in text


def test_work_of_a_killed_session(client: Client, api: Api, logbook: Logbook) -> None:
    """After SIGKILL in the middle of a turn the next session is offered cycle, unit and skill."""
    plugin_command_alone(client)
    without_offers(client.project)
    first = new_id()
    line = " && ".join(f"journal {command}" for command in BEGIN) + " && kill -9 $PPID"
    api.script(Reply(tools=(Tool("Bash", {"command": line, "description": "work"}),)))
    client.say("begin", first, check=False)
    assert not logbook.events("session.ended")
    continued(client, api, logbook, first)
    (ended,) = logbook.events("session.ended", sid=first)
    assert ended["inferred"] is True


@pytest.mark.long
@pytest.mark.skipif(not has_tmux(), reason="no tmux")
def test_work_of_a_killed_terminal(client: Client, api: Api, logbook: Logbook) -> None:
    """The same for a killed terminal session; while it lives, nobody is offered its work."""
    plugin_command_alone(client)
    without_offers(client.project)
    api.script(journal(*BEGIN), "Half done.", "More is missing.")
    with Terminal(client, "--permission-mode", "default", "--allowedTools", "Bash") as terminal:
        terminal.enter("begin the work")
        terminal.wait_for("missing")
        (started,) = logbook.events("session.started")
        other = new_id()
        client.say("hello", other)
        assert not [
            told for told in client.context_texts(other, "SessionStart") if "Unfinished" in told
        ]
        os.kill(started["pid"], signal.SIGKILL)
    continued(client, api, logbook, started["sid"])


def compacted_in(there: Client, api: Api) -> str:
    """Work in a directory and compact there; return the session's id."""
    sid = new_id()
    path = str(there.project / "new.py")
    api.script(call("Write", file_path=path, content="x = 1\n"), "Written.")
    converse(there, sid, "write a file", "/compact", "and now?")
    return sid


@pytest.mark.long
def test_a_worktree_has_work_files_of_its_own(client: Client, api: Api, logbook: Logbook) -> None:
    """A compaction in a linked worktree does not change the main checkout's work log."""
    path = write_progress(client.project)
    client.git("add", "-A", "-f")
    client.git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", "log")
    client.git("worktree", "add", "-q", str(client.root / "tree"), "-b", "fix")
    path.write_text(path.read_text() + "\n## 2026-10-20 MAIN-ONLY\n\nx\n")
    before = path.read_bytes()
    there = elsewhere(client, "tree")
    sid = compacted_in(there, api)
    assert path.read_bytes() == before
    assert "MAIN-ONLY" not in "\n".join(there.context_texts(sid))
    kept = (there.project / ".claude" / "context" / "progress.md").read_text()
    assert len(days_in(kept)) == 10
    assert {event["sid"] for event in logbook.events("session.started")} == {sid}  # one journal


@pytest.mark.long
def test_a_subdirectory_has_work_files_of_its_own(client: Client, api: Api) -> None:
    """A session in a package of a monorepo neither trims nor reports the repository's work log."""
    path = write_progress(client.project)
    before = path.read_bytes()
    package = client.project / "packages" / "a"
    package.mkdir(parents=True)
    there = elsewhere(client, "shop/packages/a")
    sid = compacted_in(there, api)
    assert path.read_bytes() == before
    assert "work-log" not in "\n".join(there.context_texts(sid))
    write_progress(package)
    compacted_in(there, api)
    assert len(days_in((package / ".claude/context/progress.md").read_text())) == 10
    assert path.read_bytes() == before


@pytest.mark.long
def test_a_failed_compaction_trims_nothing(client: Client, api: Api, logbook: Logbook) -> None:
    """A /compact that another hook blocks does not trim the work log; the next one does."""
    path = write_progress(client.project)
    sid = new_id()
    api.script(call("Write", file_path=str(client.project / "a.py"), content="x\n"), "Written.")
    client.say("write", sid)
    client.say("/compact", sid, "--settings", BLOCKED, check=False)
    assert logbook.events("compact.started")
    assert not logbook.events("compact.finished")
    assert sorted(days_in(path.read_text())) == sorted(SHUFFLED)
    assert not logbook.events("flow.trimmed")
    client.say("/compact", sid)
    assert len(days_in(path.read_text())) == 10
    assert len(logbook.events("flow.trimmed")) == 5
