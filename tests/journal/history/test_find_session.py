"""Every command, tool and address that takes one session finds the same one, or says the same."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalError
from journal.history.tools.run import call
from tests.cli.conftest import Workspace
from tests.cli.past.test_search import recorded
from tests.support.copied import Copied, copied
from tests.support.examples import third

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OLD, NEW, OPEN = (f"{head * 2}-aaaa-4bbb-8ccc-000000000001" for head in ("111a", "222a", "333a"))
TWIN = OPEN[:-1] + "2"
IMPORTED = "4444aaaa-aaaa-4bbb-8ccc-000000000001"
ELSEWHERE = "5555aaaa-aaaa-4bbb-8ccc-000000000001"
UNKNOWN = "deadbeef-aaaa-4bbb-8ccc-000000000001"


@pytest.fixture(scope="module")
def built() -> Iterator[Copied[Workspace]]:
    """Build `shop` once."""
    yield from copied(lambda top: _record(Workspace(str(top))))


@pytest.fixture
def shop(built: Copied[Workspace]) -> Workspace:
    """Two completed sessions, two open ones, an imported one, and one of another project."""
    return built.restore()


def _record(workspace: Workspace) -> Workspace:
    shop, workspace.project = workspace.project, workspace.top / "mill"
    (workspace.project / ".git").mkdir(parents=True)
    recorded(workspace, ELSEWHERE, "mill the flour")
    workspace.project = shop
    for minutes, sid in enumerate((OLD, NEW, OPEN, TWIN), 1):
        workspace.at(60 * minutes)
        recorded(workspace, sid, f"work {minutes}", over=sid in (OLD, NEW))
        tool = {"tool_name": "Edit", "tool_use_id": f"t{sid}", "tool_input": {"file_path": "a.py"}}
        workspace.hook("PostToolUse", sid, **tool, tool_response={})
    folder = workspace.top / "claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    line = {
        "type": "user", "uuid": "u1", "sessionId": IMPORTED, "cwd": str(workspace.project),
        "timestamp": "2026-11-20T09:00:00.000Z",
        "message": {"role": "user", "content": "plan the harbour"},
    }  # fmt: skip
    (folder / f"{IMPORTED}.jsonl").write_text(json.dumps(line) + "\n")
    assert workspace.journal("import").code == 0
    return workspace


def command(*words: str) -> Callable[[Workspace, str], str]:
    """Return a caller of a command line; REF in it is the reference."""

    def run(shop: Workspace, ref: str) -> str:
        result = shop.journal(*(ref if word == "REF" else word for word in words))
        assert result.code in (0, 2), result.err
        return result.out + result.err

    return run


def tool(shop: Workspace, ref: str) -> str:
    """Call the model's tool."""
    return call("get", {"source": ref}, shop.env, cwd=str(shop.project)).text


def api(shop: Workspace, ref: str) -> str:
    """Ask the server's service for a session."""
    pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
    from cli.serve.data.service import Service

    service = Service(str(shop.home), shop.env)
    try:
        return str(service.past(ref))
    except JournalError as error:
        return f"{error.what} {error.remedy}"
    finally:
        service.index.close()


ANY_PROJECT = {
    "get": command("get", "REF"),
    "show": command("show", "REF"),
    "pack make": command("pack", "make", "REF", "--dry-run"),
    "pack send": command("pack", "make", NEW, "--send-to", "REF", "--dry-run"),
    "tool get": tool,
    "api": api,
}
OWN_PROJECT = {
    "view": command("view", "sessions", "--session", "REF"),
    "status": command("status", "--session", "REF"),
    "events": command("events", "--session", "REF"),
    "replay": command("replay", "--session", "REF"),
    "export-session": command("export-session", "--session", "REF"),
    "summarize": command("summarize", "--session", "REF", "--dry-run"),
    "usage": command("usage", "--session", "REF"),
    "stats": command("stats", "pressure", "--session", "REF"),
}
CALLERS = ANY_PROJECT | OWN_PROJECT


@pytest.fixture(params=third(CALLERS.values()), ids=third(CALLERS))
def ask(request: pytest.FixtureRequest, shop: Workspace) -> Callable[[str], str]:
    """Return one of the callers."""
    return lambda ref: str(request.param(shop, ref))


def test_an_unknown_id(ask: Callable[[str], str]) -> None:
    """No session matches it."""
    assert f'no session matches "{UNKNOWN}"' in ask(UNKNOWN)


def test_a_beginning_of_two(ask: Callable[[str], str]) -> None:
    """Both are named, and neither is chosen."""
    text = ask(OPEN[:9])
    assert f'"{OPEN[:9]}" matches 2 sessions' in text
    assert OPEN in text
    assert TWIN in text


def test_a_reference_gives_what_its_id_gives(ask: Callable[[str], str]) -> None:
    """`last` is the newest completed session; a beginning names a session, also an imported one."""
    for sid, refs in ((NEW, ("last", NEW[:9])), (IMPORTED, (IMPORTED[:9],))):
        wanted = ask(sid)
        for ref in refs:
            text = ask(ref)
            assert wanted in (text, text.replace(f'"{ref}"', f'"{sid}"')), ref
            assert "matches" not in text, ref


@pytest.mark.parametrize(
    ("name", "ref"), third(itertools.product(ANY_PROJECT, (ELSEWHERE, ELSEWHERE[:9])))
)
def test_an_id_of_another_project(shop: Workspace, name: str, ref: str) -> None:
    """A session is found in another project, by a project's name before the reference too."""
    caller = ANY_PROJECT[name]
    project = next(shop.home.glob("mill-*")).name
    text = caller(shop, ref)
    assert "matches" not in text
    assert caller(shop, f"{project}/{ref}").replace(f"{project}/", "") == text
    if name != "get":  # it searches for what is no ID
        assert f'no session matches "{project}/{NEW}"' in caller(shop, f"{project}/{NEW}")


@pytest.mark.parametrize("caller", OWN_PROJECT.values(), ids=OWN_PROJECT.keys())
def test_an_id_of_another_project_for_one_project(
    shop: Workspace, caller: Callable[[Workspace, str], str]
) -> None:
    """A command that reads one project's journal names the project of the session."""
    assert f"session {ELSEWHERE} belongs to the project mill\n" in caller(shop, ELSEWHERE)
