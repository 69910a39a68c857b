"""The pressure reading of a hook call, taken from its input or from the end of its transcript."""

from __future__ import annotations

import os

from journal.clock import millis
from journal.files import lines_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Context
    from journal.events.hook_input import Call
    from journal.transcript.threshold import Threshold
    from journal.transcript.usage import Usage

_HOOKS = frozenset(("UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "PreCompact"))
_TYPE = b'"type":"pressure.sampled"'
_CLIENT = "client"
_MINUTE = 60_000


def take_reading(call: Call, context: Context, hints: dict[str, Any]) -> dict[str, Any] | None:
    """Return the call's `pressure.sampled` event, or None; copy tokens and point into the facts.

    hints: from the snapshot; they hold the session's model and true window.
    """
    if call.hook not in _HOOKS or call.data.get("agent_id") or not call.sid:
        return None
    session = hints.get("pressure", {}).get(call.sid, {"autocompact": 0} if hints else {})
    event = _from_input(call, context, session)
    if event is None:
        measured = context.measured.get("tokens", 0)
        if not measured and call.hook == "Stop" and call.sid in hints.get("stages", ()):
            _wait_for_reply(call, context)
        from journal.transcript.usage import Usage, last_usage

        path = call.path("transcript_path")
        usage = last_usage(path) if path else None
        # After a compaction the client still reports the old token count; the boundary is newer.
        lags = usage is None or (
            usage.source != "boundary" and usage.tokens - usage.output != measured
        )
        if measured and lags:
            # A reply that the transcript does not have yet.
            model, window = _model_of(usage, session), context.measured.get("window")
            event = _event(call, context, session, Usage(_CLIENT, measured, ""), model, window)
        elif usage is None:
            return None
        else:
            event = _from_usage(call, context, usage, session)
            if measured and usage.source != "boundary":
                event["source"] = _CLIENT
    call.facts["tokens"] = event["tokens"]
    call.facts["point"] = event.get("point")
    return event


def is_repeated(event: dict[str, Any], tail: bytes) -> bool:
    """Return whether the session's last reading in the log is the same one or newer.

    Several tool calls follow one reply, and the status line can be ahead of the transcript.
    """
    of_session = b'"sid":"' + event["sid"].encode() + b'"'
    for line in lines_back(tail, (_TYPE,)):
        if of_session in line:
            start = line.find(b'"at":"') + 6
            when = line[start : line.find(b'"', start)].decode("ascii", "replace")
            same = b'"tokens":%d,' % event["tokens"] in line
            point, model = event.get("point"), event.get("model", "").encode()
            if point and b'"point":%d,' % point not in line and b'"%b"' % model not in line:
                return False  # it is of a model that was switched to since
            if when == event["at"]:
                return same
            last, current = millis(when), millis(event["at"])
            if last is None or current is None:
                return False
            if same and event["source"] == _CLIENT and b'"source":"client"' in line:
                return current < last + _MINUTE  # the client reports no time for its reply
            return current < last
    return False


def sampled(
    call: Call, point: Threshold, *, source: str, tokens: int, used: int | None, model: str, at: str
) -> dict[str, Any]:
    """Build the event. used: percent of the window as the client counts it, None if unknown."""
    body: dict[str, Any] = {
        "tokens": tokens,
        "window": point.window or None,
        "limit": limit_of(point),
        "point": point.tokens or None,
        "source": source,
        "model": model[:80],
        "at": at,
        "terms": [[str(part) for part in term] for term in point.terms],
        "used": used,
    }
    if point.tokens:
        body["pressure"] = round(100 * tokens / point.tokens, 1)
    return call.event("pressure.sampled", "", **body, enabled=point.enabled)


def limit_of(point: Threshold) -> int | None:
    """Return the smaller of the context window and the auto-compact window, None if unknown."""
    sizes = [int(value) for name, value, _ in point.terms if name == "auto-compact window"]
    if not point.window:
        return None
    return min([point.window, *sizes]) if point.enabled else point.window


def _from_input(call: Call, context: Context, session: dict[str, Any]) -> dict[str, Any] | None:
    """Return the reading in the hook's input, which is newer than any transcript; None without."""
    if "context_window" not in call.data:
        return None
    from journal.transcript.statusline import tokens_of_input
    from journal.transcript.usage import Usage

    found = tokens_of_input(call.data, session.get("window", 0))
    if found is None:
        return None
    tokens, window = found
    return _event(
        call, context, session, Usage("hook", tokens, ""), session.get("model", ""), window
    )


def _from_usage(
    call: Call, context: Context, usage: Usage, session: dict[str, Any]
) -> dict[str, Any]:
    """Return the reading of the transcript's last reply or compaction."""
    model = _model_of(usage, session)
    window = context.measured.get("window") or session.get("true_window") or None
    if window and not context.measured and not _same_model(model, session.get("model", "")):
        window = None
    return _event(call, context, session, usage, model, window)


def _model_of(usage: Usage | None, session: dict[str, Any]) -> str:
    """Return the model of the last reply, or of the session if it was switched since."""
    last: str = session.get("model", "")
    if usage is None or (last and usage.ts < session.get("switched", "")):
        return last
    return usage.requested_model or usage.model or last  # a compaction boundary names none


def _event(
    call: Call,
    context: Context,
    session: dict[str, Any],
    usage: Usage,
    model: str,
    window: int | None,
) -> dict[str, Any]:
    """Build the event of a reading. window: the model's true window, None if unknown."""
    from journal.transcript.threshold import compaction_threshold, from_client, used_percent

    settings = context.settings
    argument = session.get("autocompact")
    if argument is None:  # no snapshot yet
        from hooks.facts import pid_of
        from journal.process import autocompact_of

        argument = autocompact_of(pid_of(context.env))
    point = compaction_threshold(model, context.env, settings, window, argument)
    point = from_client(point, context.measured.get("threshold", 0), settings)
    tokens, at = usage.tokens, usage.ts[:32] or context.iso
    used = used_percent(tokens - usage.output, point.window) if point.window else None
    return sampled(call, point, source=usage.source, tokens=tokens, used=used, model=model, at=at)


def _same_model(left: str, right: str) -> bool:
    """Return whether two ids name one model; the status line's id may lack a date or suffix."""
    return bool(left and right) and (left.startswith(right) or right.startswith(left))


def _wait_for_reply(call: Call, context: Context) -> None:
    """Wait up to 0.3 s for the turn's last reply to reach the transcript; the gate needs it.

    The client writes it shortly after the hook starts. Only a Stop in a dev cycle waits, and never
    with a fixed clock (a test or a replay).
    """
    data = call.data
    path, message = call.path("transcript_path"), data.get("last_assistant_message")
    if data.get("background_tasks") or context.fixed:
        return
    if context.settings["stage.gate"] == "off" or not isinstance(message, str):
        return
    if os.path.isfile(path):
        import time

        from journal.transcript.caught_up import wait_caught_up

        wait_caught_up(path, message, time.monotonic, time.sleep)
