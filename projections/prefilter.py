"""Decide from a few facts whether a hook call may have an answer, before it folds the views.

Standard library only, because every hook call loads this. Each message has a hint that names its
sessions, or a method of its name. Invariant: a message that does not apply may pass, but one that
does is never ruled out. The levels of pressure are here, too, because another module would cost
each hook call 0.3 M instructions.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Version of the hints that `projections.views.hints` stores in a checkpoint; hints of another
# version are ignored. All of these are present. Each is a dict by session id, or a list of session
# ids, unless noted:
#
#     format      this version
#     pressure    warned, lowest, tokens, point, window, model, true_window, autocompact
#                 (projections.pressure)
#     points      (by the threshold of the formula, as text) the observed compaction threshold
#     unsaved     (a number) entries of the work log not saved as learnings
#     workflows   sessions that used a skill or command
#     stages      stage of an open dev cycle
#     checklists  (files) whose edits check items off
#     dropped     sessions that still lack what a summary left out
#     decided     sessions that a decision made in a terminal has not reached yet
#     unasked     sessions without a request so far
#     past        (true or false) whether there is a past session to offer
#     spent       seconds (of processor time), warned (whether the user knows of the budget)
#     queued      sessions for which a text waits
HINTS = 6

# Notification types that would announce a compaction. Claude Code has none of them so far.
COMPACTING = ("compact", "compaction", "context_compacted", "auto_compact")

# The next reading needs hints that know of a switch of the model.
_ALWAYS = frozenset(("SessionStart", "PreCompact", "UserPromptExpansion", "PostModelSwitch"))
# Hook → the messages that it may answer with, if they can be ruled out here.
BY_HOOK = {
    "UserPromptSubmit": (
        "cycle_start",
        "queued_pack",
        "dropped_by_summary",
        "decided_elsewhere",
        "related_sessions",
        "pressure_warning",
        "over_budget",
    ),
    "PostToolUse": ("dropped_by_summary", "pressure_warning"),
    "PostToolUseFailure": ("dropped_by_summary", "pressure_warning"),
    "Stop": ("stage_gate", "compound_reminder", "workflow_check"),
    "Notification": ("recovery",),
}
# Message → the hint that names the sessions to which it may apply. The others have a method.
LISTED = {
    "queued_pack": "queued",
    "dropped_by_summary": "dropped",
    "decided_elsewhere": "decided",
    "stage_gate": "stages",
    "workflow_check": "workflows",
}
# Tools after which the checkpoint must be updated for the Stop hook that follows.
_REFRESHING = frozenset(("Skill", "TaskCreate", "TaskUpdate", "TodoWrite"))
# Records that the status line and commands append and that a message may need.
_NEWS = (
    b'"source":"statusline"',
    b'"type":"flow.noted"',
    b'"type":"compound.ran"',
    b'"type":"stage.',
    b'"type":"progress.',
    b'"type":"unit.',
    b'"type":"pack.',
    b'"type":"compact.finished"',
    b'"type":"context.queued"',
    b'"type":"decision.recorded"',
)
# Records after which a session can be offered.
_ENDED = (
    b'"type":"session.ended"',
    b'"type":"session.summarized"',
    b'"type":"session.exported"',
)


def level(tokens: int | None, threshold: int | None, info: float, urgent: float) -> str:
    """Return the level that tokens / threshold reaches: "", "info" or "urgent".

    info, urgent: the fractions at which the levels begin.
    """
    if tokens is None or threshold is None or threshold <= 0:
        return ""
    pressure = tokens / threshold  # not info * threshold, whose rounding could miss the level
    if pressure >= urgent:
        return "urgent"
    return "info" if pressure >= info else ""


def warned_level(warned: str, lowest: float, info: float, urgent: float) -> str:
    """Return the level for which the last warning still holds, "" for none.

    Args:
        warned: the level of the last warning, "" for none.
        lowest: the lowest pressure (a fraction) read since that warning.
        info: fraction at which the info level begins.
        urgent: fraction at which the urgent level begins.

    """
    if warned == "urgent" and lowest >= urgent:
        return "urgent"
    return "info" if warned and lowest >= info else ""


def warning_due(reached: str, warned: str) -> bool:
    """Return whether a level is reached for which no warning holds."""
    return bool(reached) and warned not in (reached, "urgent")


class Prefilter:
    """The facts of one hook call, and whether it may have an answer.

    Args:
        hook: name of the hook.
        fact: the event of the call, as a dict.
        sample: the `pressure.sampled` event of the call, if any.
        hints: those of the checkpoint, see `HINTS`; {} if there are none.
        tail: bytes of the log since that checkpoint.
        settings: flat ("pressure.info" → value), as journal.config loads them.

    """

    def __init__(
        self,
        hook: str,
        fact: dict[str, Any],
        sample: dict[str, Any] | None,
        hints: dict[str, Any],
        tail: bytes,
        settings: dict[str, Any],
    ) -> None:
        self.hook = hook
        self.fact = fact
        self.sid = fact["sid"]
        self.sample = sample
        self.hints = hints
        self.tail = tail
        self.settings = settings

    def may_answer(self) -> bool:
        """Return whether the call may have an answer."""
        if "agent" in self.fact:
            return False
        if self.hook in _ALWAYS:
            return True
        names = BY_HOOK.get(self.hook)
        if names is None or not self.sid:
            return False
        return self.is_outdated() or any(map(self.may_apply, names))

    def may_apply(self, message: str) -> bool:
        """Return whether a message may apply."""
        hint = LISTED.get(message)
        return self.sid in self.hints.get(hint, ()) if hint else getattr(self, message)()

    def is_outdated(self) -> bool:
        """Return whether the hints are out of date now, or will be at the next Stop hook."""
        if self.hook == "Notification":
            return False
        if not self.hints and self.hook in ("UserPromptSubmit", "Stop"):
            return True  # no checkpoint yet, or none can be written
        if any(record in self.tail for record in _NEWS):
            return True
        if self.hook == "Stop":
            return False
        fact = self.fact
        if fact.get("tool") in _REFRESHING or fact.get("origin") == "command":
            return True
        if fact.get("changed") and fact.get("target") in self.hints.get("checklists", ()):
            return True
        # An earlier call took a reading without an answer, and this one has none to compare.
        return self.sample is None and b'"type":"pressure.sampled"' in self.tail

    def recovery(self) -> bool:
        """Return whether a notification announces a compaction."""
        return self.fact.get("kind", "") in COMPACTING

    def over_budget(self) -> bool:
        """Return whether hooks used up the session's budget, and the user may not know yet."""
        spent = self.hints.get("spent", {}).get(self.sid)
        is_over = bool(spent) and 0 < self.settings["capture.budget"] <= spent["seconds"]
        return is_over and not spent["warned"]

    def cycle_start(self) -> bool:
        """Return whether the prompt is a command."""
        return self.fact.get("origin") == "command"

    def related_sessions(self) -> bool:
        """Return whether the prompt is the session's first request and there are past sessions.

        Only a request in the user's own words counts (see projections.lineage).
        """
        if self.sid not in self.hints.get("unasked", ()):
            return False
        if self.fact.get("origin") not in ("human", "sdk"):
            return False
        if not self.hints.get("past") and not any(record in self.tail for record in _ENDED):
            return False
        wanted = self.settings["related.enabled"] and self.settings["related.prompts"]
        return bool(wanted and self.fact.get("text", "").strip())

    def pressure_warning(self) -> bool:
        """Return whether a reading is at another level than the last warning.

        A fall below that level counts, too, because the views must have it before the next rise.
        """
        session = self.hints.get("pressure", {}).get(self.sid)
        # The reading of the views counts, too: the new sample does not replace it there.
        readings = [self.reading(each) for each in (self.sample, session) if each is not None]
        info, urgent = self.settings["pressure.info"], self.settings["pressure.urgent"]
        warned = ""
        if session:
            warned = warned_level(session["warned"], session["lowest"], info, urgent)
        return any(level(*each, info, urgent) != warned for each in readings)

    def reading(self, found: dict[str, Any]) -> tuple[int, int]:
        """Return tokens and compaction threshold of a reading, 0 for an unknown threshold."""
        session = self.hints.get("pressure", {}).get(self.sid)
        formula = found.get("point") or (session["point"] if session else 0)
        return found["tokens"], self.hints.get("points", {}).get(str(formula), formula)

    def compound_reminder(self) -> bool:
        """Return whether the work log may hold entries that are not saved as learnings."""
        return bool(self.fact.get("flow") or self.hints.get("unsaved"))
