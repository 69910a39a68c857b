"""Notice at the end of a turn that a workflow with a check of its own ran without that check."""

from __future__ import annotations

from projections.compound import bare
from projections.messages.message import Answer, Reason, advice, switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.messages.message import Input, Response

__all__ = ["respond"]


def respond(given: Input) -> Response:
    """Answer a Stop of a session that used a skill or command."""
    settings = given.settings
    yield switch(settings, "compound.suggest")
    work = given.views.compound.sessions[given.event.sid]
    used = {bare(name) for name in work.used}
    missing = [
        (workflow, check)
        for workflow, _, check in (
            pair.partition(":") for pair in settings.get("compound.checks", ())
        )
        if workflow in used and check not in used
    ]
    text = ", ".join(f"{check} after {workflow}" for workflow, check in missing) or "none missing"
    yield Reason("checks", text, passed=bool(missing), keys=("compound.checks",))
    new = [pair for pair in missing if f"check {pair[0]}:{pair[1]}" not in work.suggested]
    yield Reason("noticed before", ", ".join(work.suggested) or "nothing", passed=bool(new))
    workflow, check = new[0]
    text = f"journal: this session used {workflow} but did not run its check, {check}."
    event = advice("check", text, channel="message", reason=f"check {workflow}:{check}")
    return Answer(message=text, events=[event])
