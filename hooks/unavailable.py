"""Build the messages to the user if the journal or its messages are off. Imports no msgspec."""

from __future__ import annotations

import os
import sys

from journal.codec import digest, dumps, loads
from journal.config import PROJECT_FILE
from journal.log.counter import OVERLAPS
from journal.log.record import ACTIVE
from projections.messages.answers_off import WHAT, notice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Context
    from journal.errors import JournalOffError
    from journal.events.hook_input import Call

_ANNOUNCED = b'"what":"answers-off"'
_REPORTED = "capture-off"  # file: projects whose switched-off capture was reported
_LONGEST = 256 * 1024


def journal_off(context: Context, error: JournalOffError) -> str:
    """Return a SessionStart's output if the journal cannot be written."""
    language = _language(context)
    text = notice(language, "journal_off", path=error.path, what=error.what)
    if error.remedy:
        text += notice(language, "remedy", remedy=error.remedy)
    return _message(text)


def capture_off(context: Context) -> str:
    """Return the output that reports, once per project, that its settings switch recording off.

    "" if the user's own settings do that, or if it was reported before. The journal home keeps the
    list of reported projects, because such a project has no journal.
    """
    from journal.config.load import load
    from journal.files import open_regular, read_tail
    from journal.home import check_directory, ensure_directory

    if load(context.home, None).settings["capture.level"] == "off":
        return ""
    ensure_directory(context.home)
    check_directory(context.home)
    path = os.path.join(context.home, _REPORTED)
    line = os.fsencode(context.project.name)
    try:
        if line in read_tail(path, _LONGEST).split(b"\n"):
            return ""
    except FileNotFoundError:
        pass
    descriptor = open_regular(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(descriptor, line + b"\n")
    finally:
        os.close(descriptor)
    return _message(notice(_language(context), "capture_off", file=PROJECT_FILE))


def without_packages(call: Call, context: Context, why: str) -> tuple[str, dict[str, Any]]:
    """Return output and event if this interpreter cannot answer.

    why: the rest of a sentence that begins with the interpreter's path.
    """
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    command = os.path.join(root, "bin", "journal")
    values = {"interpreter": sys.executable, "why": why, "command": command}
    text = notice(_language(context), "answers_off", **values)
    event = call.event(
        "advice.given",
        "",
        what=WHAT,
        channel="message",
        hook=call.hook,
        characters=len(text),
        digest="b2:" + digest(text),
    )
    return _message(text), event


def with_lock_notice(call: Call, context: Context, text: str) -> str:
    """Add to a hook's output, once per journal, that file locks do not exclude other writers."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    if call.hook == "PreCompact":  # its output is plain text, for the summary
        return text
    try:
        os.close(os.open(os.path.join(context.directory, f"{OVERLAPS}.said"), flags, 0o600))
    except OSError:
        return text
    output: Any = loads(text) if text else {}
    lock_fails = notice(_language(context), "lock_fails", directory=context.directory)
    parts = (output.get("systemMessage", ""), lock_fails)
    output["systemMessage"] = "\n".join(filter(None, parts))
    return dumps(output).decode()


def is_announced(directory: str, sid: str) -> bool:
    """Return whether the active segment already has the answers-off event of a session.

    sid: "" for any session. Only interpreters without msgspec read the segment for this.
    """
    from journal.transcript.usage import lines_with

    member = b'"sid":%b' % dumps(sid) if sid else b""
    found = lines_with(os.path.join(directory, ACTIVE), (_ANNOUNCED,), sys.maxsize)
    return any(member in line for line in found)


def _language(context: Context) -> str:
    return str(context.settings["messages.language"])


def _message(text: str) -> str:
    return dumps({"systemMessage": text}).decode()
