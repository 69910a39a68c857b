"""Feed a session's start and end through the installed hook command, in a throwaway home.

Invariant: the command comes from the installed hooks.json, runs in an environment of its own with a
minimal PATH, and changes nothing outside a temporary directory.
"""

import json
import os
import subprocess
import tempfile
from typing import Any

from cli.install import code_copy, interpreter
from journal.errors import JournalError
from journal.files import last_lines
from journal.history.logs import log_directories
from journal.home import HOOK_ERRORS
from journal.log.read import Reader
from journal.log.record import type_of

_SESSION = "00000000-0000-4000-8000-000000000000"


def feed(top: str, search: str = "/usr/bin:/bin") -> interpreter.StartupCost:
    """Run the hooks of the plugin at `top`, and return what one call costs.

    Raises JournalError if one fails or records no event.

    search: PATH of the hooks. An installed plugin names its interpreter and needs none.
    """
    commands = code_copy.hook_commands(top)
    with tempfile.TemporaryDirectory(prefix="journal-probe-") as folder:
        env = throwaway(folder, search, top)
        project, home = env["CLAUDE_PROJECT_DIR"], env["JOURNAL_HOME"]
        for event in ("SessionStart", "SessionEnd"):
            _call(commands[event], event, env, project)
        logs = [folder for _, _, folder in log_directories(home)]
        events = {type_of(line) for folder in logs for _, line in Reader(folder)}
        for kind in ("session.started", "session.ended"):
            if kind not in events:
                what = f"the hook command ran, but the journal has no {kind}"
                errors = last_lines(os.path.join(home, HOOK_ERRORS)) or [b"run journal doctor"]
                remedy = errors[-1].decode("utf-8", "replace")
                raise JournalError(commands["SessionStart"][-1], what, remedy)
        data = payload("UserPromptSubmit", project, prompt="hello")
        return interpreter.compare(commands["SessionStart"], data, env, project)


def throwaway(folder: str, search: str, top: str) -> dict[str, str]:
    """Make a project below `folder`; return the environment of hooks that work on it alone.

    search: their PATH. top: the directory of the plugin.
    """
    project = os.path.join(folder, "project")
    os.mkdir(project)
    with open(os.path.join(project, ".journal-root"), "w", encoding="ascii"):
        pass  # below the temporary directory nothing else counts as a project
    return {
        "HOME": folder,
        "PATH": search,
        "JOURNAL_HOME": os.path.join(folder, "journal"),
        "CLAUDE_PROJECT_DIR": project,
        "CLAUDE_PLUGIN_ROOT": top,
    }


def payload(event: str, project: str, **more: Any) -> bytes:
    """Build a hook input as the client sends it: compact JSON and a newline."""
    fields = {
        "session_id": _SESSION,
        "transcript_path": os.path.join(project, "none.jsonl"),
        "cwd": project,
        "hook_event_name": event,
        **({"source": "startup"} if event == "SessionStart" else {}),
        **({"reason": "other"} if event == "SessionEnd" else {}),
        **more,
    }
    return (json.dumps(fields, separators=(",", ":")) + "\n").encode()


def _call(command: list[str], event: str, env: dict[str, str], project: str) -> None:
    try:
        done = interpreter.run(command, payload(event, project), env, project)
    except FileNotFoundError as error:
        raise JournalError(command[0], "the program that runs the hooks is missing") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        why = getattr(error, "strerror", None) or error
        raise JournalError(command[0], f"the hook command does not run: {why}") from error
    output = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if done.returncode or output:
        what = f"the hook of {event} ended with {done.returncode}: {output[-1] if output else ''}"
        raise JournalError(command[-1], what)
    if done.stdout:
        try:
            json.loads(done.stdout)
        except ValueError as error:
            raise JournalError(command[-1], f"the hook of {event} printed no JSON") from error
