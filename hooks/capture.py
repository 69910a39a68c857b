"""The way of one hook call, from the bytes on stdin to the line in the log and on to the answer.

    stdin -> Call -> facts beside the input -> events -> Writer.append -> prefilter -> answer

The fact is appended before any view is read: a missing snapshot, a broken package or a client that
kills the hook costs an answer, never an event. Invariant: the standard library alone is loaded
unless the prefilter says that there may be an answer.
"""

from __future__ import annotations

import time

from hooks.context import Appended, Context, is_switched_off
from hooks.facts import collect
from hooks.reading import is_repeated, take_reading
from journal.checkpoint import load_hints
from journal.codec import digest, loads
from journal.errors import JournalOffError
from journal.events.hook_input import Call, build
from journal.log.append import WINDOW, Busy, Writer
from journal.log.dedupe import key_for, with_time
from journal.log.prepare import prepare_all
from projections.prefilter import HINTS, may_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["capture", "parsed"]


def capture(raw: bytes, env: Mapping[str, str]) -> str:
    """Handle one hook call and return what goes to stdout ("" for silence)."""
    if is_switched_off(env):
        return ""
    data, fault = parsed(raw)
    cwd = data.get("cwd")
    context = Context(env, cwd if isinstance(cwd, str) else "")
    if not context.records:
        return ""
    call = Call(data, digest(raw), context.project.root, context.settings)
    hints, offset = load_hints(context.directory, HINTS)
    if fault:
        # What cannot be read is a fact too: its size and kind are recorded, not its bytes.
        events = [call.event("hook.failed", "", error=fault, size=len(raw))]
        reading = None
    else:
        reading = _look_around(call, context, hints)
        events = build(call)
    if not events:
        return ""
    try:
        appended = _append(call, context, events, reading, offset)
    except Busy:
        _spool(context, call, events, reading)
        return ""
    except JournalOffError as error:
        return _journal_off(call, context, error)
    if appended is None:
        return ""
    _pass_on(call, context)
    if appended.recent is not None and not may_answer(
        call.hook, appended.fact, reading, hints, appended.recent, context.settings
    ):
        return ""
    return _answer(call, context, appended)


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


def _look_around(call: Call, context: Context, hints: dict[str, Any]) -> dict[str, Any] | None:
    """Fill `call.facts` with what stands beside the input; return the pressure reading."""
    try:
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
) -> Appended | None:
    """Append the events of a call, the reading first; None where the log has this call already.

    offset: where the hints were written, -1 unknown.
    """
    fact = events[0]
    with Writer(context.directory, context.iso, sync=context.settings["append.sync"]) as writer:
        key = fact.get("key", "")
        if key:
            fact["key"] = key_for(writer.tail, key, call.sid, context.iso)
            if not fact["key"]:
                return None
        if reading and is_repeated(reading, writer.tail):
            reading = None
        since = writer.size - max(offset, 0)
        recent = writer.tail[-since:] if 0 < since <= WINDOW else b"" if not since else None
        if not context.fixed:  # a fixed clock means: the same bytes again
            fact["us"] = time.process_time_ns() // 1000
        ready = prepare_all((reading, *events) if reading else events, context.iso)
        seq = writer.append(*ready)[1 if reading else 0]
    line = b'{"seq":%d,%b}' % (seq, ready[1 if reading else 0].body)
    return Appended(fact, line, seq, recent)


def _spool(
    context: Context, call: Call, events: list[dict[str, Any]], reading: dict[str, Any] | None
) -> None:
    """Leave the events beside the log for the next writer: the lock is taken by a stuck process."""
    from journal.log import spool

    events[0]["key"] = with_time(events[0].get("key", ""), context.iso)
    try:
        spool.put(context.directory, context.iso, (*((reading,) if reading else ()), *events))
    except OSError as error:
        _note(call, context, error)
        spool.missed(context.directory)


def _pass_on(call: Call, context: Context) -> None:
    """Start what goes on outside the log; a fault of it is noted only."""
    if "agent_id" in call.data:
        return
    try:
        if call.hook == "SessionStart":
            from hooks.env_file import export

            export(context.env, context.project.root, call.sid)
        elif call.hook == "PreCompact" and context.settings["transcripts.backup"] and call.full:
            from hooks.transcript_backup import spawn

            spawn(context, call.sid, call.data.get("transcript_path"))
    except Exception as error:  # noqa: BLE001 (the session goes on without it)
        _note(call, context, error)


def _answer(call: Call, context: Context, appended: Appended) -> str:
    """Load the answering half and ask it; where it cannot be loaded, say so once."""
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
        text: str = respond(call, context, appended)
    except Busy:
        return ""  # somebody else works on the journal: silence rather than a late answer
    except JournalOffError as error:
        return _journal_off(call, context, error)
    except Exception as error:  # noqa: BLE001 (an answer may fail, and that is a fact as well)
        _note(call, context, error)
        failed = call.event("hook.failed", "", hook=call.hook, error=_named(error))
        with Writer(context.directory, context.iso, sync=context.settings["append.sync"]) as writer:
            writer.append(failed)
        return ""
    return text


def _note(call: Call, context: Context, error: Exception) -> None:
    from hooks.errors import note

    note(context.env, call.hook, error)


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]


def _answers_off(call: Call, context: Context, why: str) -> str:
    """Say once that this interpreter cannot answer, and how to change that."""
    if call.hook != _visible(context):
        return ""
    from hooks.unavailable import is_announced, without_packages

    with Writer(context.directory, context.iso, sync=context.settings["append.sync"]) as writer:
        if is_announced(writer):
            return ""
        text, event = without_packages(call, why)
        writer.append(event)
    return text


def _journal_off(call: Call, context: Context, error: JournalOffError) -> str:
    """Count an event that cannot be appended; say so where the person sees it, at a start."""
    from journal.log.spool import missed

    _note(call, context, error)
    missed(context.directory)
    if call.hook != _visible(context) or call.data.get("source") == "compact":
        return ""
    from hooks.unavailable import journal_off

    return journal_off(error)


def _visible(context: Context) -> str:
    """Return the hook whose message the person sees first."""
    return "UserPromptSubmit" if context.headless else "SessionStart"
