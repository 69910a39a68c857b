"""What a rewind or another hook took out of a session is in none of its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.replay.run import replay_all
from projections.all_parts import every
from projections.digest import title_of
from projections.summary import summarize
from tests.journal.history.reconcile.recorded import Recorded

if TYPE_CHECKING:
    from pathlib import Path

    from projections.digest import Digest

WRONG = "Delete the parser and use BETA-2 from the library."
RIGHT = "Write the tests of the parser with GAMMA-3 now."
REFUSED = "UserPromptSubmit operation blocked by hook:\n[x]: no\n\nOriginal prompt: "


@pytest.fixture
def world(tmp_path: Path) -> Recorded:
    """Return a world with a session whose first answer is line "a0"."""
    world = Recorded(tmp_path / "world", inline=True)
    world.start()
    world.line("assistant", [{"type": "text", "text": "Hello."}], uuid="a0")
    return world


def ask(world: Recorded, text: str, after: str) -> None:
    """Do a turn whose prompt follows line `after`."""
    world.prompt(text)
    world.after(seconds=1).line("user", text, parentUuid=after)
    world.answer(f"Answered: {text}")


def block(world: Recorded, text: str) -> None:
    """Submit a prompt that another plugin's hook blocks."""
    world.prompt(text)
    world.after(seconds=1).line("system", subtype="informational", notice=REFUSED + text)


def digest_of(world: Recorded) -> Digest:
    """Return the session's digest."""
    found: Digest = every(replay_all(str(world.directory), ("digests",)).states["digests"])[
        world.sid
    ]
    return found


def test_a_rewind_without_a_compaction(world: Recorded) -> None:
    """Title, digest and summary leave it out, although each turn was compared on its own."""
    ask(world, WRONG, "a0")
    world.reconcile()
    assert title_of(digest_of(world)) == WRONG
    ask(world, RIGHT, "a0")
    assert len(world.reconcile()) == 1
    assert world.reconcile() == []
    digest = digest_of(world)
    assert title_of(digest) == RIGHT
    assert digest.messages == [f"Answered: {RIGHT}"]
    assert "BETA-2" not in summarize(digest).summary


def test_a_blocked_prompt_without_a_compaction(world: Recorded) -> None:
    """A prompt that Claude never saw is neither title nor request."""
    block(world, WRONG)
    ask(world, RIGHT, "a0")
    world.reconcile()
    digest = digest_of(world)
    assert (title_of(digest), digest.prompts) == (RIGHT, [RIGHT])


def test_a_blocked_prompt_that_was_sent_again(world: Recorded) -> None:
    """A prompt that reached Claude at the second attempt is a request."""
    block(world, RIGHT)
    ask(world, RIGHT, "a0")
    assert world.reconcile() == []
    assert title_of(digest_of(world)) == RIGHT


def test_a_log_of_no_prompts_gets_none(world: Recorded) -> None:
    """Where prompts are not stored, no withdrawn ones are stored either."""
    block(world, WRONG)
    ask(world, RIGHT, "a0")
    before = len(world.events())
    world.reconcile(level="minimal")
    assert "BETA-2" not in str(world.events()[before:])
