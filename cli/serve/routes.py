"""The REST API: what can be asked, typed, so that its OpenAPI is exact.

Invariant: reading needs no token, writing always does; a function here only hands over to `Model`.
They are plain functions: the server runs each in a thread, so no file or query blocks another.
"""

# Annotations are read when the routes are made: no `from __future__ import annotations` here.
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from cli.serve.answers import READS, WRITES
from cli.serve.model import Model
from cli.serve.shapes import (
    Hits,
    ObservationIn,
    Observations,
    PackIn,
    PackOut,
    Recorded,
    Sessions,
    Story,
    ViewOut,
)

if TYPE_CHECKING:
    from cli.serve.token import Token

__all__ = ["router"]

_MOST = 500
_AGE = "[0-9]{1,6}[smhdw]"
_DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?(Z|[+-][01][0-9]:[0-5][0-9])?"
_TIME = f"{_AGE}|{_DATE}(T{_CLOCK})?"

Project = Annotated[str, Query(max_length=200, description="Name of a project's journal.")]
Since = Annotated[
    str,
    Query(pattern=f"^({_TIME})?$", description="From then on: ISO 8601, or an age such as 3d."),
]
Until = Annotated[
    str, Query(pattern=f"^({_TIME})?$", description="Up to then: ISO 8601, or an age.")
]
Bound = Annotated[
    str, Query(pattern=f"^([0-9]{{1,15}}|{_TIME})?$", description="As it was: SEQ or a time.")
]
Status = Annotated[
    Literal["completed", "open"] | None, Query(description="Only sessions that are over, or not.")
]
Session = Annotated[
    str,
    Query(min_length=1, max_length=200, description="Id of a session, or the beginning of it."),
]
Words = Annotated[str, Query(min_length=1, max_length=500, description="What to look for.")]
Limit = Annotated[int, Query(ge=1, le=_MOST, description="At most that many.")]
Offset = Annotated[int, Query(ge=0, lt=10**9, description="How many to pass over.")]

_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="The token `journal serve` made at its start.",
)
router = APIRouter(prefix="/api")


def _model(request: Request) -> Model:
    model: Model = request.app.state.model
    return model


def _writer(
    request: Request,
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)] = None,
) -> None:
    token: Token = request.app.state.token
    if not token.fits(given.credentials if given is not None else None):
        detail = {
            "error": "the token is missing or wrong",
            "hint": "send Authorization: Bearer TOKEN; journal serve says where the token is",
        }
        raise HTTPException(401, detail, {"WWW-Authenticate": "Bearer"})


Data = Annotated[Model, Depends(_model)]
Writer = Depends(_writer)


@router.get("/sessions", responses=READS)
def sessions(
    model: Data,
    project: Project = "",
    since: Since = "",
    until: Until = "",
    status: Status = None,
    text: Annotated[str, Query(max_length=200, description="Part of a title or prompt.")] = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> Sessions:
    """Sessions, newest first."""
    return model.sessions(
        project=project,
        since=since,
        until=until,
        status=status or "",
        text=text,
        limit=limit,
        offset=offset,
    )


@router.get("/sessions/{id:path}", responses=READS)
def session(
    model: Data,
    id: Annotated[  # noqa: A002 (the name in the address)
        str, Path(max_length=400, description="Id, the beginning of one, or PROJECT/ID.")
    ],
    project: Project = "",
) -> Story:
    """One session as a whole."""
    return model.session(id, project)


@router.get("/observations", responses=READS)
def observations(
    model: Data,
    session: Session,
    project: Project = "",
    after: Annotated[int, Query(ge=0, lt=10**15, description="Those after this event.")] = 0,
    limit: Limit = 100,
) -> Observations:
    """Tool calls of a session, oldest first."""
    return model.observations(session, project=project, after=after, limit=limit)


@router.post("/obs", status_code=201, responses=WRITES, dependencies=[Writer])
def observe(model: Data, given: ObservationIn) -> Recorded:
    """Record one observation of a session that is known."""
    return model.observe(given)


@router.get("/search", responses=READS)
def search(
    model: Data,
    q: Words,
    project: Project = "",
    since: Since = "",
    status: Status = None,
    limit: Annotated[int, Query(ge=1, le=100, description="At most that many.")] = 10,
) -> Hits:
    """Search past sessions, best first."""
    return model.search(q, project=project, since=since, status=status or "", limit=limit)


@router.post("/packs", status_code=201, responses=WRITES, dependencies=[Writer])
def save(model: Data, given: PackIn) -> PackOut:
    """Save a pack of sessions, and with send_to queue it for one injection into a session."""
    return model.save(
        given.sessions, title=given.title, note=given.note, text=given.text, send_to=given.send_to
    )


@router.get("/views/{name}", responses=READS)
def view(
    model: Data,
    name: Annotated[str, Path(max_length=40, description="As in `journal view NAME`.")],
    project: Project = "",
    session: Annotated[str, Query(max_length=200, description="Only that session.")] = "",
    until: Bound = "",
) -> ViewOut:
    """One view of a project's journal; `project` may be left out where there is only one."""
    shown: dict[str, Any] = model.view(name, project=project, session=session, until=until)
    return ViewOut.model_validate(shown)
