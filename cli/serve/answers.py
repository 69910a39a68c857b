"""Errors of the API: which status each fault has, and the one shape all of them are told in.

Invariant: every answer that is no success is a `Refusal`; none repeats what the request held at
length, and none shows where in the program it came from.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from cli.serve.place import ConflictError, MissingError, UnavailableError
from cli.serve.shapes import Refusal
from journal.codec import text as sound
from journal.errors import JournalError, UsageError
from journal.log.append import Busy

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request

__all__ = ["BAD", "READS", "WRITES", "install"]

BAD = 422
_SHOWN = 300
_HINT = "GET /openapi.json says what can be asked"
_WORDS = {
    400: "the request cannot be understood",
    403: "requests of other sites are refused",
    404: "what was asked for is not there",
    409: "it cannot be done as things are",
    413: "the request is too large",
    421: "this server does not answer to that name",
    BAD: "a value is missing or wrong",
    401: "the token is missing or wrong",
    503: "the journal cannot be read or written at the moment",
}


def _told(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": Refusal, "description": _WORDS[status]} for status in statuses}


READS = _told(400, 403, 404, 409, 413, 421, BAD, 503)
WRITES = {**READS, **_told(401)}


def install(app: FastAPI) -> None:
    """Make every fault of an application a Refusal."""
    app.add_exception_handler(JournalError, _cli)
    app.add_exception_handler(JournalError, _journal)
    app.add_exception_handler(Busy, _journal)
    app.add_exception_handler(OSError, _journal)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def _answer(status: int, error: str, hint: str, headers: Any = None) -> JSONResponse:
    body = {"error": sound(error)[:_SHOWN], "hint": sound(hint)[:_SHOWN]}
    return JSONResponse(body, status, headers=dict(headers or {}))


async def _cli(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, JournalError)
    status = 503
    if isinstance(error, UsageError):
        status = BAD
    elif isinstance(error, MissingError):
        status = 404
    elif isinstance(error, ConflictError):
        status = 409
    elif isinstance(error, UnavailableError):
        status = 503
    return _answer(status, error.what, error.remedy or _HINT)


async def _journal(_request: Request, error: Exception) -> JSONResponse:
    what = error.what if isinstance(error, JournalError) else _WORDS[503]
    return _answer(503, what, "journal doctor says what is wrong")


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if any(item.get("type") == "json_invalid" for item in found):
        return _answer(BAD, "the body is not JSON", _HINT)
    first = found[0] if found else {}
    where = ".".join(str(part)[:40] for part in first.get("loc", ())[:4])
    return _answer(BAD, f"{where}: {first.get('msg', _WORDS[BAD])}", _HINT)


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    what = _WORDS.get(error.status_code) or str(error.detail)
    if isinstance(error.detail, dict):
        return _answer(
            error.status_code, error.detail["error"], error.detail["hint"], error.headers
        )
    return _answer(error.status_code, what, _HINT, error.headers)


async def _unexpected(_request: Request, error: Exception) -> JSONResponse:
    print(f"journal: error: unexpected {type(error).__name__}", file=sys.stderr)
    return _answer(500, "something unexpected went wrong", "journal serve said more on its stderr")
