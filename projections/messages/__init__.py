"""The messages that hooks give to Claude and the user: one file per message.

    message            about                                         shown
    recovery           what compaction dropped                       once per compaction
    learnings_summary  which learnings are safe                      once per compaction
    shell_signs        words that /journal:get cannot take           when they are typed
    config_problem     mistakes in the settings                      at startup
    expiring_transcripts  text that Claude Code deletes soon         at a start, once a day
    start_listing      unfinished work, work log, learnings          at a session's start
    cycle_start        (no text) starts a dev cycle by its command
    queued_pack        texts the user sent to a session            each once
    pressure_warning   the context fills                             once per level crossed
    dropped_by_summary what the summary of a compaction left out     once per compaction
    decided_elsewhere  a decision made in the user's terminal      with the next prompt
    related_sessions   past sessions about the same work             at startup, first prompt
    over_budget        hooks have used up their time                 once per session
    stage_gate         the next stage of a dev cycle                 at the end of a turn
    compound_reminder  work not saved as learnings yet               once per condition
    workflow_check     a workflow whose check did not run            once per workflow
    summary_guidance   what the summary should hold                  before a compaction
    answers_off        (no views) why hooks record but cannot answer once per session

Each message has three parts: a cheap test that a hook makes before it folds anything (a hint, or a
method with the message's name, in `projections.prefilter`), the text with the event that records
it, and the reasons that `journal explain` shows. The last two are one function, `respond` (see
`message`), which hooks, `journal explain`, `journal replay --answers` and `journal tune` call.

To add a message, write a file with `respond` and add a line to `MESSAGES`. If the prefilter would
rule it out, also add a row to `LISTED` or a method there, and its name to `BY_HOOK`.
tests/projections/test_prefilter.py and tests/projections/messages hold each message to its rules.

Invariant: a pure function of views, event and settings; no clock, no file, no environment.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from projections.messages.message import Answer, Explanation, Reason
    from projections.views import Views

SAYING = ("advice.given", "context.injected")
"""Types of the events that record a message."""
SAID = "said"
"""Value of `what` in a record that only continues the texts of the record before it."""

# Event type → the hook that records it.
HOOK_OF: dict[str, str] = {
    "session.started": "SessionStart",
    "prompt.submitted": "UserPromptSubmit",
    "tool.finished": "PostToolUse",
    "tool.failed": "PostToolUseFailure",
    "turn.ended": "Stop",
    "compact.started": "PreCompact",
    "command.expanded": "UserPromptExpansion",
    "notification.received": "Notification",
}

_CALLS = ("prompt.submitted", "tool.finished", "tool.failed")


# Messages that may be given at the end of a turn that a Stop hook continued.
_CONTINUED = ("stage_gate",)


def _always(_views: Views, _event: Any) -> bool:
    return True


# Name of a message (its module) → types of the events that it may answer, and a condition that is
# checked before the module is loaded, because loading takes 0.3 ms. In order of priority.
MESSAGES: dict[str, tuple[tuple[str, ...], Callable[[Views, Any], bool]]] = {
    "recovery": (
        ("session.started", "notification.received"),
        lambda _, event: getattr(event, "source", "compact") == "compact",
    ),
    "learnings_summary": (("session.started",), lambda _, event: event.source == "compact"),
    "shell_signs": (("command.expanded",), _always),
    "config_problem": (("session.started",), lambda _, event: event.source == "startup"),
    "expiring_transcripts": (
        ("session.started",),
        lambda views, event: event.source != "compact" and bool(views.past.losses.sessions),
    ),
    "start_listing": (("session.started",), lambda _, event: event.source != "compact"),
    "cycle_start": (
        ("prompt.submitted", "command.expanded"),
        lambda _, event: getattr(event, "origin", "command") == "command",
    ),
    "queued_pack": (
        ("session.started", "prompt.submitted"),
        lambda views, _: bool(views.queue.waiting),
    ),
    "pressure_warning": (_CALLS, _always),
    "dropped_by_summary": (
        _CALLS,
        lambda views, event: (
            (trail := views.recovery.sessions.get(event.sid)) is not None
            and trail.compaction is not None
        ),
    ),
    "decided_elsewhere": (
        ("prompt.submitted",),
        lambda views, event: (
            event.sid in views.recovery.sessions
            and bool(views.recovery.sessions[event.sid].undelivered)
        ),
    ),
    "related_sessions": (
        ("session.started", "prompt.submitted"),
        lambda views, event: (
            getattr(event, "source", "") == "startup"
            or (
                event.sid in views.lineage.sessions
                and views.lineage.sessions[event.sid].asked == event.seq
            )
        ),
    ),
    "over_budget": (
        ("prompt.submitted",),
        lambda views, event: event.sid in views.ledger.sessions,
    ),
    "stage_gate": (("turn.ended",), lambda views, event: event.sid in views.stage.sessions),
    "compound_reminder": (("turn.ended",), _always),
    "workflow_check": (
        ("turn.ended",),
        lambda views, event: (
            event.sid in views.compound.sessions and bool(views.compound.sessions[event.sid].used)
        ),
    ),
    "summary_guidance": (("compact.started",), _always),
}


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Return the hook's answer to an event, None if it has none.

    Args:
        views: their state after the event.
        event: a typed event. Events of subagents and imported events are never answered.
        settings: by name ("pressure.info" → value), as journal.config loads them.

    """
    return combined(explain(views, event, settings))


def combined(explanations: Iterable[Explanation]) -> Answer | None:
    """Return the answers of all messages as one; None if no message applies."""
    whole = None
    for item in explanations:
        if item.answer is not None:
            whole = item.answer if whole is None else whole.joined(item.answer)
    return whole


def explain(views: Views, event: Any, settings: Mapping[str, Any]) -> Iterator[Explanation]:
    """Yield the result of each message for an event, in order of priority.

    A message that does not fit into the space that the others left is dropped; its condition still
    holds at the next call. At the end of a turn only the first message that applies is given.
    """
    from projections.messages.message import TEXT_LIMIT, Explanation, Input, Reason

    general = list(_general(event))
    yield Explanation("", general)
    if any(reason.passed is False for reason in general):
        return
    continued = getattr(event, "continued", False)
    kind = type(event).__struct_config__.tag
    given = Input(views, event, settings, TEXT_LIMIT)
    spoken = False
    for name, (kinds, is_concerned) in MESSAGES.items():
        if kind not in kinds or not is_concerned(views, event):
            continue
        if continued and name not in _CONTINUED:
            continue
        item = Explanation(name, *_run(name, given))
        if item.answer is not None and spoken and item.answer.taken > given.space:
            item.reasons.append(Reason("space", "none beside the other messages", passed=False))
            item.answer = None
        yield item
        if item.answer is not None:
            spoken = True
            given.space -= item.answer.taken
            if kind == "turn.ended":
                return


def _run(name: str, given: Any) -> tuple[list[Reason], Answer | None]:
    """Run a message up to its answer, or to the first reason that did not pass."""
    module = __import__(f"projections.messages.{name}", fromlist=["respond"])
    reasons: list[Reason] = []
    response = module.respond(given)
    while True:
        try:
            reason = next(response)
        except StopIteration as end:
            return reasons, end.value
        reasons.append(reason)
        if reason.passed is False:
            return reasons, None


def _general(event: Any) -> Iterator[Reason]:
    """Yield the reasons that apply to every message."""
    from projections.messages.message import Reason

    if event.agent:
        text = f"subagent {event.agent[:8]}: only the main thread gets messages"
        yield Reason("thread", text, passed=False)
    if event.imported:
        yield Reason("origin", "imported from a transcript: no hook ran", passed=False)
    if not hasattr(event, "continued"):
        return
    if event.continued:
        yield Reason("turn", "a Stop hook kept it going: only the stage gate may speak again")
    if event.background:
        yield Reason("background", f"{event.background} tasks still run", passed=False)
    if not event.sid:
        yield Reason("session", "unknown", passed=False)
