"""Whether a hook call can have an answer at all, seen from the small part of the snapshot.

Invariant: it may say yes in vain, but never no where `answer` would speak.
"""

from __future__ import annotations

from projections.level import level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["COMPACTING", "may_answer", "told_now"]

# Types a client might give a notification that announces a compaction; today there is none.
# A message that merely contains such a word announces nothing.
COMPACTING = ("compact", "compaction", "context_compacted", "auto_compact")

_ALWAYS = frozenset(("SessionStart", "PreCompact", "UserPromptExpansion"))
_PRESSURED = frozenset(("UserPromptSubmit", "PostToolUse", "PostToolUseFailure"))
# Calls after which the small part must be true for the Stop that follows.
_REFRESH = frozenset(("Skill", "TaskCreate", "TaskUpdate", "TodoWrite"))
# Records that others than hooks append (status line, command line) and that an answer may need.
_NEWS = (
    b'"source":"statusline"', b'"type":"flow.noted"', b'"type":"compound.ran"',
    b'"type":"stage.', b'"type":"progress.', b'"type":"unit.', b'"type":"pack.',
    b'"type":"compact.finished"', b'"type":"context.queued"',
)  # fmt: skip
# Records by which a session becomes one that can be offered.
_PASSED = (
    b'"type":"session.ended"',
    b'"type":"session.summarized"',
    b'"type":"session.exported"',
)


def may_answer(
    hook: str,
    fact: dict[str, Any],
    sample: dict[str, Any] | None,
    hot: dict[str, Any],
    tail: bytes,
    settings: dict[str, Any],
) -> bool:
    """Decide for one call.

    fact: its event; sample: the reading taken with it, if any; hot: the snapshot's small part;
    tail: the log's bytes since that snapshot.
    """
    if "agent" in fact:
        return False
    if hook in _ALWAYS:
        return True
    if not fact["sid"]:
        return False
    if hook == "Stop":
        return not hot or _stop(fact, hot) or any(news in tail for news in _NEWS)
    if hook in _PRESSURED:
        return _under_pressure(hook, fact, sample, hot, tail, settings)
    return hook == "Notification" and fact.get("kind", "") in COMPACTING


def _under_pressure(
    hook: str,
    fact: dict[str, Any],
    sample: dict[str, Any] | None,
    hot: dict[str, Any],
    tail: bytes,
    settings: dict[str, Any],
) -> bool:
    """Decide for a prompt or a tool call."""
    if fact.get("tool") in _REFRESH or fact.get("origin") == "command":
        return True
    if fact.get("changed") and fact.get("target") in hot.get("checklists", ()):
        return True
    if any(news in tail for news in _NEWS) or fact["sid"] in hot.get("waiting", ()):
        return True
    if hook == "UserPromptSubmit" and _past(fact, hot, tail, settings):
        return True
    if sample is None and b'"type":"pressure.sampled"' in tail:
        return True  # a reading that a silent call took, and now there is none to compare
    if hook == "UserPromptSubmit" and not hot:
        return True  # no snapshot yet, or none can be made: the person may have to be told
    return _pressure(fact["sid"], sample, hot.get("pressure") or {}, settings)


def _past(fact: dict[str, Any], hot: dict[str, Any], tail: bytes, settings: dict[str, Any]) -> bool:
    """Decide for a prompt: a text was sent to its session, or it is the first and there is a past.

    Only the first in the person's own words counts (see projections.lineage).
    """
    if fact["sid"] in hot.get("queued", ()):
        return True
    if fact["sid"] not in hot.get("first", ()) or fact.get("origin") not in ("human", "sdk"):
        return False
    if not hot.get("past") and not any(news in tail for news in _PASSED):
        return False
    wanted = settings["related.enabled"] and settings["related.prompts"]
    return bool(wanted and fact.get("text", "").strip())


def _stop(fact: dict[str, Any], hot: dict[str, Any]) -> bool:
    compound = hot.get("compound") or {}
    return bool(
        fact.get("flow")
        or compound.get("waiting")
        or fact["sid"] in compound.get("used", ())
        or fact["sid"] in hot.get("stage", ())
    )


def _pressure(
    sid: str, sample: dict[str, Any] | None, hot: dict[str, Any], settings: dict[str, Any]
) -> bool:
    known = hot.get("sessions", {}).get(sid)
    points = hot.get("points", {})
    readings = []
    if sample is not None:
        readings.append((sample["tokens"], sample.get("point") or (known[5] if known else 0)))
    if known is not None:
        # Also the one the views hold: a sample the log has already does not replace it.
        readings.append((known[4], known[5]))
    told = told_now(known, settings)
    for tokens, formula in readings:
        point = points.get(str(formula), formula)
        if level(tokens, point, settings["pressure.info"], settings["pressure.urgent"]) != told:
            return True
    return False


def told_now(known: list[Any] | None, settings: dict[str, Any]) -> str:
    """Level that still counts as told, from the hot entry [told, lowest, …] of a session."""
    if not known or not known[0]:
        return ""
    told, lowest = known[0], known[1]
    if told == "urgent" and lowest >= settings["pressure.urgent"]:
        return "urgent"
    return "info" if lowest >= settings["pressure.info"] else ""
