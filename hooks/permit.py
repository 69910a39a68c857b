"""Answer a permission request for the plugin's own command: `run.py permit`.

Claude Code drops a skill's `allowed-tools` when the user sends the next message, although the skill
continues. Claude Code runs this hook only when it would ask the user, and only for commands that
begin with `journal`. The hook allows a call of `journal` that a skill lists in its `allowed-tools`:
always if Claude itself may load that skill, otherwise only if the user started the skill in this
session. In every other case Claude Code asks the user.
Invariant: it allows one program with plain arguments, nothing that a shell would expand, redirect
or chain.
"""

from __future__ import annotations

import os
import re

from journal.codec import dumps, loads
from journal.errors import JournalOffError
from journal.files import read_tail
from journal.home import check_directory, journal_home, project_of, project_start
from journal.log.record import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TAIL = 8 * 1024 * 1024  # bytes of the log searched for the skills that the session started
# Shell words without expansion: bare, in single quotes, or in double quotes.
_PLAIN = r"""(?:[\w./:,=@%+-]|'[^'\n]*'|"[^"$`\\!\n]*")+"""
_CALL = re.compile(rf"journal((?: +{_PLAIN})*) *")
_STDIN = re.compile(r"<< ?'(\w+)'\n", re.ASCII)
_ALLOWED = re.compile(r"Bash\(journal ([^)]*)\)")
_ALLOW = {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}


def permit(raw: bytes, env: Mapping[str, str]) -> str:
    """Return the hook output that allows the call, or "" to let Claude Code ask the user."""
    data = loads(raw)
    if not isinstance(data, dict) or data.get("tool_name") != "Bash" or "agent_id" in data:
        return ""
    tool_input = data.get("tool_input")
    command = tool_input.get("command") if isinstance(tool_input, dict) else None
    arguments = _arguments_of(command) if isinstance(command, str) else None
    if arguments is None or not any(
        by_claude or _started(name, data, env)
        for name, allowed, by_claude in _skills()
        if any(_matches(arguments, pattern) for pattern in allowed)
    ):
        return ""
    return dumps({"hookSpecificOutput": _ALLOW}).decode()


def _arguments_of(command: str) -> str | None:
    """Return the arguments of a single plain call of `journal`; None for anything else."""
    command = command.strip(" \n")
    call = _CALL.match(command)
    if call is None or not _is_stdin(command[call.end() :]):
        return None
    return " ".join(call[1].split())


def _is_stdin(rest: str) -> bool:
    """Return whether what follows a call is nothing, or one quoted here-document to the end.

    The first line that is its word ends it for a shell, which runs whatever follows.
    """
    start = _STDIN.match(rest)
    if start is None:
        return not rest
    *lines, last = rest[start.end() :].split("\n")
    return last == start[1] and last not in lines


def _matches(arguments: str, pattern: str) -> bool:
    """Return whether a call matches an `allowed-tools` pattern: exact, or a prefix with ` *`."""
    words = pattern.removesuffix(" *")
    return arguments == words or (pattern.endswith(" *") and arguments.startswith(words + " "))


def _skills() -> Iterator[tuple[str, list[str], bool]]:
    """Yield (name, call patterns, whether Claude may load it) for each skill of the plugin."""
    top = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "skills")
    for name in sorted(os.listdir(top)):
        with open(os.path.join(top, name, "SKILL.md"), encoding="utf-8") as file:
            front = file.read(4096).split("---\n", 2)[1]
        yield name, _ALLOWED.findall(front), "disable-model-invocation: true" not in front


def _started(name: str, data: dict[str, object], env: Mapping[str, str]) -> bool:
    """Return whether the log shows that the user started a skill in this session."""
    cwd = str(data.get("cwd", ""))
    project = project_of(project_start(env, cwd), env)
    path = os.path.join(journal_home(env), project.name, ACTIVE)
    try:
        check_directory(journal_home(env))
        text = read_tail(path, _TAIL)
    except (OSError, JournalOffError):
        return False
    session = dumps(str(data.get("session_id")))
    for line in text.split(b"\n"):
        if b'"type":"command.expanded"' in line and session in line:
            event = loads(line)
            if isinstance(event, dict) and str(event.get("name")).rpartition(":")[2] == name:
                return True
    return False
