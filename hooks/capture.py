"""One hook call, from the bytes on stdin to the line in the log and on to the answer.

    stdin -> Call -> other facts -> events -> Writer.append -> prefilter -> answer

The call's event is appended before any view is read. A missing snapshot, a broken package or a
killed hook can lose an answer but no event. Invariant: only the standard library is loaded unless
the prefilter finds that there may be an answer.
"""

from __future__ import annotations

import time

from hooks.context import BASH, Appended, Context, is_switched_off
from hooks.reading import is_repeated, take_reading
from journal.checkpoint import load_hints
from journal.codec import digest, loads
from journal.errors import JournalOffError
from journal.events.hook_input import Call, build
from journal.home import branch_of
from journal.log.append import Busy
from journal.log.record import WINDOW, key_for, prepare_all, with_time
from projections.prefilter import HINTS, Prefilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from hooks.warm.request import Request

TAKEN = b'{"journal":"'  # the module has recorded the event of an input that begins like this

# Calls for which hooks.facts has something to read.
_READ_FILES = frozenset(("SessionStart", "SessionEnd", "Stop", "PreCompact"))
_PROGRESS_FILE = b".cpm-progress-"


def capture(raw: bytes, env: Mapping[str, str]) -> str:
    """Handle one hook call and return what goes to stdout ("" for silence)."""
    if raw.startswith(TAKEN):
        return ""
    respond = begin(raw, env)
    return respond() if respond else ""


def begin(
    raw: bytes,
    env: Mapping[str, str],
    request: Request | None = None,
) -> Callable[[], str] | None:
    """Append the events of a call; return a function that computes the answer, or None.

    Args:
        raw: the hook's input.
        env: the environment.
        request: what the module says about the call, None without it.

    Raises:
        Busy: only with `request.claim`: it returned false, or another process held the lock for too
            long.
        JournalOffError: only with `request.claim`: the journal cannot be written.

    """
    if is_switched_off(env):
        return None
    data, fault = parsed(raw)
    if b"private>" in raw.lower():
        from journal.redaction.private import without_spread_private

        data = {name: without_spread_private(value) for name, value in data.items()}
    cwd = data.get("cwd")
    measured, answers = (request.measured, request.answers) if request else (None, True)
    context = Context(env, cwd if isinstance(cwd, str) else "", measured, answers=answers)
    if not context.records:
        return lambda: _not_recording(data, context)
    call = Call(data, digest(raw), context.project.root, context.settings)
    return Recording(call, context, request).begin(raw, fault)


def parsed(raw: bytes) -> tuple[dict[str, Any], str]:
    """Parse the hook's input; return the object and an error text ("" if it is valid)."""
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


class Recording:
    """One call on its way into the log.

    hints: the facts stored with the hooks' snapshot; offset: how far into the log they are valid,
    -1 if unknown. request: see `begin`. reading: the call's pressure reading, None without one.
    events: its own events.
    """

    def __init__(self, call: Call, context: Context, request: Request | None = None) -> None:
        self.call = call
        self.context = context
        self.request = request
        self.claim = request.claim if request else None
        self.hints: dict[str, Any] = {}
        self.offset = -1
        self.reading: dict[str, Any] | None = None
        self.events: list[dict[str, Any]] = []

    def begin(self, raw: bytes, fault: str) -> Callable[[], str] | None:
        """Build and append the events; return what `begin` returns. fault: see `prepare`."""
        call, context = self.call, self.context
        self.prepare(raw, fault)
        if not self.events:
            return None
        try:
            appended = self._append()
        except Exception as error:  # whatever kept it out of the log, it is not lost
            if self.claim is not None:
                raise
            return self._spool_and_answer(error)
        if appended is None:
            return None
        self._start_side_work(appended)
        if not appended.overlapped and not (
            appended.recent is None or self.may_answer(appended.recent)
        ):
            return None
        from hooks.output import respond

        return lambda: respond(call, context, appended)

    def prepare(self, raw: bytes, fault: str) -> None:
        """Read what the call needs, and build its events.

        fault: why the input is invalid, "" if it is valid. Of invalid input, size and fault are
        recorded, not its bytes.
        """
        self._load_hints()
        self.call.short = self._is_over_budget()
        if fault:
            self.events = [self.call.event("hook.failed", "", error=fault, size=len(raw))]
        else:
            self._read_other_facts(raw)
            self._build_events()

    def _load_hints(self) -> None:
        try:
            self.hints, self.offset = load_hints(self.context.directory, HINTS)
        except Exception as error:  # noqa: BLE001 (the fact is appended without)
            self.context.note(self.call.hook, error)

    def _is_over_budget(self) -> bool:
        """Return whether the session's hooks had used up `capture.budget` at the last snapshot."""
        budget = self.context.settings["capture.budget"]
        try:
            spent = self.hints.get("spent", {}).get(self.call.sid)
            return bool(spent) and 0 < budget <= spent["seconds"]
        except Exception:  # noqa: BLE001 (hints of another shape: record in full)
            return False

    def _read_other_facts(self, raw: bytes) -> None:
        """Read what the input lacks: branch, process … into `call.facts`, and the reading."""
        call, context = self.call, self.context
        try:
            call.facts["branch"] = branch_of(call.path("cwd") or context.project.root)
            call.facts["attended"] = context.env.get("CLAUDE_CODE_SESSION_ATTENDED") != "0"
            if call.hook in _READ_FILES or _PROGRESS_FILE in raw:
                from hooks.facts import collect

                collect(call, context)
            self.reading = take_reading(call, context, self.hints)
        except Exception as error:  # noqa: BLE001 (the event then lacks these facts)
            self.context.note(self.call.hook, error)

    def _build_events(self) -> None:
        """Build the call's events; on an error, one `hook.failed`."""
        try:
            self.events = build(self.call)
        except Exception as error:  # noqa: BLE001 (that the call came is recorded in any case)
            self.context.note(self.call.hook, error)
            from hooks.errors import failed_event

            self.events = [failed_event(self.call, error)]

    def _append(self) -> Appended | None:
        """Append the events, the reading first; return None if this call is a repeat.

        Raises Busy if `claim` returns false.
        """
        context, events, reading = self.context, self.events, self.reading
        fact = events[0]
        with context.writer() as writer:
            if self.claim is not None and not self.claim():
                raise Busy
            key = fact.get("key", "")
            if key:
                fact["key"] = key_for(writer.tail, key, self.call.sid, context.iso)
                if not fact["key"]:
                    return None
            if fact["type"] == "compact.summarized":
                from journal.events.hook_input.compact import assign

                assign(events, writer.tail)
            if self.offset < 0:  # no valid snapshot: if the log was cut, do not reuse a seq
                from journal.log.reached import seen_seq

                writer.skip_to(seen_seq(context.directory))
            if reading and is_repeated(reading, writer.tail):
                reading = None
            since = writer.size - max(self.offset, 0)
            recent = writer.tail[-since:] if 0 < since <= WINDOW else b"" if not since else None
            if not context.fixed:  # with a fixed clock the bytes must be reproducible
                fact["us"] = time.process_time_ns() // 1000
            ready = prepare_all((reading, *events) if reading else events, context.iso)
            at = 1 if reading else 0
            seq = writer.append(*ready)[at]
        line = b'{"seq":%d,%b}' % (seq, ready[at].body)
        return Appended(fact, line, seq, recent, writer.tail, overlapped=writer.overlapped)

    def may_answer(self, recent: bytes) -> bool:
        """Return the prefilter's decision; True if it fails, so that the views decide.

        recent: see `Appended`.
        """
        call = self.call
        try:
            prefilter = Prefilter(
                call.hook,
                self.events[0],
                sample=self.reading,
                hints=self.hints,
                tail=recent,
                settings=self.context.settings,
            )
            found = prefilter.may_answer()
            if self.request and not found:
                self.request.note_silence(prefilter)
            return found
        except Exception as error:  # noqa: BLE001 (the answering half stores fresh hints)
            self.context.note(self.call.hook, error)
            return True

    def _spool_and_answer(self, error: Exception) -> Callable[[], str] | None:
        """Put events that are not in the log into the spool; return what `begin` returns."""
        from hooks.output import journal_off, respond

        call, context = self.call, self.context
        if isinstance(error, JournalOffError):
            if not error.recorded:
                self._spool()  # the next writer appends them
            return lambda: journal_off(call, context, error)
        if not isinstance(error, Busy):
            self.context.note(self.call.hook, error)
        self._spool()
        if context.answers and self.may_answer(b""):
            waiting = [*self.events, *([self.reading] if self.reading else [])]
            return lambda: respond(call, context, None, waiting)
        return None

    def _spool(self) -> None:
        """Put the events into the spool, from where the next writer appends them."""
        from journal.log import spool

        context, events = self.context, self.events
        events[0]["key"] = with_time(events[0].get("key", ""), context.iso)
        try:
            ready = (self.reading, *events) if self.reading else tuple(events)
            spool.put(context.directory, context.iso, ready)
        except Exception as error:  # noqa: BLE001 (then it is at least counted)
            self.context.note(self.call.hook, error)
            from journal.log.counter import MISSED, add_to

            add_to(context.directory, MISSED, len(events))

    def _start_side_work(self, appended: Appended) -> None:
        """Start the work outside the log (env file, transcript backup, git); only note errors."""
        call, context = self.call, self.context
        if "agent_id" in call.data:
            return
        try:
            if call.hook == "SessionStart":
                from hooks.env_file import export

                export(context.env, context.project.work, call.sid)
                return
            if call.hook not in ("Stop", "PreCompact"):
                return
            if appended.recent is None or BASH in appended.tail:
                from hooks.written_files import spawn_after

                spawn_after(call, context, appended)
            if call.hook == "PreCompact" and context.settings["transcripts.backup"] and call.full:
                from hooks.detached import start_backup

                start_backup(context, call.sid, call.path("transcript_path"))
        except Exception as error:  # noqa: BLE001 (the session goes on without it)
            self.context.note(self.call.hook, error)


def _not_recording(data: dict[str, Any], context: Context) -> str:
    """Tell the user once if the project's settings, not their own, switch recording off."""
    if data.get("hook_event_name") != context.visible_hook or data.get("source") == "compact":
        return ""
    from hooks.unavailable import capture_off

    try:
        return capture_off(context)
    except Exception as error:  # noqa: BLE001 (only this message is lost)
        context.note(context.visible_hook, error)
        return ""
