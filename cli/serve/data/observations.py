"""Read and record the observations of a session, which are its tool calls in the log.

Invariant: an observation is recorded as one event, with its long texts cut and its secrets
redacted, or not at all; reading returns the tool calls of every writer.
"""

from typing import Any

from cli.scope import JournalScope
from cli.serve.errors import ConflictError
from cli.serve.schemas import (
    NewObservation,
    Observation,
    ObservationPage,
    RecordedObservation,
)
from journal.codec import digest
from journal.events.hook_input import clip
from journal.history.conversations.recorded import records_of
from journal.history.replay.facts import events_in
from journal.history.search.index import PastSession
from journal.history.summaries.groups import OBSERVATIONS
from journal.redaction import redact

_TITLE = 500  # characters stored of an observation's title and of its text
_LIMITS = {"tool": 120, "title": _TITLE, "text": _TITLE, "error": 300}
_REDACTED = 8 * _TITLE  # characters redacted before the cut, so that no secret is cut and missed


def read(past: PastSession, directory: str, after: int, limit: int) -> ObservationPage:
    """Read a page of a session's tool calls. directory: journal of its project."""
    found: list[Observation] = []
    more = False
    for _, event in events_in(records_of(past.digest, directory, after), OBSERVATIONS):
        if len(found) == limit:
            more = True
            break
        found.append(Observation.model_validate(event))
    return ObservationPage(
        session=past.digest.sid,
        project=past.project,
        items=found,
        next=found[-1].seq if more else None,
    )


def record(scope: JournalScope, sid: str, observation: NewObservation) -> RecordedObservation:
    """Append an observation to an existing session; raise ConflictError if capture is off."""
    level = scope.settings["capture.level"]
    if level == "off":
        remedy = "capture.level turned it off: journal config shows where"
        raise ConflictError("", "capture is off", remedy)
    full = level == "full"
    texts = {name: getattr(observation, name) for name in _LIMITS}
    cut = [name for name, text in texts.items() if len(text) > _LIMITS[name]]
    short = {name: clip(redact(text[:_REDACTED]), _LIMITS[name]) for name, text in texts.items()}
    failed = not observation.ok or bool(observation.error)
    output = observation.error if failed and observation.error else observation.text
    body: dict[str, Any] = {
        "tool": short["tool"],
        "target": short["title"] if full else "",
        "subject": short["text"] if full else "",
        "ms": observation.ms,
        "output_size": len(output),
        "digest": "b2:" + digest(output) if output else "",
    }
    if failed:
        body["error"] = (short["error"] or "failed") if full else ""
    else:
        body["changed"] = observation.changed
    event = scope.event("tool.failed" if failed else "tool.finished", sid, **body)
    (seq,) = scope.append(event)
    return RecordedObservation(session=sid, project=scope.project.name, seq=seq, truncated=cut)
