"""Requests and responses of the API, one model each; its OpenAPI is made from them.

Invariant: the API answers with one of these or with `ErrorResponse`; the page uses the same
objects. Times are ISO 8601 in UTC, "" where there is none; null is unknown, not zero.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from journal.history.packs import WAITS

__all__ = [
    "Checked",
    "ContextCost",
    "ConversationPage",
    "ErrorResponse",
    "FailedCall",
    "LiveSession",
    "NewObservation",
    "NewPack",
    "Observation",
    "ObservationPage",
    "PackDraft",
    "PressureHistory",
    "PressureWarning",
    "QueuedPack",
    "RecordedObservation",
    "Repetition",
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


Id = Annotated[str, Field(min_length=1, max_length=ID)]


class _Schema(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


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

    id: str
    project: str
    title: str
    status: Literal["completed", "open"]
    outcome: str
    kind: Literal["live", "imported", "exported"]
    started: str
    last: str
    branch: str
    model: str
    prompts: int
    tools: int
    failures: int
    compactions: int
    files: int
    decisions: int
    tokens: int | None
    duration_ms: int
    summarized: bool
    of: str


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
    repaired: int | None


class SessionDetail(SessionRow, Checked):
    """A session as a whole. source: the event its block rests on, as PROJECT#SEQ.

    block: its text in a pack, as Markdown. block_tokens: estimate, see ContextCost.
    """

    summary: str
    engine: str
    prompt_texts: list[str]
    decision_texts: list[str]
    file_names: list[str]
    compact_summaries: list[str]
    messages: list[str]
    units: list[str]
    errors: list[FailedCall]
    marks: list[Repetition]
    source: str
    block: str
    block_tokens: int


class SessionPage(Checked):
    """A page of sessions, newest first. total: all that match; next: the next offset, or null."""

    items: list[SessionRow]
    total: int
    next: int | None


class Observation(_Schema):
    """A tool call. ok: whether it succeeded; ms: its duration, null unknown."""

    seq: int
    at: str
    tool: str
    title: str
    text: str
    ok: bool
    error: str
    ms: int | None
    changed: bool
    tests: str
    size: int
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


class PackDraft(_Schema):
    """A pack that is not saved. sources: events it rests on, as PROJECT#SEQ."""

    title: str
    text: str
    tokens: int
    sessions: list[str]
    sources: list[str]


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


class LiveSession(_Schema):
    """A session that a pack can be sent to."""

    id: str
    project: str
    title: str
    branch: str
    last: str


class ContextCost(_Schema):
    """The share of a session's remaining context that a text would take.

    tokens: estimate of the text: a token for four letters of a Latin script, for one of any other
    (real ones are 10 to 20 % fewer in English prose). remaining: tokens until Claude Code compacts
    the session, or until its window is full (compacts: false); null is unknown, and `unknown` says
    why. share: of the remaining tokens.
    """

    session: str
    tokens: int
    characters: int
    context: int | None
    point: int | None
    remaining: int | None
    share: float | None
    fits: bool | None
    unknown: str
    compacts: bool


class PressureWarning(_Schema):
    """A pressure warning that a hook gave. at: ms; tokens, point: 0 unknown."""

    at: int
    level: str
    tokens: int
    point: int


class PressureHistory(_Schema):
    """Pressure of one session over time.

    points: [ms, percent of the compaction point]; compactions: [ms, tokens, 1 automatic or 0];
    info, urgent: warning levels in effect, as shares of the compaction point.
    """

    project: str
    session: str
    title: str
    points: list[tuple[int, float]]
    compactions: list[tuple[int, int, int]]
    warnings: list[PressureWarning]
    info: float
    urgent: float


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
