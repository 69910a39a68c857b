"""The routes of the API, typed, so that its OpenAPI is exact.

Invariant: writing always needs the token, reading where the system does not say whose the request
is; each function calls one of `Service`. They
are plain functions: the server runs each in a thread, so no file or query blocks another.
"""

# FastAPI reads the annotations when it makes the routes: no `from __future__ import annotations`.
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from cli.serve.data.service import Service
from cli.serve.errors import ERRORS
from cli.serve.guard import USER_KNOWN
from cli.serve.schemas import (
    ConversationPage,
    NewObservation,
    NewPack,
    ObservationPage,
    RecordedObservation,
    SavedPack,
    SearchResult,
    SessionDetail,
    SessionPage,
    ViewResponse,
)

if TYPE_CHECKING:
    from cli.serve.token import Token

__all__ = ["router"]

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
SeqOrTime = Annotated[
    str, Query(pattern=f"^([0-9]{{1,15}}|{_TIME})?$", description="As it was: SEQ or a time.")
]
Status = Annotated[
    Literal["completed", "open"] | None, Query(description="Only sessions that are over, or not.")
]
SessionId = Annotated[
    str,
    Query(min_length=1, max_length=200, description="Id of a session, or the beginning of it."),
]
Ref = Annotated[str, Path(max_length=400, description="Id, the beginning of one, or PROJECT/ID.")]
Words = Annotated[str, Query(min_length=1, max_length=500, description="What to look for.")]
Limit = Annotated[int, Query(ge=1, le=500, description="At most that many.")]
Offset = Annotated[int, Query(ge=0, lt=10**9, description="How many to skip.")]

_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="The token `journal serve` made at its start.",
)


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _check_token(
    request: Request,
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)] = None,
) -> None:
    token: Token = request.app.state.token
    if not token.matches(given.credentials if given is not None else None):
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"})


async def _check_reader(request: Request) -> None:
    if not request.scope.get(USER_KNOWN):
        _check_token(request, await _bearer(request))


router = APIRouter(redirect_slashes=False, responses=ERRORS, dependencies=[Depends(_check_reader)])


Home = Annotated[Service, Depends(_service)]
NeedsToken = Depends(_check_token)


@router.get("/sessions")
def sessions(
    service: Home,
    project: Project = "",
    since: Since = "",
    until: Until = "",
    status: Status = None,
    text: Annotated[str, Query(max_length=200, description="Part of a title or prompt.")] = "",
    limit: Limit = 50,
    offset: Offset = 0,
) -> SessionPage:
    """List sessions, newest first."""
    found = service.sessions(
        project=project,
        since=since,
        until=until,
        status=status or "",
        text=text,
        limit=limit,
        offset=offset,
    )
    service.check(found, project)
    return found


@router.get("/sessions/{id:path}/conversation")
def conversation(
    service: Home,
    id: Ref,  # noqa: A002 (the name in the address)
    project: Project = "",
    tools: Annotated[bool, Query(description="With inputs and outputs of tool calls.")] = False,
    limit: Limit = 100,
    offset: Offset = 0,
) -> ConversationPage:
    """Return a session as a conversation, as `journal show` reads it."""
    found = service.conversation_page(id, project=project, tools=tools, limit=limit, offset=offset)
    return ConversationPage.model_validate(found)


@router.get("/sessions/{id:path}")
def session(
    service: Home,
    id: Ref,  # noqa: A002 (the name in the address)
    project: Project = "",
) -> SessionDetail:
    """Return one session as a whole."""
    found = service.session(id, project)
    service.check(found, found.project)
    return found


@router.get("/observations")
def observations(
    service: Home,
    session: SessionId,
    project: Project = "",
    after: Annotated[int, Query(ge=0, lt=10**15, description="Those after this event.")] = 0,
    limit: Limit = 100,
) -> ObservationPage:
    """List the tool calls of a session, oldest first."""
    found = service.observations(session, project=project, after=after, limit=limit)
    service.check(found, found.project)
    return found


@router.post("/obs", status_code=201, dependencies=[NeedsToken])
def observe(service: Home, given: NewObservation) -> RecordedObservation:
    """Record one observation of an existing session."""
    return service.observe(given)


@router.get("/search")
def search(
    service: Home,
    q: Words,
    project: Project = "",
    since: Since = "",
    status: Status = None,
    limit: Annotated[int, Query(ge=1, le=100, description="At most that many.")] = 10,
) -> SearchResult:
    """Search past sessions, best first."""
    found = service.search(q, project=project, since=since, status=status or "", limit=limit)
    service.check(found, project)
    return found


@router.post("/packs", status_code=201, dependencies=[NeedsToken])
def save(service: Home, given: NewPack) -> SavedPack:
    """Save a pack of sessions, and with send_to queue it for one injection into a session."""
    return service.save(given)


@router.get("/views/{name}")
def view(
    service: Home,
    name: Annotated[str, Path(max_length=40, description="As in `journal view NAME`.")],
    project: Project = "",
    session: Annotated[str, Query(max_length=200, description="Only that session.")] = "",
    until: SeqOrTime = "",
) -> ViewResponse:
    """Return one view of a journal; `project` may be left out where there is only one."""
    shown: Any = service.view(name, project=project, session=session, until=until)
    found = ViewResponse.model_validate(shown)
    service.check(found, project)
    return found
