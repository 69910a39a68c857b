"""Requests and responses of the API, one model each; its OpenAPI is made from them.

A model of something that the journal has is made of that very object: where a member has another
name there, or is computed from it, the member says so. Invariant: the API answers with one of these
or with `ErrorResponse`; the page uses the same objects. Times are ISO 8601 in UTC, "" where there
is none; null is unknown, not zero.
"""

from typing import Annotated, Any, Literal

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from journal.history.packs import WAITS
from journal.text import estimate_tokens
from projections import digest as digest_of
from projections.digest import Digest
from projections.session import Session

__all__ = [
    "Checked",
    "ConversationPage",
    "ErrorResponse",
    "NewObservation",
    "NewPack",
    "Observation",
    "ObservationPage",
    "QueuedPack",
    "RecordedObservation",
    "SavedPack",
    "SearchHit",
    "SearchResult",
    "SessionDetail",
    "SessionPage",
    "SessionRow",
    "ViewResponse",
]

ID = 200  # characters of a session's id or of a project's name
TITLE = 500  # characters stored of an observation's title and of its text
PACK = 40  # sessions in a pack


def _integer(value: Any) -> Any:
    """Return 7 for 7.0, which JSON also calls an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _kind(digest: Digest) -> str:
    return "exported" if digest.of else "imported" if digest.imported else "live"


def _last(session: Session) -> str:
    return session.last or session.ended or session.started


def _decisions(digest: Digest) -> list[str]:
    return list(digest.decisions or digest.summary_decisions)


def _files(digest: Digest) -> list[str]:
    return list(digest.summary_files or digest.session.files)


def _from(*path: str) -> Any:
    """Declare a member that is read from another attribute of the object the model is made of."""
    return Field(validation_alias=AliasPath(*path))


Id = Annotated[str, Field(min_length=1, max_length=ID)]


class _Schema(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
    )


class Checked(_Schema):
    """An answer made from logs. damage: what is wrong with them, so that it may lack something.

    losses: what is known to be missing from them, and needs no repair. Both are [] for whole logs.
    """

    damage: list[str] = []
    losses: list[str] = []


class ErrorResponse(_Schema):
    """Why a request failed. hint: what to do instead."""

    error: str
    hint: str


class SessionRow(_Schema):
    """A session in a list. id is unique together with project.

    kind: "live" recorded by hooks, "imported" from a transcript, "exported" a part of another one.
    status: completed or open. last: its last activity. of: session an exported part came from.
    """

    id: str = _from("digest", "sid")
    project: str
    title: Annotated[str, BeforeValidator(digest_of.title_of)] = _from("digest")
    status: Annotated[Literal["completed", "open"], BeforeValidator(digest_of.status)] = _from(
        "digest"
    )
    outcome: Annotated[str, BeforeValidator(digest_of.outcome)] = _from("digest")
    kind: Annotated[Literal["live", "imported", "exported"], BeforeValidator(_kind)] = _from(
        "digest"
    )
    started: str = _from("digest", "session", "started")
    last: Annotated[str, BeforeValidator(_last)] = _from("digest", "session")
    branch: str = _from("digest", "session", "branch")
    model: str = _from("digest", "session", "model")
    prompts: int = _from("digest", "session", "prompts")
    tools: int = _from("digest", "session", "tools")
    failures: int = _from("digest", "session", "failures")
    compactions: int = _from("digest", "session", "compactions")
    files: Annotated[int, BeforeValidator(lambda digest: len(_files(digest)))] = _from("digest")
    decisions: Annotated[int, BeforeValidator(lambda digest: len(_decisions(digest)))] = _from(
        "digest"
    )
    tokens: int | None = _from("digest", "session", "tokens")
    duration_ms: Annotated[int, BeforeValidator(digest_of.duration_ms)] = _from("digest")
    summarized: Annotated[bool, BeforeValidator(bool)] = _from("digest", "summary")
    of: str = _from("digest", "of")


class Repetition(_Schema):
    """A loop, a rollback or a row of failed test runs, between two events."""

    kind: str
    what: str
    count: int
    seq: int
    last: int


class FailedCall(_Schema):
    """A call that failed. repaired: event in which the same call succeeded, null for none."""

    seq: int
    tool: str
    target: str
    error: str
    repaired: Annotated[int | None, BeforeValidator(lambda seq: seq or None)]


class SessionDetail(SessionRow, Checked):
    """A session as a whole. source: the event its block rests on, as PROJECT#SEQ.

    block: its text in a pack, as Markdown. block_tokens: estimate, a token for four letters of a
    Latin script, for one of any other (real ones are 10 to 20 % fewer in English prose).
    """

    summary: str = _from("digest", "summary")
    engine: str = _from("digest", "engine")
    prompt_texts: list[str] = _from("digest", "prompts")
    decision_texts: Annotated[list[str], BeforeValidator(_decisions)] = _from("digest")
    file_names: Annotated[list[str], BeforeValidator(_files)] = _from("digest")
    compact_summaries: list[str] = _from("digest", "compacts")
    messages: list[str] = _from("digest", "messages")
    units: list[str] = _from("digest", "units")
    errors: list[FailedCall] = _from("digest", "failures")
    marks: list[Repetition] = _from("digest", "marks")
    source: str
    block: str
    block_tokens: Annotated[int, BeforeValidator(estimate_tokens)] = _from("block")


class SessionPage(Checked):
    """A page of sessions, newest first. total: all that match; next: the next offset, or null."""

    items: list[SessionRow]
    total: int
    next: int | None


class Observation(_Schema):
    """A tool call. ok: whether it succeeded; ms: its duration, null unknown."""

    seq: int
    at: str = _from("ts")
    tool: str
    title: str = _from("target")
    text: str = _from("subject")
    ok: bool
    error: str
    ms: int | None
    changed: bool = False
    tests: str
    size: int = _from("output_size")
    agent: str


class ObservationPage(Checked):
    """A page of a session's observations, oldest first. next: the next `after`, or null."""

    session: str
    project: str
    items: list[Observation]
    next: int | None


class NewObservation(_Schema):
    """An observation to record as a tool call of an existing session.

    Long texts are cut to their first 500 characters, not refused; secrets in them are redacted.
    project: needed where two projects have the session. error: makes it a failed call.
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


class RecordedObservation(_Schema):
    """Where an observation was recorded. truncated: members that were cut."""

    session: str
    project: str
    seq: int
    truncated: list[str]


class SearchHit(_Schema):
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


class NewPack(_Schema):
    """A pack to save: sessions in the order of the pack. send_to: session to queue it for.

    text: replaces the sessions' own blocks; note: put before them.
    """

    sessions: Annotated[list[Id], Field(min_length=1, max_length=PACK)]
    title: str = ""
    note: str = ""
    text: str = ""
    send_to: Annotated[str, Field(max_length=ID)] = ""


class QueuedPack(_Schema):
    """A pack queued for one injection at the next prompt or recovery of a session's lineage.

    seq: event that queued it; the injection names it. waits: what it waits for, in words.
    """

    to: str
    project: str
    seq: int
    characters: int
    waits: str = WAITS


class SavedPack(_Schema):
    """A saved pack. pack: its id; project: whose journal holds it.

    queued: null where it was not sent to a session.
    """

    pack: str
    project: str
    title: str
    characters: int
    tokens: int
    sources: list[str]
    queued: QueuedPack | None


class ConversationPage(BaseModel):
    """A page of a session as a conversation; its members are those of `journal show --json`.

    source: transcript, archive or journal; whole: whether texts are whole. total: entries in all;
    next: the next offset, or null.
    """

    model_config = ConfigDict(extra="allow")

    session: str
    project: str | None
    title: str | None
    source: str
    whole: bool
    entries: list[dict[str, Any]]
    total: int
    next: int | None


class ViewResponse(Checked):
    """A view of a journal, folded up to event `seq`; its members are those of `journal view`.

    complete: whether every record of the journal could be read. damage, losses: as in the answer
    of /api/sessions.
    """

    model_config = ConfigDict(extra="allow", strict=False)

    view: str
    project: str
    journal: str
    seq: int
    at: str | None
    complete: bool
