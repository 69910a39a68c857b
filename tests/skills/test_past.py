"""The skills about past sessions: what they ask first, and whether their example works."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cli.past.plan import FORM, choices
from tests.cases.world import World
from tests.skills.skill import read

if TYPE_CHECKING:
    from pathlib import Path


def test_the_person_can_say_what_to_export() -> None:
    """The person's argument is in the skill's text, not in a command."""
    assert "$ARGUMENTS" in read("export").body


def test_export_asks_before_it_writes() -> None:
    """The question comes before every command that writes; no answer means no choice."""
    body = read("export").body
    asks = body.index("## 3. Ask")
    for command in ("journal export-session --pick", "journal export-session --plan"):
        assert asks < body.index(command)
    assert "nothing is written" in body[asks : body.index("## 4.")]


def test_the_plan_of_the_skill_is_one(tmp_path: Path) -> None:
    """The skill's example plan, with a session's numbers, is accepted; so is the form in errors."""
    shop = World(tmp_path, inline=True)
    shop.start()
    for name in ("a.py", "b.py", "c.py"):
        shop.prompt(f"Write {name}")
        shop.tool("Write", file_path=str(shop.project / name))
    body = read("export").body
    plan = body[body.index("<<'PLAN'\n") + 9 : body.index("\nPLAN\n")]
    seqs = [event["seq"] for event in shop.events("tool.finished")]
    filled = plan.replace('"10-19"', f'"{seqs[0]}-{seqs[1]}"').replace("22", str(seqs[2]))
    said = shop.run("export-session", "--plan", "-", stdin=filled)
    assert said.code == 0, said.err
    assert [len(event["files"]) for event in shop.events("session.exported")] == [2, 3]
    groups = json.loads(FORM)
    assert [sorted(entry) for entry in groups] == [
        ["groups", "title"],
        ["seqs", "summary", "title"],
    ]
    assert choices("[]", [], ()) == []
