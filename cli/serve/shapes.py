"""What the API takes and gives: one model per shape, from which its OpenAPI is made.

Invariant: an answer of the API is one of these or `Refusal`; the page uses the same objects. Times
are ISO 8601 in UTC, "" where there is none; null is unknown, not zero.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

__all__ = [
    "Card",
    "Compactions",
    "Day",
    "Hits",
    "Live",
    "Match",
    "Meter",
    "ObservationIn",
    "ObservationOut",
    "Observations",
    "Pack",
    "PackIn",
    "PackOut",
    "ProjectNode",
    "Queued",
    "Recorded",
    "Refusal",
    "Sessions",
    "Story",
    "Tooth",
    "ViewOut",
]

ID = 200  # characters of a session's id or of a project's name
TITLE = 500  # characters kept of an observation's title and of its text
PACK = 40  # sessions in a pack


def _whole(value: Any) -> Any:
    """In JSON 7.0 is a whole number too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Id = Annotated[str, Field(min_length=1, max_length=ID)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Refusal(_Shape):
    """Why a request was not answered. hint: what would be."""

    error: str
    hint: str


class Card(_Shape):
    """A session in a list. id is unique together with project.

    kind: "live" told by hooks, "imported" from a transcript, "exported" a part of another one.
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


class Mark(_Shape):
    """A loop, a rollback or a row of failed test runs, between two events."""

    kind: str
    what: str
    count: int
    seq: int
    last: int


class Failure(_Shape):
    """A call that failed. repaired: event in which the same call went well, null for none."""

    seq: int
    tool: str
    target: str
    error: str
    repaired: int | None


class Story(Card):
    """A session as a whole. source: its events as PROJECT#FIRST-LAST.

    block: what a pack tells of it, as Markdown. block_tokens: estimate, see Meter.
    """

    summary: str
    engine: str
    prompt_texts: list[str]
    decision_texts: list[str]
    file_names: list[str]
    compact_summaries: list[str]
    messages: list[str]
    units: list[str]
    errors: list[Failure]
    marks: list[Mark]
    source: str
    block: str
    block_tokens: int


class Sessions(_Shape):
    """A page of sessions, newest first. total: all that fit; next: offset to go on at, or null."""

    items: list[Card]
    total: int
    next: int | None


class ObservationOut(_Shape):
    """A tool call. ok: whether it went well; ms: what it took, null unknown."""

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


class Observations(_Shape):
    """A page of a session's observations, oldest first. next: `after` to go on with, or null."""

    session: str
    project: str
    items: list[ObservationOut]
    next: int | None


class ObservationIn(_Shape):
    """An observation to record as a tool call of a session that is known.

    Long texts are kept to their first 500 characters, not refused; secrets in them are redacted.
    project: needed where two projects know the session. error: makes it a failed call.
    """

    session: Id
    tool: Annotated[str, Field(min_length=1)] = "api"
    title: Annotated[str, Field(min_length=1)]
    text: str = ""
    project: Annotated[str, Field(max_length=ID)] = ""
    ok: bool = True
    error: str = ""
    ms: Annotated[int, BeforeValidator(_whole), Field(ge=0, lt=10**12)] | None = None
    changed: bool = False


class Recorded(_Shape):
    """Where an observation was recorded. truncated: members of which only the start was kept."""

    session: str
    project: str
    seq: int
    truncated: list[str]


class Match(_Shape):
    """A session that was found. spans: where the words are in the snippet, as [start, end].

    ways: rank in each way of searching, from 1.
    """

    session: Card
    score: float
    snippet: str
    spans: list[tuple[int, int]]
    ways: dict[str, int]


class Hits(_Shape):
    """What a search found, best first."""

    query: str
    items: list[Match]


class PackIn(_Shape):
    """A pack to save: sessions in the order they are to be told. send_to: session to queue it for.

    text: what is told instead of the sessions' own blocks; note: put before them.
    """

    sessions: Annotated[list[Id], Field(min_length=1, max_length=PACK)]
    title: str = ""
    note: str = ""
    text: str = ""
    send_to: Annotated[str, Field(max_length=ID)] = ""


class Pack(_Shape):
    """A pack that is saved nowhere yet. sources: events it rests on, as PROJECT#SEQ."""

    title: str
    text: str
    tokens: int
    sessions: list[str]
    sources: list[str]


class Queued(_Shape):
    """A pack that waits for the next prompt or recovery of a session's lineage, to be told once.

    seq: event that queued it, by which its injection is traced; waits: those words.
    """

    to: str
    project: str
    seq: int
    characters: int
    waits: str = "the next prompt or recovery of its lineage"


class PackOut(_Shape):
    """A saved pack. pack: its id; project: whose journal holds it.

    queued: null where it was not sent to a session.
    """

    pack: str
    project: str
    title: str
    characters: int
    tokens: int
    sources: list[str]
    queued: Queued | None


class Live(_Shape):
    """A session something can be sent to, newest first."""

    id: str
    project: str
    title: str
    branch: str
    last: str


class Meter(_Shape):
    """What a text would take of a session's context.

    tokens: estimate of the text: a token for four letters of a Latin script, for one of any other
    (real ones are 10 to 20 % fewer in English prose). remaining: tokens until the session is
    compacted; null is unknown, and `unknown` says why. share: of the remaining tokens.
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


class Day(_Shape):
    """Sessions of one day, newest first."""

    day: str
    sessions: list[Card]


class ProjectNode(_Shape):
    """A project in the tree, its days newest first."""

    project: str
    count: int
    days: list[Day]


class Tooth(_Shape):
    """Pressure of one session over time.

    points: [ms, percent of the compaction point]; compactions: [ms, tokens, 1 automatic or 0].
    """

    project: str
    session: str
    title: str
    points: list[tuple[int, float]]
    compactions: list[tuple[int, int, int]]
    imported: bool


class Compactions(_Shape):
    """Compactions across projects: by week (Monday), by project, and each one."""

    weeks: list[tuple[str, int]]
    projects: list[dict[str, Any]]
    items: list[dict[str, Any]]


class ViewOut(BaseModel):
    """A view of a journal, folded up to event `seq`; its own members are as `journal view` has it.

    complete: whether every record of the journal could be read.
    """

    model_config = ConfigDict(extra="allow")

    view: str
    project: str
    journal: str
    seq: int
    at: str | None
    complete: bool
