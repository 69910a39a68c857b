"""What a hook looks up beside its input: branch, work files, predecessor, and the reading.

Invariant: every look is bounded, and a look that fails leaves its fact out.
"""

from __future__ import annotations

import os

from journal.clock import iso
from journal.home import branch_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.capture import Context
    from journal.events.hook_input import Call
    from journal.transcript.usage import Usage

__all__ = ["look", "sample_of"]

_READING = frozenset(
    ("UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "PreCompact")
)


def look(
    call: Call, context: Context, hot: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Give the facts for the builders, and the event of a pressure reading if one could be taken.

    hot: the small part of the snapshot, where the session's true window is if the status line
    told it.
    """
    facts: dict[str, Any] = {}
    cwd = call.data.get("cwd")
    where = cwd if isinstance(cwd, str) and os.path.isabs(cwd) else context.project.root
    if where:
        facts["branch"] = branch_of(where)
    facts["attended"] = context.env.get("CLAUDE_CODE_SESSION_ATTENDED") != "0"
    if call.hook in ("SessionStart", "Stop", "PreCompact") and context.project.root:
        _work_files(call, context, facts)
    if call.hook in ("SessionStart", "SessionEnd"):
        _pid(context, facts)
    if call.hook == "SessionStart":
        _start(call, context, facts)
    elif call.hook == "PostToolUse":
        _edited(call, context, facts)
    if call.hook not in _READING or call.data.get("agent_id") or not call.sid:
        return facts, None
    known = (hot.get("pressure") or {}).get("sessions", {}).get(call.sid)
    sample = _told(call, context, known)
    if sample is None:
        if call.hook == "Stop" and call.sid in (hot.get("stage") or ()):
            _settle(call, context)
        usage = _usage(call)
        if usage is None:
            return facts, None
        sample = sample_of(call, context, usage, known)
    facts["tokens"] = sample["tokens"]
    facts["point"] = sample.get("point")
    return facts, sample


def _pid(context: Context, facts: dict[str, Any]) -> None:
    pid = context.env.get("CLAUDE_PID", "")
    if pid.isdigit() and len(pid) < 10:
        facts["pid"] = int(pid)


def sample_of(
    call: Call, context: Context, usage: Usage, known: list[Any] | None
) -> dict[str, Any]:
    """Event of a reading from the transcript. known: the session's hot entry (projections.hot)."""
    model = usage.requested_model or usage.model
    window = None
    if known:
        # A boundary names no model: the session's last one is what counted.
        model = model or known[6]
        window = known[7] if known[7] and _same_model(model, known[6]) else None
    at = usage.ts[:32] or iso(context.now)
    return _sample(call, context, usage.source, usage.tokens, usage.output, model, window, at)


def _told(call: Call, context: Context, known: list[Any] | None) -> dict[str, Any] | None:
    """Event of a reading in the hook's own input; it is newer than any transcript."""
    if "context_window" not in call.data:
        return None
    from journal.transcript import hook_input as payload

    told = payload.reading(call.data, known[2] if known else 0)
    if told is None:
        return None
    tokens, window, _ = told
    model = known[6] if known else ""
    return _sample(call, context, "hook", tokens, 0, model, window, iso(context.now))


def _sample(
    call: Call,
    context: Context,
    source: str,
    tokens: int,
    output: int,
    model: str,
    window: int | None,
    at: str,
) -> dict[str, Any]:
    from journal.transcript.sampled import sampled
    from journal.transcript.threshold import compaction_threshold, used_percent

    settings = context.settings
    point = compaction_threshold(
        model, context.env, settings, window, settings["pressure.compaction_point"]
    )
    used = used_percent(tokens - output, point.window) if point.window else None
    return sampled(call, point, source=source, tokens=tokens, used=used, model=model, at=at)


def _same_model(one: str, other: str) -> bool:
    """Whether two ids name the same model; the status line's may lack a date or a suffix."""
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def _usage(call: Call) -> Usage | None:
    path = _transcript(call)
    if not path:
        return None
    from journal.transcript.usage import last_usage

    return last_usage(path)


def _transcript(call: Call) -> str:
    path = call.data.get("transcript_path")
    return path if isinstance(path, str) and os.path.isabs(path) else ""


def _settle(call: Call, context: Context) -> None:
    """Wait, 0.3 s at most, for the reply a turn ended with: the gate decides by its reading.

    The client writes it a little after the hook has begun. Only a Stop that the gate looks at
    waits, and none with a clock of its own, which is a test or a replay.
    """
    data = call.data
    path, said = _transcript(call), data.get("last_assistant_message")
    if data.get("stop_hook_active") or data.get("background_tasks") or "JOURNAL_NOW" in context.env:
        return
    if context.settings["stage.gate"] == "off" or not isinstance(said, str):
        return
    if os.path.isfile(path):
        import time

        from journal.transcript.usage import wait_caught_up

        wait_caught_up(path, said, time.monotonic, time.sleep)


def _work_files(call: Call, context: Context, facts: dict[str, Any]) -> None:
    if not os.path.isdir(os.path.join(context.project.root, ".claude", "context")):
        return
    from journal.workfiles.work_log import flow_facts

    facts["flow"] = flow_facts(context.project.root, {})
    if call.hook != "Stop":
        from journal.workfiles.learnings import learning_facts

        facts["stock"] = learning_facts(context.project.root)


def _edited(call: Call, context: Context, facts: dict[str, Any]) -> None:
    """Give what an edit of the session's own progress file says."""
    given = call.data.get("tool_input")
    path = given.get("file_path") if isinstance(given, dict) else None
    root = context.project.root
    if root and isinstance(path, str) and path.rpartition("/")[2].startswith(".cpm-progress-"):
        from journal.workfiles.progress_edit import saved

        facts["progress"] = saved(call, root)


def _start(call: Call, context: Context, facts: dict[str, Any]) -> None:
    if context.project.root:
        from journal.workfiles.loop import active_loop

        facts["loop"] = active_loop(context.project.root)
        if os.path.lexists(os.path.join(context.project.root, "docs/plans/.cpm-progress.md")):
            from journal.workfiles.progress_edit import unowned

            facts["unowned"] = unowned(context.project.root)
    source = call.data.get("source")
    if source == "clear":
        facts["previous"] = _cleared(context, facts.get("pid", 0))
    elif source == "fork" and facts.get("pid"):
        facts["previous"] = _forked(facts["pid"], call.sid)


def _cleared(context: Context, pid: int) -> str:
    """Session that /clear ended and nothing was started from yet: same process, or the only one.

    The client ends it milliseconds before: the last 64 KiB of the log hold it or nobody does.
    """
    from journal.log.dedupe import last_bytes
    from journal.log.record import is_whole, unframe

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
    """Session a fork came from, if the client's own command line names it; else ""."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read(64 * 1024).split(b"\0")
    except OSError:
        return ""
    for at, word in enumerate(words):
        name, _, value = word.partition(b"=")
        if name in (b"--resume", b"-r"):
            found = (value or b"".join(words[at + 1 : at + 2])).decode("utf-8", "replace")
            if found and found != sid and len(found) <= 128 and found.isprintable():
                return found
    return ""
