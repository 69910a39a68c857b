"""Models of sessions: rows of a list, details, hits of a search, conversations."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict

from cli.serve.schemas.base import Checked, Schema, member
from journal.history.session_text import content_of
from journal.text import estimate_tokens
from projections import digest as digest_of
from projections.digest import Digest


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
