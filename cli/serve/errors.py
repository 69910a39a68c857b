"""Errors of the API: the status of each kind of error, and the response that all of them have.

Invariant: every failure is an `ErrorResponse`; none repeats a long part of the request, and none
shows where in the program it came from.
"""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request

from cli.serve.schemas import ErrorResponse
from journal.codec import text as valid_text
from journal.errors import JournalError, UsageError
from journal.history.find_session import NoSessionError, SeveralSessionsError
from journal.log.append import Busy

_INVALID = 422
_UNAVAILABLE = 503
_LIMIT = 300  # characters of a message
_HINT = "GET /openapi.json describes the API"
_DESCRIPTIONS = {
    400: "the request cannot be parsed",
    401: "the token is missing or wrong",
    403: "requests of other sites are refused",
    404: "what was asked for is not there",
    405: "this address does not support that method",
    409: "the journal's state does not allow it",
    413: "the request is too large",
    421: "this server does not answer to that name",
    _INVALID: "a value is missing or wrong",
    _UNAVAILABLE: "the journal cannot be read or written at the moment",
}
_HINTS = {401: "send Authorization: Bearer TOKEN; journal serve says where the token is"}
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorResponse, "description": text}
    for status, text in _DESCRIPTIONS.items()
    if status != 405  # an answer of no route
}


class MissingError(JournalError):
    """What a request names does not exist."""


class ConflictError(JournalError):
    """The journal's state does not allow what a request asks for."""


_STATUSES = {
    UsageError: _INVALID,
    MissingError: 404,
    NoSessionError: 404,
    ConflictError: 409,
    SeveralSessionsError: 409,
}


def install_handlers(app: FastAPI) -> None:
    """Answer every error of an application with an `ErrorResponse`."""
    for kind in (JournalError, Busy, OSError):
        app.add_exception_handler(kind, _journal_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, http_error)


def _respond(
    status: int, error: str, hint: str = _HINT, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    body = {"error": valid_text(error)[:_LIMIT], "hint": valid_text(hint)[:_LIMIT]}
    return JSONResponse(body, status, headers)


async def _journal_error(_request: Request, error: Exception) -> JSONResponse:
    status = next((_STATUSES[kind] for kind in type(error).__mro__ if kind in _STATUSES), None)
    if status is not None and isinstance(error, JournalError):
        return _respond(status, error.what, error.remedy or _HINT)
    what = error.what if isinstance(error, JournalError) else _DESCRIPTIONS[_UNAVAILABLE]
    remedy = getattr(error, "remedy", "") or "journal doctor says what is wrong"
    return _respond(_UNAVAILABLE, what, remedy)


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    problems = error.errors()
    if any(problem.get("type") == "json_invalid" for problem in problems):
        return _respond(_INVALID, "the body is not JSON")
    first = problems[0] if problems else {}
    where = ".".join(str(part)[:40] for part in first.get("loc", ())[:4])
    return _respond(_INVALID, f"{where}: {first.get('msg', _DESCRIPTIONS[_INVALID])}")


async def http_error(_request: Request, error: Exception) -> JSONResponse:
    """Answer an error that has a status of its own."""
    assert isinstance(error, HTTPException)
    what = _DESCRIPTIONS.get(error.status_code) or str(error.detail)
    hint = _HINTS.get(error.status_code, _HINT)
    return _respond(error.status_code, what, hint, error.headers)
