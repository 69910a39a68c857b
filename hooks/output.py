"""Build what a hook prints: the answer as Claude Code 2.1.330 reads it, or why there is none.

Invariant: an error costs the answer and is recorded; it never reaches Claude Code.
"""

from __future__ import annotations

from journal.codec import dumps
from journal.errors import JournalOffError
from journal.log.append import Busy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hooks.context import Appended, Context
    from journal.events.hook_input import Call
    from projections.messages.message import Answer

# Claude Code adds this hook's stdout to the summary's instructions as it is, JSON included.
_PLAIN = "PreCompact"
_CONTEXT = frozenset(
    "SessionStart UserPromptSubmit UserPromptExpansion PostToolUse PostToolUseFailure Stop "
    "SubagentStop Notification".split()
)


def respond(
    call: Call, context: Context, appended: Appended | None, waiting: Sequence[dict[str, Any]] = ()
) -> str:
    """Return what goes to stdout; warn once per journal if its file locks fail.

    appended: None if the lock was taken before the append; then `waiting` holds the call's events,
    which are in the spool.
    """
    why = _why_off(call, context)
    try:
        if why:
            text = _answers_off(call, context, why)
        else:
            answer = _from_views(call, context, appended, waiting)
            text = render(call.hook, answer) if answer is not None else ""
    except Busy:
        text = ""
    except JournalOffError as error:
        text = journal_off(call, context, error)
    except Exception as error:  # noqa: BLE001 (record the failure as an event)
        text = _failed(call, context, error)
    if appended is None or not appended.overlapped or not context.answers:
        return text
    from hooks.unavailable import with_lock_notice

    return with_lock_notice(call, context, text)


def render(hook: str, answer: Answer) -> str:
    """Return the text for stdout; "" if Claude Code ignores this answer's fields for this hook."""
    if hook == _PLAIN:
        return answer.plain
    output: dict[str, object] = {}
    if answer.message:
        output["systemMessage"] = answer.message
    if answer.block:
        output["decision"] = "block"
        output["reason"] = answer.block
    if answer.context and hook in _CONTEXT:
        output["hookSpecificOutput"] = {"hookEventName": hook, "additionalContext": answer.context}
    return dumps(output).decode() if output else ""


def journal_off(call: Call, context: Context, error: JournalOffError) -> str:
    """Return a session start's output: the journal cannot be written."""
    context.note(call.hook, error)
    if call.hook != context.visible_hook or call.data.get("source") == "compact":
        return ""
    from hooks import unavailable

    return unavailable.journal_off(context, error)


def _why_off(call: Call, context: Context) -> str:
    """Import what answers need; return why that is not possible, "" if it is."""
    try:
        from hooks.packages import ready

        if not ready():
            return "has no msgspec"
        import hooks.answer  # noqa: F401
    except Exception as error:  # noqa: BLE001 (the event is already recorded)
        from hooks.errors import describe

        context.note(call.hook, error)
        return f"cannot load msgspec ({describe(error)})"
    return ""


def _from_views(
    call: Call, context: Context, appended: Appended | None, waiting: Sequence[dict[str, Any]]
) -> Answer | None:
    """Answer from the views; if another process holds the lock, without it."""
    if appended is not None:
        from hooks.answer import respond_with_lock

        try:
            return respond_with_lock(call, context, appended)
        except Busy:
            if not context.answers:
                return None
    from hooks.answer import respond_without_lock

    return respond_without_lock(call, context, appended.line if appended else b"", waiting)


def _failed(call: Call, context: Context, error: Exception) -> str:
    """Record that the answer failed; return "", silence."""
    from hooks.errors import failed_event

    context.note(call.hook, error)
    from contextlib import suppress  # imported only for errors

    with suppress(Exception), context.writer() as writer:  # `note` wrote it outside the log
        writer.append(failed_event(call, error))
    return ""


def _answers_off(call: Call, context: Context, why: str) -> str:
    """Tell the user once per session that this interpreter cannot answer, and the remedy.

    Sessions without a user (`claude -p`) report it once per journal, since scripts start many.
    """
    if call.hook != context.visible_hook:
        return ""
    from hooks.unavailable import is_announced, without_packages

    with context.writer() as writer:
        if is_announced(context.directory, "" if context.headless else call.sid):
            return ""
        text, event = without_packages(call, context, why)
        writer.append(event)
    return text
