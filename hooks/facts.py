"""Facts that are not in the hook's input: process, work files, the previous session.

Invariant: every read is bounded; if one fails, the event lacks that fact.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hooks.context import Context
    from journal.events.hook_input import Call


def collect(call: Call, context: Context) -> None:
    """Read the facts that the builders of this call's events need into `call.facts`."""
    root = context.project.work
    if call.hook in ("SessionStart", "Stop", "PreCompact") and root:
        _work_files(call, root)
    if call.hook in ("SessionStart", "SessionEnd"):
        _process(call, context)
    if call.hook == "SessionStart":
        _start(call, context)
    elif call.hook == "PostToolUse" and root:
        from journal.workfiles.progress_edit import saved

        call.facts["progress"] = saved(call, root)


def _process(call: Call, context: Context) -> None:
    facts, pid = call.facts, pid_of(context.env)
    if pid:
        facts["pid"] = pid
        if call.hook == "SessionStart":
            from journal.process import autocompact_of, start_of

            facts["pid_start"] = start_of(pid)
            facts["autocompact"] = autocompact_of(pid)


def _work_files(call: Call, root: str) -> None:
    if not os.path.isdir(os.path.join(root, ".claude", "context")):
        return
    from journal.workfiles.work_log import flow_facts, read_flow

    entries = read_flow(root)
    if entries is not None:
        call.facts["entries"] = entries
        call.facts["flow"] = flow_facts(entries, {})
    if call.hook != "Stop":
        from journal.workfiles.learnings import learning_facts

        call.facts["stock"] = learning_facts(root)


def _start(call: Call, context: Context) -> None:
    facts = call.facts
    if context.project.work:
        from journal.workfiles.loop import active_loop

        facts["loop"] = active_loop(context.project.work)
        if os.path.lexists(os.path.join(context.project.work, "docs/plans/.cpm-progress.md")):
            from journal.workfiles.progress_edit import unowned

            facts["unowned"] = unowned(context.project.work)
    source = call.data.get("source")
    if source == "clear":
        facts["previous"] = _cleared(context, facts.get("pid", 0))
    elif source == "fork" and facts.get("pid"):
        facts["previous"] = _forked(facts["pid"], call.sid)


def _cleared(context: Context, pid: int) -> str:
    """Return the session that /clear ended, "" if unknown.

    This is the session of the same process or, without one, the only session that has no successor.
    Claude Code ends it milliseconds before, so the last 64 KiB of the log are enough.
    """
    from journal.log.record import is_whole, last_bytes, unframe

    open_ends: dict[str, int] = {}
    for line in last_bytes(context.directory).split(b"\n"):
        if b'"type":"session.' not in line[:128] or not is_whole(line):
            continue
        fields = unframe(line)
        if fields.get("type") == "session.started":
            open_ends.pop(str(fields.get("previous")), None)
            open_ends.pop(fields["sid"], None)
        elif fields.get("type") == "session.ended" and fields.get("reason") == "clear":
            open_ends[fields["sid"]] = fields.get("pid", 0)
    same = [sid for sid, owner in open_ends.items() if owner and owner == pid]
    if same:
        return same[-1]
    unowned = [sid for sid, owner in open_ends.items() if not (owner and pid)]
    return unowned[0] if len(unowned) == 1 else ""


def _forked(pid: int, sid: str) -> str:
    """Return the session a fork came from, if the client's command line names it; else ""."""
    from journal.process import option

    found = option(pid, b"--resume", b"-r")
    return found if found != sid and len(found) <= 128 and found.isprintable() else ""


def pid_of(env: Mapping[str, str]) -> int:
    """Return the process id of the Claude Code that runs the hook, 0 if it is not given."""
    pid = env.get("CLAUDE_PID", "")
    return int(pid) if pid.isascii() and pid.isdigit() and len(pid) < 10 else 0
