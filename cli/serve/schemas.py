"""The models of the API's requests and responses, from which its OpenAPI document is made.

A model is built from the journal's own object. A member that has another name there, or is computed
from it, declares that. Invariant: the API answers with one of these models or with `ErrorResponse`;
the page uses the same objects. Times are ISO 8601 in UTC, "" for none; null is unknown, not zero.
"""

from typing import Annotated, Any, Literal

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from journal.history.packs import WAITS
from journal.history.session_text import content_of
from journal.text import estimate_tokens
from projections import digest as digest_of
from projections.digest import Digest

ID = 200  # characters of a session's id or of a project's name

Id = Annotated[str, Field(min_length=1, max_length=ID)]


def member(*path: str) -> Any:
    """Declare a member that is read from another attribute of the object."""
    return Field(validation_alias=AliasPath(*path))


class Schema(BaseModel):
    """A strict model without unknown members, built from the attributes of an object."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
    )


class Checked(Schema):
    """An answer computed from logs. damage: damaged places, which make the answer incomplete.

    losses: known losses that need no repair. Both are [] for complete logs.
    """

    damage: list[str] = []
    losses: list[str] = []


class ErrorResponse(Schema):
    """Why a request failed. hint: what to do instead."""

    error: str
    hint: str


class ViewResponse(Checked):
    """A view of a journal, folded up to event `seq`; its members are those of `journal view`.

    complete: whether every record of the journal could be read.
    """

    model_config = ConfigDict(extra="allow", strict=False)

    view: str
    project: str
    journal: str
    seq: int
    at: str | None
    complete: bool


def _kind(digest: Digest) -> str:
    return "exported" if digest.of else "imported" if digest.imported else "live"


class SessionRow(Schema):
    """A session in a list. id is unique together with project.

    kind: "live" recorded by hooks, "imported" from a transcript, "exported" a part of another one.
    status: completed or open. last: its last activity. of: session an exported part came from.
    """

    id: str = member("digest", "sid")
    project: str
    title: Annotated[str, BeforeValidator(digest_of.title_of)] = member("digest")
    status: Annotated[Literal["completed", "open"], BeforeValidator(digest_of.status)] = member(
        "digest"
    )
    outcome: Annotated[str, BeforeValidator(digest_of.outcome)] = member("digest")
    kind: Annotated[Literal["live", "imported", "exported"], BeforeValidator(_kind)] = member(
        "digest"
    )
    started: str = member("digest", "session", "started")
    last: Annotated[str, BeforeValidator(lambda of: of.last or of.ended or of.started)] = member(
        "digest", "session"
    )
    branch: str = member("digest", "session", "branch")
    model: str = member("digest", "session", "model")
    prompts: int = member("digest", "session", "prompts")
    tools: int = member("digest", "session", "tools")
    failures: int = member("digest", "session", "failures")
    compactions: int = member("digest", "session", "compactions")
    files: Annotated[int, BeforeValidator(lambda of: len(content_of(of).files))] = member("digest")
    decisions: Annotated[int, BeforeValidator(lambda of: len(content_of(of).decisions))] = member(
        "digest"
    )
    tokens: int | None = member("digest", "session", "tokens")
    duration_ms: Annotated[int, BeforeValidator(digest_of.duration_ms)] = member("digest")
    summarized: Annotated[bool, BeforeValidator(bool)] = member("digest", "summary")
    of: str = member("digest", "of")


class Repetition(Schema):
    """A loop, a rollback or a row of failed test runs, between two events."""

    kind: str
    what: str
    count: int
    seq: int
    last: int


class FailedCall(Schema):
    """A call that failed. repaired: event in which the same call succeeded, null for none."""

    seq: int
    tool: str
    target: str
    error: str
    repaired: Annotated[int | None, BeforeValidator(lambda seq: seq or None)]


class SessionDetail(SessionRow, Checked):
    """A complete session. source: the event from which its block was made, as PROJECT#SEQ.

    block: its text in a pack, as Markdown. block_tokens: estimate, a token for four letters of a
    Latin script, for one of any other (real ones are 10 to 20 % fewer in English prose).
    """

    summary: str = member("digest", "summary")
    engine: str = member("digest", "engine")
    prompt_texts: list[str] = member("digest", "prompts")
    decision_texts: Annotated[list[str], BeforeValidator(lambda of: content_of(of).decisions)] = (
        member("digest")
    )
    file_names: Annotated[list[str], BeforeValidator(lambda of: content_of(of).files)] = member(
        "digest"
    )
    compact_summaries: list[str] = member("digest", "compacts")
    messages: list[str] = member("digest", "messages")
    units: list[str] = member("digest", "units")
    errors: list[FailedCall] = member("digest", "gathered", "failures")
    marks: list[Repetition] = member("digest", "marks")
    source: str
    block: str
    block_tokens: Annotated[int, BeforeValidator(estimate_tokens)] = member("block")


class SessionPage(Checked):
    """A page of sessions, newest first. total: all that match; next: the next offset, or null."""

    items: list[SessionRow]
    total: int
    next: int | None


class SearchHit(Schema):
    """A session that matches a search. spans: [start, end] of the matches in the snippet.

    ways: rank in each way of searching, from 1.
    """

    session: SessionRow
    score: float
    snippet: str
    spans: list[tuple[int, int]]
    ways: dict[str, int]


class SearchResult(Checked):
    """The sessions that match a search, best first."""

    query: str
    items: list[SearchHit]


class ConversationPage(Checked):
    """A page of a session as a conversation; its members are those of `journal show --json`.

    source: transcript, archive or journal; whole: whether texts are whole. total: entries in all;
    next: the next offset, or null.
    """

    model_config = ConfigDict(extra="allow", strict=False)

    session: str
    project: str | None
    title: str | None
    source: str
    whole: bool
    entries: list[dict[str, Any]]
    total: int
    next: int | None


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


PACK = 40  # sessions in a pack


class NewPack(Schema):
    """A pack to save: sessions in the order of the pack. send_to: session to queue it for.

    text: replaces the sessions' own blocks; note: put before them.
    """

    sessions: Annotated[list[Id], Field(min_length=1, max_length=PACK)]
    title: str = ""
    note: str = ""
    text: str = ""
    send_to: Annotated[str, Field(max_length=ID)] = ""


class QueuedPack(Schema):
    """A pack queued for one injection at the next prompt or recovery of a session's lineage.

    seq: event that queued it, which the injection names. waits: a phrase: what it waits for.
    """

    to: str
    project: str
    seq: int
    characters: int
    waits: str = WAITS


class SavedPack(Schema):
    """A saved pack. pack: its id; project: whose journal holds it.

    queued: null if it was not sent to a session.
    """

    pack: str
    project: str
    title: str
    characters: int
    tokens: int
    sources: list[str]
    queued: QueuedPack | None
