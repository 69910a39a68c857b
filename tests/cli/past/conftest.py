"""Sessions for the tests of exporting and summarizing, and the command that summarizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.events.registry import class_of
from tests.cases.world import SID, World
from tests.support.command import Result, run_command
from tests.support.copied import Copied, copied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from journal.history.summaries.groups import KindEvent


@pytest.fixture(scope="package")
def built() -> Iterator[Copied[World]]:
    """Build `shop` once."""
    yield from copied(lambda top: _built(World(top, inline=True)))


@pytest.fixture
def shop(built: Copied[World]) -> World:
    """A session that did three things and is still open."""
    return built.restore()


def _built(shop: World) -> World:
    shop.start()
    shop.prompt("Fix the login of the shop")
    shop.tool("Edit", file_path=str(shop.project / "login.py"))
    shop.tool("Bash", command="pytest tests/test_login.py", response={"stdout": "1 passed"})
    shop.stop(last_assistant_message="The login is fixed.")
    shop.prompt("認証のテストを追加")
    shop.tool("Write", file_path=str(shop.project / "auth" / "token.py"))
    assert shop.run("decide", "Tokens last an hour").code == 0
    shop.stop(last_assistant_message="追加しました。")
    shop.after(hours=2).prompt("Write the manual")
    shop.tool("Write", file_path=str(shop.project / "guide.md"))
    return shop


def exported(shop: World) -> list[dict[str, Any]]:
    """Return the export events in the log."""
    return shop.events("session.exported")


def tale(count: int, name: str = "f") -> list[KindEvent]:
    """Record a session of many edits."""
    made = class_of("tool.finished")
    return [
        ("tool.finished", made(seq=seq, ts="2026-11-21T09:00:00.000Z", sid="s", tool="Edit",
                               target=f"{name}{seq}.py", changed=True))
        for seq in range(100_000, 100_000 + count)
    ]  # fmt: skip


@pytest.fixture
def journal(inline: World) -> Callable[..., Result]:
    """Run `journal summarize` in this process, in the world's environment."""

    def run(*words: str) -> Result:
        env = inline.env({"COLUMNS": "100", "NO_COLOR": "1"})
        return run_command(["summarize", *words], env, inline.project)

    return run


def work(inline: World, sid: str = SID, prompt: str = "make the totals right") -> None:
    """Run a session that asks, edits and ends."""
    inline.sid = sid
    inline.start()
    inline.prompt(prompt)
    inline.tool("Edit", file_path=str(inline.project / "cart.py"))
    inline.stop()
    inline.end()


def made(inline: World) -> list[tuple[str, str]]:
    """Return sessions and engines of the summaries in the log."""
    return [(event["of"], event["engine"]) for event in inline.events("session.summarized")]
