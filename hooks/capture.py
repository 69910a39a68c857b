"""One hook call from end to end: input → events → append, and an answer where there is one.

The shell of the hooks: it looks at environment, clock and files and hands them down. Invariant:
the standard library alone is loaded unless an answer is possible.
"""

from __future__ import annotations

import os
import time

from hooks import errors
from hooks.facts import look
from journal.checkpoint import load_hints
from journal.clock import iso, millis, now_ms
from journal.codec import digest, loads
from journal.config.cache import settings as read_settings
from journal.errors import JournalOffError
from journal.events.hook_input import Call, build
from journal.home import client_dir, journal_home, project_of, project_start
from journal.log import spool
from journal.log.append import Busy, Writer
from journal.log.dedupe import apart, key_for
from projections.messages.prefilter import may_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["Context", "capture", "parsed", "switched_off"]

CATCH_UP = 256 * 1024  # bytes past the snapshot after which any hook folds them


class Context:
    """Where a call belongs: env, now (ms; its ISO form), project, journal directory, settings."""

    __slots__ = ("directory", "env", "home", "iso", "now", "project", "settings")

    def __init__(self, env: Mapping[str, str], cwd: str) -> None:
        self.env = env
        self.now = now_ms(env)
        self.iso = iso(self.now)
        self.home = journal_home(env)
        self.project = project_of(project_start(env, cwd), env)
        self.directory = os.path.join(self.home, self.project.name)
        cache = os.path.join(self.directory, "settings.cache")
        root = self.project.root or None
        self.settings: dict[str, Any] = read_settings(cache, self.home, root, client_dir(env))


def switched_off(env: Mapping[str, str]) -> bool:
    """Whether JOURNAL_OFF keeps hooks from recording and answering, as in the journal's own runs.

    The summariser asks a client of its own: what that does is no part of the person's work.
    """
    return env.get("JOURNAL_OFF", "") not in ("", "0")


def capture(raw: bytes, env: Mapping[str, str]) -> str:
    """Handle one hook call; give what goes to stdout ("" for silence, as with JOURNAL_OFF=1)."""
    if switched_off(env):
        return ""
    data, trouble = parsed(raw)
    cwd = data.get("cwd")
    context = Context(env, cwd if isinstance(cwd, str) and cwd else _cwd())
    if context.settings["capture.level"] == "off":
        return ""
    call = Call(data, digest(raw), context.project.root, context.settings, {})
    hot, offset = load_hints(context.directory)
    if trouble:
        # What cannot be read is itself a fact; its size and kind are kept, not its bytes.
        events = [call.event("hook.failed", "", error=trouble, size=len(raw))]
        sample = None
    else:
        call.facts, sample = look(call, context, hot)
        events = build(call)
    if not events:
        return ""
    if call.hook == "SessionStart" and "agent_id" not in data:
        from hooks.env_file import export

        export(env, context.project.root, call.sid)
    text = ""
    try:
        text = _append(call, context, events, sample, (hot, offset))
    except Busy:
        _spool(context, call, events, sample)
    except JournalOffError as error:
        return _off(call, context, error)
    if call.hook == "PreCompact" and context.settings["transcripts.backup"]:
        _back_up(call, context)
    return text


def _back_up(call: Call, context: Context) -> None:
    """Start a copy of the transcript, once per compaction; a fault of it is noted only."""
    if call.facts.get("repeat") or not call.full or "agent_id" in call.data:
        return
    try:
        from hooks.transcript_backup import spawn

        spawn(context, call.sid, call.data.get("transcript_path"))
    except Exception as error:  # noqa: BLE001 (the compaction goes on without a copy)
        errors.note(context.env, call.hook, error)


def _append(
    call: Call,
    context: Context,
    events: list[dict[str, Any]],
    sample: dict[str, Any] | None,
    known: tuple[dict[str, Any], int],
) -> str:
    fact = events[0]
    hot, offset = known
    # Heavy modules are imported before the lock is taken, so that nobody waits for an import.
    respond, off = None, ""
    if _is_answering(call, fact, sample, hot, offset, context):
        respond, off = _respond(context, call)
    with Writer(context.directory, context.iso, sync=context.settings["append.sync"]) as writer:
        key = fact.get("key", "")
        window = writer.window() if key or sample else b""
        if key:
            fact["key"] = key_for(window, key, call.sid, context.iso)
            if not fact["key"]:
                call.facts["repeat"] = True
                return ""
        if sample and _known_reading(sample, window):
            sample = None
        if "JOURNAL_NOW" not in context.env:  # a fixed clock means: the same bytes again
            fact["us"] = time.process_time_ns() // 1000
        if respond is None:
            writer.append(*([sample] if sample else []), *events)
            return _answers_off(call, context, writer, off) if off else ""
        try:
            text: str = respond(writer, call, context, events, sample)
        except JournalOffError:
            raise
        except Exception as error:  # noqa: BLE001 (an answer may fail; the fact may not be lost)
            errors.note(context.env, call.hook, error)
            failed = call.event("hook.failed", "", hook=call.hook, error=_named(error))
            first = [] if call.appended else [*([sample] if sample else []), *events]
            writer.append(*first, failed)
            return ""
        return text


def _is_answering(
    call: Call,
    fact: dict[str, Any],
    sample: dict[str, Any] | None,
    hot: dict[str, Any],
    offset: int,
    context: Context,
) -> bool:
    size, tail = _tail(context.directory, offset)
    if size - max(offset, 0) > CATCH_UP:
        return True
    return may_answer(call.hook, fact, sample, hot, tail, context.settings)


def _tail(directory: str, offset: int) -> tuple[int, bytes]:
    """Size of the active segment and its bytes since the snapshot; (0, b"") when there is none."""
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = os.open(os.path.join(directory, "active.jsonl"), flags)
    except OSError:
        return 0, b""
    try:
        size = os.fstat(descriptor).st_size
        start = max(offset, 0, size - CATCH_UP)
        return size, os.pread(descriptor, CATCH_UP, start)
    finally:
        os.close(descriptor)


def _respond(context: Context, call: Call) -> tuple[Any, str]:
    """Load the answering half; where that cannot be, give None and why."""
    try:
        from hooks.packages import ready

        if not ready():
            return None, "has no msgspec"
        from hooks.answer import respond
    except Exception as error:  # noqa: BLE001 (a broken package must not lose the event)
        errors.note(context.env, call.hook, error)
        return None, f"cannot load msgspec ({_named(error)})"
    return respond, ""


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]


def _known_reading(sample: dict[str, Any], window: bytes) -> bool:
    """Whether the session's last reading is this very one, or a newer one from elsewhere.

    Several tool calls follow one reply, and the status line can be ahead of the transcript.
    """
    of_session = b'"sid":"' + sample["sid"].encode() + b'"'
    at = len(window)
    while (at := window.rfind(b'"type":"pressure.sampled"', 0, at)) >= 0:
        end = window.find(b"\n", at)
        line = window[at : end if end >= 0 else len(window)]
        if of_session in line:
            start = line.find(b'"at":"') + 6
            when = line[start : line.find(b'"', start)].decode("ascii", "replace")
            if when == sample["at"]:
                return b'"tokens":%d,' % sample["tokens"] in line
            last, current = millis(when), millis(sample["at"])
            return last is not None and current is not None and current < last
    return False


def _answers_off(call: Call, context: Context, writer: Writer, why: str) -> str:
    """Say once that this interpreter cannot answer, and how to change that."""
    if call.hook != _visible(context.env):
        return ""
    from hooks.unavailable import told_before, without_packages

    if told_before(writer):
        return ""
    text, event = without_packages(call, why)
    writer.append(event)
    return text


def _visible(env: Mapping[str, str]) -> str:
    """Hook whose message the person sees first: headless, a start's message is not shown."""
    headless = env.get("CLAUDE_CODE_SESSION_ATTENDED") == "0" or env.get(
        "CLAUDE_CODE_ENTRYPOINT", ""
    ).startswith("sdk")
    return "UserPromptSubmit" if headless else "SessionStart"


def _off(call: Call, context: Context, error: JournalOffError) -> str:
    """Nothing can be appended: count it, and say it where the person sees it, at a start."""
    errors.note(context.env, call.hook, error)
    spool.missed(context.directory)
    if call.hook != _visible(context.env) or call.data.get("source") == "compact":
        return ""
    from hooks.unavailable import journal_off

    return journal_off(error)


def _spool(
    context: Context, call: Call, events: list[dict[str, Any]], sample: dict[str, Any] | None
) -> None:
    fact = events[0]
    fact["key"] = apart(fact.get("key", ""), context.iso)
    try:
        spool.put(context.directory, context.iso, tuple([sample] if sample else []) + tuple(events))
    except OSError as error:
        errors.note(context.env, call.hook, error)
        spool.missed(context.directory)


def parsed(raw: bytes) -> tuple[dict[str, Any], str]:
    """Give the input's object, and what is wrong with it ("" if nothing)."""
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


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
