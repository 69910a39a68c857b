"""A session with several parts, for the tests of their export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.events.registry import class_of
from tests.cases.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from journal.history.summaries.groups import KindEvent


@pytest.fixture
def shop(tmp_path: Path) -> World:
    """A session that did three things and is still open."""
    shop = World(tmp_path, inline=True)
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
