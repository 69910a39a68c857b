"""A world with a past session, and a client that calls the tools in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history.tools.run import Result, call
from tests.cases.world import OTHER, World
from tests.support.copied import Copied, copied

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def ask(world: World, name: str, session: str | None = None, **given: Any) -> Result:
    """Call a tool as a client in the project's directory does."""
    own = world.sid if session is None else session
    return call(name, given, world.env({"CLAUDE_CODE_SESSION_ID": None}), session=own)


@pytest.fixture(scope="package")
def once() -> Iterator[Copied[World]]:
    """Build `past` once."""
    yield from copied(lambda top: _past(World(top, inline=True)))


@pytest.fixture
def past(once: Copied[World]) -> World:
    """Return a world with a past session about a redirect, and an open one that has compacted."""
    return once.restore()


def _past(inline: World) -> World:
    sid, inline.sid = inline.sid, OTHER
    inline.start()
    inline.prompt("repair the login redirect")
    inline.tool("Edit", file_path=str(inline.project / "login.py"))
    inline.order("decide", "redirects are relative")
    inline.stop(last_assistant_message="The login redirect works.")
    inline.end()
    inline.sid = sid
    inline.start()
    inline.prompt("the warehouse needs a bulk order")
    inline.stop(last_assistant_message="Bulk orders are parsed now.")
    inline.compact()
    inline.prompt("the warehouse after it")
    return inline


def state(home: Path) -> dict[str, tuple[int, bytes]]:
    """Return every file of a journal home, with its time and bytes."""
    files = [path for path in home.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
