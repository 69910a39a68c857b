"""The way of one hook call, from the bytes on stdin to the line in the log and on to the answer.

    stdin -> Call -> facts beside the input -> events -> Writer.append -> prefilter -> answer

The fact is appended before any view is read: a missing snapshot, a broken package or a client that
kills the hook costs an answer, never an event. Invariant: the standard library alone is loaded
unless the prefilter says that there may be an answer.
"""

from __future__ import annotations

import os
import time

from hooks.context import Appended, Context, is_switched_off
from hooks.reading import is_repeated, take_reading
from journal.checkpoint import load_hints, seen_seq
from journal.codec import digest, loads
from journal.errors import JournalOffError
from journal.events.hook_input import Call, build
from journal.home import branch_of
from journal.log.append import WINDOW, Busy, UnsureError
from journal.log.dedupe import key_for, with_time
from journal.log.record import prepare_all
from projections.prefilter import HINTS, may_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["TAKEN", "begin", "capture", "parsed"]

TAKEN = b'{"journal":"'  # an input that the module has recorded begins like this

_BASH = b'"tool":"Bash"'

# Calls for which hooks.facts has something to read.
_READ_FILES = frozenset(("SessionStart", "SessionEnd", "Stop", "PreCompact"))
_PROGRESS_FILE = b".cpm-progress-"


def capture(raw: bytes, env: Mapping[str, str]) -> str:
    """Handle one hook call and return what goes to stdout ("" for silence)."""
    if raw.startswith(TAKEN):
        return ""
    pending = begin(raw, env)
    return pending() if pending else ""


def begin(
    raw: bytes,
    env: Mapping[str, str],
    claim: Callable[[], bool] | None = None,
    measured: Mapping[str, int] | None = None,
) -> Callable[[], str] | None:
    """Append the events of a call; return what computes its answer, None where there is none.

    claim: asked under the lock whether this call is still ours to record. With it, Busy or
    JournalOffError is raised where it is not or cannot be: somebody else does what follows.
    measured: what the client says of its context, as `Context` has it.
    """
    if is_switched_off(env):
        return None
    data, fault = parsed(raw)
    cwd = data.get("cwd")
    context = Context(env, cwd if isinstance(cwd, str) else "", measured)
    if not context.records:
        return lambda: _not_recording(data, context)
    call = Call(data, digest(raw), context.project.root, context.settings)
    hints, offset = _hints(call, context)
    call.short = _is_over(call, context, hints)
    # What cannot be read is a fact too: its size and kind are recorded, not its bytes.
    reading = _read_facts(call, context, hints, raw) if not fault else None
    events = (
        _built(call, context)
        if not fault
        else [call.event("hook.failed", "", error=fault, size=len(raw))]
    )
    if not events:
        return None
    try:
        appended = _append(call, context, events, reading, offset, claim)
    except (Busy, JournalOffError) as error:
        if claim is not None:
            raise
        return _without_log(call, context, events, reading, hints, error)
    if appended is None:
        return None
    _pass_on(call, context, appended)
    if not appended.overlapped and not (
        appended.recent is None
        or _may_answer(call, context, appended.fact, reading, hints, appended.recent)
    ):
        return None
    return lambda: _answered(call, context, appended)


def _without_log(
    call: Call,
    context: Context,
    events: list[dict[str, Any]],
    reading: dict[str, Any] | None,
    hints: dict[str, Any],
    error: Exception,
) -> Callable[[], str] | None:
    """Leave the events in the spool where the log is busy or off; return the answer, as `begin`."""
    if isinstance(error, JournalOffError):
        if not isinstance(error, UnsureError):  # that one is in the log
            _spool(context, call, events, reading)  # the next writer takes them from there
        return lambda: _journal_off(call, context, error)
    _spool(context, call, events, reading)
    if _may_answer(call, context, events[0], reading, hints, b""):
        return lambda: _answer(call, context, None, [*events, *([reading] if reading else [])])
    return None


def parsed(raw: bytes) -> tuple[dict[str, Any], str]:
    """Return the input's object, and what is wrong with it ("" if nothing)."""
    try:
        data = loads(raw)
    except UnicodeDecodeError:
        return {}, "input is not UTF-8"
    except ValueError:
        return {}, "input is empty" if not raw.strip() else "input is not JSON"
    if not isinstance(data, dict):
        return {}, "input is not a JSON object"
    if not isinstance(data.get("hook_event_name"), str):
        return data, "input has no hook_event_name"
    return data, ""


def _hints(call: Call, context: Context) -> tuple[dict[str, Any], int]:
    """Return the hints and their offset; none where another version left what cannot be read."""
    try:
        return load_hints(context.directory, HINTS)
    except Exception as error:  # noqa: BLE001 (the fact is appended without)
        _note(call, context, error)
        return {}, -1


def _is_over(call: Call, context: Context, hints: dict[str, Any]) -> bool:
    """Return whether hooks of the session have used up their budget, as of the last snapshot."""
    budget = context.settings["capture.budget"]
    try:
        return bool(0 < budget <= hints.get("spent", {}).get(call.sid, (0,))[0])
    except Exception:  # noqa: BLE001 (hints of another shape: the form stays whole)
        return False


def _built(call: Call, context: Context) -> list[dict[str, Any]]:
    """Return the events of a call; where they cannot be built, that is the event."""
    try:
        return build(call)
    except Exception as error:  # noqa: BLE001 (that the call came is recorded in any case)
        _note(call, context, error)
        return [call.event("hook.failed", "", hook=call.hook, error=_named(error))]


def _may_answer(
    call: Call,
    context: Context,
    fact: dict[str, Any],
    reading: dict[str, Any] | None,
    hints: dict[str, Any],
    recent: bytes,
) -> bool:
    """Ask the prefilter; hints of another shape say nothing, so that the views decide."""
    try:
        return may_answer(call.hook, fact, reading, hints, recent, context.settings)
    except Exception as error:  # noqa: BLE001 (the answering half stores fresh hints)
        _note(call, context, error)
        return True


def _read_facts(
    call: Call, context: Context, hints: dict[str, Any], raw: bytes
) -> dict[str, Any] | None:
    """Fill `call.facts` with what stands beside the input; return the pressure reading."""
    try:
        cwd = call.data.get("cwd")
        directory = cwd if isinstance(cwd, str) and os.path.isabs(cwd) else context.project.root
        call.facts["branch"] = branch_of(directory)
        call.facts["attended"] = context.env.get("CLAUDE_CODE_SESSION_ATTENDED") != "0"
        if call.hook in _READ_FILES or _PROGRESS_FILE in raw:
            from hooks.facts import collect

            collect(call, context)
        return take_reading(call, context, hints)
    except Exception as error:  # noqa: BLE001 (what cannot be looked up is left out of the event)
        _note(call, context, error)
        return None


def _append(
    call: Call,
    context: Context,
    events: list[dict[str, Any]],
    reading: dict[str, Any] | None,
    offset: int,
    claim: Callable[[], bool] | None,
) -> Appended | None:
    """Append the events of a call, the reading first; None where the log has this call already.

    offset: where the hints were written, -1 unknown. Raises Busy where `claim` says no.
    """
    fact = events[0]
    with context.writer() as writer:
        if claim is not None and not claim():
            raise Busy
        key = fact.get("key", "")
        if key:
            fact["key"] = key_for(writer.tail, key, call.sid, context.iso)
            if not fact["key"]:
                return None
        if offset < 0:  # no snapshot fits: where the log was cut, no seq is given a second time
            writer.skip_to(seen_seq(context.directory))
        if reading and is_repeated(reading, writer.tail):
            reading = None
        since = writer.size - max(offset, 0)
        recent = writer.tail[-since:] if 0 < since <= WINDOW else b"" if not since else None
        if not context.fixed:  # a fixed clock means: the same bytes again
            fact["us"] = time.process_time_ns() // 1000
        ready = prepare_all((reading, *events) if reading else events, context.iso)
        seq = writer.append(*ready)[1 if reading else 0]
    line = b'{"seq":%d,%b}' % (seq, ready[1 if reading else 0].body)
    return Appended(fact, line, seq, recent, overlapped=writer.overlapped)


def _spool(
    context: Context, call: Call, events: list[dict[str, Any]], reading: dict[str, Any] | None
) -> None:
    """Leave the events beside the log for the next writer: this call cannot append them."""
    from journal.log import spool

    events[0]["key"] = with_time(events[0].get("key", ""), context.iso)
    try:
        spool.put(context.directory, context.iso, (*((reading,) if reading else ()), *events))
    except OSError as error:
        _note(call, context, error)
        spool.missed(context.directory, len(events))


def _pass_on(call: Call, context: Context, appended: Appended) -> None:
    """Start what goes on outside the log; a fault of it is noted only."""
    if "agent_id" in call.data:
        return
    try:
        if call.hook == "SessionStart":
            from hooks.env_file import export

            export(context.env, context.project.work, call.sid)
        elif call.hook == "PreCompact" and context.settings["transcripts.backup"] and call.full:
            from hooks.transcript_backup import spawn

            spawn(context, call.sid, call.data.get("transcript_path"))
        elif call.hook == "Stop" and (appended.recent is None or _BASH in appended.recent):
            from hooks.written_files import spawn_after

            spawn_after(call, context, appended)
    except Exception as error:  # noqa: BLE001 (the session goes on without it)
        _note(call, context, error)


def _answer(
    call: Call, context: Context, appended: Appended | None, waiting: list[dict[str, Any]]
) -> str:
    """Load the answering half and ask it; where it cannot be loaded, say so once.

    Where another process holds the lock, it answers without: before the append (`appended` is None
    and `waiting` holds the events in the spool), or after it.
    """
    try:
        from hooks.packages import ready

        why = "" if ready() else "has no msgspec"
        if not why:
            from hooks.answer import respond
    except Exception as error:  # noqa: BLE001 (a broken package costs the answer alone)
        _note(call, context, error)
        why = f"cannot load msgspec ({_named(error)})"
    try:
        if why:
            return _answers_off(call, context, why)
        return _asked(respond, call, context, appended, waiting)
    except Busy:
        return ""
    except JournalOffError as error:
        return _journal_off(call, context, error)
    except Exception as error:  # noqa: BLE001 (an answer may fail, and that is a fact as well)
        _note(call, context, error)
        failed = call.event("hook.failed", "", hook=call.hook, error=_named(error))
        try:
            with context.writer() as writer:
                writer.append(failed)
        except (Busy, JournalOffError):
            pass  # it is noted outside the log
        return ""


def _asked(
    respond: Callable[[Call, Context, Appended], str],
    call: Call,
    context: Context,
    appended: Appended | None,
    waiting: list[dict[str, Any]],
) -> str:
    if appended is not None:
        try:
            return respond(call, context, appended)
        except Busy:
            pass
    from hooks.unlocked import respond_without_lock

    return respond_without_lock(call, context, appended.line if appended else b"", waiting)


def _note(call: Call, context: Context, error: Exception) -> None:
    from hooks.errors import note

    note(context.env, call.hook, error)


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]


def _answered(call: Call, context: Context, appended: Appended) -> str:
    """Ask the answering half; add, once per journal, that the lock keeps no writers apart."""
    text = _answer(call, context, appended, [])
    if not appended.overlapped:
        return text
    from hooks.unavailable import with_lock_notice

    return with_lock_notice(call, context, text)


def _answers_off(call: Call, context: Context, why: str) -> str:
    """Say once per session that this interpreter cannot answer, and how to change that.

    A session without a person (`claude -p`) says it once per journal: scripts start many.
    """
    if call.hook != _visible(context):
        return ""
    from hooks.unavailable import is_announced, without_packages

    with context.writer() as writer:
        if is_announced(writer, "" if context.headless else call.sid):
            return ""
        text, event = without_packages(call, why)
        writer.append(event)
    return text


def _journal_off(call: Call, context: Context, error: JournalOffError) -> str:
    """Say where the person sees it, at a start, that the journal cannot be written."""
    _note(call, context, error)
    if call.hook != _visible(context) or call.data.get("source") == "compact":
        return ""
    from hooks.unavailable import journal_off

    return journal_off(error)


def _not_recording(data: dict[str, Any], context: Context) -> str:
    """Say once where it is the project, and not the person, that switches recording off."""
    if data.get("hook_event_name") != _visible(context) or data.get("source") == "compact":
        return ""
    from hooks.unavailable import capture_off

    try:
        return capture_off(context)
    except Exception as error:  # noqa: BLE001 (nothing is recorded, and nothing depends on it)
        from hooks.errors import note

        note(context.env, _visible(context), error)
        return ""


def _visible(context: Context) -> str:
    """Return the hook whose message the person sees first."""
    return "UserPromptSubmit" if context.headless else "SessionStart"
