"""Events are assigned correctly: subagents, other interpreters, cleared sessions, status line."""

from __future__ import annotations

import re
import shutil
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from . import logbook as names
from .api import call
from .client import REPO, new_id
from .conversation import converse
from .scene import INFO, WINDOW
from .terminal import PROMPT, Terminal
from .wire import Reply, Tool

if TYPE_CHECKING:
    from .api import Api, Request
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client

TASK = "TASK-OF-ITS-OWN"


def by_subagent(request: Request) -> bool:
    """Return whether a request is the subagent's: its conversation begins with the task."""
    return TASK in request.first_user


def by_main(request: Request) -> bool:
    """Return whether a request is the main thread's."""
    return not by_subagent(request)


def test_a_subagent_is_recorded_and_left_alone(client: Client, api: Api, logbook: Logbook) -> None:
    """The subagent's tool calls have its id; a warning waits for the main thread."""
    client.env |= WINDOW
    sid = new_id()
    agent = {
        "description": "sub",
        "prompt": f"{TASK} please",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    }
    bash = Tool("Bash", {"command": "echo from-sub", "description": "d"})
    api.script(
        Reply("Done.", only_if=by_main),
        Reply(tools=(Tool("Agent", agent),), tokens=INFO, only_if=by_main),
        Reply(tools=(bash,), tokens=INFO, only_if=by_subagent),
        Reply("Sub is done.", tokens=INFO, only_if=by_subagent),
        Reply("All done.", tokens=INFO, only_if=by_main),
    )
    converse(client, sid, "first", "second")
    assert not api.unused()
    (tool,) = [e for e in logbook.events("tool.finished") if e[names.TOOL] == "Bash"]
    (ended,) = logbook.events("subagent.ended")
    assert tool[names.AGENT]
    assert tool[names.AGENT] == ended[names.AGENT]
    assert not any(e.get(names.AGENT) for e in logbook.events("prompt.submitted", "turn.ended"))
    (advice,) = client.context_texts(sid)
    asked = [request for request in api.talk if by_subagent(request)]
    assert len(asked) == 2
    assert not any("hook additional context" in request.text for request in asked)
    assert api.last.count(advice) == 1
    (given,) = logbook.events("advice.given")
    assert not given.get(names.AGENT)


def test_the_return_of_a_subagent_is_no_request(client: Client, api: Api, logbook: Logbook) -> None:
    """The result of a background subagent arrives as a prompt, but is not one of the person's."""
    sid = new_id()
    agent = {"description": "sub", "prompt": TASK, "subagent_type": "general-purpose"}
    api.script(
        Reply(tools=(Tool("Agent", agent),), only_if=by_main),
        Reply("Sub is done.", only_if=by_subagent),
        Reply("Waiting.", only_if=by_main),
    )
    client.say("REQUEST-8 please", sid)
    origins = [event[names.ORIGIN] for event in logbook.events("prompt.submitted")]
    assert origins[0] != "task-notification"
    assert origins[1:] == ["task-notification"]
    converse(client, sid, "/compact", "on")
    told = [text for text in client.context_texts(sid, "SessionStart") if "REQUEST-8" in text]
    assert len(told) == 1


@pytest.fixture
def bare(client: Client, tmp_path: Path) -> Path:
    """Build a PATH of programs without any package, and a plugin without packages."""
    alone = tmp_path / "alone"
    for name in ("journal", "projections", "hooks", "cli", "skills", "bin", ".claude-plugin"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPO / name, alone / name, ignore=ignore)
    client.plugins = (alone,)
    folder = tmp_path / "bare"
    venv.create(folder, with_pip=False, symlinks=True)
    return folder / "bin"


def test_a_bare_python_captures(client: Client, api: Api, logbook: Logbook, bare: Path) -> None:
    """Without packages capture works, and the person is told once that messages are off."""
    client.python = bare
    client.env |= WINDOW
    sid = new_id()
    api.script(
        call("Bash", command="echo a", description="d", tokens=INFO), Reply("x", tokens=INFO)
    )
    runs = [client.say("first", sid), client.say("second", sid)]
    said = [notice for run in runs for notice in run.notices if "journal" in notice.lower()]
    assert len(said) == 1, said
    assert "journal setup" in said[0]
    assert client.context_texts(sid) == []
    counts = logbook.counts()
    assert (counts["prompt.submitted"], counts["tool.finished"], counts["turn.ended"]) == (2, 1, 2)


@pytest.mark.long
@pytest.mark.parametrize(
    "source",
    [
        pytest.param("raise RuntimeError('broken')", id="raises"),
        pytest.param("Struct = object", id="another module of that name"),
    ],
)
def test_a_broken_package_loses_nothing(
    client: Client, api: Api, logbook: Logbook, bare: Path, source: str
) -> None:
    """A broken package turns answers off, not capture."""
    (site,) = bare.parent.glob("lib/python3*/site-packages")
    (site / "msgspec").mkdir()
    (site / "msgspec" / "__init__.py").write_text(source, encoding="utf-8")
    client.python = bare
    client.env |= WINDOW
    sid = new_id()
    api.script(call("Bash", command="echo a", description="d", tokens=INFO), Reply("x"))
    converse(client, sid, "first", "/compact")
    counts = logbook.counts()
    once = ("prompt.submitted", "tool.finished", "turn.ended", "compact.started")
    assert [counts[name] for name in once] == [1, 1, 1, 1]
    assert counts["session.started"] == 2


def words(screen: str) -> str:
    """Join the lines of a screen, which break long messages."""
    return " ".join(screen.split())


@pytest.mark.long
def test_a_bare_python_is_shown_in_a_terminal(client: Client, bare: Path, tmux: None) -> None:
    """In a terminal too the person sees that messages are off, by the first prompt at the latest."""
    client.python = bare
    with Terminal(client) as terminal:
        terminal.enter("hello there")
        terminal.wait_for("Done.")
        shown = terminal.wait_until(lambda: "messages are off" in words(terminal.screen), "it")
    assert words(shown).count("messages are off") == 1


@pytest.mark.long
def test_packages_of_the_user_site_do(client: Client, api: Api) -> None:
    """An interpreter that has the package only in the user's own site gives answers."""
    base = Path(sys.base_prefix) / "bin"
    if not (base / "python3").exists():
        pytest.skip(f"no python3 in {base}")
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    site = client.home / ".local" / "lib" / version / "site-packages"
    site.mkdir(parents=True)
    (site / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    client.python = base
    client.env |= WINDOW
    sid = new_id()
    api.script(Reply("x", tokens=INFO))
    runs = converse(client, sid, "first", "second")
    assert len(client.context_texts(sid, "UserPromptSubmit")) == 1
    assert not any("messages are off" in notice for run in runs for notice in run.notices)


@pytest.mark.long
def test_a_complete_python_says_nothing_of_itself(client: Client, api: Api) -> None:
    """With all packages installed there is no notice about the journal."""
    api.script(call("Bash", command="echo a", description="d"))
    assert client.say("first", new_id()).notices == []


def test_a_cleared_session_follows_the_one_before(
    client: Client, logbook: Logbook, tmux: None
) -> None:
    """The session that /clear begins has the cleared session as its predecessor."""
    with Terminal(client) as terminal:
        terminal.enter("hello there")
        terminal.wait_for("Done.")
        terminal.enter("/clear")
        terminal.wait_until(
            lambda: len(logbook.events("session.started")) == 2,
            "the cleared session",
        )
        terminal.enter("/exit")
        terminal.wait_until(lambda: len(logbook.events("session.ended")) == 2, "its end")
    first, second = logbook.events("session.started")
    assert (first[names.SOURCE], second[names.SOURCE]) == ("startup", "clear")
    assert first["sid"] != second["sid"]
    assert second[names.PREVIOUS] == first["sid"]
    ends = logbook.events("session.ended")
    assert [end[names.REASON] for end in ends] == ["clear", "prompt_input_exit"]


def test_compaction_in_a_terminal(client: Client, api: Api, logbook: Logbook, tmux: None) -> None:
    """In a single process too, the request after /compact has the recovery."""
    with Terminal(client) as terminal:
        terminal.enter("ASKED-4711 please")
        terminal.wait_for("Done.")
        terminal.enter("/compact")
        terminal.wait_until(lambda: bool(logbook.events("compact.finished")), "the summary")
        terminal.wait_for(PROMPT)
        before = len(api.talk)
        terminal.enter("and now?")
        api.wait_for(before + 1)
        sid = logbook.events("compact.finished")[0]["sid"]
        terminal.wait_until(lambda: len(logbook.events("turn.ended")) == 2, "the turn's end")
    (text,) = [text for text in client.context_texts(sid, "SessionStart") if "ASKED-4711" in text]
    assert api.last.count(text) == 1


def test_the_status_line(client: Client, api: Api, logbook: Logbook, tmux: None) -> None:
    """The status line shows the pressure and records its readings in the journal."""
    client.env |= WINDOW
    command = f"{sys.executable} -I -S {names.LEAN_STATUS_LINE}"
    api.script(Reply("Heard.", tokens=INFO))
    line = re.compile(r"\b2[23]% left until compaction")  # the module's has a decimal

    def is_read() -> bool:
        sampled = logbook.events("pressure.sampled")
        tokens = [e[names.TOKENS] for e in sampled if "status" in e[names.SOURCE]]
        return any(INFO <= count < INFO + 1_000 for count in tokens)

    with Terminal(
        client, settings={"statusLine": {"type": "command", "command": command}}
    ) as shown:
        shown.enter("hello there")
        shown.wait_for("Heard.")
        shown.wait_until(lambda: bool(line.search(shown.screen)), "the pressure")
        shown.wait_until(is_read, "its reading")
