"""Models of observations: tool calls of a session, and an observation to record."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from cli.serve.schemas.base import ID, Checked, Id, Schema, member


def _integer(value: Any) -> Any:
    """Return 7 for 7.0, which JSON also calls an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Observation(Schema):
    """A tool call. ok: whether it succeeded; ms: its duration, null unknown."""

    seq: int
    at: str = member("ts")
    tool: str
    title: str = member("target")
    text: str = member("subject")
    ok: bool
    error: str
    ms: int | None
    changed: bool = False
    tests: str
    size: int = member("output_size")
    agent: str


class ObservationPage(Checked):
    """A page of a session's observations, oldest first. next: the next `after`, or null."""

    session: str
    project: str
    items: list[Observation]
    next: int | None


class NewObservation(Schema):
    """An observation to record as a tool call of an existing session.

    Long texts are cut to their first 500 characters, not refused; secrets in them are redacted.
    project: required if two projects have the session. error: makes it a failed call.
    """

    session: Id
    tool: Annotated[str, Field(min_length=1)] = "api"
    title: Annotated[str, Field(min_length=1)]
    text: str = ""
    project: Annotated[str, Field(max_length=ID)] = ""
    ok: bool = True
    error: str = ""
    ms: Annotated[int, BeforeValidator(_integer), Field(ge=0, lt=10**12)] | None = None
    changed: bool = False


class RecordedObservation(Schema):
    """Where an observation was recorded. truncated: members that were cut."""

    session: str
    project: str
    seq: int
    truncated: list[str]
