"""The routes of the API, typed, so that its OpenAPI is exact.

Invariant: writing always needs the token, reading where the system does not say whose the request
is. Each route is a method of `Service`: name, parameters, answer and description are the method's.
They are plain functions: the server runs each in a thread, so no file or query blocks another.
"""

# FastAPI reads the annotations when it makes the routes: no `from __future__ import annotations`.
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from cli.serve.data.service import Service
from cli.serve.errors import ERRORS
from cli.serve.guard import USER_KNOWN
from cli.serve.schemas import Checked, ConversationPage, ObservationPage, SessionDetail
from cli.serve.token import Token

_bearer = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="The token `journal serve` made at its start.",
)


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


def build_router(service: Service) -> APIRouter:
    """Build the routes of a service, without a prefix."""
    router = APIRouter(
        redirect_slashes=False, responses=ERRORS, dependencies=[Depends(_check_reader)]
    )
    for path, read in (
        ("/sessions", service.sessions),
        ("/sessions/{id:path}/conversation", service.conversation),
        ("/sessions/{id:path}", service.session),
        ("/observations", service.observations),
        ("/search", service.search),
        ("/views/{name}", service.view),
    ):
        router.add_api_route(path, _checked(service, read))
    for path, write in (("/obs", service.observe), ("/packs", service.save)):
        router.add_api_route(
            path, write, methods=["POST"], status_code=201, dependencies=[Depends(_check_token)]
        )
    return router


def _checked(service: Service, read: Callable[..., Checked]) -> Callable[..., Checked]:
    """Return a method whose answer includes the damage of the logs it was made from."""

    @wraps(read)
    def answer(**parameters: Any) -> Checked:
        found = read(**parameters)
        project = parameters["project"]
        if isinstance(found, (SessionDetail, ConversationPage, ObservationPage)):
            project = found.project or project
        found.damage, found.losses = service.damage(project)
        return found

    return answer
