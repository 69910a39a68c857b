"""`journal demo`: the user's own history, or a recorded session run through the real hooks.

Invariant: it works in a temporary directory and neither reads nor writes the user's journal or
settings. Under `JOURNAL_NOW` the output is always the same.
"""

import os
import sys
import tempfile
from typing import Any

from cli.demo.narrator import Narrator
from cli.error import OK
from cli.install import interpreter, source
from cli.render.text import emit, json_of
from cli.scope import Scope
from journal.clock import iso
from journal.codec import loads

_STORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "story.jsonl")
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")


def demo(scope: Scope, *, recorded: bool = True) -> int:
    """Show the user's own history, or run the recorded story in a temporary home and project."""
    if not recorded:
        from cli.demo.own import own_history

        if own_history(scope):
            return OK
        emit(["No Claude Code sessions on this machine. Playing a recorded one.", ""])
    with tempfile.TemporaryDirectory(prefix="journal-demo-") as top:
        sandbox = _Sandbox(os.path.realpath(top), scope)
        narrator = Narrator(scope, sandbox.env)
        emit([scope.style("bold", "journal demo")])
        for act in story():
            _play(act, sandbox, narrator)
        narrator.views()
        narrator.closing()
    return OK


def story() -> list[dict[str, Any]]:
    """Return the acts in order: narration, hook and status line input, replies, files, commands."""
    with open(_STORY, encoding="utf-8") as file:
        return [act for line in file if isinstance(act := loads(line), dict)]


class _Sandbox:
    """A temporary home and project, with the programs that run there."""

    def __init__(self, top: str, scope: Scope) -> None:
        self.start = scope.now
        self.project = os.path.join(top, "shop")
        self.transcript = os.path.join(top, "transcript.jsonl")
        self.home = os.path.join(top, "journal")
        self.launcher = source.path("cli", "install", "launch.py")
        self.hook, self.line = (source.path("hooks", name) for name in ("run.py", "statusline.py"))
        passed = {name: scope.env[name] for name in _PASSED_ON if name in scope.env}
        self.env = {
            **passed,
            "JOURNAL_HOME": self.home,
            "CLAUDE_CONFIG_DIR": os.path.join(top, "claude"),
            "CLAUDE_PROJECT_DIR": self.project,
            "NO_COLOR": "1",
            "JOURNAL_NOW": scope.iso,
        }
        os.makedirs(os.path.join(self.project, ".git"))
        with open(os.path.join(self.project, ".git", "HEAD"), "w", encoding="utf-8") as file:
            file.write("ref: refs/heads/discounts\n")

    def at(self, seconds: int) -> str:
        """Set the clock to `seconds` after the start; return `seconds` as HH:MM:SS."""
        self.env["JOURNAL_NOW"] = iso(self.start + 1000 * seconds)
        return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"

    def filled(self, value: Any) -> str:
        """Return `value` as JSON, with this sandbox's paths and time filled in."""
        text = json_of(value).replace("$PROJECT", self.project)
        return text.replace("$TRANSCRIPT", self.transcript).replace("$NOW", self.env["JOURNAL_NOW"])

    def run(self, argv: list[str], value: Any, **more: str) -> str:
        """Run a program of the journal as Claude Code would; return its stdout."""
        env = {**self.env, **more}
        done = interpreter.run(argv, self.filled(value).encode(), env, self.project)
        return done.stdout.decode("utf-8", "replace")

    def write(self, path: str, text: str) -> None:
        """Write a file of the project."""
        target = os.path.join(self.project, *path.split("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)

    def reply(self, entry: dict[str, Any]) -> None:
        """Append an entry to the transcript, as Claude Code does after each reply."""
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.write(self.filled(entry) + "\n")


def _play(act: dict[str, Any], sandbox: _Sandbox, narrator: Narrator) -> None:
    clock = sandbox.at(act["after"]) if "after" in act else ""
    lean = [sys.executable, "-I", "-S"]
    if "narrate" in act:
        narrator.narrate(act["narrate"])
    elif "write" in act:
        sandbox.write(act["write"]["path"], act["write"]["text"])
    elif "reply" in act:
        sandbox.reply(act["reply"])
    elif "line" in act:
        text = sandbox.run([*lean, sandbox.line], act["line"], COLUMNS="64")
        narrator.line(clock, text)
    elif "hook" in act:
        text = sandbox.run([*lean, sandbox.hook], act["hook"])
        narrator.hook(clock, act["hook"], text)
    elif "journal" in act:
        sid = next(a["hook"]["session_id"] for a in story() if "hook" in a)
        argv = [sys.executable, "-P", sandbox.launcher, *act["journal"]]
        sandbox.run(argv, None, CLAUDE_CODE_SESSION_ID=sid)
        narrator.command(clock, act["journal"])
